#include "models/expansion.hpp"

#include <algorithm>
#include <cmath>
#include <mutex>
#include <numeric>
#include <utility>

#include "parallel.hpp"

namespace hedgerow::models {
namespace {

constexpr double least_scale = 1e-3, largest_scale = 1e3;  // beyond which it joins the coefficients

}  // namespace

Expansion::Expansion(const KernelModel& kernel, std::int32_t functions, Averaging averaging)
    : averaging_(averaging), functions_(functions) {
  if (functions < 1) throw std::invalid_argument("an expansion needs at least one function");
  kernel_ = kernel.empty(columns());
  scratch_.resize(columns());
}

void Expansion::rearrange(std::span<const std::int32_t> from) {
  forget_frozen();
  const auto before = functions();
  std::vector<std::int32_t> columns_from(from.begin(), from.end());
  if (averages())
    for (const std::int32_t function : from) columns_from.push_back(function < 0 ? -1 : before + function);
  kernel_->rearrange(columns_from);
  rearrange_rows(coefficients_, before, from);
  if (averages()) rearrange_rows(offsets_, before, from);
  rearrange_rows(is_member_, before, from);
  std::vector<FunctionState> states(from.size());
  for (std::size_t c = 0; c < from.size(); ++c)
    if (from[c] >= 0) states[c] = std::move(functions_[from[c]]);
  functions_ = std::move(states);
  scratch_.resize(columns());
  current_ = Example{};
}

// ---- learning

void Expansion::open(std::shared_ptr<const Items> batch) {
  kernel_->open(std::move(batch));
  current_ = Example{};
}

void Expansion::close() {
  kernel_->close();
  current_ = Example{};
}

void Expansion::visit(std::int64_t item, std::int64_t number, std::int32_t slot) {
  current_.item = item;
  current_.number = number;
  current_.slot = slot;
  current_.self_kernel = -1;
  current_.has_row = current_.changes = false;
  current_.scores.resize(functions());
  current_.changed.assign(functions(), 0);
  rescore();
}

void Expansion::begin_change() {
  if (current_.changes) return;
  if (before_change_) before_change_(self_kernel());
  current_.changes = true;
  forget_frozen();
}

void Expansion::rescore() {
  kernel_->scores(current_.item, functions(), current_.scores.data());
  for (std::int32_t c = 0; c < functions(); ++c) {
    const FunctionState& f = functions_[c];
    current_.scores[c] = f.scale * current_.scores[c] + f.bias;
  }
}

void Expansion::predictions(double* out) {
  if (averaging_ == Averaging::vote) {
    const std::vector<double>& values = row();
    for (std::int32_t c = 0; c < functions(); ++c) out[c] = functions_[c].history.vote(values.data());
    return;
  }
  if (!averages()) {
    std::copy(current_.scores.begin(), current_.scores.end(), out);
    return;
  }
  kernel_->scores(current_.item, columns(), scratch_.data());
  for (std::int32_t c = 0; c < functions(); ++c) {
    const FunctionState& f = functions_[c];
    const double sum = scratch_[functions() + c] + f.scale_sum * scratch_[c] + f.bias_sum;
    out[c] = f.steps > 0 ? sum / static_cast<double>(f.steps) : current_.scores[c];
  }
}

void Expansion::survive(std::int32_t function) {
  FunctionState& f = functions_[function];
  if (averages()) forget_frozen();  // the average moves towards the last predictor
  count_up(f.steps);
  if (averages()) forget_frozen();
  if (averaging_ == Averaging::vote) f.history.survive();
  double weight = averaging_ == Averaging::average ? 1 : 0;
  if (averaging_ == Averaging::normalized && f.squared_norm > 0) weight = 1 / std::sqrt(f.squared_norm);
  f.scale_sum += weight * f.scale;
  f.bias_sum += weight * f.bias;
}

// ---- one function at the current example

double Expansion::self_kernel() {
  if (current_.self_kernel < 0) current_.self_kernel = kernel_->self_kernel(current_.item);
  return current_.self_kernel;
}

const std::vector<double>& Expansion::row() {
  if (!current_.has_row) {
    current_.row.resize(kernel_->slots());
    kernel_->row(current_.item, current_.row.data());
    current_.has_row = true;
  }
  return current_.row;
}

std::int32_t Expansion::take_slot(std::int64_t item, std::int64_t number) {
  const std::int32_t slot = free_.empty() ? kernel_->slots() : free_.back();
  kernel_->put(slot, item);  // may throw, before anything here has changed
  if (!free_.empty()) {
    free_.pop_back();
  } else {
    const std::size_t size = (static_cast<std::size_t>(slot) + 1) * functions_.size();
    coefficients_.resize(size, 0.0);
    if (averages()) offsets_.resize(size, 0.0);
    is_member_.resize(size, 0);
    user_count_.push_back(-1);
    numbers_.push_back(-1);
    arrivals_.push_back(-1);
  }
  user_count_[slot] = 0;
  numbers_[slot] = number;
  count_up(arrived_);
  arrivals_[slot] = arrived_ - 1;
  ++live_;
  return slot;
}

void Expansion::join(std::int32_t function, std::int32_t slot) {
  if (is_member_[at(slot, function)]) return;
  is_member_[at(slot, function)] = 1;
  ++user_count_[slot];
  functions_[function].members.push_back(slot);
}

void Expansion::forget_frozen() {
  for (auto& frozen : frozen_)
    if (frozen) frozen.reset();
}

// Changes a coefficient as it is stored, that is, before scaling.
void Expansion::change(std::int32_t function, std::int32_t slot, double stored_delta) {
  const FunctionState& f = functions_[function];
  coefficients_[at(slot, function)] += stored_delta;
  kernel_->add_weight(slot, function, stored_delta);
  if (averages()) add_offset(function, slot, -stored_delta * f.scale_sum);
}

void Expansion::add_offset(std::int32_t function, std::int32_t slot, double offset) {
  offsets_[at(slot, function)] += offset;
  if (offset != 0) kernel_->add_weight(slot, functions() + function, offset);
}

void Expansion::add(std::int32_t function, double coefficient) {
  if (coefficient == 0) return;
  begin_change(function);
  FunctionState& f = functions_[function];
  // The score is that of f before the rule began: right as long as a rule adds before anything else.
  const double value = current_.scores[function] - f.bias;
  const double squared_norm = f.squared_norm + coefficient * (2 * value + coefficient * self_kernel());
  if (current_.slot < 0) current_.slot = take_slot(current_.item, current_.number);
  f.squared_norm = std::max(0.0, squared_norm);
  join(function, current_.slot);
  change(function, current_.slot, coefficient / f.scale);
  if (averaging_ == Averaging::vote) f.history.add(current_.slot, coefficient);
}

void Expansion::add_combination(std::int32_t function, std::span<const double> combination, double amount,
                                double inner, double squared) {
  begin_change(function);
  FunctionState& f = functions_[function];
  for (std::size_t i = 0; i < combination.size(); ++i) {
    const double delta = amount * combination[i];
    if (delta == 0) continue;
    change(function, f.members[i], delta / f.scale);
    if (averaging_ == Averaging::vote) f.history.add(f.members[i], delta);
  }
  f.squared_norm = std::max(0.0, f.squared_norm + amount * (2 * inner + amount * squared));
}

void Expansion::remove(std::int32_t function, std::int32_t slot, double value) {
  begin_change(function);
  FunctionState& f = functions_[function];
  const double coefficient = this->coefficient(function, slot);
  const double squared = coefficient == 0 ? 0 : kernel_->support_self_kernel(slot);
  f.squared_norm = std::max(0.0, f.squared_norm + coefficient * (coefficient * squared - 2 * value));
  const double stored = std::exchange(coefficients_[at(slot, function)], 0.0);
  kernel_->drop_weight(slot, function);
  if (averages()) add_offset(function, slot, stored * f.scale_sum);
  if (averaging_ == Averaging::vote) f.history.add(slot, -coefficient);
  f.members.erase(std::find(f.members.begin(), f.members.end(), slot));
  is_member_[at(slot, function)] = 0;
  // Averages and votes go on using what left the last predictor.
  if (--user_count_[slot] > 0 || averaging_ != Averaging::none) return;
  kernel_->erase(slot);
  user_count_[slot] = -1;
  free_.push_back(slot);
  --live_;
  if (current_.slot == slot) current_.slot = -1;
}

void Expansion::scale(std::int32_t function, double factor) {
  if (factor == 1) return;
  begin_change(function);
  FunctionState& f = functions_[function];
  if (averaging_ == Averaging::vote) f.history.scale(factor);
  if (factor == 0) {
    for (std::int32_t slot : f.members) change(function, slot, -coefficients_[at(slot, function)]);
    f.squared_norm = 0;
    return;
  }
  f.scale *= factor;
  f.squared_norm *= factor * factor;
  // Averages are differences of stored coefficients times sums of scales: the closer to 1, the more digits.
  if (std::abs(f.scale) < least_scale || std::abs(f.scale) > largest_scale) settle_scale(function);
}

// Multiplies the scale into the coefficients, before they grow or shrink beyond measure.
void Expansion::settle_scale(std::int32_t function) {
  FunctionState& f = functions_[function];
  for (std::int32_t slot : f.members) {
    double& coefficient = coefficients_[at(slot, function)];
    if (averages()) {
      add_offset(function, slot, f.scale_sum * coefficient);
    }
    coefficient *= f.scale;
  }
  kernel_->scale_weights(function, f.scale);
  f.scale = 1;
  f.scale_sum = 0;
}

void Expansion::add_bias(std::int32_t function, double delta) {
  if (delta == 0) return;
  begin_change(function);
  functions_[function].bias += delta;
  if (averaging_ == Averaging::vote) functions_[function].history.add_bias(delta);
}

double Expansion::value_at(std::int32_t function, std::int32_t slot) {
  kernel_->support_scores(slot, function + 1, scratch_.data());
  return functions_[function].scale * scratch_[function];
}

// ---- what was learned

std::size_t Expansion::growth() const {
  std::size_t bytes = kernel_->growth() + user_count_.size() * (64 + 40 * functions_.size());
  for (const FunctionState& f : functions_) bytes += f.history.growth() + 8 * f.members.size();
  return bytes;
}

std::vector<std::int32_t> Expansion::supports() const {
  std::vector<std::int32_t> slots;
  for (std::size_t slot = 0; slot < user_count_.size(); ++slot)
    if (user_count_[slot] >= 0) slots.push_back(static_cast<std::int32_t>(slot));
  std::sort(slots.begin(), slots.end(),
            [&](std::int32_t a, std::int32_t b) { return arrivals_[a] < arrivals_[b]; });
  return slots;
}

double Expansion::final_coefficient(std::int32_t function, std::int32_t slot) const {
  const FunctionState& f = functions_[function];
  if (!averages() || f.steps == 0) return coefficient(function, slot);
  const double sum = offsets_[at(slot, function)] + f.scale_sum * coefficients_[at(slot, function)];
  return sum / static_cast<double>(f.steps);
}

double Expansion::final_bias(std::int32_t function) const {
  const FunctionState& f = functions_[function];
  if (!averages() || f.steps == 0) return f.bias;
  return f.bias_sum / static_cast<double>(f.steps);
}

// The supports as a function alone would have them: those that it has left, then its members. Supports that
// functions share arrive with the first of them.
std::vector<std::int32_t> Expansion::own_order(std::int32_t function,
                                               std::span<const std::int32_t> supports) const {
  std::vector<std::int32_t> slots;
  if (averages())
    std::ranges::copy_if(supports, std::back_inserter(slots),
                         [&](std::int32_t slot) { return !has_member(function, slot); });
  slots.insert(slots.end(), functions_[function].members.begin(), functions_[function].members.end());
  return slots;
}

double Expansion::l1_norm() const {
  double sum = 0;
  for (std::size_t slot = 0; slot < user_count_.size(); ++slot)  // what is free has coefficients of 0
    for (std::int32_t c = 0; c < functions(); ++c)
      sum += std::abs(final_coefficient(c, static_cast<std::int32_t>(slot)));
  return sum;
}

Predictor Expansion::freeze(bool single) const {
  Predictor predictor{kernel_->empty(functions()), {}};
  const std::vector<std::int32_t> slots = supports();
  predictor.model->open(kernel_->supports(slots));
  std::vector<std::int32_t> place(user_count_.size(), -1);  // in the predictor, by slot
  for (std::size_t i = 0; i < slots.size(); ++i) {
    predictor.model->put(static_cast<std::int32_t>(i), static_cast<std::int64_t>(i));
    place[slots[i]] = static_cast<std::int32_t>(i);
  }
  for (std::int32_t c = 0; c < functions(); ++c)
    for (const std::int32_t slot : own_order(c, slots))
      if (const double coefficient = final_coefficient(c, slot); coefficient != 0)
        predictor.model->add_weight(place[slot], c, coefficient);
  predictor.model->close();
  predictor.model->freeze(single);
  for (std::int32_t c = 0; c < functions(); ++c) predictor.bias.push_back(final_bias(c));
  return predictor;
}

std::shared_ptr<const Predictor> Expansion::predictor(bool single) const {
  {
    const std::lock_guard lock(brief_mutex(this));
    if (frozen_[single]) return frozen_[single];
  }
  const auto made = std::make_shared<const Predictor>(freeze(single));  // by each that comes meanwhile
  const std::lock_guard lock(brief_mutex(this));
  if (!frozen_[single]) frozen_[single] = made;
  return frozen_[single];
}

// Whether a batch is worth a frozen model depends on sizes only, those of the function itself, so that scores
// never depend on other functions, nor on what was predicted before.
bool Expansion::worth_freezing(std::int32_t function, std::int64_t items) const {
  if (items < 32) return false;
  std::int64_t supports = 0;
  for (std::size_t slot = 0; slot < user_count_.size(); ++slot)
    supports += final_coefficient(function, static_cast<std::int32_t>(slot)) != 0;
  return items * 8 >= supports;
}

void Expansion::decisions(const Items& batch, int threads, bool single, double* out) const {
  if (averaging_ == Averaging::vote) return vote(batch, threads, out);
  const std::int64_t n = batch.size();
  std::vector<bool> frozen_for(functions(), false);
  for (std::int32_t c = 0; c < functions(); ++c) frozen_for[c] = worth_freezing(c, n);
  const auto frozen_count = std::ranges::count(frozen_for, true);
  if (frozen_count > 0) {
    const std::shared_ptr<const Predictor> frozen = predictor(single);
    frozen->model->score_batch(batch, functions(), threads, out);
    for (std::int64_t i = 0; i < n; ++i)
      for (std::int32_t c = 0; c < functions(); ++c) out[i * functions() + c] += frozen->bias[c];
    if (frozen_count == functions()) return;
  }
  std::vector<double> sums(n * columns());
  kernel_->score_batch(batch, columns(), threads, sums.data());
  for (std::int64_t i = 0; i < n; ++i)
    for (std::int32_t c = 0; c < functions(); ++c) {
      if (frozen_for[c]) continue;
      const FunctionState& f = functions_[c];
      const double* const sum = sums.data() + i * columns();
      double& value = out[i * functions() + c];
      if (!averages() || f.steps == 0)
        value = f.scale * sum[c] + f.bias;
      else
        value = (sum[functions() + c] + f.scale_sum * sum[c] + f.bias_sum) / static_cast<double>(f.steps);
    }
}

void Expansion::vote(const Items& batch, int threads, double* out) const {
  // Rows of a few items at a time, so that memory stays bounded whatever the size of the batch.
  const std::int64_t n = batch.size(), slots = kernel_->slots();
  const std::int64_t step =
      std::max<std::int64_t>(1, (std::int64_t{1} << 22) / std::max<std::int64_t>(slots, 1));
  std::vector<double> rows(std::min(n, step) * slots);
  for (std::int64_t begin = 0; begin < n; begin += step) {
    const std::int64_t end = std::min(n, begin + step);
    kernel_->some_rows(batch, begin, end, threads, rows.data());
    parallel_rows(begin, end, threads, [&](std::int64_t i, int) {
      for (std::int32_t c = 0; c < functions(); ++c)
        out[i * functions() + c] = functions_[c].history.vote(rows.data() + (i - begin) * slots);
    });
  }
}

void Expansion::add_supports(std::shared_ptr<const Items> items, const double* coefficients,
                             const std::int64_t* numbers) {
  forget_frozen();
  const std::int64_t n = items->size();
  kernel_->open(std::move(items));
  for (std::int64_t i = 0; i < n; ++i) {
    const std::int32_t slot = take_slot(i, numbers[i]);
    for (std::int32_t c = 0; c < functions(); ++c) {
      join(c, slot);
      change(c, slot, coefficients[i * functions() + c] / functions_[c].scale);
    }
  }
  kernel_->close();
}

// ---- copies

void Expansion::save(State& state, const std::string& prefix) const {
  kernel_->save(state, prefix + "kernel.");
  save_functions(state, prefix);
}

void Expansion::save_functions(State& state, const std::string& prefix) const {
  state.set(prefix + "coefficients", coefficients_);
  state.set(prefix + "offsets", offsets_);
  state.set(prefix + "users", user_count_);
  state.set(prefix + "numbers", numbers_);
  state.set(prefix + "arrivals", arrivals_);
  state.set(prefix + "free", free_);
  std::vector<FunctionNumbers> numbers;
  std::vector<std::int64_t> steps, member_counts;
  std::vector<std::int32_t> members;
  for (std::size_t c = 0; c < functions_.size(); ++c) {
    const FunctionState& f = functions_[c];
    numbers.push_back(f);
    steps.push_back(f.steps);
    member_counts.push_back(static_cast<std::int64_t>(f.members.size()));
    members.insert(members.end(), f.members.begin(), f.members.end());
    if (averaging_ == Averaging::vote) f.history.save(state, prefix + "history" + std::to_string(c) + ".");
  }
  save_fields<FunctionNumbers>(state, prefix, numbers);
  state.set(prefix + "steps", steps);
  state.set(prefix + "members", members);
  state.set(prefix + "member_counts", member_counts);
  state.set(prefix + "arrived", std::vector<std::int64_t>{arrived_});
}

void Expansion::forget() {
  forget_frozen();
  kernel_ = kernel_->empty(columns());
  functions_.assign(functions_.size(), {});
  coefficients_.clear();
  offsets_.clear();
  is_member_.clear();
  user_count_.clear();
  numbers_.clear();
  arrivals_.clear();
  free_.clear();
  arrived_ = live_ = 0;
  current_ = {};
}

void Expansion::load(const State& state, const std::string& prefix) {
  kernel_->load(state, prefix + "kernel.");
  const std::int32_t slots = kernel_->slots();
  const std::size_t size = slots * functions_.size();
  coefficients_ = numbers_in(finite, state, prefix + "coefficients", size);
  offsets_ = numbers_in(finite, state, prefix + "offsets", averages() ? size : 0);
  numbers_ = state.get<std::int64_t>(prefix + "numbers", slots);
  load_functions(state, prefix);
  load_slots(state, prefix);
}

void Expansion::load_functions(const State& state, const std::string& prefix) {
  const std::int32_t slots = kernel_->slots();
  const auto numbers = load_fields<FunctionNumbers>(state, prefix, functions_.size());
  const auto& steps = counts_in(state, prefix + "steps", functions_.size());
  const auto& members = whole_numbers_in<std::int32_t>(0, slots - 1, state, prefix + "members");
  const auto& member_counts =
      whole_numbers_in<std::int64_t>(0, slots, state, prefix + "member_counts", functions_.size());
  if (std::accumulate(member_counts.begin(), member_counts.end(), std::size_t{0}) != members.size())
    throw std::invalid_argument(prefix + "members has the wrong length");
  is_member_.assign(coefficients_.size(), 0);
  user_count_.assign(slots, 0);
  auto next = members.begin();
  for (std::int32_t c = 0; c < functions(); ++c) {
    FunctionState& f = functions_[c];
    static_cast<FunctionNumbers&>(f) = numbers[c];
    if (!(std::abs(f.scale) >= least_scale && std::abs(f.scale) <= largest_scale))
      throw std::invalid_argument(prefix + "scale is out of range");
    f.steps = steps[c];
    f.members.clear();
    for (const auto end = next + member_counts[c]; next != end; ++next) {
      if (is_member_[at(*next, c)]) throw std::invalid_argument(prefix + "members has a slot twice");
      join(c, *next);
    }
    if (averaging_ == Averaging::vote)
      f.history.load(state, prefix + "history" + std::to_string(c) + ".", slots);
  }
}

// After the functions: what they use is not free.
void Expansion::load_slots(const State& state, const std::string& prefix) {
  const std::int32_t slots = kernel_->slots();
  free_ = whole_numbers_in<std::int32_t>(0, slots - 1, state, prefix + "free");
  for (const std::int32_t slot : free_) {
    if (user_count_[slot] != 0) throw std::invalid_argument(prefix + "free has a slot twice, or one in use");
    user_count_[slot] = -1;
  }
  if (state.get<std::int32_t>(prefix + "users", slots) != user_count_)
    throw std::invalid_argument(prefix + "users does not count the members");
  arrived_ = count_in(state, prefix + "arrived");
  arrivals_ = whole_numbers_in<std::int64_t>(-1, arrived_ - 1, state, prefix + "arrivals", slots);
  for (std::int32_t slot = 0; slot < slots; ++slot)
    if (!kernel_->can_be(slot, user_count_[slot] < 0))
      throw std::invalid_argument(prefix + "free does not go with the supports of the kernel");
  live_ = slots - static_cast<std::int32_t>(free_.size());
}

}  // namespace hedgerow::models
