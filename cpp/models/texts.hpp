// Labels and tokens of items in the numbers of a model, whatever vocabulary the items come with.
#pragma once

#include <algorithm>
#include <climits>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "data/sequence_table.hpp"
#include "models/state.hpp"

namespace hedgerow::models {

using Texts = data::SequenceTable<char>;

// How the texts of a vocabulary are numbered in the model's own, looked up when they are first met. Texts
// that the model does not have get large numbers, each its own.
class TextCodes {
 public:
  // Keeps what is known when the vocabulary is the one used before.
  void use(std::shared_ptr<const Texts> vocabulary) {
    if (vocabulary == vocabulary_) return;
    vocabulary_ = std::move(vocabulary);
    codes_.assign(vocabulary_->size(), not_met);
  }
  // Looks everything up again: the model's texts were numbered anew.
  void forget() { std::fill(codes_.begin(), codes_.end(), not_met); }

  void find(std::int32_t text, const Texts& own) {
    // A vocabulary may have grown since.
    if (static_cast<std::size_t>(text) >= codes_.size()) codes_.resize(text + 1, not_met);
    if (codes_[text] != not_met) return;
    const std::int32_t code = own.find((*vocabulary_)[text]);
    codes_[text] = code == Texts::npos ? INT32_MAX - text : code;
  }
  // The model has the text now. Whatever it gains must be told here, or `find` goes on to say it lacks it.
  void set(std::int32_t text, std::int32_t code) {
    if (static_cast<std::size_t>(text) >= codes_.size()) codes_.resize(text + 1, not_met);
    codes_[text] = code;
  }
  const std::int32_t* data() const { return codes_.data(); }

 private:
  static constexpr std::int32_t not_met = -1;

  std::shared_ptr<const Texts> vocabulary_;
  std::vector<std::int32_t> codes_;
};

// As the arrays `name`_bytes and `name`_begin.
void save_texts(State& state, const std::string& name, const Texts& texts);
// Throws invalid_argument when the arrays do not fit together or a text stands there twice.
Texts load_texts(const State& state, const std::string& name);

}  // namespace hedgerow::models
