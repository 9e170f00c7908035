// Registry: rules by name. A rule registers itself in the file that defines it, and nothing else lists rules.
#pragma once

#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "parameters.hpp"

namespace hedgerow {

template <class Rule, class... More>
class Registry {
 public:
  using Make = std::unique_ptr<Rule> (*)(Parameters& parameters, More... more);

  // A rule, while the program runs: to be defined at namespace scope.
  struct Entry {
    Entry(const char* name, Make make) { makers()[name] = make; }
  };

  static std::unique_ptr<Rule> make(const std::string& name, std::map<std::string, Parameters::Value> values,
                                    More... more) {
    const auto maker = makers().find(name);
    if (maker == makers().end()) throw std::invalid_argument("there is no rule " + name);
    Parameters parameters(name, std::move(values));
    std::unique_ptr<Rule> rule = maker->second(parameters, more...);
    parameters.finish();
    return rule;
  }
  static std::vector<std::string> names() {
    std::vector<std::string> found;
    for (const auto& [name, make] : makers()) found.push_back(name);
    return found;
  }

 private:
  // Made when first asked for, since files are initialised in any order.
  static std::map<std::string, Make>& makers() {
    static std::map<std::string, Make> all;
    return all;
  }
};

}  // namespace hedgerow
