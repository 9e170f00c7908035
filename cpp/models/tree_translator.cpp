#include "models/tree_translator.hpp"

#include <algorithm>
#include <type_traits>

namespace hedgerow::models {
namespace {

constexpr std::int32_t unseen = -3;  // not looked up yet

// Whether a table's entry has to be looked up: a growing target also takes what it was known to lack.
template <class Target>
bool is_missing(std::int32_t entry) {
  return std::is_const_v<Target> ? entry == unseen : entry < 0;
}

// The id of the sequence in a table that may grow, or in one that may not.
template <class T>
std::int32_t id_in(data::SequenceTable<T>& table, std::span<const T> sequence) {
  return table.intern(sequence);
}
template <class T>
std::int32_t id_in(const data::SequenceTable<T>& table, std::span<const T> sequence) {
  const std::int32_t id = table.find(sequence);
  return id == data::SequenceTable<T>::npos ? unknown_symbol : id;
}

}  // namespace

void TreeTranslator::read_from(std::shared_ptr<const data::Symbols> source) {
  if (source == source_) return;
  source_ = std::move(source);
  label_.assign(source_->labels.size(), unseen);
  production_.assign(source_->productions.size(), unseen);
}

void TreeTranslator::forget() {
  std::ranges::fill(label_, unseen);
  std::ranges::fill(production_, unseen);
}

template <class Target>
std::int32_t TreeTranslator::label(Target& target, std::int32_t id) {
  std::int32_t& entry = label_[id];
  if (is_missing<Target>(entry)) entry = id_in(target.labels, source_->labels[id]);
  return entry;
}

template <class Target>
std::int32_t TreeTranslator::production(Target& target, std::int32_t id) {
  std::int32_t& entry = production_[id];
  if (!is_missing<Target>(entry)) return entry;
  key_.clear();
  for (std::int32_t symbol : source_->productions[id]) {
    key_.push_back(label(target, symbol));
    if (key_.back() == unknown_symbol) return entry = unknown_symbol;
  }
  return entry = id_in(target.productions, std::span<const std::int32_t>(key_));
}

template <class Target>
data::TreeView TreeTranslator::translated(Target& target, const data::TreeView& tree) {
  tree_label_.resize(tree.size);
  tree_production_.resize(tree.size);
  for (std::int32_t v = 0; v < tree.size; ++v) {
    tree_label_[v] = label(target, tree.label[v]);
    tree_production_[v] = tree.is_leaf(v) ? data::no_production : production(target, tree.production[v]);
  }
  return {tree.size, tree_label_.data(), tree_production_.data(), tree.child_begin, tree.child};
}

data::TreeView TreeTranslator::known_productions(const data::Symbols& target, const data::TreeView& tree) {
  tree_production_.resize(tree.size);
  for (std::int32_t v = 0; v < tree.size; ++v)
    tree_production_[v] = tree.is_leaf(v) ? data::no_production : production(target, tree.production[v]);
  return {tree.size, tree.label, tree_production_.data(), tree.child_begin, tree.child};
}

template data::TreeView TreeTranslator::translated(const data::Symbols&, const data::TreeView&);
template data::TreeView TreeTranslator::translated(data::Symbols&, const data::TreeView&);

}  // namespace hedgerow::models
