// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Host functions for regular expressions, by PCRE2. A pattern is compiled at first use, and cached with its
// options.
#include "library.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include <map>

namespace kiln {

namespace {

constexpr size_t max_patterns = 1'000; // cache size; cleared when full
constexpr uint32_t match_limit = 100'000'000;

struct CodeFree {
  void operator()(pcre2_code *code) const { pcre2_code_free(code); }
};
struct DataFree {
  void operator()(pcre2_match_data *data) const { pcre2_match_data_free(data); }
};
struct ContextFree {
  void operator()(pcre2_match_context *context) const { pcre2_match_context_free(context); }
};

struct Pattern {
  std::unique_ptr<pcre2_code, CodeFree> code;
  std::unique_ptr<pcre2_match_data, DataFree> data;
};

std::string message_of(int number) {
  PCRE2_UCHAR text[256];
  pcre2_get_error_message(number, text, sizeof text);
  return reinterpret_cast<const char *>(text);
}

PCRE2_SPTR bytes_of(const std::string &text) { return reinterpret_cast<PCRE2_SPTR>(text.data()); }

class Patterns {
public:
  Result<Pattern *> get(const std::string &pattern, uint32_t options) {
    auto found = compiled_.find({options, pattern});
    if (found != compiled_.end()) return &found->second;
    if (compiled_.size() >= max_patterns) compiled_.clear();
    int number = 0;
    PCRE2_SIZE at = 0;
    Pattern made;
    made.code.reset(pcre2_compile(bytes_of(pattern), pattern.size(), options, &number, &at, nullptr));
    if (!made.code)
      return input_error(fmt::format("PCRE compilation error: {} at offset {}", message_of(number), at));
    pcre2_jit_compile(made.code.get(), PCRE2_JIT_COMPLETE); // without JIT, matches are interpreted
    made.data.reset(pcre2_match_data_create_from_pattern(made.code.get(), nullptr));
    return &compiled_.emplace(std::pair(options, pattern), std::move(made)).first->second;
  }
  /// Matches a text from byte `from`. Returns 1 + the number of the last group in the match; 0: no match.
  Result<int> match(Pattern &compiled, const std::string &text, size_t from, uint32_t options) {
    if (!context_) {
      context_.reset(pcre2_match_context_create(nullptr));
      pcre2_set_match_limit(context_.get(), match_limit);
    }
    const int count = pcre2_match(compiled.code.get(), bytes_of(text), text.size(), from, options,
                                  compiled.data.get(), context_.get());
    if (count == PCRE2_ERROR_NOMATCH) return 0;
    if (count < 0) return input_error("PCRE.exec error: " + message_of(count));
    return count;
  }

private:
  std::map<std::pair<uint32_t, std::string>, Pattern> compiled_;
  std::unique_ptr<pcre2_match_context, ContextFree> context_;
};

} // namespace

void add_regex(Library &l) {
  auto patterns = std::make_shared<Patterns>();
  TypeContext &types = l.types;
  // __regex_check(pattern, options): throws if the pattern is invalid
  l.add("__regex_check", 2, [&types, patterns](Interpreter &, Args a) -> Result<Value> {
    const std::string *pattern = a[0].as_string();
    if (!pattern) return Value();
    KILN_TRY([[maybe_unused]] Pattern * compiled, patterns->get(*pattern, uint32_t(a[1].low_bits())));
    return types.nothing();
  });
  // __regex_match(pattern, options, text, from, match options): nothing, or a pair (first byte, byte after
  // it) for the whole match and for each group. A group that did not match has (0, 0). Bytes count from 1.
  l.add("__regex_match", 5, [&l, &types, patterns](Interpreter &, Args a) -> Result<Value> {
    const std::string *pattern = a[0].as_string(), *text = a[2].as_string();
    if (!pattern || !text) return Value();
    const int64_t from = int64_t(a[3].low_bits());
    if (from < 1 || size_t(from - 1) > text->size()) return types.nothing();
    KILN_TRY(Pattern * compiled, patterns->get(*pattern, uint32_t(a[1].low_bits())));
    KILN_TRY(int count, patterns->match(*compiled, *text, size_t(from - 1), uint32_t(a[4].low_bits())));
    if (count == 0) return types.nothing();
    const PCRE2_SIZE *places = pcre2_get_ovector_pointer(compiled->data.get());
    std::vector<Value> bounds;
    const uint32_t groups = pcre2_get_ovector_count(compiled->data.get());
    for (uint32_t i = 0; i < 2 * groups; ++i) {
      const bool is_set = i < 2 * uint32_t(count) && places[i] != PCRE2_UNSET;
      bounds.push_back(types.int64(is_set ? int64_t(places[i]) + 1 : 0));
    }
    return make_array_from(l.interpreter, bounds, types.builtins().Int64);
  });
  // __regex_names(pattern, options): the name of each group, "" for groups without one
  l.add("__regex_names", 2, [&l, &types, patterns](Interpreter &, Args a) -> Result<Value> {
    const std::string *pattern = a[0].as_string();
    if (!pattern) return Value();
    KILN_TRY(Pattern * compiled, patterns->get(*pattern, uint32_t(a[1].low_bits())));
    uint32_t groups = 0, count = 0, size = 0;
    PCRE2_SPTR table = nullptr;
    pcre2_pattern_info(compiled->code.get(), PCRE2_INFO_CAPTURECOUNT, &groups);
    pcre2_pattern_info(compiled->code.get(), PCRE2_INFO_NAMECOUNT, &count);
    pcre2_pattern_info(compiled->code.get(), PCRE2_INFO_NAMEENTRYSIZE, &size);
    pcre2_pattern_info(compiled->code.get(), PCRE2_INFO_NAMETABLE, &table);
    std::vector<Value> names(groups, l.text(""));
    for (uint32_t i = 0; i < count; ++i, table += size) { // each entry: group number in two bytes, name
      const uint32_t group = uint32_t(table[0]) << 8 | table[1];
      if (group >= 1 && group <= groups) names[group - 1] = l.text(reinterpret_cast<const char *>(table + 2));
    }
    return make_array_from(l.interpreter, names, types.builtins().String);
  });
}

} // namespace kiln
