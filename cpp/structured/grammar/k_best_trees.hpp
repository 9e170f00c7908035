// The k best trees of a sentence, from its chart.
//
// L. Huang, D. Chiang: Better k-best parsing, IWPT 2005, algorithm 3. The chart knows the best way to every
// symbol over every span. Further ways are found when they are asked for: the next best one of a symbol uses
// the next best one of a part below it. No tree is derived twice (grammar.hpp), so that ways are trees.
#pragma once

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

#include "structured/grammar/chart.hpp"

namespace hedgerow::structured::grammar {

class KBestTrees {
 public:
  // The chart must have been filled, without bonuses.
  KBestTrees(const Grammar& grammar, const StepWeights& weights, const Chart& chart)
      : grammar_(grammar), weights_(weights), chart_(chart) {}

  // Whether there are so many trees; then `score` and `trace` know the one with this rank, from 0.
  bool find(std::int32_t rank);
  double score(std::int32_t rank) const { return root_.found[rank].score; }
  void trace(std::int32_t rank, Derivation& out);

 private:
  // How a symbol is made of parts below it, each the best, the second best and so on of its kind.
  struct Way {
    double score = impossible, weight = 0;           // of the whole, and of the rule or chain alone
    std::int32_t id = -1;                            // of the rule or chain; -1 where a base is the top
    std::int32_t split = -1, left = -1, right = -1;  // parts; only rules have a right one
    std::int32_t left_rank = 0, right_rank = 0;
  };
  struct Part {
    std::int32_t begin, end, symbol;
    bool top;
    bool known = false;        // whether its ways have been looked for
    std::vector<Way> open{};   // a heap: the ways that may be next
    std::vector<Way> found{};  // best first
  };

  std::int32_t part(std::int32_t begin, std::int32_t end, std::int32_t symbol, bool top);
  double chart_score(const Part& part) const;
  // Whether the part has so many ways.
  bool find(std::int32_t part, std::int32_t rank);
  // The next way of a part into `found`; whether there is one.
  bool next(Part& part);
  void begin(Part& part);
  void begin_root();
  void offer(Part& part, Way way);
  void offer_next(Part& part, const Way& way, bool left);
  void trace(std::int32_t part, std::int32_t rank, Derivation& out);

  const Grammar& grammar_;
  const StepWeights& weights_;
  const Chart& chart_;
  std::vector<std::unique_ptr<Part>> parts_;  // places that stay while more come
  std::unordered_map<std::int64_t, std::int32_t> numbers_;
  Part root_{0, 0, 0, true};
};

}  // namespace hedgerow::structured::grammar
