#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <numeric>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "features/text_hash.hpp"
#include "parameters.hpp"
#include "python/arrays.hpp"
#include "python/bindings.hpp"
#include "python/locks.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace hedgerow::python {

namespace {

using features::TextHashing;
using features::TextMemory;

// Which of all characters match a pattern of Python's regular expressions.
std::vector<bool> matching_characters(const char* pattern) {
  std::u32string characters(0x110000, 0);
  std::iota(characters.begin(), characters.end(), 0);
  int native_order = 0;
  const nb::object text = nb::steal(PyUnicode_DecodeUTF32(reinterpret_cast<const char*>(characters.data()),
                                                          static_cast<Py_ssize_t>(4 * characters.size()),
                                                          "surrogatepass", &native_order));
  if (!text.is_valid()) throw nb::python_error();
  std::vector<bool> matches(characters.size());
  for (const nb::handle match : nb::module_::import_("re").attr("finditer")(pattern, text)) {
    const auto [begin, end] = nb::cast<std::pair<std::size_t, std::size_t>>(match.attr("span")());
    std::fill(matches.begin() + static_cast<std::ptrdiff_t>(begin),
              matches.begin() + static_cast<std::ptrdiff_t>(end), true);
  }
  return matches;
}

// What Python takes for \w and \s. Made when it is first needed; not by a static variable's initialiser, in
// which threads that hold the GIL would wait for one that needs it.
const features::Characters& python_characters() {
  static std::atomic<const features::Characters*> known = nullptr;
  if (const features::Characters* characters = known) return *characters;
  const std::vector<bool> word = matching_characters("\\w+"), space = matching_characters("\\s+");
  auto made = std::make_unique<const features::Characters>([&](char32_t c) { return word[c]; },
                                                           [&](char32_t c) { return space[c]; });
  const features::Characters* none = nullptr;
  if (known.compare_exchange_strong(none, made.get())) return *made.release();
  return *none;  // another thread was first
}

// The bytes of a string, which the string keeps.
std::string_view utf8(nb::handle text) {
  Py_ssize_t size = 0;
  const char* data = PyUnicode_AsUTF8AndSize(text.ptr(), &size);
  if (!data) throw nb::python_error();
  return {data, static_cast<std::size_t>(size)};
}

bool is_ascii(std::string_view text) {
  unsigned char all = 0;
  for (const char c : text) all |= static_cast<unsigned char>(c);
  return all < 0x80;
}

// Strings, kept for as long as their bytes are looked at. Beyond ASCII Python knows best what lower case is.
class Texts {
 public:
  Texts(const nb::list& given, bool lowercase) {
    const std::size_t n = given.size();
    kept_.reserve(n);
    views_.reserve(n);
    for (std::size_t i = 0; i < n; ++i) {
      nb::object text = nb::borrow(given[i]);
      if (!PyUnicode_Check(text.ptr())) {
        const std::string type = nb::cast<std::string>(text.type().attr("__name__"));
        throw nb::type_error(
            ("texts must be strings, got a " + type + " in place " + std::to_string(i)).c_str());
      }
      std::string_view view = utf8(text);
      if (lowercase && !is_ascii(view)) {
        text = text.attr("lower")();
        view = utf8(text);
      }
      views_.push_back(view);
      kept_.push_back(std::move(text));
    }
  }
  std::span<const std::string_view> views() const { return views_; }

 private:
  std::vector<nb::object> kept_;
  std::vector<std::string_view> views_;
};

TextHashing hashing_from(int bits, const std::string& analyzer, int shortest, int longest, bool lowercase,
                         bool alternate_sign, const std::string& counts, const std::string& norm) {
  using features::Analyzer, features::Counts, features::Norm;
  TextHashing hashing{&python_characters(), bits, Analyzer::word, shortest, longest, lowercase,
                      alternate_sign};
  hashing.analyzer = one_of<Analyzer>(
      "analyzer", analyzer,
      {{"word", Analyzer::word}, {"char", Analyzer::character}, {"char_wb", Analyzer::character_in_words}});
  hashing.counts = one_of<Counts>(
      "counts", counts,
      {{"raw", Counts::raw}, {"binary", Counts::binary}, {"log", Counts::log}, {"tf-idf", Counts::tf_idf}});
  hashing.norm = one_of<Norm>("norm", norm, {{"none", Norm::none}, {"l1", Norm::l1}, {"l2", Norm::l2}});
  hashing.check();
  return hashing;
}

nb::tuple as_arrays(features::HashedRows&& rows) {
  return nb::make_tuple(to_numpy(std::move(rows.begin)), to_numpy(std::move(rows.column)),
                        to_numpy(std::move(rows.value)));
}

}  // namespace

void register_text_hash(nb::module_& m) {
  nb::class_<TextMemory>(m, "TextMemory", "In how many texts columns occur, and the words of some columns.")
      .def(nb::init<int, bool, std::int64_t>(), "bits"_a, "counts_documents"_a, "room"_a)
      .def_prop_ro("documents", read(&TextMemory::documents))
      .def_prop_ro("full", read(&TextMemory::full))
      .def(
          "keep",
          [](TextMemory& self, ArrayIn<std::int32_t> columns) {
            const Writing writing(self);
            self.keep(as_span(columns));
          },
          "columns"_a, "Forget the words of other columns.")
      .def(
          "frequencies",
          [](const TextMemory& self) {
            std::vector<std::int32_t> columns;
            std::vector<std::int64_t> counts;
            {
              const LongReading reading(self);
              for (std::int64_t j = 0; j < self.width(); ++j)
                if (const auto n = self.frequency(static_cast<std::int32_t>(j))) {
                  columns.push_back(static_cast<std::int32_t>(j));
                  counts.push_back(n);
                }
            }
            return nb::make_tuple(to_numpy(std::move(columns)), to_numpy(std::move(counts)));
          },
          "Columns that occur, and in how many texts.")
      .def(
          "set_documents",
          [](TextMemory& self, std::int64_t documents, ArrayIn<std::int32_t> columns,
             ArrayIn<std::int64_t> counts) {
            const Writing writing(self);
            self.set_documents(documents, as_span(columns), as_span(counts));
          },
          "documents"_a, "columns"_a, "counts"_a)
      .def(
          "words",
          [](const TextMemory& self) {
            const Reading reading(self);
            std::vector<std::tuple<std::int32_t, std::int32_t, std::string, bool>> found;
            for (const TextMemory::Column& column : self.columns())
              for (const TextMemory::Word& word : column.words)
                found.emplace_back(column.column, word.hash, word.text, column.more);
            return found;
          },
          "Column, hash, word and whether there are more, for each word.")
      .def(
          "add_word",
          [](TextMemory& self, std::int32_t column, std::int32_t hash, std::string text, bool more) {
            const Writing writing(self);
            self.add_word(column, hash, std::move(text), more);
          },
          "column"_a, "hash"_a, "text"_a, "more"_a);
  nb::class_<TextHashing>(m, "TextHashing", "How texts become sparse vectors.")
      .def(
          "__init__",
          [](TextHashing* self, int bits, const std::string& analyzer, int shortest, int longest,
             bool lowercase, bool alternate_sign, const std::string& counts, const std::string& norm) {
            new (self) TextHashing(
                hashing_from(bits, analyzer, shortest, longest, lowercase, alternate_sign, counts, norm));
          },
          "bits"_a, "analyzer"_a, "shortest"_a, "longest"_a, "lowercase"_a, "alternate_sign"_a, "counts"_a,
          "norm"_a)
      .def(
          "vectors",
          [](const TextHashing& self, const nb::list& given, const TextMemory* memory, int threads) {
            const Texts texts(given, self.lowercase);
            features::HashedRows rows;
            if (memory) {
              const LongReading reading(*memory);
              rows = self.vectors(texts.views(), memory, threads);
            } else {
              const nb::gil_scoped_release release;
              rows = self.vectors(texts.views(), nullptr, threads);
            }
            return as_arrays(std::move(rows));
          },
          "texts"_a, "memory"_a.none(), "threads"_a, "Begins, columns and values of sparse rows.")
      .def(
          "learn",
          [](const TextHashing& self, const nb::list& given, TextMemory& memory) {
            const Texts texts(given, self.lowercase);
            features::HashedRows rows;
            {
              const LongWriting writing(memory);
              rows = self.learn(texts.views(), memory);
            }
            return as_arrays(std::move(rows));
          },
          "texts"_a, "memory"_a, "The same, of each text as the memory stood before it, which then has it.")
      .def(
          "count",
          [](const TextHashing& self, const nb::list& given, TextMemory& memory, int times) {
            const Texts texts(given, self.lowercase);
            const LongWriting writing(memory);
            self.count(texts.views(), memory, times);
          },
          "texts"_a, "memory"_a, "times"_a, "Count the documents of columns, or take them back.")
      .def(
          "names",
          [](const TextHashing& self, const std::string& text) {
            std::vector<std::tuple<std::int32_t, bool, std::string>> found;
            for (features::NamedColumn& one : self.names(text))
              found.emplace_back(one.column, one.negative, std::move(one.name));
            return found;
          },
          "text"_a, "Columns of the text, whether they count negatively, and what is in them.");
}

}  // namespace hedgerow::python
