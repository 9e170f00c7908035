#include "svm/smo.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>

#include "parallel.hpp"
#include "svm/svm_dual.hpp"

namespace hedgerow::svm {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// The gradient is computed anew before the last test if rounding may have changed it by this share of the
// tolerance, and on the way if it may have by that.
constexpr double trusted_share = 1e-4, doubtful_share = 0.25;
// A gain of the dual objective that is no more than rounding.
constexpr double least_gain = 1e-13;
constexpr double longest_wait = 0.5;  // seconds, after an interrupt
constexpr std::int64_t most_iterations_between_checks = 1000;

template <class Real>
class Smo {
 public:
  Smo(KernelRows<Real>& rows, const SvmProblem& problem, const SvmSettings& settings,
      std::span<const double> start)
      : dual_(rows, problem, settings.threads),
        active_(dual_.active()),
        settings_(settings),
        start_(start),
        bias_(problem.bias),
        cheap_(rows.in_memory()),
        largest_kernel_(rows.size() == 0 ? 0
                                         : *std::max_element(rows.diagonal().begin(), rows.diagonal().end())),
        period_(std::min<std::int64_t>(rows.size(), most_iterations_between_checks)) {}

  SvmSolution solve() {
    bool interrupted = false;
    try {
      if (!start_.empty()) dual_.begin_with(start_);
      optimise();
      dual_.complete();
      if (!trusts_gradient()) dual_.refresh();
    } catch (const Interrupted&) {
      interrupted = true;
      complete_if_quick();
    }
    SvmSolution solution = dual_.solution();
    solution.iterations = iterations_;
    solution.interrupted = interrupted;
    solution.converged = !interrupted && solution.violation <= settings_.tol;
    return solution;
  }

 private:
  void optimise() {
    start_checks();
    look();
    while (true) {
      stop_if_asked();
      if (settings_.watch) report();
      if (violation_ <= settings_.tol || stuck_ || doubts_gradient()) {
        if (dual_.is_narrow()) {
          dual_.widen();
          until_check_ = 1;
        } else if (violation_ <= settings_.tol && trusts_gradient()) {
          return;
        } else if (!refresh()) {
          return;
        }
        stuck_ = false;
        look();
        continue;
      }
      if (iterations_ == settings_.max_iter) return;
      if (--until_check_ == 0) check();
      bias_ ? change_pair() : change_one();
      ++iterations_;
    }
  }

  void report() {
    if (Clock::now() - reported_ < std::chrono::milliseconds(100)) return;
    reported_ = Clock::now();
    settings_.watch(iterations_, violation_);
  }

  // ---- steps

  void look() {
    if (bias_)
      set(find_extremes(active_.g.data(), active_.may(), active_.size()));
    else
      set(find_steepest(active_.g.data(), active_.curvature.data(), active_.may(), active_.size()));
  }
  void set(const Extremes& found) {
    extremes_ = found;
    violation_ = found.highest - found.lowest;
  }
  void set(const Steepest& found) {
    steepest_ = found.best;
    violation_ = found.violation;
  }

  void change_pair() {
    const std::int64_t n = active_.size(), i = extremes_.top;
    const Real* row_i = dual_.row(i);
    const std::int64_t j = best_partner(active_.g[i], active_.curvature[i], row_i, active_.curvature.data(),
                                        active_.g.data(), active_.fall.data(), n);
    const Real* row_j = dual_.row(j);
    const double curvature = std::max(
        active_.curvature[i] + active_.curvature[j] - 2 * static_cast<double>(row_i[j]), least_curvature);
    const double room_i = active_.upper[i] - active_.beta[i], room_j = active_.beta[j] - active_.lower[j];
    const double step = std::min({(active_.g[i] - active_.g[j]) / curvature, room_i, room_j});
    const double a = active_.move(i, step == room_i ? active_.upper[i] : active_.beta[i] + step);
    const double b = active_.move(j, step == room_j ? active_.lower[j] : active_.beta[j] - step);
    stuck_ = a == 0 && b == 0;
    grow_drift(std::abs(a) + std::abs(b));
    set(update_pair(a, row_i, b, row_j, active_.may(), n, active_.g.data()));
  }

  void change_one() {
    const std::int64_t n = active_.size(), i = steepest_;
    const Real* row = dual_.row(i);
    const double target = active_.beta[i] + active_.g[i] / active_.curvature[i];
    const double a = active_.move(i, std::clamp(target, active_.lower[i], active_.upper[i]));
    stuck_ = a == 0;
    grow_drift(std::abs(a));
    set(update_one(a, row, active_.curvature.data(), active_.may(), n, active_.g.data()));
  }

  // ---- rounding

  // How far the gradient may be from what it should be, after one more update.
  void grow_drift(double change) {
    drift_ += std::numeric_limits<double>::epsilon() * (largest_gradient_ + change * largest_kernel_);
  }
  bool trusts_gradient() const { return drift_ <= trusted_share * settings_.tol; }

  // Not too often: it may cost as much as all steps since the last time, and these should have gained
  // something.
  bool doubts_gradient() const {
    return drift_ > doubtful_share * settings_.tol &&
           iterations_ - refreshed_ >= std::max<std::int64_t>(active_.size(), 1000);
  }

  // Returns false when nothing was gained since the last time: more cannot be reached with these numbers.
  bool refresh() {
    dual_.refresh();
    drift_ = 0;
    refreshed_ = iterations_;
    const double objective = dual_.objective();
    const bool gained = objective > objective_ + least_gain * std::abs(objective);
    objective_ = objective;
    return gained;
  }

  // ---- shrinking

  // Many problems are solved before shrinking would pay: rows are cut anew, and at the end the gradient of
  // what was dropped has to be made up for.
  void start_checks() {
    until_check_ = std::max(active_.size() / (cheap_ ? 1 : 8), most_iterations_between_checks);
    measure();
  }

  void measure() {
    largest_gradient_ = 0;
    for (double g : active_.g) largest_gradient_ = std::max(largest_gradient_, std::abs(g));
  }

  void check() {
    until_check_ = period_;
    measure();
    if (settings_.shrinking) shrink();
  }

  // Drops examples at a bound that would leave it only if the extremes passed them.
  void shrink() {
    if (!unshrunk_ && violation_ <= 10 * settings_.tol) {
      unshrunk_ = true;
      if (dual_.is_narrow()) {
        dual_.widen();
        look();
      }
    }
    const double highest = bias_ ? extremes_.highest : violation_;
    const double lowest = bias_ ? extremes_.lowest : -violation_;
    std::vector<std::int32_t> kept;
    for (std::int32_t p = 0; p < active_.size(); ++p) {
      const bool may_grow = active_.rise[p] == 0, may_shrink = active_.fall[p] == 0;
      if ((may_grow && (may_shrink || active_.g[p] >= lowest)) || (may_shrink && active_.g[p] <= highest))
        kept.push_back(p);
    }
    const double share = static_cast<double>(kept.size()) / static_cast<double>(active_.size());
    if (share > (cheap_ ? 0.5 : 0.8)) return;  // not worth its price
    dual_.narrow(kept);
    look();
  }

  void complete_if_quick() {
    try {
      if (dual_.seconds_to_complete() <= longest_wait) dual_.complete();
    } catch (const Interrupted&) {  // again: then at once
    }
  }

  SvmDual<Real> dual_;
  typename SvmDual<Real>::Active& active_;
  SvmSettings settings_;
  std::span<const double> start_;
  bool bias_, cheap_;  // cheap: rows cost nothing, so shorter ones are worth less
  double largest_kernel_, largest_gradient_ = 0;

  Extremes extremes_{};
  std::int32_t steepest_ = -1;
  double violation_ = 0;
  bool stuck_ = false, unshrunk_ = false;
  double drift_ = 0, objective_ = -infinity;
  Clock::time_point reported_{};
  std::int64_t iterations_ = 0, refreshed_ = 0, period_, until_check_ = 0;
};

void check(const SvmKernel& kernel, const SvmProblem& problem, const SvmSettings& settings,
           std::span<const double> start) {
  const auto n = static_cast<std::size_t>(kernel.size());
  const auto same_length = [&](const char* name, std::size_t length) {
    if (length != n)
      throw std::invalid_argument(std::string(name) + " must have one entry for each of the " +
                                  std::to_string(n) + " examples, got " + std::to_string(length));
  };
  same_length("y", problem.y.size());
  same_length("upper", problem.cost.size());
  if (!start.empty()) same_length("start", start.size());
  double total = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const std::string where = " at position " + std::to_string(i);
    if (problem.y[i] != 1 && problem.y[i] != -1)
      throw std::invalid_argument("y must be 1 or -1, got " + std::to_string(problem.y[i]) + where);
    if (!(problem.cost[i] >= 0) || !std::isfinite(total += problem.cost[i]))
      throw std::invalid_argument("upper must be at least 0 and finite, got " +
                                  std::to_string(problem.cost[i]) + where);
    if (!start.empty() && !std::isfinite(start[i]))
      throw std::invalid_argument("start must be finite, got " + std::to_string(start[i]) + where);
  }
  double largest = 0;
  for (double value : kernel.diagonal()) largest = std::max(largest, std::abs(value));
  if (!std::isfinite(largest * total * total))
    throw std::overflow_error("kernel values and upper are too large for float64; use Normalized(kernel)");
  if (!(settings.tol > 0)) throw std::invalid_argument("tol must be positive");
  if (settings.threads < 1) throw std::invalid_argument("threads must be at least 1");
}

}  // namespace

SvmSolution solve_svm(SvmKernel& kernel, const SvmProblem& problem, const SvmSettings& settings,
                      std::span<const double> start) {
  check(kernel, problem, settings, start);
  return kernel.with_rows(
      [&]<class Real>(KernelRows<Real>& rows) { return Smo<Real>(rows, problem, settings, start).solve(); });
}

}  // namespace hedgerow::svm
