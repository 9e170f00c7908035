#include "online/learner.hpp"

#include <algorithm>
#include <stdexcept>

#include "memory_reserve.hpp"
#include "online/limits.hpp"
#include "parallel.hpp"

namespace hedgerow::online {
namespace {

struct NoMemoryAtAll : std::bad_alloc {
  const char* what() const noexcept override {
    return "there was no memory to finish an update; the model was emptied";
  }
};

// An update that began and neither ended nor was undone leaves a model that nobody may look at.
void require_whole(bool changes) {
  if (changes)
    throw std::runtime_error(
        "there was no memory to finish an update; the model is lost and must be made anew");
}

}  // namespace

Learner::Learner(Codes codes, std::int64_t trace_every, std::int64_t interrupt_every, Counting counting)
    : codes_(std::move(codes)),
      interrupt_every_(interrupt_every),
      counting_(counting),
      trace_(trace_every, codes_.classes()),
      scores_(codes_.functions()),
      decoded_(codes_.outputs()),
      predictions_(codes_.functions()) {}

void Learner::pass(std::span<const std::int64_t> order, std::span<const std::int32_t> label,
                   std::span<const double> weight, std::int64_t first_number, std::span<double> foreseen,
                   bool foresees_votes) {
  require_whole(changes_);
  models::require_room(seen_, order.size());
  foresees_votes_ = foresees_votes;
  double started = trace_.wanted() ? thread_seconds() : 0;
  std::int64_t since_look = interrupt_every_;
  MemoryReserve reserve;
  for (const std::int64_t item : order) {
    if (since_look++ == interrupt_every_) {
      stop_if_asked();
      since_look = 1;
    }
    const double importance = weight.empty() ? 1.0 : weight[item];
    if (importance != 0) {
      reserve.hold(growth());
      try {
        learn_from(item, first_number + item, label[item], importance,
                   foreseen.empty() ? nullptr : &foreseen[item * codes_.outputs()]);
      } catch (...) {
        fail(item, first_number + item);
      }
    }
    ++seen_;
    if (importance == 0) continue;
    if (trace_.wanted() && trace_.due()) {
      const double now = thread_seconds();
      seconds_ += now - started;
      trace_.sample({mistakes_, updates_, model_size(), l1_norm(), seconds_});
      started = thread_seconds();
    }
    reserve.check();
  }
  if (trace_.wanted()) seconds_ += thread_seconds() - started;
}

void Learner::learn_from(std::int64_t item, std::int64_t number, std::int32_t label, double weight,
                         double* foreseen) {
  ordinary_ = visit(item, number, scores_.data()) && ordinary_weight(weight);
  const Outcome outcome = foresee(label, foreseen || trace_.wanted());
  const std::int64_t updates = update(label, weight);
  if (kept_) check_kept();
  leave(item);
  changes_ = false;
  models::count_up(mistakes_, outcome.mistake);
  models::count_up(updates_, updates);
  if (foreseen) std::ranges::copy(decoded_, foreseen);
  if (trace_.wanted()) trace_.predicted(outcome.winner, outcome.right, label);
}

std::int64_t Learner::update(std::int32_t label, double weight) {
  if (codes_.joint()) return learn_jointly(label, codes_.rival(scores_.data(), label), weight) ? 2 : 0;
  std::int64_t updates = 0;
  for (std::int32_t j = 0; j < codes_.functions(); ++j)
    if (const std::int8_t y = codes_.label(label, j); y != 0) updates += learn(j, y, weight);
  return updates;
}

void Learner::keep() {
  models::State state(models::State::For::memory);
  save_model(state);
  kept_ = std::move(state);
}

void Learner::check_kept() {
  models::State now(models::State::For::memory);
  save_numbers(now);
  check_numbers(now);
  kept_.reset();
}

void Learner::fail(std::int64_t item, std::int64_t number) {
  give_up();
  if (kept_) take_back();
  try {
    throw;
  } catch (const std::bad_alloc&) {
    if (!changes_) throw;
    // Even the reserve was too small. Half of an update must not stay; a model that cannot be emptied either
    // is of no use any more.
    forget_model();
    changes_ = false;
    throw NoMemoryAtAll();
  } catch (const std::overflow_error& error) {
    changes_ = false;
    throw std::overflow_error("example " + std::to_string(item) + " (number " + std::to_string(number) +
                              " of the stream) cannot be learned from: " + error.what());
  } catch (...) {
    changes_ = false;
    throw;
  }
}

void Learner::take_back() {
  const models::State state = std::move(*kept_);
  kept_.reset();
  forget_model();
  try {
    load_model(state);
  } catch (const std::invalid_argument& error) {
    // Only a forged file makes a model that no file may hold. Half of it must not stay.
    forget_model();
    changes_ = false;
    throw std::invalid_argument(std::string("the model held what no model can hold, and was emptied: ") +
                                error.what());
  } catch (...) {
    forget_model();
    changes_ = false;
    throw;
  }
  changes_ = false;
}

Learner::Outcome Learner::foresee(std::int32_t label, bool predicts) {
  Outcome outcome{!codes_.is_right(codes_.decoded(scores_.data(), decoded_.data()), label)};
  if (!predicts) return outcome;
  predictions(predictions_.data());
  codes_.decode(predictions_.data(), decoded_.data());
  outcome.winner = codes_.winner(decoded_.data());
  outcome.right = codes_.is_right(decoded_.data(), label);
  return outcome;
}

void Learner::rearrange(Codes codes, std::span<const std::int32_t> from) {
  require_whole(changes_);
  for (const std::int32_t k : from)
    if (k < -1 || k >= codes_.functions() || k >= codes_.classes())
      throw std::invalid_argument("a class is out of range");
  if (codes.functions() != static_cast<std::int32_t>(from.size()) || codes.classes() != codes.functions())
    throw std::invalid_argument("every class needs a function of its own");
  MemoryReserve reserve;
  reserve.hold(growth());
  rearrange_model(from);
  trace_.rearrange(from);
  codes_ = std::move(codes);
  scores_.resize(codes_.functions());
  predictions_.resize(codes_.functions());
  decoded_.resize(codes_.outputs());
}

void Learner::decisions(const models::Items& batch, int threads, bool single, double* out) const {
  require_whole(changes_);
  const std::int64_t n = batch.size();
  std::vector<double> scores(n * codes_.functions());
  function_values(batch, threads, single, scores.data());
  for (std::int64_t i = 0; i < n; ++i)
    codes_.decode(scores.data() + i * codes_.functions(), out + i * codes_.outputs());
}

void Learner::save(models::State& state) const {
  require_whole(changes_);
  save_model(state);
  trace_.save(state, "trace.");
  state.set("seen", std::vector<std::int64_t>{seen_});
  state.set("mistakes", std::vector<std::int64_t>{mistakes_});
  state.set("updates", std::vector<std::int64_t>{updates_});
  state.set("seconds", std::vector<double>{seconds_});
}

void Learner::load(const models::State& state) {
  load_model(state);
  trace_.load(state, "trace.");
  set_counts(models::count_in(state, "seen"), models::count_in(state, "mistakes"));
  updates_ = state.has("updates") ? models::count_in(state, "updates") : 0;  // earlier versions did not count
  seconds_ = models::numbers_in(models::at_least_0, state, "seconds", 1)[0];
}

}  // namespace hedgerow::online
