#include "models/vector_supports.hpp"

#include <algorithm>
#include <bit>
#include <limits>

#include "models/fields.hpp"
#include "models/whole_numbers.hpp"
#include "parallel.hpp"

namespace hedgerow::models {

namespace {

// A column costs as much as a list of slots / 8 entries.
constexpr std::int32_t column_share = 8;
constexpr std::int32_t smallest_capacity = 8;
// In a state: zeros for each entry of dense rows, and places in columns for each entry.
constexpr std::size_t most_zeros = 1 << 16, most_empty = 1 << 10;
constexpr std::int32_t fewest_in_bytes = 64;  // slots for which looking at the vector first is worth while

// Values of the index that stay in the second-level cache while several vectors pass, and slots whose sums
// stay in the first.
constexpr std::int64_t cached_values = std::int64_t{1} << 17, widest_tile = 1024, narrowest_tile = 64;

// out[s] += factor[j] * column[j][s] for all j, one after the other, for s in [begin, end). The order
// matters: a product must not depend on which features of other supports are in columns, and which in lists.
HEDGEROW_CLONES(void, add_columns,
                (const double* const* column, const double* factor, std::int64_t columns, std::int64_t begin,
                 std::int64_t end, double* __restrict out),
                (column, factor, columns, begin, end, out)) {
  std::int64_t j = 0;
  for (; j + 4 <= columns; j += 4) {
    const double* __restrict a = column[j];
    const double* __restrict b = column[j + 1];
    const double* __restrict c = column[j + 2];
    const double* __restrict d = column[j + 3];
    const double fa = factor[j], fb = factor[j + 1], fc = factor[j + 2], fd = factor[j + 3];
    for (std::int64_t s = begin; s < end; ++s)
      out[s] = (((out[s] + fa * a[s]) + fb * b[s]) + fc * c[s]) + fd * d[s];
  }
  for (; j < columns; ++j) {
    const double* __restrict a = column[j];
    const double fa = factor[j];
    for (std::int64_t s = begin; s < end; ++s) out[s] += fa * a[s];
  }
}

constexpr std::int64_t chunk = 32;  // features summed before they join the total, which keeps rounding small

// Compiled like add_columns: the same instructions round the same way.
HEDGEROW_CLONES(void, add_list, (const SlotValue* list, std::size_t size, double factor, double* out),
                (list, size, factor, out)) {
  for (std::size_t i = 0; i < size; ++i) out[list[i].slot] += factor * list[i].value;
}

// out[s] += sum over j of (x[j] - column[j][s])^2
HEDGEROW_CLONES(void, add_squared_differences,
                (const double* const* column, const double* x, std::int64_t columns, std::int64_t slots,
                 double* __restrict out),
                (column, x, columns, slots, out)) {
  double part[256];
  for (std::int64_t begin = 0; begin < slots; begin += 256) {
    const std::int64_t n = begin + 256 < slots ? 256 : slots - begin;
    for (std::int64_t first = 0; first < columns; first += chunk) {
      for (std::int64_t s = 0; s < n; ++s) part[s] = 0;
      const std::int64_t last = first + chunk < columns ? first + chunk : columns;
      for (std::int64_t j = first; j < last; ++j) {
        const double* __restrict values = column[j] + begin;
        const double own = x[j];
        for (std::int64_t s = 0; s < n; ++s) part[s] += (own - values[s]) * (own - values[s]);
      }
      for (std::int64_t s = 0; s < n; ++s) out[begin + s] += part[s];
    }
  }
}

}  // namespace

void VectorSupports::check_width(std::int64_t width, bool dense) const {
  if (dense && width_ >= 0 && width != width_)
    throw std::invalid_argument("the model has " + std::to_string(width_) + " features, got " +
                                std::to_string(width));
  if (width > std::numeric_limits<std::int32_t>::max())
    throw std::invalid_argument("vectors have at most 2147483647 features, got " + std::to_string(width));
}

void VectorSupports::set_width(std::int64_t width) {
  width_ = width;
  numbers_ = FeatureNumbers(width);
  features_.resize(numbers_.size());
}

void VectorSupports::put(std::int32_t slot, std::int64_t width, const Entries& vector, bool dense) {
  check_width(width, dense);
  if (width_ < 0) set_width(width);
  if (width > width_) {
    width_ = width;
    numbers_.widen(width);
    features_.resize(numbers_.size());
  }
  if (slot == slots()) rows_.emplace_back();
  Row& row = rows_[slot];
  row.feature.assign(vector.feature.begin(), vector.feature.end());
  row.value.assign(vector.value.begin(), vector.value.end());
  row.dense = dense;
  if (slots() > capacity_) grow();
  check_whole(row);
  add_row(slot);
}

// One other support, and the bytes are of no use any more.
void VectorSupports::check_whole(const Row& row) {
  if (!whole_ || (!parts_.used() && are_small_and_whole(row.value))) return;
  whole_ = false;
  for (Feature& feature : features_) feature.bytes = {};
}

void VectorSupports::grow() {
  capacity_ = std::max(smallest_capacity, 2 * capacity_);
  for (Feature& feature : features_) {
    if (feature.column.empty()) continue;
    if (feature.supports < capacity_ / column_share)
      to_list(feature);
    else
      make_column(feature);
  }
}

void VectorSupports::make_column(Feature& feature) {
  feature.column.resize(capacity_);
  if (whole_) feature.bytes.resize(capacity_);
}

void VectorSupports::add_row(std::int32_t slot) {
  const Row& row = rows_[slot];
  const UnitPart part = parts_((*this)[slot]);
  for (std::size_t e = 0; e < row.feature.size(); ++e) {
    Feature& feature = features_[add_feature(row.feature[e])];
    add(feature, slot, part(row.value[e]));
  }
}

std::int32_t VectorSupports::add_feature(std::int32_t feature) {
  const std::int32_t number = numbers_.add(feature);
  if (number == static_cast<std::int32_t>(features_.size())) features_.emplace_back();
  return number;
}

void VectorSupports::add(Feature& feature, std::int32_t slot, double value) {
  ++feature.supports;
  if (feature.column.empty() && feature.supports >= capacity_ / column_share) to_column(feature);
  if (!feature.column.empty()) {
    feature.column[slot] = value;
    if (whole_) feature.bytes[slot] = static_cast<std::int8_t>(value);
  } else if (value != 0) {
    feature.list.push_back({slot, value});
    ++listed_;
  }
}

void VectorSupports::to_column(Feature& feature) {
  make_column(feature);
  for (const SlotValue& posting : feature.list) {
    feature.column[posting.slot] = posting.value;
    if (whole_) feature.bytes[posting.slot] = static_cast<std::int8_t>(posting.value);
  }
  listed_ -= static_cast<std::int64_t>(feature.list.size());
  feature.list = {};
}

void VectorSupports::to_list(Feature& feature) {
  for (std::size_t slot = 0; slot < feature.column.size(); ++slot)
    if (feature.column[slot] != 0)
      feature.list.push_back({static_cast<std::int32_t>(slot), feature.column[slot]});
  listed_ += static_cast<std::int64_t>(feature.list.size());
  feature.column = {};
  feature.bytes = {};
}

void VectorSupports::erase(std::int32_t slot) {
  Row& row = rows_[slot];
  for (std::int32_t name : row.feature) {
    Feature& feature = features_[numbers_.find(name)];
    --feature.supports;
    if (!feature.column.empty()) {
      feature.column[slot] = 0;
      if (whole_) feature.bytes[slot] = 0;
      continue;
    }
    const auto posting = std::find_if(feature.list.begin(), feature.list.end(),
                                      [&](const SlotValue& p) { return p.slot == slot; });
    if (posting == feature.list.end()) continue;  // its value is 0
    *posting = feature.list.back();
    feature.list.pop_back();
    --listed_;
  }
  row = {};
}

std::shared_ptr<const Items> VectorSupports::items(std::span<const std::int32_t> slots) const {
  const std::int64_t width = std::max<std::int64_t>(width_, 0), n = static_cast<std::int64_t>(slots.size());
  if (std::all_of(slots.begin(), slots.end(), [&](std::int32_t s) { return rows_[s].dense; })) {
    auto values = std::make_shared<std::vector<double>>(n * width, 0.0);
    for (std::int64_t i = 0; i < n; ++i) {
      const Row& row = rows_[slots[i]];
      for (std::size_t e = 0; e < row.feature.size(); ++e)
        (*values)[i * width + row.feature[e]] = row.value[e];
    }
    return std::make_shared<DenseItems>(values->data(), n, width, values);
  }
  struct Arrays {
    std::vector<std::int64_t> begin{0};
    std::vector<std::int32_t> index;
    std::vector<double> value;
  };
  auto arrays = std::make_shared<Arrays>();
  for (std::int32_t slot : slots) {
    const Row& row = rows_[slot];
    arrays->index.insert(arrays->index.end(), row.feature.begin(), row.feature.end());
    arrays->value.insert(arrays->value.end(), row.value.begin(), row.value.end());
    arrays->begin.push_back(static_cast<std::int64_t>(arrays->index.size()));
  }
  auto items = std::make_shared<SparseItems>();
  items->begin = arrays->begin;
  items->index = arrays->index;
  items->value = arrays->value;
  items->width = width;
  items->owner = arrays;
  return items;
}

void VectorSupports::dots(std::span<const Request> requests, Scratch& scratch) const {
  scratch.column.clear();
  scratch.factor.clear();
  scratch.begin.assign(1, 0);
  std::size_t most = 1;  // columns of a request
  for (const Request& request : requests) {
    if (whole_ && slots() >= fewest_in_bytes && are_small_and_whole(request.vector.value)) {
      whole_dots(request, scratch);
      scratch.begin.push_back(scratch.column.size());
      continue;
    }
    std::fill_n(request.out, slots(), 0.0);
    const std::size_t first = scratch.begin.back();
    for (std::size_t e = 0; e < request.vector.feature.size() && slots() > 0; ++e) {
      const std::int32_t number = numbers_.find(request.vector.feature[e]);
      if (number < 0) continue;
      const Feature& feature = features_[number];
      const double value = request.part(request.vector.value[e]);
      if (!feature.column.empty()) {
        scratch.column.push_back(feature.column.data());
        scratch.factor.push_back(value);
      } else if (!feature.list.empty()) {
        add_columns(scratch.column.data() + first, scratch.factor.data() + first,
                    static_cast<std::int64_t>(scratch.column.size() - first), 0, slots(), request.out);
        scratch.column.resize(first);
        scratch.factor.resize(first);
        add_list(feature.list.data(), feature.list.size(), value, request.out);
      }
    }
    most = std::max(most, scratch.column.size() - scratch.begin.back());
    scratch.begin.push_back(scratch.column.size());
  }
  const std::int64_t tile =
      std::clamp(cached_values / static_cast<std::int64_t>(most), narrowest_tile, widest_tile);
  for (std::int64_t begin = 0; begin < slots(); begin += tile)
    for (std::size_t r = 0; r < requests.size(); ++r) {
      const std::size_t first = scratch.begin[r];
      add_columns(scratch.column.data() + first, scratch.factor.data() + first,
                  static_cast<std::int64_t>(scratch.begin[r + 1] - first), begin,
                  std::min<std::int64_t>(begin + tile, slots()), requests[r].out);
    }
}

void VectorSupports::whole_dots(const Request& request, Scratch& scratch) const {
  scratch.bytes.clear();
  scratch.whole_factor.clear();
  scratch.whole_sum.assign(slots(), 0);
  for (std::size_t e = 0; e < request.vector.feature.size(); ++e) {
    const std::int32_t number = numbers_.find(request.vector.feature[e]);
    if (number < 0) continue;
    const Feature& feature = features_[number];
    const auto value = static_cast<std::int16_t>(request.vector.value[e]);
    if (!feature.bytes.empty()) {
      scratch.bytes.push_back(feature.bytes.data());
      scratch.whole_factor.push_back(value);
    } else {
      for (const SlotValue& posting : feature.list)
        scratch.whole_sum[posting.slot] += static_cast<std::int16_t>(value * posting.value);
    }
  }
  add_whole_columns(scratch.bytes, scratch.whole_factor.data(), slots(), scratch.whole_sum.data(),
                    request.out);
}

void VectorSupports::squared_distances(const Entries& vector, Scratch& scratch, double* out) const {
  // Features that only the vector has add the same to all.
  double common = 0, lost = 0;
  scratch.dense.assign(features_.size(), 0.0);
  for (std::size_t e = 0; e < vector.feature.size(); ++e) {
    const std::int32_t number = width_ < 0 ? -1 : numbers_.find(vector.feature[e]);
    if (number >= 0 && !features_[number].column.empty()) {
      scratch.dense[number] = vector.value[e];
      continue;
    }
    const double term = vector.value[e] * vector.value[e] - lost, next = common + term;
    lost = (next - common) - term;
    common = next;
  }
  std::fill_n(out, slots(), common);
  scratch.column.clear();
  scratch.factor.clear();
  for (std::size_t number = 0; number < features_.size(); ++number) {
    if (features_[number].column.empty()) continue;
    scratch.column.push_back(features_[number].column.data());
    scratch.factor.push_back(scratch.dense[number]);
  }
  add_squared_differences(scratch.column.data(), scratch.factor.data(),
                          static_cast<std::int64_t>(scratch.column.size()), slots(), out);
}

void VectorSupports::save(State& state, const std::string& prefix) const {
  std::vector<std::int64_t> begin{0};
  std::vector<std::int32_t> index, columns;
  std::vector<double> value;
  std::vector<std::uint8_t> dense;
  for (const Row& row : rows_) {
    index.insert(index.end(), row.feature.begin(), row.feature.end());
    value.insert(value.end(), row.value.begin(), row.value.end());
    begin.push_back(static_cast<std::int64_t>(index.size()));
    dense.push_back(row.dense);
  }
  // A copy has the same columns, and so the same speed.
  for (std::size_t number = 0; number < features_.size(); ++number)
    if (!features_[number].column.empty()) columns.push_back(numbers_.features()[number]);
  std::sort(columns.begin(), columns.end());
  state.set(prefix + "width", std::vector<std::int64_t>{width_});
  state.set(prefix + "begin", std::move(begin));
  state.set(prefix + "index", std::move(index));
  state.set(prefix + "value", std::move(value));
  state.set(prefix + "dense", std::move(dense));
  state.set(prefix + "columns", std::move(columns));
}

void VectorSupports::load(const State& state, const std::string& prefix) {
  const std::int64_t width = state.get<std::int64_t>(prefix + "width", 1)[0];
  const auto& begin = state.get<std::int64_t>(prefix + "begin");
  const auto& index = state.get<std::int32_t>(prefix + "index");
  const auto& value = numbers_in(finite, state, prefix + "value", index.size());
  const auto& columns = state.get<std::int32_t>(prefix + "columns");
  if (begin.empty() || begin.front() != 0 || begin.back() != static_cast<std::int64_t>(index.size()) ||
      begin.size() - 1 > std::numeric_limits<std::int32_t>::max() || width < -1 ||
      (width < 0 && begin.size() > 1))
    throw std::invalid_argument(prefix + "begin does not fit the other arrays");
  if (!std::ranges::is_sorted(begin)) throw std::invalid_argument(prefix + "begin must not decrease");
  const auto& dense = state.get<std::uint8_t>(prefix + "dense", begin.size() - 1);
  check_width(width, false);
  const auto in_range = [&](std::int32_t feature) { return feature >= 0 && feature < width; };
  for (std::size_t row = 0; row + 1 < begin.size(); ++row)
    for (std::int64_t e = begin[row]; e < begin[row + 1]; ++e)
      if (!in_range(index[e]) || (e > begin[row] && index[e] <= index[e - 1]))
        throw std::invalid_argument(prefix + "index must increase within a row and stay below the width");
  if (!std::all_of(columns.begin(), columns.end(), in_range))
    throw std::invalid_argument(prefix + "columns must stay below the width");
  if (width < 0) return;

  // What a few bytes of a file may stand for in memory has its limits.
  const std::size_t entries = index.size() + begin.size();
  if (std::ranges::count(dense, 0) < std::ssize(dense) && width * dense.size() > most_zeros * entries)
    throw std::invalid_argument(prefix + "dense has rows that are almost empty");
  rows_.resize(begin.size() - 1);
  if (!rows_.empty())
    capacity_ = std::max(smallest_capacity, static_cast<std::int32_t>(std::bit_ceil(rows_.size())));
  if (columns.size() * capacity_ > most_empty * (entries + columns.size()))
    throw std::invalid_argument(prefix + "columns are too many for so few entries");
  set_width(width);
  for (std::int32_t name : columns) make_column(features_[add_feature(name)]);
  for (std::int32_t slot = 0; slot < slots(); ++slot) {
    Row& row = rows_[slot];
    row.feature.assign(index.begin() + begin[slot], index.begin() + begin[slot + 1]);
    row.value.assign(value.begin() + begin[slot], value.begin() + begin[slot + 1]);
    row.dense = dense[slot];
    check_whole(row);
    add_row(slot);
  }
}

}  // namespace hedgerow::models
