// The dual of Crammer and Singer's machine, one example after another, each over all of its classes.
//
//   max sum_iy m_iy h_iy - 1/2 |w|^2   over m >= 0, sum_y m_iy <= C_i,   w = sum_iy m_iy x_i (x) (e_t - e_y)
//
// where t is the true class of example i. One look at the features of x gives the scores s of all classes.
// With these, and D_y = h_y + s_y without what the example itself adds, the best multipliers are those of a
// projection: m_y = max(0, D_y - b) / |x|^2, where b makes them, and what is left for t, sum up to C_i.
// K. Crammer, Y. Singer: On the algorithmic implementation of multiclass kernel-based vector machines, JMLR
// 2001, section 6; S. Keerthi et al.: A sequential dual method for large scale multi-class linear SVMs, KDD
// 2008. It is what block-coordinate Frank-Wolfe (frank_wolfe.hpp) becomes where all outputs can be looked at.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "models/items.hpp"
#include "structured/classes/output_sets.hpp"

namespace hedgerow::structured::classes {

struct ClassAscentSettings {
  double C = 1;
  bool unit_margins = false;  // h is 1 for all wrong classes, whatever their losses
  bool averaging = true;
};

class ClassAscent {
 public:
  // Each output has one feature of its own. `weights` of examples multiply C; none: all are 1.
  ClassAscent(std::shared_ptr<const models::SparseItems> inputs, OutputSets outputs,
              std::span<const double> weights, ClassAscentSettings settings);

  // Visits those of these examples whose gap was above this at their last visit. Returns how many.
  std::int64_t visit(std::span<const std::int64_t> order, double above);

  // The duality gap that examples had at their last visits, each by the weights of its time.
  double remembered_gap() const;
  double dual() const { return dual_; }
  std::int64_t examples() const { return outputs_.examples(); }
  std::int64_t visits() const { return visits_; }
  std::int64_t constraints() const;  // that have a multiplier

  struct Measure {
    double primal, dual, gap;
  };
  Measure measure(int threads);
  // The primal objective of the average.
  double measure_average(int threads);

  std::span<const double> coordinates() const { return weights_; }
  // The mean of the weights after each visit, where visit t counts t times.
  std::vector<double> average() const;
  // What that takes away, times the sum of what visits count.
  std::vector<double> late() const;
  double height() const { return height_; }  // the sum of multipliers times h

  double oracle_seconds = 0;  // of looking at all examples

 private:
  struct Multiplier {
    std::int32_t output;
    double value;
    double late;  // each change, times the weight of what came before
  };
  struct Block {
    std::vector<Multiplier> multipliers;
    double squared_norm, room;  // |x|^2 and C_i
  };
  struct Look {
    double slack, gap;
  };

  std::int64_t classes() const { return outputs_.outputs(); }
  // Turns the scores of all classes into violations; that of the true class is 0.
  Look look(std::int64_t example, std::span<double> scores) const;
  void optimise(std::int64_t example, std::span<const double> violations);
  void find_best(std::int64_t example, std::span<const double> violations);
  // What slacks cost, and where somebody asks, the gaps.
  std::vector<double> costs_by(std::span<const double> weights, std::vector<double>* gaps, int threads);

  std::shared_ptr<const models::SparseItems> inputs_;
  OutputSets outputs_;
  ClassAscentSettings settings_;
  std::vector<double> weights_;  // of input feature j and class r at j p + r, where there are p classes
  std::vector<Block> blocks_;
  std::vector<double> gaps_;
  std::int64_t visits_ = 0;
  double dual_ = 0, height_ = 0;

  // Scratch of a visit.
  std::vector<double> targets_, best_;  // of all classes; best_ is 0 between visits
  std::vector<std::int32_t> active_;
  std::vector<Multiplier> multipliers_;
  std::vector<std::int32_t> features_;  // classes whose weights change
  std::vector<double> steps_;           // beside them
};

}  // namespace hedgerow::structured::classes
