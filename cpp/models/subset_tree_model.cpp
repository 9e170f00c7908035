#include "models/subset_tree_model.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "kernels/loops.hpp"
#include "kernels/tree_gram.hpp"
#include "models/overflow.hpp"
#include "models/pass_subtrees.hpp"
#include "parallel.hpp"

namespace hedgerow::models {

SubsetTreeModel::SubsetTreeModel(const kernels::SubsetTreeParameters& parameters, bool normalized,
                                 std::int32_t columns)
    : KernelModel(columns),
      normalized_(normalized),
      norms_(parameters),
      index_(parameters),
      weights_(columns),
      scratch_(std::make_unique<Scratch>(index_)) {}

class SubsetTreeModel::Growing {
 public:
  explicit Growing(const SubsetTreeModel& model) : model_(model) {}

  const kernels::SubsetTreeIndex& index() const { return model_.index_; }
  void multiply(std::int32_t list, const double* below, double common, double* d) const {
    const auto matches = index().matches(list);
    if (below) {
      for (const auto match : matches) d[match.member] *= 1 + below[match.child];
    } else {
      const double factor = 1 + common;
      for (const auto match : matches) d[match.member] *= factor;
    }
  }
  void add_dots(std::int32_t production, std::int32_t columns, const double* d, std::int32_t size,
                double* share) const {
    model_.weights_.add_dots(production, columns, d, size, share);
  }
  std::int64_t changed(std::int32_t production) const { return model_.changed_[production]; }

 private:
  const SubsetTreeModel& model_;
};

template <class Body>
void SubsetTreeModel::with_matcher(Scratch& scratch, Body&& body) const {
  if (frozen_single_)
    body(*frozen_single_, scratch.shares_single);
  else if (frozen_)
    body(*frozen_, scratch.shares);
  else
    body(Growing(*this), scratch.shares);
}

// ---- learning

void SubsetTreeModel::open(std::shared_ptr<const Items> batch) {
  trees_.open(batch);
  norms_.open(trees_.batch());
  in_turn_.open(trees_.batch());
}

const kernels::TreeNorm& SubsetTreeModel::norm_of(std::int64_t item) {
  static const kernels::TreeNorm none;
  return normalized_ ? norms_.norm(item) : none;
}

double SubsetTreeModel::self_kernel(std::int64_t item) {
  return normalized_ ? norms_.norm(item).normalized_self() : require_finite(norms_.value(item));
}

void SubsetTreeModel::scores(std::int64_t item, std::int32_t columns, double* out) {
  bool is_new;
  if (!in_turn_.numbers(item, is_new))
    return score(trees_.item(item), norm_of(item), columns, out, *scratch_);
  with_matcher(*scratch_, [&](const auto&, auto& shares) {
    if (is_new || shares.columns() != columns) shares.start(in_turn_.block(), columns);
  });
  score_numbered(
      in_turn_.block(), in_turn_.of_tree(item), trees_.batch()[item],
      [&](std::int32_t id) { return trees_.known_production(id); }, [&] { return trees_.item(item); },
      norm_of(item), columns, out, *scratch_);
}

void SubsetTreeModel::row(std::int64_t item, double* out) {
  row_of(trees_.item(item), norm_of(item), out, *scratch_);
}

void SubsetTreeModel::put(std::int32_t slot, std::int64_t item) {
  thaw();
  trees_.put(slot, item);
  supports_.resize(slots());
  coefficients_.resize(at(slots(), 0), 0.0);
  joined_.resize(at(slots(), 0), 0);
  Support& support = supports_[slot];
  support.norm = norm_of(item);
  if (!normalized_) support.self = norms_.value(item);
  extreme_supports_ += support.norm.is_extreme;
  index_tree(slot);
}

void SubsetTreeModel::index_tree(std::int32_t slot) {
  const data::TreeView tree = trees_[slot];
  Support& support = supports_[slot];
  ids_.resize(tree.size);
  index_.number(tree, ids_.data());
  const std::int32_t known = index_.subtrees();
  support.tree = index_.size();
  index_.insert(tree, ids_.data());
  slot_of_.push_back(slot);
  inverse_norm_of_.push_back(support.norm.inverse);
  for (std::int32_t id = known; id < index_.subtrees(); ++id)
    weights_.reserve(index_.production(id), index_.bucket(index_.production(id)).size);
  support.subtrees.clear();
  support.subtrees.reserve(tree.size);
  for (std::int32_t v = 0; v < tree.size; ++v)
    if (!tree.is_leaf(v)) support.subtrees.push_back({tree.production[v], index_.position(ids_[v])});
  changed_.resize(index_.productions(), 0);
  note_change(slot);
  if (!index_.parameters().bag_of_words) return;
  leaf_weights_.resize(at(trees_.symbols().labels.size(), 0), 0.0);
  leaf_uses_.resize(leaf_weights_.size(), 0);
}

void SubsetTreeModel::note_change(std::int32_t slot) {
  ++changes_;
  for (const Subtree& s : supports_[slot].subtrees) changed_[s.production] = changes_;
}

// ---- supports

void SubsetTreeModel::add_weight(std::int32_t slot, std::int32_t column, double delta) {
  trees_.check_support(slot);
  thaw();
  note_change(slot);
  coefficients_[at(slot, column)] += delta;
  if (!joined_[at(slot, column)]) return join(slot, column, delta);
  const double weight = weight_of_subtrees(slot, delta);
  for (const Subtree& s : supports_[slot].subtrees) weights_.add(s.production, s.position, column, weight);
  for_each_leaf(slot, [&](std::size_t label) { leaf_weights_[label + column] += weight; });
}

void SubsetTreeModel::join(std::int32_t slot, std::int32_t column, double coefficient) {
  joined_[at(slot, column)] = 1;
  const double weight = weight_of_subtrees(slot, coefficient);
  for (const Subtree& s : supports_[slot].subtrees) weights_.join(s.production, s.position, column, weight);
  for_each_leaf(slot, [&](std::size_t label) {
    ++leaf_uses_[label + column];
    leaf_weights_[label + column] += weight;
  });
}

void SubsetTreeModel::drop_weight(std::int32_t slot, std::int32_t column) {
  trees_.check_support(slot);
  if (!joined_[at(slot, column)]) return;
  thaw();
  note_change(slot);
  joined_[at(slot, column)] = 0;
  const double weight = weight_of_subtrees(slot, std::exchange(coefficients_[at(slot, column)], 0.0));
  for (const Subtree& s : supports_[slot].subtrees) weights_.leave(s.production, s.position, column, weight);
  for_each_leaf(slot, [&](std::size_t label) {
    leaf_weights_[label + column] -= weight;
    if (--leaf_uses_[label + column] == 0) leaf_weights_[label + column] = 0;
  });
}

double SubsetTreeModel::weight_of_subtrees(std::int32_t slot, double coefficient) const {
  const kernels::TreeNorm& norm = supports_[slot].norm;
  if (norm.is_extreme) return 0;
  return normalized_ ? coefficient * norm.inverse : coefficient;
}

template <class Body>
void SubsetTreeModel::for_each_leaf(std::int32_t slot, Body&& body) const {
  if (!index_.parameters().bag_of_words) return;
  const data::TreeView tree = trees_[slot];
  for (std::int32_t v = 0; v < tree.size; ++v)
    if (tree.is_leaf(v)) body(at(tree.label[v], 0));
}

void SubsetTreeModel::scale_weights(std::int32_t column, double factor) {
  for (std::size_t i = column; i < coefficients_.size(); i += columns()) coefficients_[i] *= factor;
  for (std::size_t i = column; i < leaf_weights_.size(); i += columns()) leaf_weights_[i] *= factor;
  weights_.scale(column, factor);
  std::ranges::fill(changed_, ++changes_);
}

void SubsetTreeModel::rearrange(std::span<const std::int32_t> from) {
  thaw();
  in_turn_.stop();
  for (std::vector<double>* values : {&coefficients_, &leaf_weights_})
    rearrange_rows(*values, columns(), from);
  rearrange_rows(joined_, columns(), from);
  rearrange_rows(leaf_uses_, columns(), from);
  weights_.rearrange(from);
  KernelModel::rearrange(from);
}

void SubsetTreeModel::erase(std::int32_t slot) {
  if (!trees_.holds(slot)) throw std::invalid_argument("slot " + std::to_string(slot) + " holds no support");
  for (std::int32_t c = 0; c < columns(); ++c) drop_weight(slot, c);
  extreme_supports_ -= supports_[slot].norm.is_extreme;
  slot_of_[supports_[slot].tree] = -1;
  supports_[slot] = {};
  trees_.erase(slot);
  if (trees_.mostly_garbage()) rebuild();
}

// Weights are moved, not added up again, and keep their order: nothing that is computed changes.
void SubsetTreeModel::rebuild() {
  in_turn_.stop();
  const std::vector<std::int32_t> order = slots_in_order();
  const SubtreeWeights old_weights = std::exchange(weights_, SubtreeWeights(columns()));
  const std::vector<double> old_leaf_weights = std::exchange(leaf_weights_, {});
  const std::vector<std::int32_t> old_leaf_uses = std::exchange(leaf_uses_, {});
  std::vector<std::vector<std::size_t>> old_leaves(order.size());
  for (std::size_t i = 0; i < order.size(); ++i)
    for_each_leaf(order[i], [&](std::size_t label) { old_leaves[i].push_back(label); });
  trees_.compact();
  index_ = kernels::SubsetTreeIndex(index_.parameters());
  slot_of_.clear();
  inverse_norm_of_.clear();
  std::vector<std::vector<Subtree>> old_subtrees;
  for (const std::int32_t slot : order) {
    old_subtrees.push_back(std::move(supports_[slot].subtrees));
    index_tree(slot);
  }
  for (std::size_t i = 0; i < order.size(); ++i) {
    auto old = old_subtrees[i].begin();
    for (const Subtree& s : supports_[order[i]].subtrees) {
      weights_.take_over(s.production, s.position, old_weights, old->production, old->position);
      ++old;
    }
    auto old_leaf = old_leaves[i].begin();
    for_each_leaf(order[i], [&](std::size_t label) {
      std::copy_n(old_leaf_weights.data() + *old_leaf, columns(), leaf_weights_.data() + label);
      std::copy_n(old_leaf_uses.data() + *old_leaf++, columns(), leaf_uses_.data() + label);
    });
  }
  weights_.look_at_orders();
}

std::vector<std::int32_t> SubsetTreeModel::slots_in_order() const {
  std::vector<std::int32_t> order;
  std::ranges::copy_if(slot_of_, std::back_inserter(order), [](std::int32_t slot) { return slot >= 0; });
  return order;
}

double SubsetTreeModel::support_self_kernel(std::int32_t slot) {
  trees_.check_support(slot);
  const Support& support = supports_[slot];
  return normalized_ ? support.norm.normalized_self() : require_finite(support.self);
}

void SubsetTreeModel::support_scores(std::int32_t slot, std::int32_t columns, double* out) {
  trees_.check_support(slot);
  score(trees_[slot], supports_[slot].norm, columns, out, *scratch_);
}

void SubsetTreeModel::support_row(std::int32_t slot, double* out) {
  trees_.check_support(slot);
  row_of(trees_[slot], supports_[slot].norm, out, *scratch_);
}

// ---- scores and rows

void SubsetTreeModel::score(const data::TreeView& x, const kernels::TreeNorm& norm, std::int32_t columns,
                            double* out, Scratch& scratch) const {
  if (norm.is_extreme) return score_by_row(x, norm, columns, out, scratch);
  std::fill_n(out, columns, 0.0);
  add_subtrees(x, columns, out, scratch);
  finish_score([&] { return x; }, norm, columns, out, scratch);
}

template <class GetTree>
void SubsetTreeModel::finish_score(GetTree&& get_x, const kernels::TreeNorm& norm, std::int32_t columns,
                                   double* out, Scratch& scratch) const {
  if (index_.parameters().bag_of_words) add_leaves(get_x(), columns, out);
  if (normalized_)
    for (std::int32_t c = 0; c < columns; ++c) out[c] *= norm.inverse;
  if (extreme_supports_ > 0) {
    scratch.values.assign(slots(), 0.0);
    wide_row(get_x(), norm, false, scratch.values.data());
    add_products(scratch.values, columns, out);
  }
  // Too large, or subtrees of erased supports are: their weights are 0, but their D may be infinite.
  if (!std::all_of(out, out + columns, [](double value) { return std::isfinite(value); }))
    score_by_row(get_x(), norm, columns, out, scratch);
}

template <class Production, class GetTree>
void SubsetTreeModel::score_numbered(const data::SubtreeBlock& block,
                                     std::span<const data::SubtreeBlock::Number> subtrees,
                                     const data::TreeView& source, const Production& production,
                                     GetTree&& get_x, const kernels::TreeNorm& norm, std::int32_t columns,
                                     double* out, Scratch& scratch) const {
  if (subtrees.empty() || norm.is_extreme || kernels::may_exceed_pairs(index_, source) ||
      (frozen_single_ && !kernels::single_suffices(source, index_.parameters())))
    return score(get_x(), norm, columns, out, scratch);
  std::fill_n(out, columns, 0.0);
  with_matcher(scratch, [&](const auto& matcher, auto& shares) {
    shares.add(matcher, block, production, subtrees, out);
  });
  finish_score(get_x, norm, columns, out, scratch);
}

void SubsetTreeModel::add_subtrees(const data::TreeView& x, std::int32_t columns, double* out,
                                   Scratch& scratch) const {
  if (frozen_single_ && kernels::single_suffices(x, index_.parameters()))
    return frozen_single_->add_scores(x, columns, out, scratch.frozen_single);
  if (frozen_) return frozen_->add_scores(x, columns, out, scratch.frozen);
  scratch.vectors.compute(x, [&](std::int32_t production, const double* d, std::int32_t size) {
    weights_.add_dots(production, columns, d, size, out);
  });
}

void SubsetTreeModel::add_leaves(const data::TreeView& x, std::int32_t columns, double* out) const {
  for (std::int32_t v = 0; v < x.size; ++v) {
    const std::size_t begin = static_cast<std::size_t>(x.label[v]) * this->columns();
    if (!x.is_leaf(v) || x.label[v] < 0 || begin >= leaf_weights_.size()) continue;
    for (std::int32_t c = 0; c < columns; ++c) out[c] += index_.parameters().decay * leaf_weights_[begin + c];
  }
}

void SubsetTreeModel::add_products(const std::vector<double>& row, std::int32_t columns, double* out) const {
  const double* coefficient = coefficients_.data();
  for (double value : row) {
    for (std::int32_t c = 0; c < columns; ++c) out[c] += coefficient[c] * value;
    coefficient += this->columns();
  }
}

void SubsetTreeModel::score_by_row(const data::TreeView& x, const kernels::TreeNorm& norm,
                                   std::int32_t columns, double* out, Scratch& scratch) const {
  std::vector<double> row(slots());
  row_of(x, norm, row.data(), scratch);
  std::fill_n(out, columns, 0.0);
  add_products(row, columns, out);
  check_scores(out, columns);
}

void SubsetTreeModel::row_of(const data::TreeView& x, const kernels::TreeNorm& norm, double* out,
                             Scratch& scratch) const {
  std::fill_n(out, slots(), 0.0);
  if (norm.is_extreme) return wide_row(x, norm, true, out);
  scratch.values.assign(index_.size(), 0.0);
  scratch.row.add(x, scratch.values.data());
  for (std::int32_t t = 0; t < index_.size(); ++t) {
    const std::int32_t slot = slot_of_[t];
    if (slot < 0) continue;
    out[slot] = normalized_ ? scratch.values[t] * norm.inverse * inverse_norm_of_[t]
                            : require_finite(scratch.values[t]);
  }
  if (extreme_supports_ > 0) wide_row(x, norm, false, out);
}

void SubsetTreeModel::wide_row(const data::TreeView& x, const kernels::TreeNorm& norm, bool all,
                               double* out) const {
  kernels::SubsetTreeRow<kernels::Wide> row(index_);
  std::vector<kernels::Wide> values(index_.size());
  row.add(x, values.data());
  for (std::int32_t t = 0; t < index_.size(); ++t) {
    const std::int32_t slot = slot_of_[t];
    if (slot >= 0 && (all || supports_[slot].norm.is_extreme))
      out[slot] = kernels::Wide::normalized(values[t], norm.wide_self(), supports_[slot].norm.wide_self());
  }
}

// ---- batches

struct SubsetTreeModel::Reader {
  using Norms = PassNorms<kernels::SubsetTreeParameters>;

  Reader(const SubsetTreeModel& owner, const data::Forest& trees, Norms& pass_norms)
      : model(owner),
        forest(trees),
        scratch(owner.index_),
        norms(pass_norms),
        self_kernels(owner.index_.parameters(), trees.symbols) {
    translator.read_from(trees.symbols);
  }

  // Labels are looked at in leaves only, and there only for bag_of_words.
  data::TreeView tree(std::int64_t i) {
    const data::Symbols& symbols = model.trees_.symbols();
    return model.index_.parameters().bag_of_words ? translator.known(symbols, forest[i])
                                                  : translator.known_productions(symbols, forest[i]);
  }
  kernels::TreeNorm norm(std::int64_t i) {
    return model.normalized_ ? norms(i, self_kernels) : kernels::TreeNorm();
  }
  std::int32_t production(std::int32_t id) { return translator.known_production(model.trees_.symbols(), id); }

  const SubsetTreeModel& model;
  const data::Forest& forest;
  Scratch scratch;
  data::SubtreeNumbering numbering;

 private:
  Norms& norms;
  kernels::TreeSelfKernels<kernels::SubsetTreeParameters> self_kernels;
  TreeTranslator translator;
};

template <class Body>
void SubsetTreeModel::for_each_block(const TreeItems& batch, std::int64_t begin, std::int64_t end,
                                     std::int64_t block, int threads, Body&& body) const {
  const data::Forest& forest = *batch.forest;
  Reader::Norms norms(batch.norms, index_.parameters(), forest, begin, end);
  const std::int64_t blocks = (end - begin + block - 1) / block;
  std::vector<std::unique_ptr<Reader>> readers(
      std::max<std::int64_t>(std::min<std::int64_t>(threads, blocks), 1));
  parallel_rows(0, blocks, static_cast<int>(readers.size()), [&](std::int64_t b, int thread) {
    auto& reader = readers[thread];
    if (!reader) reader = std::make_unique<Reader>(*this, forest, norms);
    body(begin + b * block, std::min(end, begin + (b + 1) * block), *reader);
  });
  if (normalized_) norms.keep();
}

void SubsetTreeModel::score_batch(const Items& batch, std::int32_t columns, int threads, double* out) const {
  const TreeItems& items = items_as<TreeItems>(batch, "trees");
  PassSubtrees subtrees(items.subtrees, *items.forest);
  const auto score_block = [&](std::int64_t first, std::int64_t last, Reader& reader) {
    const data::SubtreeBlock* const block = subtrees(first / subtrees.block_size(), reader.numbering);
    const bool is_numbered = block && block->size() > 0;
    if (is_numbered)
      with_matcher(reader.scratch, [&](const auto&, auto& shares) { shares.start(*block, columns); });
    for (std::int64_t i = first; i < last; ++i) {
      const kernels::TreeNorm norm = reader.norm(i);
      double* const own = out + i * columns;
      if (is_numbered)
        score_numbered(
            *block, block->of_tree(i - first), reader.forest[i],
            [&](std::int32_t id) { return reader.production(id); }, [&] { return reader.tree(i); }, norm,
            columns, own, reader.scratch);
      else
        score(reader.tree(i), norm, columns, own, reader.scratch);
    }
  };
  for_each_block(items, 0, batch.size(), subtrees.block_size(), threads, score_block);
  subtrees.keep();
}

void SubsetTreeModel::some_rows(const Items& batch, std::int64_t begin, std::int64_t end, int threads,
                                double* out) const {
  constexpr std::int64_t block = 32;  // trees may be too small to be handed out one by one
  for_each_block(items_as<TreeItems>(batch, "trees"), begin, end, block, threads,
                 [&](std::int64_t first, std::int64_t last, Reader& reader) {
                   for (std::int64_t i = first; i < last; ++i)
                     row_of(reader.tree(i), reader.norm(i), out + (i - begin) * slots(), reader.scratch);
                 });
}

void SubsetTreeModel::some_self_kernels(const Items& batch, std::int64_t begin, std::int64_t end, int threads,
                                        double* out) const {
  const data::Forest forest = data::part(*items_as<TreeItems>(batch, "trees").forest, begin, end);
  const std::vector<double> values =
      normalized_ ? kernels::normalized_tree_diagonal(index_.parameters(), forest, threads)
                  : kernels::tree_diagonal(index_.parameters(), forest, threads);
  std::ranges::transform(values, out, require_finite);
}

void SubsetTreeModel::freeze(bool single) {
  thaw();
  in_turn_.stop();
  if (single && single_holds(index_, weights_, columns()))
    frozen_single_ = std::make_unique<FrozenSubsetTrees<float>>(index_, weights_, columns());
  else
    frozen_ = std::make_unique<FrozenSubsetTrees<double>>(index_, weights_, columns());
}

void SubsetTreeModel::thaw() {
  if (frozen_ || frozen_single_) in_turn_.stop();
  frozen_ = nullptr;
  frozen_single_ = nullptr;
}

}  // namespace hedgerow::models
