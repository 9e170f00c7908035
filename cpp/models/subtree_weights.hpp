// Weights of the distinct subtrees of an index, for several functions (columns).
//
// The members of a bucket are shared by all columns, but each column adds up its own in its own order, that
// in which they came to it: so its sums are, to the last bit, those that it would have alone.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "kernels/loops.hpp"
#include "models/state.hpp"

namespace hedgerow::models {

class SubtreeWeights {
 public:
  explicit SubtreeWeights(std::int32_t columns) : columns_(columns) {}

  // Makes room for the members of a bucket; no column has the new ones.
  void reserve(std::int32_t production, std::int32_t size) {
    if (static_cast<std::size_t>(production) >= buckets_.size()) buckets_.resize(production + 1);
    if (size > buckets_[production].capacity()) grow(buckets_[production], size);
  }

  // One more occurrence of a member in what the column weighs, with its weight. A new one comes last; whether
  // it is one cannot be foreseen, so there is no branch.
  void join(std::int32_t production, std::int32_t position, std::int32_t column, double weight) {
    const Bucket& bucket = buckets_[production];
    Member& member = bucket.member(position, column);
    Column& own = bucket.column(column);
    const bool is_new = member.uses++ == 0;
    member.place = is_new ? own.size : member.place;
    own.size += is_new;
    own.shuffled |= member.place != position;
    bucket.order(column)[member.place] = position;
    bucket.weights(column)[member.place] += weight;
  }
  // One less. Who has none left weighs nothing at all: rounding must not decide the sign of a score.
  void leave(std::int32_t production, std::int32_t position, std::int32_t column, double weight) {
    const Bucket& bucket = buckets_[production];
    Member& member = bucket.member(position, column);
    if (--member.uses > 0)
      bucket.weights(column)[member.place] -= weight;
    else
      remove(bucket, member.place, column);
  }
  // For a member that the column uses.
  void add(std::int32_t production, std::int32_t position, std::int32_t column, double weight) {
    const Bucket& bucket = buckets_[production];
    bucket.weights(column)[bucket.member(position, column).place] += weight;
  }

  // 0 for a member that the column does not use.
  double weight(std::int32_t production, std::int32_t position, std::int32_t column) const {
    const Bucket& bucket = buckets_[production];
    const Member& member = bucket.member(position, column);
    return member.uses > 0 ? bucket.weights(column)[member.place] : 0.0;
  }
  // Where a member stands in the order of a column that uses it; -1 if it does not.
  std::int32_t place(std::int32_t production, std::int32_t position, std::int32_t column) const {
    const Member& member = buckets_[production].member(position, column);
    return member.uses > 0 ? member.place : -1;
  }

  // The sum over the members that the column uses of weight * values[position].
  double dot(std::int32_t production, std::int32_t column, const double* values) const {
    return dot(buckets_[production], column, values, buckets_[production].column(column).size);
  }
  // Adds these to out[c], for the first `columns` columns. `size`: of the bucket.
  void add_dots(std::int32_t production, std::int32_t columns, const double* values, std::int32_t size,
                double* out) const {
    const Bucket& bucket = buckets_[production];
    if (size == 1) {  // half of all: words with their tags
      const double* const weights = bucket.weights(0);
      for (std::int32_t c = 0; c < columns; ++c) out[c] += values[0] * weights[bucket.capacity() * c];
    } else if (size <= kernels::longest_short) {  // one length for all, which is foreseen; the rest are zeros
      for (std::int32_t c = 0; c < columns; ++c) out[c] += dot(bucket, c, values, size);
    } else {
      for (std::int32_t c = 0; c < columns; ++c) out[c] += dot(bucket, c, values, bucket.column(c).size);
    }
  }

  // Column c becomes what column from[c] was; -1: a new one, which uses nothing.
  void rearrange(std::span<const std::int32_t> from);
  void scale(std::int32_t column, double factor);
  // A member comes from where other weights have it, with all that columns have of it, unless it is here
  // already. After all of them, `look_at_orders`.
  void take_over(std::int32_t production, std::int32_t position, const SubtreeWeights& other,
                 std::int32_t other_production, std::int32_t other_position);
  void look_at_orders();
  // Weights, and places if there are any (models of earlier versions have none), of members: one row of
  // columns each. Throws invalid_argument when they do not go with what the columns use.
  void load(const State& state, const std::string& prefix, const std::vector<std::int32_t>& productions,
            const std::vector<std::int32_t>& positions, const std::vector<double>& weights);

 private:
  struct Column {
    std::int32_t size : 31 = 0;  // members
    bool shuffled : 1 = false;   // their places are not their positions
  };
  struct Member {
    std::int32_t place = 0, uses = 0;
  };
  // All of a bucket in one piece of memory.
  class Bucket {
   public:
    Bucket() = default;
    Bucket(std::int32_t columns, std::int32_t capacity);

    std::int32_t capacity() const { return capacity_; }
    double* weights(std::int32_t column) const {  // by place; 0 where there is no member
      return reinterpret_cast<double*>(memory_.get()) + at(column);
    }
    Member& member(std::int32_t position, std::int32_t column) const {
      return reinterpret_cast<Member*>(
          weights(columns_))[static_cast<std::size_t>(position) * columns_ + column];
    }
    Column& column(std::int32_t column) const {
      return reinterpret_cast<Column*>(&member(capacity_, 0))[column];
    }
    std::int32_t* order(std::int32_t column) const {  // positions, by place
      return reinterpret_cast<std::int32_t*>(&this->column(columns_)) + at(column);
    }

   private:
    std::size_t at(std::int32_t column) const { return static_cast<std::size_t>(column) * capacity_; }

    std::unique_ptr<std::byte[]> memory_;
    std::int32_t columns_ = 0, capacity_ = 0;
  };

  // Makes a bucket larger, or its column c what column from(c) was; -1: one that uses nothing.
  template <class From>
  void replace(Bucket& bucket, std::int32_t capacity, const From& from) const;
  void grow(Bucket& bucket, std::int32_t size) const;
  // The last one takes its place.
  static void remove(const Bucket& bucket, std::int32_t place, std::int32_t column) {
    Column& own = bucket.column(column);
    const std::int32_t last = --own.size;
    own.shuffled = last > 0 && (own.shuffled || place != last);
    std::int32_t* const order = bucket.order(column);
    double* const weights = bucket.weights(column);
    order[place] = order[last];
    weights[place] = weights[last];
    weights[last] = 0;
    bucket.member(order[place], column).place = place;
  }
  static double dot(const Bucket& bucket, std::int32_t column, const double* values, std::int32_t size) {
    const double* const weights = bucket.weights(column);
    if (!bucket.column(column).shuffled) return kernels::dot(values, weights, size);
    return kernels::gathered_dot(values, bucket.order(column), weights, size);
  }

  std::int32_t columns_;
  std::vector<Bucket> buckets_;  // by production
};

}  // namespace hedgerow::models
