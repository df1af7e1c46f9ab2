// Rows of five numbers in, a row of four probabilities out for each: the model as a function of a C++ program, with buffers of its own.
#include <iostream>
#include <limits>
#include <vector>

#include "mlp.h"

int main() {
  constexpr std::int64_t columns = 5, classes = 4;
  std::vector<float> numbers;
  for (float number; std::cin >> number;) numbers.push_back(number);
  const auto count = static_cast<std::int64_t>(numbers.size());
  // What does not fill rows is one row of another length, which the function refuses.
  const bool fits = count % columns == 0;

  dl_tensor input{};
  input.data = numbers.data();
  input.shape[0] = fits ? count / columns : 1;
  input.shape[1] = fits ? columns : count;
  input.rank = MLP_INPUT_0_RANK;
  input.dtype = MLP_INPUT_0_DTYPE;

  std::vector<float> result(static_cast<std::size_t>(input.shape[0] * classes));
  dl_tensor output{};
  output.data = result.data();
  output.capacity = static_cast<std::int64_t>(result.size() * sizeof(float));

  if (const std::int32_t error = mlp(&input, &output); error != DL_OK) {
    std::cerr << "error " << DL_ERROR_KIND(error) << " at tensor " << DL_ERROR_INDEX(error) << "\n";
    return 1;
  }
  std::cout.precision(std::numeric_limits<float>::max_digits10);
  for (std::size_t at = 0; at < result.size(); ++at) {
    std::cout << result[at] << ((at + 1) % classes == 0 ? "\n" : " ");
  }
}
