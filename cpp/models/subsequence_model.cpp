#include "models/subsequence_model.hpp"

#include <cmath>
#include <stdexcept>
#include <string>

#include "models/overflow.hpp"
#include "parallel.hpp"

namespace hedgerow::models {

namespace {

double inverse_root(double self) { return self > 0 ? 1 / std::sqrt(self) : 0.0; }

}  // namespace

void SubsequenceModel::open(std::shared_ptr<const Items> batch) {
  store_.open(std::move(batch));
  last_item_ = -1;
}

void SubsequenceModel::close() {
  store_.close();
  last_item_ = -1;
}

double SubsequenceModel::self_of_item(std::int64_t item) {
  if (last_item_ != item) {
    last_self_ = require_finite(kernels::subsequence_self_kernel(store_.item(item), kernel_, work_.sweep));
    last_item_ = item;
  }
  return last_self_;
}

void SubsequenceModel::row(std::int64_t item, double* out) {
  const double self = normalized_ ? self_of_item(item) : 0;
  fill_row(store_.item(item), self, work_.sweep, out);
}

void SubsequenceModel::support_row(std::int32_t slot, double* out) {
  fill_row(store_.support(slot), self_[slot], work_.sweep, out);
}

void SubsequenceModel::fill_row(Item item, double self, kernels::SubsequenceWorkspace& work,
                                double* out) const {
  const double factor = inverse_root(self);
  double total[kernels::panel_lanes];
  for (std::int32_t first = 0; first < slots(); first += kernels::panel_lanes) {
    kernels::compare_subsequences(item, panels_[first / kernels::panel_lanes], kernel_, work, total);
    for (std::int32_t s = first; s < std::min(slots(), first + kernels::panel_lanes); ++s) {
      const double value = require_finite(total[s - first]);
      out[s] = normalized_ ? value * (factor * inverse_root(self_[s])) : value;
    }
  }
}

void SubsequenceModel::put_item(std::int32_t slot, std::int64_t item) {
  if (slot < slots() && !store_.is_free(slot))
    throw std::invalid_argument("slot " + std::to_string(slot) + " is in use");
  const double self = self_of_item(item);
  store_.put(slot, item);
  self_.resize(slots(), 0.0);
  self_[slot] = self;
  panels_.resize((slots() + kernels::panel_lanes - 1) / kernels::panel_lanes);
  make_panel(slot / kernels::panel_lanes);
}

void SubsequenceModel::erase_item(std::int32_t slot) {
  store_.erase(slot);
  self_[slot] = 0;
  if (store_.is_wasteful()) {
    store_ = store_.compacted();
    make_panels();
  } else {
    make_panel(slot / kernels::panel_lanes);
  }
}

void SubsequenceModel::make_panel(std::int32_t panel) {
  std::vector<Item> members;
  for (std::int32_t s = panel * kernels::panel_lanes;
       s < std::min(slots(), (panel + 1) * kernels::panel_lanes); ++s)
    members.push_back(store_.support(s));
  panels_[panel] = kernels::SequencePanel<kernels::panel_lanes>(members);
}

void SubsequenceModel::make_panels() {
  panels_.resize((slots() + kernels::panel_lanes - 1) / kernels::panel_lanes);
  for (std::size_t p = 0; p < panels_.size(); ++p) make_panel(static_cast<std::int32_t>(p));
}

void SubsequenceModel::some_rows(const Items& batch, std::int64_t begin, std::int64_t end, int threads,
                                 double* out) const {
  const SequenceStore::Reader read(store_, batch, begin, end);
  std::vector<Workspace> work(threads);
  parallel_rows(begin, end, threads, [&](std::int64_t i, int thread) {
    Workspace& own = work[thread];
    const Item item = read(i, own.symbols);
    const double self =
        normalized_ ? require_finite(kernels::subsequence_self_kernel(item, kernel_, own.sweep)) : 0;
    fill_row(item, self, own.sweep, out + (i - begin) * slots());
  });
}

void SubsequenceModel::some_self_kernels(const Items& batch, std::int64_t begin, std::int64_t end,
                                         int threads, double* out) const {
  const SequenceStore::Reader read(store_, batch, begin, end);
  std::vector<Workspace> work(threads);
  parallel_rows(begin, end, threads, [&](std::int64_t i, int thread) {
    Workspace& own = work[thread];
    out[i - begin] =
        shown(require_finite(kernels::subsequence_self_kernel(read(i, own.symbols), kernel_, own.sweep)));
  });
}

void SubsequenceModel::load_items(const State& state, const std::string& prefix) {
  store_.load(state, prefix);
  self_.assign(slots(), 0.0);
  for (std::int32_t s = 0; s < slots(); ++s)
    self_[s] = require_finite(kernels::subsequence_self_kernel(store_.support(s), kernel_, work_.sweep));
  make_panels();
}

}  // namespace hedgerow::models
