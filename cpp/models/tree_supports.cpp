#include "models/tree_supports.hpp"

#include <algorithm>
#include <stdexcept>

#include "data/forest_builder.hpp"
#include "data/text.hpp"

namespace hedgerow::models {
namespace {

[[noreturn]] void reject(const std::string& name, const std::string& reason) {
  throw std::invalid_argument(name + " " + reason);
}

}  // namespace

void TreeSupports::open(const std::shared_ptr<const Items>& batch) {
  batch_ = items_as<TreeItems>(*batch, "trees").forest;
  translator_.read_from(batch_->symbols);
}

std::size_t TreeSupports::growth() const {
  const auto count = [](auto number) { return static_cast<std::size_t>(number); };
  const std::size_t symbols = count(symbols_->labels.size()) + count(symbols_->productions.size());
  return 40 * count(trees_.node_count()) + 128 * symbols;
}

void TreeSupports::check_support(std::int32_t slot) const {
  if (!holds(slot)) reject("slot " + std::to_string(slot), "holds no support");
}

void TreeSupports::put(std::int32_t slot, std::int64_t item) {
  if (slot < 0 || slot > slots() || holds(slot))
    reject("slot " + std::to_string(slot), "is neither free nor the next");
  const data::TreeView tree = translator_.added(*symbols_, (*batch_)[item]);
  if (slot == slots()) tree_in_.push_back(free_slot);
  tree_in_[slot] = trees_.size();
  trees_.append(tree);
  live_ += tree.size;
}

void TreeSupports::erase(std::int32_t slot) {
  check_support(slot);
  const std::int32_t size = (*this)[slot].size;
  live_ -= size;
  garbage_ += size;
  tree_in_[slot] = free_slot;
}

bool TreeSupports::mostly_garbage() const {
  constexpr std::int64_t worth_dropping = 1 << 12;
  return garbage_ > std::max(live_, worth_dropping);
}

void TreeSupports::compact() {
  auto symbols = std::make_shared<data::Symbols>();
  TreeTranslator renumbering;
  renumbering.read_from(symbols_);
  data::Forest kept;
  kept.symbols = symbols;
  for (std::int64_t& tree : tree_in_) {
    if (tree == free_slot) continue;
    kept.append(renumbering.added(*symbols, trees_[tree]));
    tree = kept.size() - 1;
  }
  symbols_ = std::move(symbols);
  trees_ = std::move(kept);
  garbage_ = 0;
  translator_.forget();
}

std::shared_ptr<const Items> TreeSupports::supports(std::span<const std::int32_t> slots) const {
  std::vector<std::int64_t> numbers;
  for (std::int32_t slot : slots) {
    check_support(slot);
    numbers.push_back(tree_in_[slot]);
  }
  // The model's vocabulary goes on growing; forests do not change.
  return std::make_shared<TreeItems>(
      std::make_shared<data::Forest>(data::compact(data::select(trees_, numbers))));
}

// ---- copies

namespace {

// Sequences one behind the other, and their lengths.
template <class T, class Stored>
void save_sequences(State& state, const std::string& name, const data::SequenceTable<T>& table) {
  std::vector<Stored> values;
  std::vector<std::int32_t> lengths;
  for (std::int32_t id = 0; id < table.size(); ++id) {
    const auto sequence = table[id];
    values.insert(values.end(), sequence.begin(), sequence.end());
    lengths.push_back(static_cast<std::int32_t>(sequence.size()));
  }
  state.set(name, std::move(values));
  state.set(name + "_lengths", std::move(lengths));
}

// Fills an empty table with sequences that are all different, each of which `check` has approved.
template <class T, class Stored, class Check>
void load_sequences(const State& state, const std::string& name, data::SequenceTable<T>& table,
                    Check&& check) {
  const auto& values = state.get<Stored>(name);
  const auto& lengths = state.get<std::int32_t>(name + "_lengths");
  std::size_t at = 0;
  std::vector<T> sequence;
  for (std::int32_t length : lengths) {
    if (length < 0 || static_cast<std::size_t>(length) > values.size() - at)
      reject(name, "and its lengths do not fit together");
    sequence.assign(values.begin() + at, values.begin() + at + length);
    check(std::span<const T>(sequence));
    const std::int32_t id = table.size();
    if (table.intern(sequence) != id) reject(name, "names a symbol twice");
    at += length;
  }
  if (at != values.size()) reject(name, "and its lengths do not fit together");
}

}  // namespace

void TreeSupports::save(State& state, const std::string& prefix) const {
  save_sequences<char, std::uint8_t>(state, prefix + "labels", symbols_->labels);
  save_sequences<std::int32_t, std::int32_t>(state, prefix + "productions", symbols_->productions);
  std::vector<std::int64_t> sizes;
  std::vector<std::int32_t> labels, arities;
  for (std::int32_t slot = 0; slot < slots(); ++slot) {
    const data::TreeView tree = holds(slot) ? (*this)[slot] : data::TreeView();
    sizes.push_back(holds(slot) ? tree.size : free_slot);
    labels.insert(labels.end(), tree.label, tree.label + tree.size);
    for (std::int32_t v = 0; v < tree.size; ++v) arities.push_back(tree.arity(v));
  }
  state.set(prefix + "tree_sizes", std::move(sizes));
  state.set(prefix + "node_labels", std::move(labels));
  state.set(prefix + "node_arities", std::move(arities));
  state.set(prefix + "garbage", std::vector<std::int64_t>{garbage_});
}

void TreeSupports::load_symbols(const State& state, const std::string& prefix) {
  symbols_ = std::make_shared<data::Symbols>();
  translator_.forget();
  load_sequences<char, std::uint8_t>(state, prefix + "labels", symbols_->labels,
                                     [&](std::span<const char> label) {
                                       if (data::check_utf8({label.data(), label.size()}))
                                         reject(prefix + "labels", "has a label that is not UTF-8");
                                     });
  const std::string productions = prefix + "productions";
  load_sequences<std::int32_t, std::int32_t>(state, productions, symbols_->productions,
                                             [&](std::span<const std::int32_t> production) {
                                               if (production.size() < 2)
                                                 reject(productions, "has a production without children");
                                               for (std::int32_t label : production)
                                                 if (label < 0 || label >= symbols_->labels.size())
                                                   reject(productions, "has an unknown label");
                                             });
}

void TreeSupports::load(const State& state, const std::string& prefix) {
  load_symbols(state, prefix);
  tree_in_.clear();
  std::vector<std::int64_t> sizes;  // of the slots that are not free
  for (std::int64_t size : state.get<std::int64_t>(prefix + "tree_sizes")) {
    tree_in_.push_back(size == free_slot ? free_slot : static_cast<std::int64_t>(sizes.size()));
    if (size != free_slot) sizes.push_back(size);
  }
  std::vector<std::string_view> labels;
  for (std::int32_t id = 0; id < symbols_->labels.size(); ++id) labels.push_back(symbols_->label(id));
  data::Forest trees = data::forest_from_postorder(labels, state.get<std::int32_t>(prefix + "node_labels"),
                                                   state.get<std::int32_t>(prefix + "node_arities"), sizes);
  TreeTranslator renumbering;
  renumbering.read_from(trees.symbols);
  for (std::int64_t t = 0; t < trees.size(); ++t) {  // in place: two forests may not fit into memory
    const data::TreeView tree = renumbering.known(*symbols_, trees[t]);
    std::copy_n(tree.label, tree.size, trees.label.begin() + trees.tree_begin[t]);
    std::copy_n(tree.production, tree.size, trees.production.begin() + trees.tree_begin[t]);
  }
  trees_ = std::move(trees);
  trees_.symbols = symbols_;
  if (std::ranges::find(trees_.production, unknown_symbol) != trees_.production.end())
    reject(prefix + "productions", "lacks a production of a support");
  live_ = trees_.node_count();
  garbage_ = state.get<std::int64_t>(prefix + "garbage", 1)[0];
  if (garbage_ < 0 || garbage_ > INT64_MAX / 2) reject(prefix + "garbage", "is out of range");
}

}  // namespace hedgerow::models
