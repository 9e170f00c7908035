// A weighted grammar, bound to sentences and their true trees.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "structured/grammar/derivation.hpp"
#include "structured/grammar/sentences.hpp"
#include "structured/grammar/tree_loss.hpp"
#include "structured/oracle.hpp"

namespace hedgerow::structured::grammar {

class GrammarOracle final : public Oracle {
 public:
  // Sentences of word kinds with forms (see Sentences) and the derivations of their trees, one after the
  // other; those of example i begin at word_begin[i] and step_begin[i]. costs: of brackets by label, for that
  // loss.
  GrammarOracle(std::shared_ptr<const Grammar> grammar, TreeLoss loss, std::vector<double> costs,
                std::vector<std::int32_t> words, std::vector<std::int64_t> word_begin,
                std::vector<std::int32_t> forms, std::vector<Step> steps,
                std::vector<std::int64_t> step_begin);

  std::int64_t examples() const override { return static_cast<std::int64_t>(word_begin_.size()) - 1; }
  std::int64_t features() const override { return grammar_->features(); }
  void find(std::int64_t example, std::span<const double> weights, Question question,
            Candidate& found) const override;

 private:
  struct Scratch;

  Sentences sentences() const { return {words_, word_begin_, forms_}; }
  std::span<const std::int32_t> sentence(std::int64_t example) const { return sentences().kinds(example); }
  TokenForms forms(std::int64_t example) const { return sentences().forms_of(*grammar_, example); }
  std::span<const Step> truth(std::int64_t example) const {
    return {steps_.data() + step_begin_[example], steps_.data() + step_begin_[example + 1]};
  }
  // Leaves the tree asked for in scratch.answer; the true one when it has no rival.
  void search(std::int64_t example, Question question, Scratch& scratch) const;
  void search_other(std::int64_t example, Scratch& scratch) const;
  void search_augmented(std::int64_t example, Question question, Scratch& scratch) const;
  void search_with_costs(std::int64_t example, Question question, Scratch& scratch) const;
  double loss_of(std::int64_t example, std::span<const Step> derivation) const;
  double score(std::int64_t example, std::span<const Step> derivation, const Scratch& scratch) const;
  // Calls add(feature) for all features of a tree, as often as it has them.
  template <class Add>
  void for_all_features(std::int64_t example, std::span<const Step> derivation, Add&& add) const;

  std::shared_ptr<const Grammar> grammar_;
  TreeLoss loss_;
  std::vector<double> costs_;
  std::vector<std::int32_t> words_;
  std::vector<std::int64_t> word_begin_;
  std::vector<std::int32_t> forms_;
  std::vector<Step> steps_;
  std::vector<std::int64_t> step_begin_;
  std::vector<Brackets> brackets_;
};

}  // namespace hedgerow::structured::grammar
