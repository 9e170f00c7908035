#include "neighbors/tree_index.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <unordered_set>

#include "models/overflow.hpp"
#include "models/tree_translator.hpp"
#include "neighbors/ties.hpp"
#include "parallel.hpp"

namespace hedgerow::neighbors {

void TreeIndex::add(const std::shared_ptr<const models::Items>& trees, int threads) {
  if (trees->size() > std::numeric_limits<std::int32_t>::max() - std::int64_t{trees_.slots()})
    throw std::length_error("an index holds at most 2^31 trees");
  const std::int32_t first = trees_.slots();
  trees_.open(trees);
  for (std::int64_t i = 0; i < trees->size(); ++i) trees_.put(trees_.slots(), i);
  trees_.close();
  try {
    describe(first, threads);
  } catch (...) {  // as if they had never come: the numbers stay free
    for (std::int32_t slot = first; slot < trees_.slots(); ++slot) trees_.erase(slot);
    describe_all(threads);
    throw;
  }
}

void TreeIndex::describe(std::int32_t first, int threads) {
  std::vector<data::TreeView> trees;
  for (std::int32_t slot = first; slot < trees_.slots(); ++slot)
    trees.push_back(trees_.holds(slot) ? trees_[slot] : data::TreeView());
  std::int32_t slot = first;
  kernel_->describe(trees, threads, [&](const Described& tree) {
    const bool there = trees_.holds(slot);
    if (there && ranking_ != Ranking::normalized) models::require_finite(tree.self);
    parts_.append(tree, *kernel_);
    norms_.push_back(tree.norm);
    selves_.push_back(tree.self);
    is_there_.push_back(there);
    if (there && !tree.has_bounds) unbounded_.push_back(slot);
    if (there) largest_length_ = std::max(largest_length_, std::sqrt(tree.self));
    size_ += there;
    ++slot;
  });
  parts_.list_if_worth_it(*kernel_);
}

void TreeIndex::describe_all(int threads) {
  kernel_ = kernel_->empty();
  parts_ = {};
  norms_.clear();
  selves_.clear();
  is_there_.clear();
  unbounded_.clear();
  largest_length_ = 0;
  size_ = 0;
  describe(0, threads);
}

void TreeIndex::check_there(std::int64_t number) const {
  if (number < 0 || number >= trees_.slots() || !is_there_[number])
    throw std::out_of_range("the index has no tree " + std::to_string(number));
}

void TreeIndex::remove(std::span<const std::int64_t> numbers) {
  std::unordered_set<std::int64_t> distinct;
  for (const std::int64_t number : numbers) {
    check_there(number);
    if (!distinct.insert(number).second)
      throw std::out_of_range("tree " + std::to_string(number) + " is named twice");
  }
  for (const std::int64_t number : numbers) {
    trees_.erase(static_cast<std::int32_t>(number));
    is_there_[number] = 0;
    std::erase(unbounded_, static_cast<std::int32_t>(number));
    --size_;
  }
  if (!trees_.mostly_garbage()) return;
  trees_.compact();
  describe_all(1);
}

std::vector<std::int64_t> TreeIndex::numbers() const {
  std::vector<std::int64_t> result;
  for (std::size_t slot = 0; slot < is_there_.size(); ++slot)
    if (is_there_[slot]) result.push_back(static_cast<std::int64_t>(slot));
  return result;
}

std::shared_ptr<const models::Items> TreeIndex::trees(std::span<const std::int64_t> numbers) const {
  std::vector<std::int32_t> slots;
  for (const std::int64_t number : numbers) {
    check_there(number);
    slots.push_back(static_cast<std::int32_t>(number));
  }
  return trees_.supports(slots);
}

void TreeIndex::load(const models::State& state, int threads) {
  trees_.load(state, "trees.");
  describe_all(threads);
}

Searched TreeIndex::searched() const {
  return {ranking_, *kernel_, parts_, norms_, selves_, is_there_, unbounded_, largest_length_};
}

void TreeIndex::settle(std::vector<Neighbor>& found, double least, const Search& search,
                       Comparison& comparison) const {
  const Ties ties{.rounding = [&](const Neighbor& each) { return search.rounding_of(each); },
                  .tree = [&](std::int32_t number) { return trees_[number]; },
                  .row =
                      [&](std::span<const std::int32_t> numbers) {
                        std::vector<data::TreeView> trees;
                        for (const std::int32_t number : numbers) trees.push_back(trees_[number]);
                        std::vector<double> scores = comparison.row(trees, ranking_ == Ranking::normalized);
                        for (std::size_t i = 0; i < scores.size(); ++i)
                          scores[i] = search.score(scores[i], numbers[i]);
                        return scores;
                      }};
  ties.settle(found, least);
}

template <class Read>
Neighbors TreeIndex::search(std::int64_t n, const std::shared_ptr<const data::Symbols>& symbols,
                            const Wanted& wanted, int threads, Read&& read) const {
  struct Worker {
    Worker(const Searched& searched, std::unique_ptr<Comparison> made,
           std::shared_ptr<const data::Symbols> from)
        : search(searched), comparison(std::move(made)) {
      translator.read_from(std::move(from));
    }
    Search search;
    std::unique_ptr<Comparison> comparison;
    models::TreeTranslator translator;
    Described x;
  };
  std::vector<std::unique_ptr<Worker>> workers(std::clamp<std::int64_t>(n, 1, std::max(threads, 1)));
  std::vector<std::vector<Neighbor>> found(n);
  Neighbors result;
  result.self.resize(n);
  parallel_rows(0, n, static_cast<int>(workers.size()), [&](std::int64_t i, int thread) {
    auto& worker = workers[thread];
    if (!worker)
      worker = std::make_unique<Worker>(searched(), kernel_->comparison(trees_.shared_symbols()), symbols);
    const auto [own, known, without] = read(i, worker->translator);
    Described& x = worker->x;
    worker->comparison->set(own, known, x);
    if (ranking_ != Ranking::normalized) models::require_finite(x.self);
    result.self[i] = x.self;
    Search::Wanted one{wanted.most, wanted.least, without};
    if (ranking_ == Ranking::distance)
      one.least = std::max(one.least, x.self - wanted.radius * wanted.radius);
    const auto neighbors = worker->search.run(x, one, [&](std::int32_t tree) {
      return ranking_ == Ranking::normalized ? worker->comparison->normalized(trees_[tree], norms_[tree])
                                             : worker->comparison->kernel(trees_[tree]);
    });
    found[i].assign(neighbors.begin(), neighbors.end());
    if (kernel_->feature_weights()) return;
    settle(found[i], one.least, worker->search, *worker->comparison);
    if (static_cast<std::int64_t>(found[i].size()) > one.most) found[i].resize(one.most);
  });
  for (const auto& worker : workers)
    if (worker) result.compared += worker->search.compared();
  for (const auto& neighbors : found) {
    for (const Neighbor& each : neighbors) {
      result.tree.push_back(each.tree);
      result.score.push_back(each.score);
    }
    result.begin.push_back(static_cast<std::int64_t>(result.tree.size()));
  }
  return result;
}

namespace {

struct Asked {
  data::TreeView own, known;
  std::int32_t without;
};

}  // namespace

Neighbors TreeIndex::neighbors(const models::Items& items, const Wanted& wanted, int threads) const {
  const data::Forest& forest = *models::items_as<models::TreeItems>(items, "trees").forest;
  return search(forest.size(), forest.symbols, wanted, threads,
                [&](std::int64_t i, models::TreeTranslator& translator) {
                  return Asked{forest[i], translator.known(trees_.symbols(), forest[i]), -1};
                });
}

Neighbors TreeIndex::neighbors(std::span<const std::int64_t> numbers, const Wanted& wanted,
                               int threads) const {
  for (const std::int64_t number : numbers) check_there(number);
  return search(static_cast<std::int64_t>(numbers.size()), trees_.shared_symbols(), wanted, threads,
                [&](std::int64_t i, models::TreeTranslator&) {
                  const auto slot = static_cast<std::int32_t>(numbers[i]);
                  return Asked{trees_[slot], trees_[slot], slot};
                });
}

}  // namespace hedgerow::neighbors
