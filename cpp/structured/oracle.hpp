// What structured solvers ask of a problem: the output that violates its constraint most.
//
// A problem is bound to its training examples. It scores an output y of example i by the product of weights
// with joint features Psi(x_i, y), and answers questions about the outputs that score high. Solvers see of an
// output only how its joint features differ from those of the true output, and its loss.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace hedgerow::structured {

// An output y of an example with the true output y_i.
struct Candidate {
  // Psi(x_i, y_i) - Psi(x_i, y): increasing indices, no zeros.
  std::vector<std::int32_t> indices;
  std::vector<double> values;
  double loss = 0;
  bool correct = true;  // whether y is y_i
  double weight = 1;    // what its constraint is multiplied by

  void clear() {
    indices.clear();
    values.clear();
    loss = 0;
    correct = true;
    weight = 1;
  }
  void add(std::int64_t index, double value) {
    indices.push_back(static_cast<std::int32_t>(index));
    values.push_back(value);
  }
  // Sorts what was added in any order, adds up what belongs to one index, drops zeros.
  void settle();
};

// Which output is wanted.
struct Question {
  enum class Search : std::uint8_t {
    best,        // the highest score: what is predicted
    best_wrong,  // the highest score among all but the true output: 0-1 loss
    margin,      // the highest loss + score
    slack,       // the highest loss * (1 - score of the true output + score)
  };
  Search search = Search::best;
  bool root = false;  // take the square root of the loss, as quadratic slacks want it

  double height(double loss) const { return root ? std::sqrt(loss) : loss; }
  // By how much an output violates its constraint without slack, H(y) in the thesis; `margin` is its
  // candidate's product with the weights.
  double violation(double loss, double margin) const {
    switch (search) {
      case Search::best_wrong:
        return 1 - margin;
      case Search::slack:
        return height(loss) * (1 - margin);
      default:
        return height(loss) - margin;
    }
  }
};

// Joint features that are products of features of inputs and of outputs: Psi(x, y) = Phi(x) (x) Lambda(y).
//
// All that an example sees of the weights is their product with Phi(x), one number for each output feature:
// the weights projected on the example. There a candidate is Lambda(y_i) - Lambda(y), which is short.
class Projection {
 public:
  virtual ~Projection() = default;

  virtual std::int64_t output_features() const = 0;
  // |Phi(x)|^2: what products of two candidates of the example are multiplied by.
  virtual double squared_norm(std::int64_t example) const = 0;
  virtual void project(std::int64_t example, std::span<const double> weights,
                       std::span<double> projected) const = 0;
  // For some output features only; the others stay as they are.
  virtual void project(std::int64_t example, std::span<const double> weights,
                       std::span<const std::int32_t> features, std::span<double> projected) const = 0;
  // Phi(x) (x) a vector of output features, whose indices increase.
  virtual void expand(std::int64_t example, std::span<const std::int32_t> features,
                      std::span<const double> values, Candidate& out) const = 0;
};

class Oracle {
 public:
  virtual ~Oracle() = default;

  virtual std::int64_t examples() const = 0;
  // Joint features have indices below this number. Only problems written in Python may find more of them
  // later.
  virtual std::int64_t features() const = 0;
  // Whether `find` may be called from several threads at once.
  virtual bool parallel() const { return true; }

  // The output asked for, of one example. `weights` may be longer than features(), never shorter, but for
  // problems written in Python. When the true output has no rival at all, it is the answer.
  virtual void find(std::int64_t example, std::span<const double> weights, Question question,
                    Candidate& found) const = 0;

  // Null unless joint features are such products.
  virtual const Projection* projection() const { return nullptr; }
  // Where there is a projection: the same answer as that of `find`, from projected weights and in output
  // features.
  virtual void find_projected(std::int64_t example, std::span<const double> projected, Question question,
                              Candidate& found) const;
};

// The same problem, whose examples have weights: constraints are multiplied by these, and so are slacks.
// Examples without weight violate nothing.
class WeightedOracle final : public Oracle {
 public:
  WeightedOracle(std::shared_ptr<const Oracle> oracle, std::vector<double> weights);

  std::int64_t examples() const override { return oracle_->examples(); }
  std::int64_t features() const override { return oracle_->features(); }
  bool parallel() const override { return oracle_->parallel(); }
  void find(std::int64_t example, std::span<const double> weights, Question question,
            Candidate& found) const override;
  const Projection* projection() const override { return oracle_->projection(); }
  void find_projected(std::int64_t example, std::span<const double> projected, Question question,
                      Candidate& found) const override;

 private:
  std::shared_ptr<const Oracle> oracle_;
  std::vector<double> weights_;
};

}  // namespace hedgerow::structured
