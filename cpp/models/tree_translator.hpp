// Trees of a batch as they read in the vocabulary of a model.
#pragma once

#include <memory>
#include <vector>

#include "data/forest.hpp"

namespace hedgerow::models {

// The id of a label or production that a vocabulary lacks. (A leaf has no_production, another number.)
inline constexpr std::int32_t unknown_symbol = -2;

// A table from the ids of one vocabulary to those of another, the target. An entry is looked up when it is
// first needed, and the table is kept as long as trees come from the same vocabulary, so that a tree costs
// time by its size only. Whatever joins the target meanwhile must come through the same translator, which
// then knows of it.
class TreeTranslator {
 public:
  // Trees come from this vocabulary from now on.
  void read_from(std::shared_ptr<const data::Symbols> source);
  // Forgets all entries: the ids of the target have changed.
  void forget();

  // The tree in ids of `target`, unknown_symbol for what is not there. The view, here and below, holds until
  // the next call.
  data::TreeView known(const data::Symbols& target, const data::TreeView& tree) {
    return translated(target, tree);
  }
  // The same without labels: the view has those of the source.
  data::TreeView known_productions(const data::Symbols& target, const data::TreeView& tree);
  // The same for one production of an internal node.
  std::int32_t known_production(const data::Symbols& target, std::int32_t id) {
    return production(target, id);
  }
  // The tree after adding what is not there.
  data::TreeView added(data::Symbols& target, const data::TreeView& tree) { return translated(target, tree); }

 private:
  template <class Target>
  data::TreeView translated(Target& target, const data::TreeView& tree);
  template <class Target>
  std::int32_t label(Target& target, std::int32_t id);
  template <class Target>
  std::int32_t production(Target& target, std::int32_t id);

  std::shared_ptr<const data::Symbols> source_;
  std::vector<std::int32_t> label_, production_;            // by id in the source
  std::vector<std::int32_t> tree_label_, tree_production_;  // of the tree translated last
  std::vector<std::int32_t> key_;                           // scratch
};

}  // namespace hedgerow::models
