// Reader of SVM-light and SVM-light-TK data lines:
//
//   LABEL |BT| tree |BT| tree ... |ET| i:v i:v |BV| i:v ... |EV|   # comment
//
// Features may also stand before the first tree. KeLP's named columns, |BT:name| ... |ET| and |BV:name| ... |EV|,
// are read too. Lines come in pieces of text, so that a file need not fit in memory.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "data/brackets.hpp"

namespace hedgerow {

struct SvmlightTkOptions {
  BracketOptions brackets;
  bool zero_based = false;  // feature indices start at 0 instead of 1
  bool collect = false;     // leave bad lines out and go on, instead of stopping at the first
};

struct SparseColumn {
  std::vector<std::int64_t> row_begin{0};
  std::vector<std::int32_t> index;  // from 0
  std::vector<double> value;
  std::int64_t width = 0;  // highest index plus one
};

// Columns are numbered by their place among the trees (vectors) of a line unless the file names them.
struct TreeColumn {
  std::string name;  // empty: by position
  ForestBuilder builder;
};
struct VectorColumn {
  std::string name;
  SparseColumn matrix;
};

class SvmlightTkReader {
 public:
  explicit SvmlightTkReader(SvmlightTkOptions options) : options_(options) {}

  // Reads lines of `text` from `at` on until `max_rows` examples are held, an error stops it, or no complete
  // line is left (`last`: the text's end ends a line). Returns the place behind the last line read.
  std::size_t read(std::string_view text, std::size_t at, std::int64_t max_rows, bool last);

  std::int64_t rows() const { return static_cast<std::int64_t>(label_of_row.size()); }
  bool stopped() const { return !errors.empty() && !options_.collect; }
  // Forgets the examples held, but keeps the columns (which stay the same over all batches) and line numbers.
  void clear_rows();
  // Gives every column as many rows as there are examples. Called before the columns are taken.
  void fill_columns();

  SequenceTable<char> labels;
  std::vector<std::int32_t> label_of_row;
  std::vector<std::int64_t> line_of_row;
  std::vector<std::int64_t> query_of_row;  // SVM-light's qid, -1 where a line has none
  std::vector<TreeColumn> trees;
  std::vector<VectorColumn> vectors;
  std::vector<LineError> errors;

 private:
  std::optional<TextError> read_line(std::string_view line);
  std::optional<TextError> read_tree_column(std::string_view line, std::size_t& at, std::size_t column);
  std::optional<TextError> read_feature(std::string_view line, std::size_t& at, std::size_t column);
  std::optional<TextError> read_query(std::string_view line, std::size_t& at, std::int64_t& query);
  std::size_t tree_column(std::string_view name, std::size_t position);
  std::size_t vector_column(std::string_view name, std::size_t position);
  void undo_line();

  SvmlightTkOptions options_;
  std::int64_t line_ = 0;
};

}  // namespace hedgerow
