#include "structured/n_slack.hpp"

#include <algorithm>
#include <chrono>

#include "parallel.hpp"

namespace hedgerow {

namespace {

// Adds the time that it lives.
class Stopwatch {
 public:
  explicit Stopwatch(double& seconds) : seconds_(seconds), start_(Clock::now()) {}
  ~Stopwatch() { seconds_ += std::chrono::duration<double>(Clock::now() - start_).count(); }
  Stopwatch(const Stopwatch&) = delete;
  Stopwatch& operator=(const Stopwatch&) = delete;

 private:
  using Clock = std::chrono::steady_clock;
  double& seconds_;
  Clock::time_point start_;
};

}  // namespace

Pass n_slack_pass(const Oracle& oracle, WorkingSets& sets, const PassSettings& settings) {
  const Formulation& formulation = sets.formulation();
  const int threads = oracle.parallel() ? settings.threads : 1;
  std::vector<Candidate> found(std::min(settings.chunk, oracle.examples()));
  Pass pass;
  const auto tolerance = [&] { return std::max(settings.tolerance, settings.share * pass.violation); };
  for (std::int64_t begin = 0; begin < oracle.examples(); begin += settings.chunk) {
    const std::int64_t end = std::min(begin + settings.chunk, oracle.examples());
    {
      const Stopwatch watch(pass.argmax_seconds);
      const std::span<const double> scores = sets.weights().scores();
      parallel_rows(begin, end, threads, [&](std::int64_t example, int) {
        oracle.find(example, scores, formulation.question, found[example - begin]);
      });
    }
    const Stopwatch watch(pass.qp_seconds);
    const std::int64_t before = pass.added;
    for (std::int64_t example = begin; example < end; ++example) {
      stop_if_asked();
      double slack = sets.slack(example);
      const Candidate& candidate = found[example - begin];
      if (!candidate.correct) {
        Constraint newcomer = constraint_from(candidate, formulation.question);
        const double violation = sets.violation(newcomer);
        pass.violation = std::max(pass.violation, violation - slack);
        if (violation > slack + settings.epsilon &&
            sets.add(example, std::move(newcomer), settings.tolerance))
          ++pass.added;
        slack = std::max(slack, violation);
      }
      pass.slack_cost += formulation.cost(slack);
    }
    if (settings.full && pass.added > before) sets.optimise(tolerance());
    sets.settle();
  }
  return pass;
}

}  // namespace hedgerow
