#include "models/subtree_weights.hpp"

#include <map>
#include <set>
#include <stdexcept>
#include <utility>

namespace hedgerow::models {

SubtreeWeights::Bucket::Bucket(std::int32_t columns, std::int32_t capacity)
    : columns_(columns), capacity_(capacity) {
  const std::size_t size =
      sizeof(Column) + capacity * (sizeof(double) + sizeof(Member) + sizeof(std::int32_t));
  memory_ = std::make_unique<std::byte[]>(columns * size);  // zeros
}

template <class From>
void SubtreeWeights::replace(Bucket& bucket, std::int32_t capacity, const From& from) const {
  Bucket other(columns_, capacity);
  for (std::int32_t c = 0; c < columns_; ++c) {
    const std::int32_t old = from(c);
    if (old < 0 || bucket.capacity() == 0) continue;
    other.column(c) = bucket.column(old);
    std::copy_n(bucket.weights(old), bucket.capacity(), other.weights(c));
    std::copy_n(bucket.order(old), bucket.capacity(), other.order(c));
    for (std::int32_t position = 0; position < bucket.capacity(); ++position)
      other.member(position, c) = bucket.member(position, old);
  }
  bucket = std::move(other);
}

void SubtreeWeights::grow(Bucket& bucket, std::int32_t size) const {
  replace(bucket, std::max(size, 2 * bucket.capacity()), [](std::int32_t c) { return c; });
}

void SubtreeWeights::rearrange(std::span<const std::int32_t> from) {
  columns_ = static_cast<std::int32_t>(from.size());
  for (Bucket& bucket : buckets_)
    if (bucket.capacity() > 0) replace(bucket, bucket.capacity(), [&](std::int32_t c) { return from[c]; });
}

void SubtreeWeights::scale(std::int32_t column, double factor) {
  for (const Bucket& bucket : buckets_) {
    if (bucket.capacity() == 0) continue;
    double* const weights = bucket.weights(column);
    for (std::int32_t i = 0; i < bucket.capacity(); ++i) weights[i] *= factor;
  }
}

void SubtreeWeights::take_over(std::int32_t production, std::int32_t position, const SubtreeWeights& other,
                               std::int32_t other_production, std::int32_t other_position) {
  const Bucket &to = buckets_[production], &from = other.buckets_[other_production];
  for (std::int32_t c = 0; c < columns_; ++c) {
    Member& member = to.member(position, c);
    const Member& known = from.member(other_position, c);
    if (member.uses > 0 || known.uses == 0) continue;
    member = known;
    to.order(c)[member.place] = position;
    to.weights(c)[member.place] = from.weights(c)[member.place];
    ++to.column(c).size;
  }
}

void SubtreeWeights::look_at_orders() {
  for (const Bucket& bucket : buckets_)
    for (std::int32_t c = 0; bucket.capacity() > 0 && c < columns_; ++c) {
      const std::int32_t* const order = bucket.order(c);
      Column& own = bucket.column(c);
      own.shuffled = false;
      for (std::int32_t i = 0; i < own.size; ++i) own.shuffled = own.shuffled || order[i] != i;
    }
}

void SubtreeWeights::load(const State& state, const std::string& prefix,
                          const std::vector<std::int32_t>& productions,
                          const std::vector<std::int32_t>& positions, const std::vector<double>& weights) {
  const bool has_places = state.has(prefix + "places");
  std::vector<std::int32_t> places;
  if (has_places) places = state.get<std::int32_t>(prefix + "places", weights.size());
  std::map<std::pair<std::int32_t, std::int32_t>, std::set<std::int32_t>> taken;  // by production and column
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const std::int32_t production = productions[i / columns_], position = positions[i / columns_];
    const auto column = static_cast<std::int32_t>(i % columns_);
    const Bucket& bucket = buckets_[production];
    Member& member = bucket.member(position, column);
    if (member.uses == 0) {
      // What supports that were left had weighed may be there in earlier versions, as far as rounding left
      // it.
      if (has_places && weights[i] != 0)
        throw std::invalid_argument(prefix + "weights has a weight of a subtree that no support has");
      continue;
    }
    auto& others = taken[{production, column}];
    member.place = has_places ? places[i] : static_cast<std::int32_t>(others.size());
    if (member.place < 0 || member.place >= bucket.column(column).size || !others.insert(member.place).second)
      throw std::invalid_argument(prefix + "places does not put the subtrees in an order");
    bucket.order(column)[member.place] = position;
    bucket.weights(column)[member.place] = weights[i];
  }
  look_at_orders();
}

}  // namespace hedgerow::models
