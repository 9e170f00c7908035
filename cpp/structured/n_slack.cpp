#include "structured/n_slack.hpp"

#include <algorithm>
#include <chrono>

#include "parallel.hpp"

namespace hedgerow::structured {

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

Pass n_slack_pass(const Oracle& oracle, WorkingSets& sets, std::span<const std::int64_t> examples,
                  const PassSettings& settings) {
  const Formulation& formulation = sets.formulation();
  const int threads = oracle.parallel() ? settings.threads : 1;
  const auto chunk = static_cast<std::size_t>(settings.chunk);
  std::vector<Candidate> found(std::min(chunk, examples.size()));
  Pass pass;
  for (std::size_t begin = 0; begin < examples.size(); begin += chunk) {
    const std::span<const std::int64_t> some =
        examples.subspan(begin, std::min(chunk, examples.size() - begin));
    {
      const Stopwatch watch(pass.argmax_seconds);
      const std::span<const double> scores = sets.weights().scores();
      parallel_rows(0, static_cast<std::int64_t>(some.size()), threads, [&](std::int64_t k, int) {
        oracle.find(some[k], scores, formulation.question, found[k]);
      });
    }
    const Stopwatch watch(pass.qp_seconds);
    const std::size_t before = pass.busy.size();
    for (std::size_t k = 0; k < some.size(); ++k) {
      stop_if_asked();
      double slack = sets.slack(some[k]);
      if (!found[k].correct) {
        Constraint newcomer = constraint_from(found[k], formulation.question);
        const double violation = sets.violation(newcomer);
        pass.violation = std::max(pass.violation, violation - slack);
        if (violation > slack + settings.tol && sets.add(some[k], std::move(newcomer), settings.qp_tol))
          pass.busy.push_back(some[k]);
        slack = std::max(slack, violation);
      }
      pass.slack_cost += formulation.cost(slack);
    }
    if (settings.full && pass.busy.size() > before)
      sets.optimise(std::max(settings.qp_tol, settings.share * pass.violation), false, settings.threads);
    sets.settle();
  }
  return pass;
}

}  // namespace hedgerow::structured
