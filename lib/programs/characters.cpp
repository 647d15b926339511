// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Host functions for Unicode properties of characters in programs. Kernels know only those of Latin-1
// (runtime/library/base/characters.jl).
#include "library.h"

#include <support/unicode.h>

#include <algorithm>

namespace kiln {

void add_characters(Library &l) {
  TypeContext &types = l.types;
  auto add = [&](std::string_view name, auto made_of_code) {
    l.add(name, 1, [made_of_code](Interpreter &, Args a) -> Result<Value> {
      const unicode::Char c{uint32_t(a[0].low_bits())};
      return made_of_code(c);
    });
  };
  auto mapping = [&](std::string_view name, uint32_t (*map)(uint32_t)) {
    add(name, [&types, map](unicode::Char c) {
      return Value::primitive(types.builtins().Char,
                              {c.is_valid() ? unicode::char_of(map(c.code())).bits : c.bits, 0});
    });
  };
  mapping("__to_upper", unicode::to_upper);
  mapping("__to_lower", unicode::to_lower);
  mapping("__to_title", unicode::to_title);
  add("__is_upper",
      [&](unicode::Char c) { return types.boolean(c.is_valid() && unicode::is_upper(c.code())); });
  add("__is_lower",
      [&](unicode::Char c) { return types.boolean(c.is_valid() && unicode::is_lower(c.code())); });
  // __category(c): Unicode category number as in utf8proc; 31 for a malformed, 30 for an overlong character
  add("__category", [&](unicode::Char c) {
    return types.int64(c.is_malformed() ? 31 : c.is_overlong() ? 30 : int64_t(unicode::category(c.code())));
  });
  add("__width", [&](unicode::Char c) { return types.int64(c.is_valid() ? unicode::width(c.code()) : 1); });
  // (text, additional characters to escape)
  l.add("__escaped", 2, [&](Interpreter &, Args a) -> Result<Value> {
    const std::string *text = a[0].as_string(), *also = a[1].as_string();
    return text && also ? l.text(unicode::escaped(*text, *also)) : Value();
  });
  l.add("__char_about", 1, [&](Interpreter &, Args a) -> Result<Value> {
    const unicode::Char c{uint32_t(a[0].low_bits())};
    if (!c.is_valid())
      return l.text(fmt::format(": {}", c.is_malformed() ? "Malformed UTF-8" : "Overlong UTF-8"));
    const uint32_t code = c.code();
    return l.text(fmt::format(": {} U+{:04X} (category {})", code < 0x80 ? "ASCII/Unicode" : "Unicode", code,
                              unicode::description(unicode::category(code))));
  });
}

} // namespace kiln
