// Names of what solvers ask oracles for, and of formulations.
#pragma once

#include <stdexcept>
#include <string>

#include "structured/constraint.hpp"

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

inline structured::Formulation formulation_from(const std::string& search, bool root,
                                                const std::string& slack, double C) {
  using enum structured::Formulation::Slack;
  structured::Formulation made{.question = {search_from(search), root}, .C = C};
  if (slack == "linear")
    made.slack = linear;
  else if (slack == "quadratic")
    made.slack = quadratic;
  else if (slack == "none")
    made.slack = none;
  else
    throw std::invalid_argument("slack must be 'none', 'linear' or 'quadratic', got '" + slack + "'");
  if (!(C > 0)) throw std::invalid_argument("C must be above 0");
  return made;
}

}  // namespace hedgerow::python
