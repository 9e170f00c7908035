#include <nanobind/stl/function.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <functional>
#include <numeric>
#include <thread>

#include "online/kernel_learner.hpp"
#include "python/arrays.hpp"
#include "python/bindings.hpp"
#include "python/choices.hpp"
#include "python/locks.hpp"
#include "python/states.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace hedgerow::python {

namespace {

// The function that a rule written in Python is shown. It is valid only during the call.
struct FunctionHandle {
  models::KernelFunction* function = nullptr;
  std::thread::id learning = std::this_thread::get_id();

  models::KernelFunction& operator*() const {
    if (!function || learning != std::this_thread::get_id())
      throw std::runtime_error("the function may be used only while its rule learns, and in that thread");
    return *function;
  }
  std::int32_t checked(std::int32_t slot) const {
    const auto& slots = (**this).supports();
    if (std::find(slots.begin(), slots.end(), slot) == slots.end())
      throw nb::index_error("no support of this function is in that slot");
    return slot;
  }
};

// A rule that is a Python object with a method learn(function, y, weight); `rules` has one for each function.
class PythonRule final : public online::KernelRule {
 public:
  PythonRule(nb::list rules, std::size_t index) : rules_(std::move(rules)), index_(index) {}
  ~PythonRule() override {
    nb::gil_scoped_acquire acquire;
    rules_.reset();
    kept_.reset();
  }
  PythonRule(const PythonRule&) = delete;
  PythonRule& operator=(const PythonRule&) = delete;

  void learn(models::KernelFunction& f, double y, double weight) override {
    nb::gil_scoped_acquire acquire;
    nb::object handle = nb::cast(FunctionHandle{&f});
    struct Guard {
      nb::object& handle;
      ~Guard() { nb::cast<FunctionHandle&>(handle).function = nullptr; }
    } guard{handle};
    rules_[index_].attr("learn")(handle, y, weight);
  }
  std::unique_ptr<online::KernelRule> fresh(std::int32_t function) const override {
    nb::gil_scoped_acquire acquire;
    return std::make_unique<PythonRule>(rules_, static_cast<std::size_t>(function));
  }
  bool merges() const override { return false; }
  bool may_fail() const override { return true; }
  // What it remembers are attributes, lists and arrays among them. Of those that cannot be copied it keeps
  // which they were.
  void keep() override {
    nb::gil_scoped_acquire acquire;
    const nb::object rule = rules_[index_];
    if (!nb::hasattr(rule, "__dict__")) return;
    const nb::object attributes = rule.attr("__dict__");
    nb::dict itself;
    itself[nb::int_(reinterpret_cast<std::uintptr_t>(rule.ptr()))] = rule;
    try {
      kept_ = nb::module_::import_("copy").attr("deepcopy")(attributes, itself);
    } catch (const nb::python_error& error) {
      if (!error.matches(PyExc_Exception)) throw;  // interrupts
      kept_ = attributes.attr("copy")();
    }
  }
  void take_back() override {
    nb::gil_scoped_acquire acquire;
    if (!kept_) return;
    const nb::error_scope pending;
    rules_[index_].attr("__dict__").attr("clear")();
    rules_[index_].attr("__dict__").attr("update")(kept_);
  }

 private:
  nb::list rules_;
  std::size_t index_;
  nb::object kept_;
};

void register_rules(nb::module_& m) {
  nb::class_<online::KernelRule>(m, "KernelRule");
  m.def(
      "kernel_rule",
      [](const std::string& name, const nb::dict& parameters) {
        return online::KernelRules::make(name, parameters_from(parameters));
      },
      "name"_a, "parameters"_a);
  m.def("kernel_rules", &online::KernelRules::names, "Names of the rules that there are.");
  m.def(
      "python_rule",
      [](nb::list rules) -> online::NewRule { return std::make_unique<PythonRule>(std::move(rules), 0); },
      "rules"_a);
}

void register_function(nb::module_& m) {
  nb::class_<FunctionHandle>(m, "Function",
                             "The function f that a rule learns, at the current example x. Slots name its "
                             "supports. Valid only while the rule learns.")
      .def_prop_ro(
          "score", [](const FunctionHandle& f) { return (*f).score(); }, "f(x), bias included.")
      .def_prop_ro(
          "self_kernel", [](const FunctionHandle& f) { return (*f).self_kernel(); }, "K(x, x).")
      .def_prop_ro(
          "squared_norm", [](const FunctionHandle& f) { return (*f).squared_norm(); },
          "Of f without its bias.")
      .def_prop_ro("bias", [](const FunctionHandle& f) { return (*f).bias(); })
      .def_prop_ro(
          "supports", [](const FunctionHandle& f) { return to_numpy(std::vector((*f).supports())); },
          nb::rv_policy::automatic, "Slots of the supports, oldest first.")
      .def_prop_ro(
          "coefficients",
          [](const FunctionHandle& f) {
            std::vector<double> values;
            for (std::int32_t slot : (*f).supports()) values.push_back((*f).coefficient(slot));
            return to_numpy(std::move(values));
          },
          nb::rv_policy::automatic, "Coefficients of the supports, oldest first.")
      .def_prop_ro(
          "row",
          [](const FunctionHandle& f) {
            std::vector<double> values;
            for (std::int32_t slot : (*f).supports()) {
              const bool is_new = slot == (*f).example_slot();
              values.push_back(is_new ? (*f).self_kernel() : (*f).row()[slot]);
            }
            return to_numpy(std::move(values));
          },
          nb::rv_policy::automatic, "K(s, x) for the supports s, oldest first.")
      .def(
          "add", [](const FunctionHandle& f, double coefficient) { (*f).add(coefficient); }, "coefficient"_a,
          "f += coefficient * K(x, .)")
      .def(
          "scale", [](const FunctionHandle& f, double factor) { (*f).scale(factor); }, "factor"_a,
          "f *= factor, but for the bias.")
      .def(
          "add_bias", [](const FunctionHandle& f, double delta) { (*f).add_bias(delta); }, "delta"_a)
      .def(
          "value_at",
          [](const FunctionHandle& f, std::int32_t slot) { return (*f).value_at(f.checked(slot)); }, "slot"_a,
          "f at a support, without the bias.")
      .def(
          "remove",
          [](const FunctionHandle& f, std::int32_t slot) {
            (*f).remove(f.checked(slot), (*f).value_at(slot));
          },
          "slot"_a, "Removes a support from f.");
}

}  // namespace

void register_online(nb::module_& m) {
  register_rules(m);
  register_function(m);

  nb::class_<models::Expansion>(m, "Expansion", "Functions with common supports.")
      .def(
          "__init__",
          [](models::Expansion* self, const models::KernelModel& kernel, std::int32_t functions) {
            new (self) models::Expansion(kernel, functions, models::Averaging::none);
          },
          "kernel"_a, "functions"_a)
      .def(
          "add_supports",
          [](models::Expansion& self, std::shared_ptr<models::Items> items,
             nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu> coefficients,
             ArrayIn<std::int64_t> numbers) {
            if (static_cast<std::int64_t>(coefficients.shape(0)) != items->size() ||
                static_cast<std::int32_t>(coefficients.shape(1)) != self.functions())
              throw std::invalid_argument("coefficients need one row for each item, one column a function");
            if (static_cast<std::int64_t>(numbers.size()) != items->size())
              throw std::invalid_argument("there must be one number for each item");
            const LongWriting writing(self);
            self.add_supports(std::move(items), coefficients.data(), numbers.data());
          },
          "items"_a, "coefficients"_a, "numbers"_a)
      .def(
          "set_bias",
          [](models::Expansion& self, std::int32_t function, double bias) {
            const Writing writing(self);
            self.set_bias(function, bias);
          },
          "function"_a, "bias"_a)
      .def(
          "decisions",
          [](const models::Expansion& self, const models::Items& items, int threads, bool single) {
            std::vector<double> out(items.size() * self.functions());
            {
              const LongReading reading(self);
              self.decisions(items, threads, single, out.data());
            }
            return to_numpy(std::move(out));
          },
          "items"_a, "threads"_a, "single"_a, "Row-major.")
      .def_prop_ro("functions", &models::Expansion::functions)
      .def_prop_ro("support_count", read(&models::Expansion::support_count))
      .def(
          "supports",
          [](const models::Expansion& self) {
            const Reading reading(self);
            return std::const_pointer_cast<models::Items>(self.kernel().supports(self.supports()));
          },
          "Items, in order of arrival.")
      .def("support_numbers",
           [](const models::Expansion& self) {
             const Reading reading(self);
             std::vector<std::int64_t> numbers;
             for (std::int32_t slot : self.supports()) numbers.push_back(self.number(slot));
             return to_numpy(std::move(numbers));
           })
      .def(
          "coefficients",
          [](const models::Expansion& self) {
            const Reading reading(self);
            std::vector<double> values;
            for (std::int32_t c = 0; c < self.functions(); ++c)
              for (std::int32_t slot : self.supports()) values.push_back(self.final_coefficient(c, slot));
            return to_numpy(std::move(values));
          },
          "Function by function, of the functions that predict.")
      .def("biases",
           [](const models::Expansion& self) {
             const Reading reading(self);
             std::vector<double> values;
             for (std::int32_t c = 0; c < self.functions(); ++c) values.push_back(self.final_bias(c));
             return to_numpy(std::move(values));
           })
      .def(
          "squared_norms",
          [](const models::Expansion& self) {
            const Reading reading(self);
            std::vector<double> values;
            for (std::int32_t c = 0; c < self.functions(); ++c) values.push_back(self.squared_norm(c));
            return to_numpy(std::move(values));
          },
          "Of the last predictors.")
      .def("save",
           [](const models::Expansion& self) {
             const Reading reading(self);
             models::State state;
             self.save(state, "");
             return to_dict(std::move(state));
           })
      .def(
          "load",
          [](models::Expansion& self, const nb::dict& arrays) {
            const Writing writing(self);
            self.load(from_dict(arrays), "");
          },
          "arrays"_a);

  nb::class_<online::Learner>(m, "Learner", "Passes over examples.")
      .def(
          "learn",
          [](online::Learner& self, std::shared_ptr<models::Items> items, ArrayIn<std::int32_t> labels,
             const std::optional<ArrayIn<double>>& weights, const std::vector<ArrayIn<std::int64_t>>& orders,
             const std::optional<ArrayOut<double>>& foreseen, bool foresees_votes,
             const std::function<void(std::int64_t)>& after_pass) {
            const std::int64_t n = items->size();
            if (static_cast<std::int64_t>(labels.size()) != n ||
                (weights && static_cast<std::int64_t>(weights->size()) != n) ||
                (foreseen && static_cast<std::int64_t>(foreseen->size()) != n * self.codes().outputs()))
              throw std::invalid_argument("items, labels, weights and scores differ in length");
            for (std::int32_t label : as_span(labels))
              if (label < 0 || label >= self.codes().classes())
                throw std::invalid_argument("a label is out of range");
            for (const auto& order : orders)
              for (std::int64_t item : as_span(order))
                if (item < 0 || item >= n) throw nb::index_error("item out of range");
            std::vector<std::int64_t> given;
            if (orders.empty()) {
              given.resize(n);
              std::iota(given.begin(), given.end(), 0);
            }
            const std::span<const double> weight = weights ? as_span(*weights) : std::span<const double>{};
            const std::span<const std::int32_t> label = as_span(labels);
            const std::span<double> out =
                foreseen ? std::span(foreseen->data(), foreseen->size()) : std::span<double>{};
            const LongWriting writing(self);
            const std::int64_t first_number = self.seen();
            struct Opened {
              online::Learner& learner;
              ~Opened() { learner.close(); }
            };
            self.open(std::move(items));
            const Opened opened{self};
            if (orders.empty()) self.pass(given, label, weight, first_number, out, foresees_votes);
            for (const auto& order : orders) {
              self.pass(as_span(order), label, weight, first_number, out, foresees_votes);
              if (after_pass) after_pass(self.seen());
            }
          },
          "items"_a, "labels"_a, "weights"_a.none(), "orders"_a, "foreseen"_a = nb::none(),
          "foresees_votes"_a = false, "after_pass"_a = nb::none(),
          "One pass for each order, or one in the given order without any. The scores of an example before "
          "it "
          "is learned from, as `decisions` gives them, go to `foreseen`, unless its weight is 0; instead of "
          "votes on weights, which take quadratic time, those of the last predictor, unless "
          "`foresees_votes`. `after_pass` is called after each order, with the number of examples seen; it "
          "must not use this learner. Examples that come again in one call are the same ones.")
      .def(
          "decisions",
          [](const online::Learner& self, const models::Items& items, int threads, bool single) {
            std::vector<double> out(items.size() * self.codes().outputs());
            {
              const LongReading reading(self);
              self.decisions(items, threads, single, out.data());
            }
            return to_numpy(std::move(out));
          },
          "items"_a, "threads"_a, "single"_a, "Row-major.")
      .def_prop_ro("seen", read(&online::Learner::seen))
      .def_prop_ro("mistakes", read(&online::Learner::mistakes))
      .def_prop_ro("updates", read(&online::Learner::updates))
      .def(
          "rearrange",
          [](online::Learner& self, CodeMatrix codes, const std::string& decoding,
             ArrayIn<std::int32_t> from) {
            const Writing writing(self);
            self.rearrange(codes_from(codes, decoding), as_span(from));
          },
          "codes"_a, "decoding"_a, "origins"_a,
          "Class k, with its function, becomes what class origins[k] was; -1: a new one.")
      .def("trace",
           [](const online::Learner& self) {
             const Reading reading(self);
             models::State state;
             self.trace().save(state, "");
             return to_dict(std::move(state));
           })
      .def("save",
           [](const online::Learner& self) {
             const Reading reading(self);
             models::State state;
             self.save(state);
             return to_dict(std::move(state));
           })
      .def(
          "load",
          [](online::Learner& self, const nb::dict& arrays) {
            const Writing writing(self);
            self.load(from_dict(arrays));
          },
          "arrays"_a);

  nb::class_<online::KernelLearner, online::Learner>(m, "KernelLearner", "Passes of a rule on expansions.")
      .def(
          "__init__",
          [](online::KernelLearner* self, const models::KernelModel& kernel, const online::KernelRule& rule,
             CodeMatrix codes, const std::string& decoding, const std::optional<std::string>& averaging,
             std::int64_t trace_every, const std::string& counting) {
            new (self) online::KernelLearner(kernel, rule, codes_from(codes, decoding),
                                             averaging_from(averaging), counting_from(counting), trace_every);
          },
          "kernel"_a, "rule"_a, "codes"_a, "decoding"_a, "averaging"_a.none(), "trace_every"_a,
          "counting"_a = "examples")
      .def_prop_ro(
          "expansion",
          [](const online::KernelLearner& self) -> const models::Expansion& { return self.expansion(); },
          nb::rv_policy::reference_internal)
      .def_prop_ro("condition", read(&online::KernelLearner::condition));
}

}  // namespace hedgerow::python
