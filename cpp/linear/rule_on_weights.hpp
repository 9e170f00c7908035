// Rules of kernel learners on plain weights, the linear form of a function.
#pragma once

#include <memory>

#include "linear/linear_rule.hpp"
#include "online/rule.hpp"

namespace hedgerow::linear {

// largest_scale: beyond it, the common factor of all weights is multiplied into them.
std::unique_ptr<LinearRule> rule_on_weights(std::unique_ptr<online::Rule> rule, Averaging averaging,
                                            double largest_scale);

}  // namespace hedgerow::linear
