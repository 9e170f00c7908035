#include "features/parse_features.hpp"

#include <algorithm>
#include <bit>
#include <stdexcept>
#include <unordered_set>

#include "features/list_counts.hpp"
#include "features/parse_templates.hpp"
#include "parallel.hpp"

namespace hedgerow::features {
namespace {

void check_lists(const data::Forest& forest, std::span<const std::int64_t> begin) {
  if (begin.empty() || begin.front() != 0 || begin.back() != forest.size() ||
      !std::is_sorted(begin.begin(), begin.end()))
    throw std::invalid_argument("the begins of the lists do not fit the trees");
}

struct HashedCount {
  std::uint64_t hash;
  std::int32_t count;
};

// The templates are many: they are compiled once for hashes and once for names, whatever is done with them.
class Extractor {
 public:
  explicit Extractor(const SymbolHashes& hashes, const HeadTable& heads) : hashes_(hashes), parse_(heads) {}

  // Of a tree; valid until the next call.
  const std::vector<HashedCount>& features(const data::TreeView& tree) {
    found_.clear();
    parse_.read(tree);
    const auto out = [&](FeatureKind kind, auto&& build, std::int32_t count = 1) {
      if (count == 0) return;
      HashedFeature feature(kind, hashes_);
      build(feature);
      found_.push_back({feature.hash(), count});
    };
    ParseTemplates(parse_, out).all();
    return found_;
  }
  // Calls take(hash, name) with a name that may be changed.
  template <class Take>
  void names(const data::TreeView& tree, Take&& take) {
    parse_.read(tree);
    const auto out = [&](FeatureKind kind, auto&& build, std::int32_t = 1) {
      HashedFeature hashed(kind, hashes_);
      build(hashed);
      NamedFeature named(kind, hashes_);
      build(named);
      take(hashed.hash(), named.name());
    };
    ParseTemplates(parse_, out).all();
  }

 private:
  const SymbolHashes& hashes_;
  Parse parse_;
  std::vector<HashedCount> found_;
};

// Calls body(list, counts) for each list, whose features are counted by key(hash); negative keys are left
// out.
template <class Key, class Body>
void each_list(const data::Forest& forest, std::span<const std::int64_t> begin, int threads, Key&& key,
               Body&& body) {
  check_lists(forest, begin);
  const SymbolHashes hashes(*forest.symbols);
  const HeadTable heads(*forest.symbols);
  struct Memory {
    Extractor extractor;
    ListCounts counts;
  };
  std::vector<Memory> memory(std::max(threads, 1), Memory{Extractor(hashes, heads), {}});
  parallel_rows(0, static_cast<std::int64_t>(begin.size()) - 1, threads, [&](std::int64_t list, int thread) {
    auto& [extractor, counts] = memory[thread];
    counts.clear();
    for (std::int64_t tree = begin[list]; tree < begin[list + 1]; ++tree) {
      for (const auto& [hash, count] : extractor.features(forest[tree])) key(counts, hash, count);
      counts.end_candidate();
    }
    body(list, counts);
  });
}

}  // namespace

FeatureColumns::FeatureColumns(std::span<const std::uint64_t> hashes, std::int32_t first)
    : slots_(std::bit_ceil(2 * hashes.size() + 2)), first_(first) {
  if (hashes.size() > (std::size_t{1} << 31) - 2)
    throw std::invalid_argument("there are more than 2^31 features");
  for (std::size_t i = 0; i < hashes.size(); ++i) {
    std::size_t slot = hashes[i] & (slots_.size() - 1);
    while (slots_[slot].column != none) slot = (slot + 1) & (slots_.size() - 1);
    slots_[slot] = {hashes[i], first + static_cast<std::int32_t>(i)};
  }
}

FeatureColumns::FeatureColumns(int bits, std::int32_t first) : first_(first) {
  if (bits < 1 || bits > 30) throw std::invalid_argument("2^1 to 2^30 columns can be shared");
  shared_ = (std::uint64_t{1} << bits) - static_cast<std::uint64_t>(first);
}

std::int32_t FeatureColumns::operator()(std::uint64_t hash) const {
  if (shared_ > 0) return first_ + static_cast<std::int32_t>(hash % shared_);
  for (std::size_t slot = hash & (slots_.size() - 1); slots_[slot].column != none;
       slot = (slot + 1) & (slots_.size() - 1))
    if (slots_[slot].hash == hash) return slots_[slot].column;
  return none;
}

std::vector<std::uint64_t> varying_features(const data::Forest& forest, std::span<const std::int64_t> begin,
                                            std::int32_t least, int threads) {
  std::vector<std::vector<std::uint64_t>> of_list(begin.empty() ? 0 : begin.size() - 1);
  each_list(
      forest, begin, threads,
      [](ListCounts& counts, std::uint64_t hash, std::int32_t count) { counts.add(hash, count); },
      [&](std::int64_t list, const ListCounts& counts) {
        for (std::size_t f = 0; f < counts.features(); ++f)
          if (counts.varies(f)) of_list[list].push_back(counts.key(f));
      });
  std::vector<std::uint64_t> all;
  for (auto& features : of_list) {
    all.insert(all.end(), features.begin(), features.end());
    features = {};
  }
  std::sort(all.begin(), all.end());
  std::vector<std::uint64_t> selected;
  for (std::size_t i = 0, j = 0; i < all.size(); i = j) {
    while (j < all.size() && all[j] == all[i]) ++j;
    if (j - i >= static_cast<std::size_t>(least)) selected.push_back(all[i]);
  }
  return selected;
}

CountRows feature_rows(const data::Forest& forest, std::span<const std::int64_t> begin,
                       const FeatureColumns& columns, std::span<const double> base, int threads) {
  if (!base.empty() && static_cast<std::int64_t>(base.size()) != forest.size())
    throw std::invalid_argument("there must be one base value for each tree");
  using Entry = ListCounts::Count;  // a column and a value
  struct Rows {
    std::vector<std::int64_t> length;
    std::vector<Entry> entries;
  };
  std::vector<Rows> of_list(begin.empty() ? 0 : begin.size() - 1);
  each_list(
      forest, begin, threads,
      [&](ListCounts& counts, std::uint64_t hash, std::int32_t count) {
        if (const std::int32_t column = columns(hash); column != FeatureColumns::none)
          counts.add(static_cast<std::uint64_t>(column), count);
      },
      [&](std::int64_t list, const ListCounts& counts) {
        auto& [length, entries] = of_list[list];
        for (std::size_t candidate = 0; candidate < counts.candidates(); ++candidate) {
          const std::size_t start = entries.size();
          for (const auto* entry = counts.begin(candidate); entry != counts.end(candidate); ++entry)
            if (const std::int32_t more = entry->count - counts.least(entry->feature); more > 0)
              entries.push_back({static_cast<std::int32_t>(counts.key(entry->feature)), more});
          std::sort(entries.begin() + static_cast<std::ptrdiff_t>(start), entries.end(),
                    [](const Entry& a, const Entry& b) { return a.feature < b.feature; });
          length.push_back(static_cast<std::int64_t>(entries.size() - start));
        }
      });

  std::size_t total = base.size();
  for (const Rows& rows : of_list) total += rows.entries.size();
  CountRows result;
  result.begin.reserve(forest.size() + 1);
  result.column.reserve(total);
  result.value.reserve(total);
  result.begin.push_back(0);
  for (Rows& rows : of_list) {
    std::size_t next = 0;
    for (const std::int64_t length : rows.length) {
      const double first = base.empty() ? 0 : base[result.begin.size() - 1];
      if (first != 0) {
        result.column.push_back(0);
        result.value.push_back(first);
      }
      for (const std::size_t end = next + static_cast<std::size_t>(length); next < end; ++next) {
        result.column.push_back(rows.entries[next].feature);
        result.value.push_back(rows.entries[next].count);
      }
      result.begin.push_back(static_cast<std::int64_t>(result.column.size()));
    }
    rows = {};
  }
  return result;
}

std::vector<std::string> feature_names(const data::Forest& forest, std::span<const std::uint64_t> wanted) {
  const SymbolHashes hashes(*forest.symbols);
  const HeadTable heads(*forest.symbols);
  const FeatureColumns columns(wanted, 0);
  std::vector<std::string> names(wanted.size());
  Extractor extractor(hashes, heads);
  for (std::int64_t tree = 0; tree < forest.size(); ++tree) {
    stop_if_asked();
    // Names are slow: they are made for trees that have some to offer only.
    const bool has_new =
        std::ranges::any_of(extractor.features(forest[tree]), [&](const HashedCount& feature) {
          const std::int32_t column = columns(feature.hash);
          return column != FeatureColumns::none && names[column].empty();
        });
    if (!has_new) continue;
    extractor.names(forest[tree], [&](std::uint64_t hash, std::string& name) {
      const std::int32_t column = columns(hash);
      if (column != FeatureColumns::none && names[column].empty()) names[column].swap(name);
    });
  }
  return names;
}

}  // namespace hedgerow::features
