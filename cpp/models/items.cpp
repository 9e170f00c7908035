#include "models/items.hpp"

namespace hedgerow::models {
namespace {

// Rows of any length, one after the other: those of `items`.
template <class T>
std::vector<T> gather(std::span<const T> values, std::span<const std::int64_t> begin,
                      std::span<const std::int64_t> items) {
  std::vector<T> result;
  for (std::int64_t item : items)
    result.insert(result.end(), values.begin() + begin[item], values.begin() + begin[item + 1]);
  return result;
}

std::vector<std::int64_t> gather_begin(std::span<const std::int64_t> begin,
                                       std::span<const std::int64_t> items) {
  std::vector<std::int64_t> result{0};
  for (std::int64_t item : items) result.push_back(result.back() + begin[item + 1] - begin[item]);
  return result;
}

struct OwnRows {
  std::vector<std::int64_t> begin;
  std::vector<std::int32_t> index;  // or symbols
  std::vector<double> value;
};

}  // namespace

std::shared_ptr<const Items> TreeItems::select(std::span<const std::int64_t> items) const {
  auto own = std::make_shared<TreeItems>(std::make_shared<const data::Forest>(data::select(*forest, items)));
  own->norms.select(norms, items);
  return own;
}

std::shared_ptr<const Items> DenseItems::select(std::span<const std::int64_t> items) const {
  auto own = std::make_shared<std::vector<double>>();
  own->reserve(items.size() * width);
  for (std::int64_t item : items) own->insert(own->end(), (*this)[item].begin(), (*this)[item].end());
  return std::make_shared<DenseItems>(own->data(), static_cast<std::int64_t>(items.size()), width, own);
}

std::shared_ptr<const Items> SparseItems::select(std::span<const std::int64_t> items) const {
  auto own = std::make_shared<OwnRows>(
      OwnRows{gather_begin(begin, items), gather(index, begin, items), gather(value, begin, items)});
  auto result = std::make_shared<SparseItems>();
  result->begin = own->begin;
  result->index = own->index;
  result->value = own->value;
  result->width = width;
  result->owner = own;
  return result;
}

std::shared_ptr<const Items> SequenceItems::select(std::span<const std::int64_t> items) const {
  auto own = std::make_shared<OwnRows>(
      OwnRows{gather_begin(sequences.begin, items), gather(sequences.symbols, sequences.begin, items), {}});
  auto result = std::make_shared<SequenceItems>();
  result->sequences = {own->index, own->begin};
  result->tokens = tokens;
  result->owner = own;
  return result;
}

std::shared_ptr<const Items> PairItems::select(std::span<const std::int64_t> items) const {
  return std::make_shared<PairItems>(left->select(items), right->select(items));
}

}  // namespace hedgerow::models
