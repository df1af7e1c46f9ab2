/* Calls the function of calls.mlir as it should be called, and as it should not. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "calls.h"

#define EXPECT(holds)                                       \
  do {                                                      \
    if (!(holds)) {                                         \
      fprintf(stderr, "line %d: " #holds "\n", __LINE__);   \
      exit(1);                                              \
    }                                                       \
  } while (0)

static float x[6] = {1, 2, 3, 4, 5, 6};
static int64_t n = 41;
static unsigned char flag = 1;

static void arguments(dl_tensor *in) {
  memset(in, 0, CALLS_INPUTS * sizeof *in);
  in[0] = (dl_tensor){.data = x, .shape = {2, 3}, .rank = 2, .dtype = DL_F32};
  in[1] = (dl_tensor){.data = &n, .rank = 0, .dtype = DL_I64};
  in[2] = (dl_tensor){.data = &flag, .rank = 0, .dtype = DL_BOOL};
}

int main(void) {
  dl_tensor in[CALLS_INPUTS], out[CALLS_OUTPUTS];
  arguments(in);

  /* Buffers of the function's own. */
  memset(out, 0, sizeof out);
  EXPECT(calls(in, out) == DL_OK);
  const float *same = out[0].data, *twice = out[1].data, *again = out[2].data;
  const int16_t *constant = out[3].data;
  for (int at = 0; at < 6; at++) EXPECT(same[at] == x[at] && twice[at] == 2 * x[at] && again[at] == 2 * x[at]);
  EXPECT(out[0].rank == 2 && out[0].shape[0] == 2 && out[0].shape[1] == 3 && out[0].dtype == DL_F32);
  EXPECT(constant[0] == 7 && constant[1] == -7 && out[3].rank == 1 && out[3].shape[0] == 2 && out[3].dtype == DL_I16);
  EXPECT(*(int64_t *)out[4].data == 42 && out[4].rank == 0 && *(unsigned char *)out[5].data == 1);
  for (int at = 0; at < CALLS_OUTPUTS; at++) free(out[at].owner);

  /* Buffers of ours, one of them too small: the others are filled all the same. */
  float of_first[6] = {0}, of_second[5] = {0};
  memset(out, 0, sizeof out);
  out[0].data = of_first, out[0].capacity = sizeof of_first;
  out[1].data = of_second, out[1].capacity = sizeof of_second;
  int32_t error = calls(in, out);
  EXPECT(DL_ERROR_KIND(error) == DL_ERROR_CAPACITY && DL_ERROR_INDEX(error) == 1);
  EXPECT(memcmp(of_first, x, sizeof x) == 0 && of_second[0] == 0 && out[0].owner == NULL);
  for (int at = 2; at < CALLS_OUTPUTS; at++) free(out[at].owner);

  /* No rows at all. */
  memset(out, 0, sizeof out);
  in[0].shape[0] = 0;
  EXPECT(calls(in, out) == DL_OK && out[1].shape[0] == 0);
  for (int at = 0; at < CALLS_OUTPUTS; at++) free(out[at].owner);

  /* What does not fit. */
  arguments(in), in[0].dtype = DL_F64;
  error = calls(in, out);
  EXPECT(DL_ERROR_KIND(error) == DL_ERROR_DTYPE && DL_ERROR_INDEX(error) == 0);
  arguments(in), in[1].rank = 1;
  error = calls(in, out);
  EXPECT(DL_ERROR_KIND(error) == DL_ERROR_RANK && DL_ERROR_INDEX(error) == 1);
  arguments(in), in[0].shape[1] = 4;
  EXPECT(calls(in, out) == DL_ERROR_SHAPE);
  arguments(in), in[0].shape[0] = -1;
  EXPECT(calls(in, out) == DL_ERROR_SHAPE);
  arguments(in), in[2].data = NULL;
  error = calls(in, out);
  EXPECT(DL_ERROR_KIND(error) == DL_ERROR_NULL && DL_ERROR_INDEX(error) == 2);
  return 0;
}
