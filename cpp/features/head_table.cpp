#include "features/head_table.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <sstream>
#include <string>
#include <string_view>

namespace hedgerow::features {
namespace {

constexpr std::size_t none = static_cast<std::size_t>(-1);
constexpr std::size_t most_labels = 96;
constexpr std::uint8_t not_preferred = 255;
// For each category its rank among the preferences.
using Ranks = std::array<std::uint8_t, most_labels>;

struct Preference {
  const char* phrase;
  bool from_left;
  const char* children;
};

constexpr Preference syntax_table[] = {
    {"ADJP", true, "NNS QP NN $ ADVP JJ VBN VBG ADJP JJR NP JJS DT FW RBR RBS SBAR RB"},
    {"ADVP", false, "RB RBR RBS FW ADVP TO CD JJR JJ IN NP JJS NN"},
    {"CONJP", false, "CC RB IN"},
    {"FRAG", true, "S SBAR NP VP PP ADJP ADVP"},
    {"INTJ", true, "UH"},
    {"NAC", true, "NN NNS NNP NNPS NP NAC EX $ CD QP PRP VBG JJ JJS JJR ADJP FW"},
    {"PP", false, "IN TO VBG VBN RP FW"},
    {"PRN", true, "S SBAR NP VP PP"},
    {"PRT", false, "RP"},
    {"QP", true, "$ IN NNS NN JJ RB DT CD QP JJR JJS"},
    {"RRC", false, "VP NP ADVP ADJP PP"},
    {"S", true, "TO IN VP S SBAR ADJP UCP NP"},
    {"SBAR", true, "WHNP WHPP WHADVP WHADJP IN DT S SQ SINV SBAR FRAG"},
    {"SBARQ", true, "SQ S SINV SBARQ FRAG"},
    {"SINV", true, "VBZ VBD VBP VB MD VP S SINV ADJP NP"},
    {"SQ", true, "VBZ VBD VBP VB MD VP SQ"},
    {"TOP", true, "S SINV SQ SBARQ FRAG SBAR VP NP"},
    {"VP", true, "TO VBD VBN MD VBZ VB VBG VBP VP ADJP NN NNS NP"},
    {"WHADJP", true, "CC WRB JJ ADJP"},
    {"WHADVP", false, "CC WRB"},
    {"WHNP", true, "WDT WP WP$ WHADJP WHPP WHNP"},
    {"WHPP", false, "IN TO FW"},
};
// Where the content is elsewhere.
constexpr Preference content_table[] = {
    {"PP", false, "NP S SBAR ADJP ADVP PP VP IN TO"},
    {"SBAR", true, "S SQ SINV SBAR FRAG WHNP WHPP WHADVP"},
    {"SINV", true, "VP VBZ VBD VBP VB MD S SINV ADJP NP"},
    {"SQ", true, "VP VBZ VBD VBP VB MD SQ"},
    {"S", true, "VP S SBAR ADJP UCP NP"},
    {"VP", true, "VP VBD VBN VBZ VB VBG VBP MD TO ADJP NN NNS NP"},
    {"WHPP", false, "WHNP NP IN"},
};
constexpr const char* noun_preferences[] = {"NN NNP NNPS NNS NX POS JJR", "NP", "$ ADJP PRN", "CD",
                                            "JJ JJS RB QP"};
constexpr const char* punctuation_marks[] = {",", ".", ":", "``", "''", "-LRB-", "-RRB-", "HYPH", "NFP", "#"};

// The tables with numbers instead of labels.
struct NumberedTable {
  struct Row {
    bool known = false, from_left = false;
    Ranks ranks{};
  };
  std::map<std::string, std::uint8_t, std::less<>> category;
  std::array<Row, most_labels> syntax, content;  // by the phrase's category
  std::array<Ranks, std::size(noun_preferences)> nouns{};
  std::uint8_t noun_phrase = 0, inner_noun_phrase = 0, possessive = 0;

  NumberedTable() {
    fill(syntax_table, syntax);
    content = syntax;
    fill(content_table, content);
    for (std::size_t i = 0; i < nouns.size(); ++i) nouns[i] = ranks(noun_preferences[i], true);
    noun_phrase = number("NP");
    inner_noun_phrase = number("NX");
    possessive = number("POS");
  }

  std::uint8_t number(const std::string& label) {
    return category.try_emplace(label, static_cast<std::uint8_t>(category.size() + 2)).first->second;
  }
  // together: labels of one step of the search for a noun, of which none is preferred.
  Ranks ranks(const char* labels, bool together) {
    Ranks result;
    result.fill(not_preferred);
    std::istringstream words(labels);
    std::uint8_t rank = 0;
    for (std::string label; words >> label; rank += together ? 0 : 1) result[number(label)] = rank;
    return result;
  }
  template <std::size_t n>
  void fill(const Preference (&table)[n], std::array<Row, most_labels>& rows) {
    for (const Preference& line : table)
      rows[number(line.phrase)] = {true, line.from_left, ranks(line.children, false)};
  }
};

const NumberedTable& numbered() {
  static const NumberedTable table;
  return table;
}

}  // namespace

HeadTable::HeadTable(const data::Symbols& symbols) {
  const auto n = static_cast<std::int32_t>(symbols.labels.size());
  category_.assign(n, other);
  is_conjunction_.assign(n, false);
  for (std::int32_t id = 0; id < n; ++id) {
    const std::string_view text = symbols.label(id);
    if (std::find(std::begin(punctuation_marks), std::end(punctuation_marks), text) !=
        std::end(punctuation_marks))
      category_[id] = punctuation;
    else if (const auto entry = numbered().category.find(text); entry != numbered().category.end())
      category_[id] = entry->second;
    is_conjunction_[id] = text == "CC" || text == "CONJP";
  }
}

template <class Preferences>
std::size_t HeadTable::preferred(const Preferences& preferences, bool from_left,
                                 std::span<const std::int32_t> children) const {
  std::size_t best = none;
  std::uint8_t best_rank = not_preferred;
  for (std::size_t i = 0; i < children.size(); ++i) {
    const std::uint8_t rank = preferences[category_[children[i]]];
    if (rank < best_rank || (rank == best_rank && rank != not_preferred && !from_left)) {
      best = i;
      best_rank = rank;
    }
  }
  return best;
}

std::size_t HeadTable::noun_phrase_head(std::span<const std::int32_t> children) const {
  if (category_[children.back()] == numbered().possessive) return children.size() - 1;
  for (std::size_t step = 0; step < numbered().nouns.size(); ++step) {
    const bool from_left = step == 1;  // a noun phrase within: the first, not what is added to it
    if (const std::size_t found = preferred(numbered().nouns[step], from_left, children); found != none)
      return found;
  }
  return none;
}

std::size_t HeadTable::head(std::int32_t phrase, std::span<const std::int32_t> children,
                            HeadKind kind) const {
  const std::uint8_t category = category_[phrase];
  std::size_t found = none;
  if (category == numbered().noun_phrase || category == numbered().inner_noun_phrase) {
    found = noun_phrase_head(children);
  } else if (const auto& row = (kind == HeadKind::syntax ? numbered().syntax : numbered().content)[category];
             row.known) {
    found = preferred(row.ranks, row.from_left, children);
  }
  if (found != none) return found;
  for (std::size_t i = children.size(); i-- > 0;)
    if (!is_punctuation(children[i])) return i;
  return children.size() - 1;
}

}  // namespace hedgerow::features
