// Expansion: f_c(x) = scale_c * sum over supports s of coefficient(s, c) * K(s, x) + bias_c.
//
// The one place that holds supports and coefficients. The functions c (one for each class, or pair of
// classes) share the supports, and every kernel value; each has its own scale, bias, members and norm.
//
// The average of all predictors that a function went through needs no second model. With S(t) the sum of the
// scales up to step t, a coefficient that came in at step a contributes coefficient * (S(t) - S(a)) to the
// sum of predictors. So beside its coefficient every support carries, in a column of its own, the sum of
// -coefficient * S(a), and the average is an expansion again: (offsets + S(t) * coefficients) / t.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "lock.hpp"
#include "models/averaging.hpp"
#include "models/fields.hpp"
#include "models/function.hpp"
#include "models/history.hpp"
#include "models/kernel_model.hpp"

namespace hedgerow::models {

// Values of the functions of a finished expansion at any items.
struct Predictor {
  std::unique_ptr<KernelModel> model;
  std::vector<double> bias;
};

class Expansion : public Guarded {
 public:
  Expansion(const KernelModel& kernel, std::int32_t functions, Averaging averaging);

  std::int32_t functions() const { return static_cast<std::int32_t>(functions_.size()); }
  Averaging averaging() const { return averaging_; }
  const KernelModel& kernel() const { return *kernel_; }

  // Function c becomes what function from[c] was; -1: a new one, which has learned nothing. No batch is open.
  void rearrange(std::span<const std::int32_t> from);

  // ---- learning: one example of an open batch after the other

  void open(std::shared_ptr<const Items> batch);
  void close();
  // Makes an item of the batch the current example, with its number in the stream. `slot`: where it is a
  // support already, so that coefficients add up there; -1 if it is not.
  void visit(std::int64_t item, std::int64_t number, std::int32_t slot);
  std::int32_t current_slot() const { return current_.slot; }  // of the example, -1 if it is no support
  double score(std::int32_t function) const { return current_.scores[function]; }
  // Whether the function has changed since the example came.
  bool has_changed(std::int32_t function) const { return current_.changed[function]; }
  // Scores the current example anew: for rules that change a function before they add the example.
  void rescore();
  // The current example is going to change a function, or what a rule remembers. The first time, whoever
  // asked for it is told K(x, x), and may refuse.
  void begin_change();
  void begin_change(std::int32_t function) {
    begin_change();
    if (!current_.changed.empty()) current_.changed[function] = 1;
  }
  using BeforeChange = std::function<void(double self_kernel)>;
  void tell_before_change(BeforeChange listener) { before_change_ = std::move(listener); }
  // The value of what predict would use, at the current example.
  void predictions(double* out);
  // The function's predictor has lived for one more example.
  void survive(std::int32_t function);

  // ---- one function at the current example: what KernelFunction shows to rules

  double self_kernel();
  const std::vector<double>& row();
  void add(std::int32_t function, double coefficient);
  // f += amount * g where g is a combination of the function's members, in their order, with <f, g> and |g|^2
  // as the caller knows them.
  void add_combination(std::int32_t function, std::span<const double> combination, double amount,
                       double inner, double squared);
  void remove(std::int32_t function, std::int32_t slot, double value);
  void scale(std::int32_t function, double factor);
  void add_bias(std::int32_t function, double delta);
  double value_at(std::int32_t function, std::int32_t slot);  // without the bias
  void support_row(std::int32_t slot, double* out) { kernel_->support_row(slot, out); }
  double support_self_kernel(std::int32_t slot) { return kernel_->support_self_kernel(slot); }
  const std::vector<std::int32_t>& members(std::int32_t function) const {  // slots, oldest first
    return functions_[function].members;
  }
  double coefficient(std::int32_t function, std::int32_t slot) const {
    return functions_[function].scale * coefficients_[at(slot, function)];
  }
  bool has_member(std::int32_t function, std::int32_t slot) const {
    return slot >= 0 && is_member_[at(slot, function)];
  }
  double squared_norm(std::int32_t function) const { return functions_[function].squared_norm; }
  double bias(std::int32_t function) const { return functions_[function].bias; }

  // ---- what was learned

  std::size_t growth() const;                  // as KernelModel has it
  std::vector<std::int32_t> supports() const;  // slots in order of arrival
  std::int32_t support_count() const { return live_; }
  std::int64_t number(std::int32_t slot) const { return numbers_[slot]; }  // in the stream
  // Of the function that predicts; for votes, of the last predictor.
  double final_coefficient(std::int32_t function, std::int32_t slot) const;
  double final_bias(std::int32_t function) const;
  double l1_norm() const;  // of the coefficients of all functions that predict
  // Values of all functions at all items, row-major.
  void decisions(const Items& batch, int threads, bool single, double* out) const;

  // Adds supports with given coefficients (row-major, one row an item) and numbers, for functions learned
  // elsewhere.
  void add_supports(std::shared_ptr<const Items> items, const double* coefficients,
                    const std::int64_t* numbers);
  void set_bias(std::int32_t function, double bias) { functions_[function].bias = bias; }

  void save(State& state, const std::string& prefix) const;
  // The functions alone, without the kernel's model.
  void save_functions(State& state, const std::string& prefix) const;
  void load(const State& state, const std::string& prefix);
  void forget();  // all that was learned; no batch is open afterwards

 private:
  struct FunctionNumbers {
    double scale = 1, bias = 0, squared_norm = 0;
    double scale_sum = 0, bias_sum = 0;  // over predictors, weighted as the average weights them

    template <class Self, class Each>
    static void fields(Self& self, Each&& each) {
      each(Field{"scale"}, self.scale);
      each(Field{"bias"}, self.bias);
      each(Field{"squared_norm", at_least_0}, self.squared_norm);
      each(Field{"scale_sum"}, self.scale_sum);
      each(Field{"bias_sum"}, self.bias_sum);
    }
  };
  struct FunctionState : FunctionNumbers {
    std::int64_t steps = 0;
    std::vector<std::int32_t> members;
    History history;  // of votes
  };
  struct Example {
    std::int64_t item = -1, number = -1;
    std::int32_t slot = -1;
    double self_kernel = -1;  // negative: not asked for yet
    bool has_row = false, changes = false;
    std::vector<std::uint8_t> changed;  // by function
    std::vector<double> scores, row;
  };

  std::size_t at(std::int32_t slot, std::int32_t function) const {
    return static_cast<std::size_t>(slot) * functions_.size() + function;
  }
  bool averages() const { return averaging_ == Averaging::average || averaging_ == Averaging::normalized; }
  std::int32_t columns() const { return functions() * (averages() ? 2 : 1); }
  std::int32_t take_slot(std::int64_t item, std::int64_t number);
  void join(std::int32_t function, std::int32_t slot);
  void forget_frozen();
  void change(std::int32_t function, std::int32_t slot, double stored_delta);
  void add_offset(std::int32_t function, std::int32_t slot, double offset);
  void settle_scale(std::int32_t function);
  std::vector<std::int32_t> own_order(std::int32_t function, std::span<const std::int32_t> supports) const;
  bool worth_freezing(std::int32_t function, std::int64_t items) const;
  Predictor freeze(bool single) const;
  std::shared_ptr<const Predictor> predictor(bool single) const;
  void vote(const Items& batch, int threads, double* out) const;
  void load_functions(const State& state, const std::string& prefix);
  void load_slots(const State& state, const std::string& prefix);

  Averaging averaging_;
  std::unique_ptr<KernelModel> kernel_;
  std::vector<FunctionState> functions_;
  std::vector<double> coefficients_;      // slot by slot, before scaling
  std::vector<double> offsets_;           // likewise, for averages
  std::vector<std::uint8_t> is_member_;   // likewise
  std::vector<std::int32_t> user_count_;  // by slot: functions that have it as a member; -1: free
  std::vector<std::int64_t> numbers_;     // by slot
  std::vector<std::int64_t> arrivals_;    // by slot: how many supports had come before it
  std::vector<std::int32_t> free_;
  std::int64_t arrived_ = 0;
  std::int32_t live_ = 0;
  Example current_;
  BeforeChange before_change_;
  std::vector<double> scratch_;

  // Made when a large batch is to be predicted, kept until the functions change.
  mutable std::shared_ptr<const Predictor> frozen_[2];  // in double and in single precision
};

// A function of an expansion at the current example, with its supports.
class KernelFunction final : public Function {
 public:
  KernelFunction(Expansion& expansion, std::int32_t function) : expansion_(expansion), function_(function) {}

  double score() const override { return expansion_.score(function_); }
  void rescore() { expansion_.rescore(); }
  double self_kernel() override { return expansion_.self_kernel(); }
  void begin() override { expansion_.begin_change(); }
  void add(double coefficient) override { expansion_.add(function_, coefficient); }
  void scale(double factor) override { expansion_.scale(function_, factor); }
  double squared_norm() const override { return expansion_.squared_norm(function_); }
  double bias() const override { return expansion_.bias(function_); }
  void add_bias(double delta) override { expansion_.add_bias(function_, delta); }

  // Slots of the supports, oldest first.
  const std::vector<std::int32_t>& supports() const { return expansion_.members(function_); }
  double coefficient(std::int32_t slot) const { return expansion_.coefficient(function_, slot); }
  // K(s, x) by slot; what was added or removed since the example came is not looked at.
  const std::vector<double>& row() { return expansion_.row(); }
  // Whether the current example is a support of this function.
  bool has_example() const { return expansion_.has_member(function_, expansion_.current_slot()); }
  std::int32_t example_slot() const { return expansion_.current_slot(); }
  void add_combination(std::span<const double> combination, double amount, double inner, double squared) {
    expansion_.add_combination(function_, combination, amount, inner, squared);
  }
  double value_at(std::int32_t slot) { return expansion_.value_at(function_, slot); }  // without the bias
  // `value`: value_at(slot), which the norm needs.
  void remove(std::int32_t slot, double value) { expansion_.remove(function_, slot, value); }
  void support_row(std::int32_t slot, double* out) { expansion_.support_row(slot, out); }
  double support_self_kernel(std::int32_t slot) { return expansion_.support_self_kernel(slot); }
  std::int32_t slots() const { return expansion_.kernel().slots(); }

 private:
  Expansion& expansion_;
  std::int32_t function_;
};

}  // namespace hedgerow::models
