// What an online rule works on: a real-valued function f, seen at the current example x.
//
// Rules that only use this interface run on any form of f: on an expansion over supports, and on the weights
// of a linear model alike.
#pragma once

namespace hedgerow::models {

class Function {
 public:
  virtual ~Function() = default;

  virtual double score() const = 0;  // f(x) as it was before the rule changed f, bias included
  virtual double self_kernel() = 0;  // K(x, x)
  // To be called before a rule changes what it remembers; x may be refused here.
  virtual void begin() = 0;
  virtual void add(double coefficient) = 0;  // f += coefficient * K(x, .)
  virtual void scale(double factor) = 0;     // f *= factor; the bias stays
  virtual double squared_norm() const = 0;   // of f without its bias
  virtual double bias() const = 0;
  virtual void add_bias(double delta) = 0;
};

}  // namespace hedgerow::models
