// Names of what solvers ask oracles for.
#pragma once

#include <stdexcept>
#include <string>

#include "structured/oracle.hpp"

namespace hedgerow::python {

inline const char* search_name(structured::Question::Search search) {
  switch (search) {
    case structured::Question::Search::best:
      return "best";
    case structured::Question::Search::best_wrong:
      return "best_wrong";
    case structured::Question::Search::margin:
      return "margin";
    default:
      return "slack";
  }
}

inline structured::Question::Search search_from(const std::string& name) {
  using enum structured::Question::Search;
  for (const structured::Question::Search search : {best, best_wrong, margin, slack})
    if (name == search_name(search)) return search;
  throw std::invalid_argument("search must be 'best', 'best_wrong', 'margin' or 'slack', got '" + name + "'");
}

}  // namespace hedgerow::python
