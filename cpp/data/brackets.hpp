// The bracketed notation of trees: (LABEL child ...), where a child is a tree or a bare token (a leaf).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "data/forest_builder.hpp"
#include "data/text.hpp"

namespace hedgerow::data {

struct BracketOptions {
  bool spaces_in_leaves = false;  // SVM-light-TK's reading: neighbouring bare tokens are one leaf
};

// Reads the tree that starts at `at` (which must be an opening bracket) into the builder, without ending it
// there, and moves `at` behind it. White space and line breaks are free inside. The Penn Treebank's
// unlabelled outer bracket is taken off. The text must already be UTF-8 without NUL bytes.
std::optional<TextError> read_tree(std::string_view text, std::size_t& at, ForestBuilder& builder,
                                   BracketOptions options);

// Reads a text that holds just one tree.
std::optional<TextError> read_only_tree(std::string_view text, ForestBuilder& builder,
                                        BracketOptions options);

struct BracketText {
  Forest forest;
  std::vector<LineError> errors;
  bool unclosed = false;  // some error was a tree that another one cut short
};

enum class Layout {
  lines,  // a line that starts with '(' and is indented no deeper than the tree under way begins a new one
  free,   // trees may be broken and follow each other anywhere
};

// Reads a text of many trees. Stops at the first error, or (collect) leaves the bad trees out and goes on.
BracketText read_bracket_text(std::string_view text, Layout layout, bool collect, BracketOptions options);

// Reads the tree in the tab-separated field (counted from 0) of every line.
BracketText read_bracket_field(std::string_view text, std::int64_t field, bool collect,
                               BracketOptions options);

enum class LeafStyle {
  bare,       // (N dog)
  bracketed,  // (N dog) for an only child, else (N (a)(b)): what SVM-light-TK reads as intended
};

// Appends the tree in brackets; an empty tree is an empty text.
void write_tree(const Forest& forest, std::int64_t tree, LeafStyle style, std::string& out);

// The first label of the forest that the notation cannot express (empty, or with white space, brackets or
// NUL). With `allow_spaces`, for readers with spaces_in_leaves, a leaf without siblings may hold spaces
// between words.
std::optional<std::int32_t> unprintable_label(const Forest& forest, bool allow_spaces);

}  // namespace hedgerow::data
