#include "models/partial_tree_model.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <stdexcept>
#include <utility>

#include "models/overflow.hpp"
#include "models/tree_translator.hpp"
#include "parallel.hpp"

namespace hedgerow::models {
namespace {

bool all_finite(const double* values, std::int64_t n) {
  return std::all_of(values, values + n, [](double value) { return std::isfinite(value); });
}

// K(x, x), for a norm that need not be extreme.
kernels::Wide self_of(const kernels::TreeNorm& norm) {
  if (norm.is_extreme) return norm.self;
  return norm.inverse == 0 ? kernels::Wide(0) : kernels::Wide(1 / (norm.inverse * norm.inverse));
}

double normalized_self_kernel(const kernels::TreeNorm& norm) {
  return norm.is_extreme || norm.inverse > 0 ? 1 : 0;
}

// The translated tree, where productions that the model lacks have numbers that tell them apart: how their
// children match those of others is remembered by these.
data::TreeView with_distinct_productions(data::TreeView translated, const data::TreeView& source,
                                         std::vector<std::int32_t>& productions) {
  productions.assign(translated.production, translated.production + translated.size);
  for (std::int32_t v = 0; v < translated.size; ++v)
    if (productions[v] == unknown_symbol) productions[v] = unknown_symbol - source.production[v];
  translated.production = productions.data();
  return translated;
}

}  // namespace

// ---- scratch memory

struct PartialTreeModel::Scratch {
  explicit Scratch(const CollapsedPartialTrees& collapsed) : row(collapsed.index()) {}

  kernels::PartialTreeRow<double> row;
  std::vector<double> by_number, by_slot, zeros;
};

class PartialTreeModel::BatchReader {
 public:
  using Norms = PassNorms<kernels::PartialTreeParameters>;

  BatchReader(const PartialTreeModel& model, const data::Forest& forest, Norms& norms)
      : model_(model), forest_(forest), norms_(norms), self_kernels_(model.parameters_, forest.symbols) {
    translator_.read_from(forest.symbols);
  }

  double self_kernel(std::int64_t item) {
    return model_.normalized_ ? normalized_self_kernel(norms_(item, self_kernels_))
                              : require_finite(self_kernels_.value(forest_[item]));
  }
  Example example(std::int64_t item) {
    const data::TreeView translated = translator_.known(model_.supports_.symbols(), forest_[item]);
    return {with_distinct_productions(translated, forest_[item], productions_),
            model_.normalized_ ? norms_(item, self_kernels_) : kernels::TreeNorm{}};
  }

 private:
  const PartialTreeModel& model_;
  const data::Forest& forest_;
  Norms& norms_;
  SelfKernels self_kernels_;
  TreeTranslator translator_;
  std::vector<std::int32_t> productions_;
};

PartialTreeModel::Scratch& PartialTreeModel::scratch() {
  if (!scratch_) scratch_ = std::make_unique<Scratch>(*collapsed_);
  return *scratch_;
}

// ---- one model

PartialTreeModel::PartialTreeModel(const kernels::PartialTreeParameters& parameters, bool normalized,
                                   std::int32_t columns)
    : KernelModel(columns),
      parameters_(parameters),
      normalized_(normalized),
      collapsed_(std::make_unique<CollapsedPartialTrees>(parameters, supports_.shared_symbols(), columns)),
      norms_(parameters) {}

PartialTreeModel::~PartialTreeModel() = default;

std::unique_ptr<KernelModel> PartialTreeModel::empty(std::int32_t columns) const {
  return std::make_unique<PartialTreeModel>(parameters_, normalized_, columns);
}

// ---- learning

void PartialTreeModel::open(std::shared_ptr<const Items> batch) {
  supports_.open(batch);
  norms_.open(supports_.batch());
  if (supports_.batch().symbols == batch_symbols_) return;
  batch_symbols_ = supports_.batch().symbols;
  if (scratch_) scratch_->row.sums().forget_unknown_productions();
}

double PartialTreeModel::self_kernel(std::int64_t item) {
  return normalized_ ? normalized_self_kernel(norms_.norm(item)) : require_finite(norms_.value(item));
}

PartialTreeModel::Example PartialTreeModel::example(std::int64_t item) {
  return {with_distinct_productions(supports_.item(item), supports_.batch()[item], productions_),
          normalized_ ? norms_.norm(item) : kernels::TreeNorm{}};
}

PartialTreeModel::Example PartialTreeModel::support(std::int32_t slot) const {
  supports_.check_support(slot);
  return {supports_[slot], support_[slot].norm};
}

void PartialTreeModel::scores(std::int64_t item, std::int32_t columns, double* out) {
  score(example(item), columns, scratch(), out);
}

void PartialTreeModel::row(std::int64_t item, double* out) { write_row(example(item), scratch(), out); }

std::size_t PartialTreeModel::growth() const {
  const std::size_t each = 256 + 64 * static_cast<std::size_t>(columns());
  const std::size_t subtrees = collapsed_ ? collapsed_->index().subtrees().size() : 0;
  return KernelModel::growth() + supports_.growth() + each * subtrees;
}

void PartialTreeModel::put(std::int32_t slot, std::int64_t item) {
  const double self = self_kernel(item);
  supports_.put(slot, item);
  changed();
  if (static_cast<std::size_t>(slot) == support_.size()) {
    support_.emplace_back();
    weights_.resize(support_.size() * columns(), 0.0);
    joined_.resize(weights_.size(), 0);
  }
  support_[slot].self_kernel = self;
  if (normalized_) support_[slot].norm = norms_.norm(item);
  support_[slot].number = collapsed_->insert(supports_[slot]);
  if (support_[slot].norm.is_extreme) ++extreme_supports_;
}

// ---- supports

void PartialTreeModel::add_weight(std::int32_t slot, std::int32_t column, double delta) {
  supports_.check_support(slot);
  changed();
  weights_[at(slot, column)] += delta;
  const Support& support = support_[slot];
  const double weight = delta * weight_factor(support);
  if (std::exchange(joined_[at(slot, column)], 1))
    collapsed_->add_weight(supports_[slot], support.number, column, weight);
  else
    collapsed_->join(supports_[slot], support.number, column, weight);
}

void PartialTreeModel::drop_weight(std::int32_t slot, std::int32_t column) {
  supports_.check_support(slot);
  if (!std::exchange(joined_[at(slot, column)], 0)) return;
  changed();
  const Support& support = support_[slot];
  const double weight = std::exchange(weights_[at(slot, column)], 0.0) * weight_factor(support);
  collapsed_->leave(supports_[slot], support.number, column, weight);
}

void PartialTreeModel::scale_weights(std::int32_t column, double factor) {
  changed();
  for (std::size_t i = column; i < weights_.size(); i += columns()) weights_[i] *= factor;
  collapsed_->scale_weights(column, factor);
}

void PartialTreeModel::rearrange(std::span<const std::int32_t> from) {
  changed();
  rearrange_rows(weights_, columns(), from);
  rearrange_rows(joined_, columns(), from);
  collapsed_->rearrange(from);
  KernelModel::rearrange(from);
}

void PartialTreeModel::erase(std::int32_t slot) {
  supports_.check_support(slot);
  changed();
  for (std::int32_t c = 0; c < columns(); ++c) drop_weight(slot, c);
  if (support_[slot].norm.is_extreme) --extreme_supports_;
  support_[slot] = {};
  supports_.erase(slot);
  if (supports_.mostly_garbage()) start_afresh();
}

// Weights are moved, not added up again, and keep their order: nothing that is computed changes.
void PartialTreeModel::start_afresh() {
  scratch_ = nullptr;  // it looks at the old index
  std::vector<std::int32_t> slots_here, old_numbers;
  std::vector<std::vector<std::int32_t>> old_labels;
  for (std::int32_t slot = 0; slot < slots(); ++slot) {
    if (!supports_.holds(slot)) continue;
    slots_here.push_back(slot);
    old_labels.emplace_back(supports_[slot].label, supports_[slot].label + supports_[slot].size);
  }
  supports_.compact();
  const auto old = std::move(collapsed_);
  collapsed_ = std::make_unique<CollapsedPartialTrees>(parameters_, supports_.shared_symbols(), columns());
  for (std::int32_t slot : slots_here)
    old_numbers.push_back(std::exchange(support_[slot].number, collapsed_->insert(supports_[slot])));
  for (std::size_t i = 0; i < slots_here.size(); ++i)
    collapsed_->take_over(supports_[slots_here[i]], support_[slots_here[i]].number, *old, old_numbers[i],
                          old_labels[i]);
  collapsed_->look_at_orders();
}

double PartialTreeModel::support_self_kernel(std::int32_t slot) {
  supports_.check_support(slot);
  return support_[slot].self_kernel;
}

void PartialTreeModel::support_scores(std::int32_t slot, std::int32_t columns, double* out) {
  score(support(slot), columns, scratch(), out);
}

void PartialTreeModel::support_row(std::int32_t slot, double* out) {
  write_row(support(slot), scratch(), out);
}

// ---- scores and rows

// Returns false when the collapsed weights do not hold all that matters for x, or not within the range of
// doubles.
template <class Real, class AddScores>
bool PartialTreeModel::score_collapsed(const Example& x, std::int32_t columns,
                                       kernels::PartialTreeSums<Real>& sums, const AddScores& add_scores,
                                       double* out) const {
  if (x.norm.is_extreme || extreme_supports_ > 0) return false;
  std::fill_n(out, columns, 0.0);
  sums.compute(x.tree);
  add_scores(sums);
  if (normalized_)
    for (std::int32_t c = 0; c < columns; ++c) out[c] *= x.norm.inverse;
  return all_finite(out, columns);
}

void PartialTreeModel::score(const Example& x, std::int32_t columns, Scratch& scratch, double* out) const {
  const auto add_scores = [&](auto& sums) { collapsed_->add_scores(sums, columns, scratch.zeros, out); };
  if (!score_collapsed(x, columns, scratch.row.sums(), add_scores, out))
    score_by_row(x, columns, scratch, out);
}

void PartialTreeModel::score_by_row(const Example& x, std::int32_t columns, Scratch& scratch,
                                    double* out) const {
  scratch.by_slot.resize(slots());
  write_row(x, scratch, scratch.by_slot.data());
  std::fill_n(out, columns, 0.0);
  for (std::int32_t s = 0; s < slots(); ++s)
    for (std::int32_t c = 0; c < columns; ++c)
      out[c] += weights_[static_cast<std::size_t>(s) * this->columns() + c] * scratch.by_slot[s];
  if (!all_finite(out, columns)) reject_overflow();
}

void PartialTreeModel::write_row(const Example& x, Scratch& scratch, double* out) const {
  scratch.by_number.assign(collapsed_->index().size(), 0.0);
  scratch.row.add(x.tree, scratch.by_number.data());
  std::vector<kernels::Wide> wide;  // the same in wide numbers, once they are needed
  for (std::int32_t s = 0; s < slots(); ++s) {
    out[s] = 0;
    if (!supports_.holds(s)) continue;
    const kernels::TreeNorm& norm = support_[s].norm;
    const std::int32_t number = support_[s].number;
    out[s] = scratch.by_number[number];
    if (normalized_) out[s] *= x.norm.inverse * norm.inverse;
    if (std::isfinite(out[s]) && !x.norm.is_extreme && !norm.is_extreme) continue;
    if (wide.empty()) {
      wide.resize(scratch.by_number.size());
      kernels::PartialTreeRow<kernels::Wide>(collapsed_->index()).add(x.tree, wide.data());
    }
    out[s] = normalized_ ? kernels::Wide::normalized(wide[number], self_of(x.norm), self_of(norm))
                         : static_cast<double>(wide[number]);
    if (!std::isfinite(out[s])) reject_overflow();
  }
}

// ---- prediction

void PartialTreeModel::score_batch(const Items& batch, std::int32_t columns, int threads, double* out) const {
  const TreeItems& items = items_as<TreeItems>(batch, "trees");
  const data::Forest& forest = *items.forest;
  BatchReader::Norms norms(items.norms, parameters_, forest, 0, forest.size());
  struct Worker {
    Worker(const PartialTreeModel& model, const data::Forest& trees, BatchReader::Norms& norms)
        : reader(model, trees, norms), scratch(*model.collapsed_) {}
    BatchReader reader;
    Scratch scratch;
    std::unique_ptr<kernels::PartialTreeSums<float>> single_sums;
    std::unique_ptr<kernels::PartialTreeSums<double>> double_sums;
  };
  const auto scored = [&](const auto& frozen, auto& sums, const Example& x, double* result) {
    if (!frozen) return false;
    if (!sums) sums = frozen->spare.take(frozen->index);
    const auto add_scores = [&](auto& of_x) {
      frozen->weights.add_scores(frozen->index, of_x, columns, result);
    };
    return score_collapsed(x, columns, *sums, add_scores, result);
  };
  std::vector<std::unique_ptr<Worker>> workers(threads);
  parallel_rows(0, forest.size(), threads, [&](std::int64_t i, int thread) {
    auto& worker = workers[thread];
    if (!worker) worker = std::make_unique<Worker>(*this, forest, norms);
    const Example x = worker->reader.example(i);
    double* const result = out + i * columns;
    if (kernels::single_suffices(x.tree, parameters_) &&
        scored(frozen_single_, worker->single_sums, x, result))
      return;
    if (!scored(frozen_double_, worker->double_sums, x, result)) score(x, columns, worker->scratch, result);
  });
  if (normalized_) norms.keep();
  const auto give_back = [](const auto& frozen, auto& sums) {
    if (!sums) return;
    sums->forget_unknown_productions();  // they are numbers of this batch
    frozen->spare.give_back(std::move(sums));
  };
  for (auto& worker : workers) {
    if (!worker) continue;
    give_back(frozen_single_, worker->single_sums);
    give_back(frozen_double_, worker->double_sums);
  }
}

void PartialTreeModel::some_rows(const Items& batch, std::int64_t begin, std::int64_t end, int threads,
                                 double* out) const {
  const TreeItems& items = items_as<TreeItems>(batch, "trees");
  const data::Forest& forest = *items.forest;
  BatchReader::Norms norms(items.norms, parameters_, forest, begin, end);
  struct Worker {
    Worker(const PartialTreeModel& model, const data::Forest& trees, BatchReader::Norms& norms)
        : reader(model, trees, norms), scratch(*model.collapsed_) {}
    BatchReader reader;
    Scratch scratch;
  };
  std::vector<std::unique_ptr<Worker>> workers(threads);
  parallel_rows(begin, end, threads, [&](std::int64_t i, int thread) {
    auto& worker = workers[thread];
    if (!worker) worker = std::make_unique<Worker>(*this, forest, norms);
    write_row(worker->reader.example(i), worker->scratch, out + (i - begin) * slots());
  });
}

void PartialTreeModel::some_self_kernels(const Items& batch, std::int64_t begin, std::int64_t end,
                                         int threads, double* out) const {
  const TreeItems& items = items_as<TreeItems>(batch, "trees");
  const data::Forest& forest = *items.forest;
  BatchReader::Norms norms(items.norms, parameters_, forest, begin, end);
  std::vector<std::unique_ptr<BatchReader>> readers(threads);
  parallel_rows(begin, end, threads, [&](std::int64_t i, int thread) {
    if (!readers[thread]) readers[thread] = std::make_unique<BatchReader>(*this, forest, norms);
    out[i - begin] = readers[thread]->self_kernel(i);
  });
}

void PartialTreeModel::freeze(bool single) {
  changed();
  if (single && kernels::single_suffices({}, parameters_))
    frozen_single_ = frozen<float>();
  else
    frozen_double_ = frozen<double>();
}

template <class Real>
std::unique_ptr<PartialTreeModel::Frozen<Real>> PartialTreeModel::frozen() const {
  data::Forest trees;
  trees.symbols = supports_.shared_symbols();
  std::vector<std::int32_t> numbers;
  for (std::int32_t slot = 0; slot < slots(); ++slot) {
    if (!supports_.holds(slot)) continue;
    trees.append(supports_[slot]);
    numbers.push_back(support_[slot].number);
  }
  auto result = std::make_unique<Frozen<Real>>(parameters_, trees.symbols, columns());
  std::vector<std::int32_t> ids(trees.node_count());
  result->index.make_room(trees, ids.data());
  for (std::int64_t t = 0; t < trees.size(); ++t) {
    const std::int32_t* const tree_ids = ids.data() + trees.tree_begin[t];
    result->index.place(trees[t], tree_ids);
    collapsed_->copy_weights(trees[t], numbers[t], result->index, tree_ids, result->weights);
  }
  return result;
}

void PartialTreeModel::changed() {
  frozen_single_ = nullptr;
  frozen_double_ = nullptr;
}

// ---- copies

void PartialTreeModel::save(State& state, const std::string& prefix) const {
  supports_.save(state, prefix + "supports.");
  collapsed_->save(state, prefix + "subtrees.");
  state.set(prefix + "weights", weights_);
  state.set(prefix + "joined", joined_);
}

void PartialTreeModel::load(const State& state, const std::string& prefix) {
  supports_.load(state, prefix + "supports.");
  scratch_ = nullptr;
  collapsed_ = std::make_unique<CollapsedPartialTrees>(parameters_, supports_.shared_symbols(), columns());
  collapsed_->load(state, prefix + "subtrees.");
  support_.resize(slots());
  weights_ = state.get<double>(prefix + "weights", support_.size() * columns());
  if (!all_finite(weights_.data(), static_cast<std::int64_t>(weights_.size())))
    throw std::invalid_argument(prefix + "weights holds a value that is not finite");
  joined_.resize(weights_.size());
  std::ranges::transform(weights_, joined_.begin(), [](double weight) { return weight != 0; });
  if (state.has(prefix + "joined")) joined_ = state.get<std::uint8_t>(prefix + "joined", weights_.size());
  SelfKernels self_kernels(parameters_, supports_.shared_symbols());
  const std::int32_t known = collapsed_->index().subtrees().size();
  for (std::int32_t slot = 0; slot < slots(); ++slot) {
    if (!supports_.holds(slot)) continue;
    Support& support = support_[slot];
    if (normalized_) support.norm = self_kernels.norm(supports_[slot]);
    support.self_kernel = normalized_ ? normalized_self_kernel(support.norm)
                                      : require_finite(self_kernels.value(supports_[slot]));
    support.number = collapsed_->insert(supports_[slot]);
    for (std::int32_t c = 0; c < columns(); ++c)
      if (joined_[at(slot, c)]) collapsed_->join(supports_[slot], support.number, c, 0);
    if (support.norm.is_extreme) ++extreme_supports_;
  }
  if (collapsed_->index().subtrees().size() != known)
    throw std::invalid_argument(prefix + "subtrees.labels lacks a subtree of a support");
  collapsed_->load_weights(state, prefix + "subtrees.");
}

}  // namespace hedgerow::models
