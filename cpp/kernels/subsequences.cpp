// H. Lodhi, C. Saunders, J. Shawe-Taylor, N. Cristianini, C. Watkins: Text classification using string
// kernels, JMLR 2, 2002, section 2: the recursion over K'_i and K''_i, of O(length |s| |t|) steps.
//
// A subsequence weighs decay^gaps here instead of decay^span, so that every match counts 1; the difference is
// the constant factor decay^(2 length). One s is compared with several t at once, one a vector lane.
#include <algorithm>
#include <cfloat>
#include <cmath>
#include <numeric>

#include "kernels/lanes.hpp"
#include "kernels/strings.hpp"
#include "kernels/subsequence_panel.hpp"
#include "limits.hpp"
#include "parallel.hpp"

namespace hedgerow::kernels {

namespace {

constexpr double steps_between_looks = 1e7;

// Adds to `total` the weights of the subsequences that each t shares with s, which end with one of the
// events; `seen` of s came before these. prefix[i][position] is K'_i of the part of s so far and the part of
// t before the position; K'_0 is 1 and not stored. Subnormal numbers are slow and become 0. A position of t
// is `Width` vectors of type V.
template <class V, int Width>
HEDGEROW_INLINE void sweep(std::span<const SubsequenceEvent> events, std::int64_t seen, const double* t,
                           std::int64_t longest, std::int64_t length, double decay, double* prefix,
                           double* total) {
  constexpr std::int64_t lanes = lanes_of<V, double>, step = lanes * Width;
  const std::int64_t size = longest * step;
  const V zero = V{}, one = zero + 1.0;
  V sum[Width];
  for (int w = 0; w < Width; ++w) load(total + w * lanes, sum[w]);
  for (const SubsequenceEvent& event : events) {
    const V x = zero + event.symbol;
    // The last symbol of the subsequence: K_n += K'_{n-1} wherever t has x.
    const double* last = length > 1 ? prefix + (length - 2) * size : t;
    for (std::int64_t j = 0; j < size; j += step)
      for (int w = 0; w < Width; ++w) {
        V symbol, value;
        load(t + j + w * lanes, symbol);
        load(last + j + w * lanes, value);
        value = length > 1 ? event.catch_up * value : one;
        sum[w] += symbol == x ? value : zero;
      }
    // From the longest to the shortest, because each reads the next shorter one as it was before x.
    for (std::int64_t i = std::min(length - 1, ++seen); i >= 1; --i) {
      double* own = prefix + (i - 1) * size;
      const double* shorter = i > 1 ? own - size : t;
      const double keep = decay * event.catch_up;
      V run[Width] = {};  // K''_i
      for (std::int64_t begin = 0; begin < size; begin += 16 * step) {
        for (std::int64_t j = begin; j < std::min(size, begin + 16 * step); j += step)
          for (int w = 0; w < Width; ++w) {
            V symbol, value, match;
            load(t + j + w * lanes, symbol);
            load(own + j + w * lanes, value);
            load(shorter + j + w * lanes, match);
            value = keep * value + run[w];
            value = value < DBL_MIN ? zero : value;
            store(value, own + j + w * lanes);
            match = i > 1 ? event.catch_up * match : one;
            run[w] = decay * run[w] + (symbol == x ? match : zero);
          }
        // Once in a while is often enough, and keeps the chain of dependent operations short.
        for (int w = 0; w < Width; ++w) run[w] = run[w] < DBL_MIN ? zero : run[w];
      }
    }
  }
  for (int w = 0; w < Width; ++w) store(sum[w], total + w * lanes);
}

HEDGEROW_CLONES(void, sweep_panel,
                (std::span<const SubsequenceEvent> events, std::int64_t seen, const double* t,
                 std::int64_t longest, std::int64_t length, double decay, double* prefix, double* total,
                 int lanes),
                (events, seen, t, longest, length, decay, prefix, total, lanes)) {
  if (lanes == 1)
    sweep<double, 1>(events, seen, t, longest, length, decay, prefix, total);
  else
    sweep<Lanes<double>::Vector, 2>(events, seen, t, longest, length, decay, prefix, total);
}

}  // namespace

template <int Lanes>
void compare_subsequences(std::span<const std::int32_t> s, const SequencePanel<Lanes>& panel,
                          const GappedSubsequences& kernel, SubsequenceWorkspace& work, double* total) {
  std::fill(total, total + Lanes, 0.0);
  if (std::min<std::int64_t>(static_cast<std::int64_t>(s.size()), panel.longest) < kernel.length) return;
  work.events.clear();
  std::int64_t skipped = 0;
  for (std::int32_t symbol : s) {
    if (std::binary_search(panel.distinct.begin(), panel.distinct.end(), symbol)) {
      work.events.push_back(
          {static_cast<double>(symbol), std::pow(kernel.decay, static_cast<double>(skipped))});
      skipped = 0;
    } else {
      ++skipped;
    }
  }
  if (static_cast<std::int64_t>(work.events.size()) < kernel.length) return;
  const double steps =
      static_cast<double>(kernel.length) * static_cast<double>(panel.longest);  // of an event
  check_pairs(static_cast<double>(work.events.size()) * steps, "string");
  work.prefix.assign((kernel.length - 1) * panel.longest * Lanes, 0.0);
  const auto at_once = static_cast<std::size_t>(std::max(1.0, steps_between_looks / steps));
  for (std::size_t seen = 0; seen < work.events.size(); seen += at_once) {
    if (seen > 0) stop_if_asked();
    const std::span<const SubsequenceEvent> events(work.events);
    sweep_panel(events.subspan(seen, std::min(at_once, events.size() - seen)),
                static_cast<std::int64_t>(seen), panel.symbol.data(), panel.longest, kernel.length,
                kernel.decay, work.prefix.data(), total, Lanes);
  }
  for (int l = 0; l < Lanes; ++l) total[l] *= kernel.scale;
}

template void compare_subsequences(std::span<const std::int32_t>, const SequencePanel<1>&,
                                   const GappedSubsequences&, SubsequenceWorkspace&, double*);
template void compare_subsequences(std::span<const std::int32_t>, const SequencePanel<panel_lanes>&,
                                   const GappedSubsequences&, SubsequenceWorkspace&, double*);

double subsequence_self_kernel(std::span<const std::int32_t> s, const GappedSubsequences& kernel,
                               SubsequenceWorkspace& work) {
  double total;
  compare_subsequences(s, SequencePanel<1>({&s, 1}), kernel, work, &total);
  return total;
}

namespace {

// Numbers first ... end - 1, the longest items first: lanes of a panel are then about equally long, and the
// dearest rows are dealt out first.
std::vector<std::int64_t> by_length(const Sequences& items, std::int64_t first, std::int64_t end) {
  std::vector<std::int64_t> order(end - first);
  std::iota(order.begin(), order.end(), first);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::int64_t a, std::int64_t b) { return items.length(a) > items.length(b); });
  return order;
}

std::vector<std::span<const std::int32_t>> some(const Sequences& items,
                                                std::span<const std::int64_t> members) {
  std::vector<std::span<const std::int32_t>> chosen;
  for (std::int64_t item : members) chosen.push_back(items[item]);
  return chosen;
}

std::vector<SequencePanel<panel_lanes>> panels_of(const Sequences& items,
                                                  std::span<const std::int64_t> order) {
  std::vector<SequencePanel<panel_lanes>> panels;
  for (std::size_t i = 0; i < order.size(); i += panel_lanes)
    panels.emplace_back(some(items, order.subspan(i, std::min<std::size_t>(panel_lanes, order.size() - i))));
  return panels;
}

}  // namespace

template <class Real>
void subsequence_gram(const Sequences& items, const GappedSubsequences& kernel, int threads, Real* out) {
  const std::int64_t n = items.size();
  const auto order = by_length(items, 0, n);
  const auto panels = panels_of(items, order);
  std::vector<SubsequenceWorkspace> work(threads);
  parallel_rows(0, n, threads, [&](std::int64_t rank, int thread) {
    const std::int64_t row = order[rank];
    double total[panel_lanes];
    for (std::int64_t p = rank / panel_lanes; p < static_cast<std::int64_t>(panels.size()); ++p) {
      compare_subsequences(items[row], panels[p], kernel, work[thread], total);
      for (std::int64_t other = std::max(rank, p * panel_lanes); other < std::min(n, (p + 1) * panel_lanes);
           ++other)
        out[row * n + order[other]] = out[order[other] * n + row] =
            static_cast<Real>(total[other - p * panel_lanes]);
    }
  });
}

template <class Real>
void subsequence_gram_between(const Sequences& items, std::int64_t n_left, const GappedSubsequences& kernel,
                              int threads, Real* out) {
  const std::int64_t n_right = items.size() - n_left;
  const auto rows = by_length(items, 0, n_left), order = by_length(items, n_left, items.size());
  const auto panels = panels_of(items, order);
  std::vector<SubsequenceWorkspace> work(threads);
  parallel_rows(0, n_left, threads, [&](std::int64_t rank, int thread) {
    double total[panel_lanes];
    for (std::int64_t p = 0; p < static_cast<std::int64_t>(panels.size()); ++p) {
      compare_subsequences(items[rows[rank]], panels[p], kernel, work[thread], total);
      for (std::int64_t other = p * panel_lanes; other < std::min(n_right, (p + 1) * panel_lanes); ++other)
        out[rows[rank] * n_right + order[other] - n_left] = static_cast<Real>(total[other - p * panel_lanes]);
    }
  });
}

template void subsequence_gram(const Sequences&, const GappedSubsequences&, int, float*);
template void subsequence_gram(const Sequences&, const GappedSubsequences&, int, double*);
template void subsequence_gram_between(const Sequences&, std::int64_t, const GappedSubsequences&, int,
                                       float*);
template void subsequence_gram_between(const Sequences&, std::int64_t, const GappedSubsequences&, int,
                                       double*);

std::vector<double> subsequence_diagonal(const Sequences& items, const GappedSubsequences& kernel,
                                         int threads) {
  const auto order = by_length(items, 0, items.size());
  std::vector<double> result(items.size());
  std::vector<SubsequenceWorkspace> work(threads);
  parallel_rows(0, items.size(), threads, [&](std::int64_t rank, int thread) {
    result[order[rank]] = subsequence_self_kernel(items[order[rank]], kernel, work[thread]);
  });
  return result;
}

}  // namespace hedgerow::kernels
