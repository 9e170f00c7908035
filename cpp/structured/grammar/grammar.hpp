// A context-free grammar with one derivation for every tree.
//
// A tree is built from three kinds of steps. A binary rule joins two neighbouring parts; nodes with more
// children are made of several rules, by symbols that only mark how far one has come. A chain puts unary
// nodes on what a rule or a word has made, all at once: only whole chains that were seen are allowed, so
// there are no cycles, although a chain's features are those of its single unary rules. A root chain, which
// may be empty, finishes the tree. As neither chain can follow a chain, no tree is derived twice, and the
// second best derivation is the second best tree.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace hedgerow::structured::grammar {

class SpanFeatures;

inline constexpr std::int32_t no_label = -1;    // of symbols that are no brackets: tags, markers, some roots
inline constexpr std::int32_t no_feature = -1;  // of steps without a choice
inline constexpr std::int32_t no_class = -1;    // of symbols whose spans do not count

struct BinaryRule {
  std::int32_t parent, left, right, feature;
};

// Unary nodes above a base symbol; `top` is the uppermost one's symbol (of no meaning for root chains).
struct UnaryChain {
  std::int32_t base, top;
  std::vector<std::int32_t> labels;    // brackets that it adds
  std::vector<std::int32_t> features;  // of its unary rules
  std::vector<std::int32_t> classes;   // of its nodes, but for the base; see Grammar::node_class
};

// What a word may be.
struct LexicalRule {
  std::int32_t tag, feature;
};

// Rules in the order of one of their symbols.
struct RuleOrder {
  struct Entry {
    std::int32_t first, second;  // the other two symbols: right and parent, or left and right
    std::int32_t rule;
  };
  std::vector<std::int32_t> begin;  // one entry a symbol, and the end
  std::vector<Entry> entries;

  std::span<const Entry> operator[](std::int32_t symbol) const {
    return {entries.data() + begin[symbol], entries.data() + begin[symbol + 1]};
  }
};

class Grammar {
 public:
  // labels: the bracket label of every symbol, or no_label. lexicon: for every kind of word. Throws
  // std::invalid_argument when the parts do not fit together, or a tree could be derived twice.
  Grammar(std::vector<std::int32_t> labels, std::vector<BinaryRule> rules, std::vector<UnaryChain> chains,
          std::vector<UnaryChain> root_chains, std::vector<std::vector<LexicalRule>> lexicon,
          std::int64_t features);
  // Lets nodes score by what they span, too: the class of every symbol, or no_class, and features of these,
  // whose numbers are below features() or follow.
  void look_at_spans(std::vector<std::int32_t> classes, std::shared_ptr<const SpanFeatures> features);

  std::int32_t symbols() const { return static_cast<std::int32_t>(labels_.size()); }
  std::int64_t features() const;
  std::int32_t node_class(std::int32_t symbol) const { return classes_[symbol]; }
  const SpanFeatures* span_features() const { return span_features_.get(); }
  std::int32_t label(std::int32_t symbol) const { return labels_[symbol]; }
  const std::vector<BinaryRule>& rules() const { return rules_; }
  const std::vector<UnaryChain>& chains() const { return chains_; }
  const std::vector<UnaryChain>& root_chains() const { return root_chains_; }
  std::int32_t word_kinds() const { return static_cast<std::int32_t>(lexicon_.size()); }
  std::span<const LexicalRule> tags(std::int32_t word_kind) const { return lexicon_[word_kind]; }

  const RuleOrder& by_left() const { return by_left_; }      // entries: right, parent
  const RuleOrder& by_parent() const { return by_parent_; }  // entries: left, right
  // Chains with that symbol at the top.
  std::span<const std::int32_t> chains_to(std::int32_t symbol) const {
    return {chain_ids_.data() + chain_begin_[symbol], chain_ids_.data() + chain_begin_[symbol + 1]};
  }
  // The largest number of brackets that a tree over so many words can have.
  std::int64_t most_brackets(std::int64_t words) const;

 private:
  std::vector<std::int32_t> labels_, classes_;
  std::shared_ptr<const SpanFeatures> span_features_;
  std::vector<BinaryRule> rules_;
  std::vector<UnaryChain> chains_, root_chains_;
  std::vector<std::vector<LexicalRule>> lexicon_;
  std::int64_t features_;
  RuleOrder by_left_, by_parent_;
  std::vector<std::int32_t> chain_begin_, chain_ids_;
};

// The weights of a grammar's steps, in the order in which they are used.
struct StepWeights {
  std::vector<double> by_left, by_parent;  // of binary rules
  std::vector<double> chains, root_chains;
  std::span<const double> features;

  void assign(const Grammar& grammar, std::span<const double> weights);
  double of_word(const LexicalRule& rule) const {
    return rule.feature == no_feature ? 0.0 : features[rule.feature];
  }
};

}  // namespace hedgerow::structured::grammar
