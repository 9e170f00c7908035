// How several classes become functions with labels +1, -1 or none, and scores of functions scores of classes.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <vector>

namespace hedgerow::online {

enum class Decoding {
  binary,    // one function, positive for the second class
  direct,    // one function a class
  joint,     // likewise, but they learn together: the right class against the wrong one that scores highest
  pairwise,  // one function a pair of classes: votes, ties broken by the sum of scores
  codes,     // agreement with the class's code word
};

class Codes {
 public:
  // code[k * functions + j]: what class k is for function j; 0: left out.
  Codes(std::vector<std::int8_t> code, std::int32_t classes, Decoding decoding)
      : code_(std::move(code)), classes_(classes), decoding_(decoding) {
    if (classes < 1 || code_.empty() || code_.size() % classes != 0)
      throw std::invalid_argument("a code matrix has one row for each class");
    functions_ = static_cast<std::int32_t>(code_.size() / classes);
    if (joint() && (classes < 2 || functions_ != classes))
      throw std::invalid_argument("classes that learn together need a function each");
  }

  std::int32_t classes() const { return classes_; }
  std::int32_t functions() const { return functions_; }
  std::int32_t outputs() const { return decoding_ == Decoding::binary ? 1 : classes_; }
  std::int8_t label(std::int32_t of_class, std::int32_t function) const {
    return code_[static_cast<std::size_t>(of_class) * functions_ + function];
  }

  bool joint() const { return decoding_ == Decoding::joint; }
  // Of the other classes that with the highest score, the first of equal ones.
  std::int32_t rival(const double* scores, std::int32_t of_class) const;

  // out has outputs() values.
  void decode(const double* scores, double* out) const;
  // The decoded values: the scores themselves where these are it, else in `out`.
  const double* decoded(const double* scores, double* out) const {
    if (scores_as_they_are()) return scores;
    decode(scores, out);
    return out;
  }
  // The class that the decoded values stand for: the second of two if its value is positive.
  std::int32_t winner(const double* decoded) const;
  // Whether the decoded values leave no doubt about the class: a score of 0, or a tie, is wrong.
  bool is_right(const double* decoded, std::int32_t of_class) const;

 private:
  bool scores_as_they_are() const {
    return decoding_ == Decoding::binary || decoding_ == Decoding::direct || joint();
  }

  std::vector<std::int8_t> code_;
  std::int32_t classes_, functions_;
  Decoding decoding_;
};

}  // namespace hedgerow::online
