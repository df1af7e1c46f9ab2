/* Rows of five numbers in, a row of four probabilities out for each: the model as a function of a C program. */
#include <stdio.h>
#include <stdlib.h>

#include "mlp.h"

#define MOST 4096

int main(void) {
  static const int64_t row[] = MLP_INPUT_0_SHAPE; /* DL_DYNAMIC, 5 */
  static float numbers[MOST];
  int64_t count = 0;
  while (count < MOST && scanf("%f", &numbers[count]) == 1) count++;
  /* What does not fill rows is one row of another length, which the function refuses. */
  int fits = count % row[1] == 0;

  dl_tensor input = {.data = numbers,
                     .shape = {fits ? count / row[1] : 1, fits ? row[1] : count},
                     .rank = MLP_INPUT_0_RANK,
                     .dtype = MLP_INPUT_0_DTYPE};
  dl_tensor output = {0};
  int32_t error = mlp(&input, &output);
  if (error != DL_OK) {
    fprintf(stderr, "error %d at tensor %d\n", (int)DL_ERROR_KIND(error), (int)DL_ERROR_INDEX(error));
    return 1;
  }
  const float *result = output.data;
  for (int64_t at = 0; at < output.shape[0]; at++) {
    for (int64_t column = 0; column < output.shape[1]; column++) {
      printf("%.9g ", result[at * output.shape[1] + column]);
    }
    printf("\n");
  }
  free(output.owner);
  return 0;
}
