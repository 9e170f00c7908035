// ROMMA, the relaxed online maximum margin algorithm (Li, Long 2002): of all functions that classify the
// example with margin 1 and lie on the far side of a plane through f that stands for all examples before, the
// shortest.
#include "online/rule.hpp"

namespace hedgerow::online {
namespace {

class Romma final : public Rule {
 public:
  // aggressive: an example within the margin counts as a mistake.
  explicit Romma(bool aggressive) : aggressive_(aggressive) {}

  void update(models::Function& f, double y, double) override {
    const double score = f.score();
    if (aggressive_ ? y * score >= 1 : y * score > 0) return;
    const double x2 = f.self_kernel(), w2 = f.squared_norm();
    if (x2 <= 0) return;
    if (w2 <= 0) {
      f.add(y / x2);
      return;
    }
    // f <- c f + d K(x, .). The difference of squares is 0 when f and x are parallel: then there is no such
    // function.
    const double q = x2 * w2 - score * score;
    if (q <= parallel * x2 * w2) return;
    const double c = (x2 * w2 - y * score) / q, d = w2 * (y - score) / q;
    if (c == 0) return;
    f.add(d / c);  // before scaling, so that the norm comes out of the score that is known
    f.scale(c);
  }

  std::unique_ptr<Rule> fresh() const override { return std::make_unique<Romma>(aggressive_); }
  bool needs_norm() const override { return true; }

 private:
  static constexpr double parallel = 1e-12;

  bool aggressive_;
};

NewRule make(Parameters& p) { return std::make_unique<Romma>(p.flag("aggressive")); }
const KernelRules::Entry entry{"romma", make};

}  // namespace
}  // namespace hedgerow::online
