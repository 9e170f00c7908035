// Learner: passes over examples, in which every function learns from each of them.
//
// What a function is, an expansion or weights, is the business of the classes below it.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "lock.hpp"
#include "models/fields.hpp"
#include "models/items.hpp"
#include "models/state.hpp"
#include "online/codes.hpp"
#include "online/trace.hpp"

namespace hedgerow::online {

// Which examples a predictor counts for in averages and votes: that which made it and those that left it as
// it was, or the latter only.
enum class Counting { examples, correct };

class Learner : public Guarded {
 public:
  virtual ~Learner() = default;
  Learner(const Learner&) = delete;
  Learner& operator=(const Learner&) = delete;

  virtual void open(std::shared_ptr<const models::Items> batch) = 0;
  virtual void close() = 0;
  // One pass over items of the open batch, in this order. `label` and `weight` (empty: all 1) go by item.
  // When it is interrupted, or an example is refused (see limits.hpp) or fails, it has learned from all
  // examples before, and nothing is half done.
  // `foreseen`, by item too, if they are wanted: the scores of classes, as decisions() gives them, that each
  // example of positive weight had before it was learned from. Votes that take time for every predictor so
  // far are counted only if that is wanted too; else these are the scores of the last predictor.
  void pass(std::span<const std::int64_t> order, std::span<const std::int32_t> label,
            std::span<const double> weight, std::int64_t first_number, std::span<double> foreseen = {},
            bool foresees_votes = false);

  // Gives classes functions of their own: class k, and its function, is what class from[k] was; -1: a new
  // one, whose function has learned nothing.
  void rearrange(Codes codes, std::span<const std::int32_t> from);

  const Codes& codes() const { return codes_; }
  const Trace& trace() const { return trace_; }
  std::int64_t seen() const { return seen_; }          // examples, those of weight 0 included
  std::int64_t mistakes() const { return mistakes_; }  // of the predictor at the time, the last one
  std::int64_t updates() const { return updates_; }    // of functions, by examples
  // Scores of classes (of the second class, if there are two) at all items, row-major.
  void decisions(const models::Items& batch, int threads, bool single, double* out) const;

  void set_counts(std::int64_t seen,
                  std::int64_t mistakes) {  // of what other learners have learned from, too
    seen_ = std::min(seen, models::most_counted);
    mistakes_ = std::min(mistakes, models::most_counted);
  }

  void save(models::State& state) const;
  void load(const models::State& state);

 protected:
  // interrupt_every: the number of examples between two looks at whether the user wants to stop.
  Learner(Codes codes, std::int64_t trace_every, std::int64_t interrupt_every, Counting counting);

  // Makes an item of the open batch the current example, with its number in the stream, and fills in the
  // scores of the functions' last predictors. Returns whether these, and what else it knows of the example,
  // are ordinary.
  virtual bool visit(std::int64_t item, std::int64_t number, double* scores) = 0;
  // What predictions come from, at the current example.
  virtual void predictions(double* out) = 0;
  // A function learns from the current example. Returns whether it has changed. What fails must fail before
  // anything has changed, or after keep().
  virtual bool learn(std::int32_t function, double y, double weight) = 0;
  // Likewise, all functions at once: that of the right class is to score higher than that of the wrong one.
  virtual bool learn_jointly(std::int32_t right, std::int32_t wrong, double weight) = 0;
  virtual void leave(std::int64_t) {}  // the item that was visited, after all functions have learned from it
  virtual void give_up() {}            // likewise, when something failed
  // About how many bytes it may need at most to learn from an example; see memory_reserve.hpp.
  virtual std::size_t growth() const = 0;
  virtual void rearrange_model(std::span<const std::int32_t> from) = 0;
  virtual std::int64_t model_size() const = 0;  // supports or weights, for the trace
  virtual double l1_norm() const = 0;           // of coefficients or weights, likewise
  virtual void function_values(const models::Items& batch, int threads, bool single, double* out) const = 0;
  virtual void save_model(models::State& state) const = 0;
  // Into a model that has learned nothing.
  virtual void load_model(const models::State& state) = 0;
  virtual void forget_model() = 0;
  // What of a model could leave the range of numbers.
  virtual void save_numbers(models::State& state) const { save_model(state); }

  // Whether a predictor counts for the current example, which has made it if it is new.
  bool counts(bool is_new) const { return !is_new || counting_ == Counting::examples; }
  bool foresees_votes() const { return foresees_votes_; }
  // Whether the current example is, by its weight and what `visit` says.
  bool is_ordinary() const { return ordinary_; }
  // The current example begins to change the model.
  void begin_change() { changes_ = true; }
  // Keeps the model as it is until all functions have learned from the example, or one of them failed.
  void keep();
  bool is_kept() const { return kept_.has_value(); }

 private:
  // How the example was predicted.
  struct Outcome {
    bool mistake;  // of the last predictor
    std::int32_t winner = -1;
    bool right = false;
  };

  void learn_from(std::int64_t item, std::int64_t number, std::int32_t label, double weight,
                  double* foreseen);
  std::int64_t update(std::int32_t label, double weight);  // how many functions have changed
  Outcome foresee(std::int32_t label, bool predicts);
  void check_kept();
  void take_back();  // the model that was kept
  // In a handler: takes back what the example has changed, and throws what was thrown.
  [[noreturn]] void fail(std::int64_t item, std::int64_t number);

  Codes codes_;
  std::int64_t interrupt_every_;
  Counting counting_;
  bool foresees_votes_ = false;
  std::int64_t seen_ = 0, mistakes_ = 0, updates_ = 0;
  double seconds_ = 0;
  Trace trace_;
  std::vector<double> scores_, decoded_, predictions_;
  bool ordinary_ = true, changes_ = false;
  std::optional<models::State> kept_;
};

}  // namespace hedgerow::online
