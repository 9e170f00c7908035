#include "linear/cells.hpp"

#include <algorithm>
#include <functional>
#include <stdexcept>

namespace hedgerow::linear {

// Untouched rows stay so.
void CellTable::move_to(std::int64_t room, std::int64_t stride) {
  const std::size_t of_row = static_cast<std::size_t>(stride) * width_;
  LazyZeros larger(room, of_row * sizeof(double));
  auto* to = static_cast<double*>(larger.data());
  const std::size_t n = static_cast<std::size_t>(columns_) * width_;
  for (std::int64_t row = 0; row < rows_; ++row) {
    const double* numbers = data() + static_cast<std::size_t>(row * stride_) * width_;
    if (std::any_of(numbers, numbers + n, [](double number) { return number != 0; }))
      std::memcpy(to + static_cast<std::size_t>(row) * of_row, numbers, n * sizeof(double));
  }
  memory_ = std::move(larger);
  room_ = room;
}

void save_cells(models::State& state, const std::string& prefix, const models::Layout& layout,
                const CellColumn& cells) {
  std::vector<std::int32_t> features;
  std::vector<double> touched;
  for (std::int64_t j = 0; j < cells.size; ++j) {
    if (cells.is_untouched(cells[j])) continue;
    features.push_back(static_cast<std::int32_t>(j));
    touched.insert(touched.end(), cells[j], cells[j] + cells.width);
  }
  const std::size_t n = features.size();
  state.set(prefix + "size", std::vector<std::int64_t>{cells.size});
  state.set(prefix + "features", std::move(features));
  models::save_columns(state, prefix, layout, touched.data(), n);
}

std::int64_t cells_in(const models::State& state, const std::string& prefix, std::int64_t most) {
  // Features are numbers of 32 bits.
  const std::int64_t room =
      models::whole_numbers_in<std::int64_t>(0, std::int64_t{1} << 31, state, prefix + "size", 1)[0];
  const std::int64_t size = std::min(room, most);
  const auto& features = state.get<std::int32_t>(prefix + "features");
  if (!features.empty() && (features.front() < 0 || features.back() >= size ||
                            std::ranges::adjacent_find(features, std::greater_equal()) != features.end()))
    throw std::invalid_argument(prefix + "features must increase, from 0 to below " + std::to_string(size));
  return size;
}

void load_cells(const models::State& state, const std::string& prefix, const models::Layout& layout,
                const CellColumn& cells) {
  const auto& features = state.get<std::int32_t>(prefix + "features");
  std::vector<double> touched(features.size() * cells.width);
  models::load_columns(state, prefix, layout, touched.data(), features.size());
  for (std::size_t i = 0; i < features.size(); ++i)
    std::copy_n(touched.data() + i * cells.width, cells.width, cells[features[i]]);
}

}  // namespace hedgerow::linear
