// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Host functions that split a text at blanks or at a separator. The parts share the text's bytes.
#include "library.h"

namespace kiln {

namespace {

/// Returns the length in bytes of the blank (Julia's isspace) at `at`. 0: there is no blank.
size_t blank_at(std::string_view text, size_t at) {
  const auto c = static_cast<unsigned char>(text[at]);
  if (c == ' ' || (c >= '\t' && c <= '\r')) return 1;
  if (c < 0x80) return 0;
  for (std::string_view blank : {"\xc2\x85", "\u00a0"})
    if (text.substr(at, 2) == blank) return 2;
  const std::string_view three = text.substr(at, 3);
  if (three.starts_with("\u2000") || (three >= "\u2000" && three <= "\u200a")) return 3;
  for (std::string_view blank : {"\u1680", "\u202f", "\u205f", "\u3000"})
    if (three == blank) return 3;
  return 0;
}

} // namespace

void add_splitting(Library &l) {
  // __split_text(text, at, limit, keepempty, Vector{SubString{String}}): the parts between separators `at`;
  // nothing instead of `at`: between blanks
  l.add("__split_text", 5, [&l](Interpreter &, std::span<const Value> a) -> Result<Value> {
    const std::optional<std::string_view> found = text_of(a[0]), by = text_of(a[1]);
    const DataType *list = a[4].as_type() ? a[4].as_type()->as<DataType>() : nullptr;
    if (!found || !list || (by && by->empty())) return Value();
    const std::string_view text = *found;
    const auto limit = int64_t(a[2].low_bits());
    const bool keeps_empty = a[3].low_bits() & 1;
    const TypeRef part = list->params()[0];
    // Parts are SubStrings of the whole string, also if the text is a SubString itself.
    const bool is_part = !a[0].as_string();
    const std::vector<Value> *fields = a[0].fields();
    if (is_part && !fields) return Value();
    const Value whole = is_part ? (*fields)[0] : a[0];
    const int64_t offset = is_part ? int64_t((*fields)[1].low_bits()) : 0;
    std::vector<Value> parts;
    auto add = [&](size_t from, size_t to) {
      if (from == to && !keeps_empty) return;
      std::vector<Value> fields;
      fields.reserve(3);
      fields.push_back(whole);
      fields.push_back(l.types.int64(offset + int64_t(from)));
      fields.push_back(l.types.int64(int64_t(to - from)));
      parts.push_back(Value::structure(part, std::move(fields)));
    };
    size_t from = 0, at = 0;
    while (at < text.size() && (limit <= 0 || int64_t(parts.size()) < limit - 1)) {
      KILN_CHECK(l.check_interrupt());
      size_t width = 0;
      if (by) {
        at = text.find(*by, at);
        if (at == text.npos) break;
        width = by->size();
      } else if (!(width = blank_at(text, at))) {
        ++at;
        continue;
      }
      add(from, at);
      from = at = at + width;
    }
    add(from, text.size());
    auto made = std::make_shared<HostArray>();
    made->element = part;
    made->dims = {int64_t(parts.size())};
    made->values = std::move(parts);
    return array_value(l.types, std::move(made));
  });
}

} // namespace kiln
