// What is left of a chart when all that only trees below a threshold use is taken away.
//
// Outside scores say what the best tree around an item scores. Inside and outside together are the best tree
// that uses the item, so whatever falls short of the threshold can go without touching a better tree.
#pragma once

#include "structured/grammar/chart.hpp"

namespace hedgerow::structured::grammar {

class Survivors {
 public:
  // A way to an item: a rule and two tops, a chain (or -1) and a base. Words have no ways.
  struct Way {
    std::int32_t id, left, right;
  };
  struct Item {
    std::int32_t begin, end, symbol;
    bool is_top;
    double outside;
    std::int64_t first_way, last_way;
  };

  // From a chart that was filled with these weights.
  void find(const Grammar& grammar, const StepWeights& weights, const Chart& chart, double threshold);

  const Item& operator[](std::int32_t item) const { return items_[item]; }
  std::int64_t size() const { return static_cast<std::int64_t>(items_.size()); }
  const Way& way(std::int64_t number) const { return ways_[number]; }
  // Items such that parts come before what is made of them.
  std::span<const std::int32_t> bottom_up() const { return order_; }
  // Ways to whole trees: root chains on bases.
  std::span<const Way> roots() const { return roots_; }

 private:
  struct Grid {  // items by span and symbol
    std::vector<std::int32_t> item;
    std::vector<std::vector<std::int32_t>> of_span;
  };
  std::int32_t reach(Grid& grid, std::int64_t begin, std::int64_t end, std::int32_t symbol, bool is_top,
                     double outside);
  void expand_top(std::int32_t top, const Grammar& grammar, const StepWeights& weights, const Chart& chart,
                  double threshold);
  void expand_base(std::int32_t base, const Grammar& grammar, const StepWeights& weights, const Chart& chart,
                   double threshold);

  std::int64_t symbols_ = 0;
  std::vector<Item> items_;
  std::vector<Way> ways_, roots_;
  std::vector<std::int32_t> order_;
  Grid bases_, tops_;
};

}  // namespace hedgerow::structured::grammar
