// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Host functions for Unicode properties of characters in programs. Kernels know only those of Latin-1
// (runtime/library/base/characters.jl).
#include "library.h"

#include <host/host.h>

#include <support/unicode.h>

#include <algorithm>

namespace kiln {

namespace {

// Called by the interpreter and by compiled code. Characters are the bits of Julia's Char.
template <uint32_t (*map)(uint32_t)> uint32_t mapped(uint32_t bits) {
  const unicode::Char c{bits};
  return c.is_valid() ? unicode::char_of(map(c.code())).bits : bits;
}
extern "C" {
bool kiln_char_is_upper(uint32_t bits) {
  const unicode::Char c{bits};
  return c.is_valid() && unicode::is_upper(c.code());
}
bool kiln_char_is_lower(uint32_t bits) {
  const unicode::Char c{bits};
  return c.is_valid() && unicode::is_lower(c.code());
}
/// Returns the number of the Unicode category as in utf8proc; 31 for a malformed, 30 for an overlong
/// character.
int64_t kiln_char_category(uint32_t bits) {
  const unicode::Char c{bits};
  return c.is_malformed() ? 31 : c.is_overlong() ? 30 : int64_t(unicode::category(c.code()));
}
}

void add_character_symbols() {
  static const bool added = [] {
    const HostSymbol symbols[] = {
        {"kiln.string_upper", reinterpret_cast<void *>(&mapped<unicode::to_upper>)},
        {"kiln.string_lower", reinterpret_cast<void *>(&mapped<unicode::to_lower>)},
        {"kiln.string_is_upper", reinterpret_cast<void *>(&kiln_char_is_upper)},
        {"kiln.string_is_lower", reinterpret_cast<void *>(&kiln_char_is_lower)},
        {"kiln.string_category", reinterpret_cast<void *>(&kiln_char_category)},
    };
    add_host_symbols(symbols);
    return true;
  }();
  (void)added;
}

} // namespace

void add_characters(Library &l) {
  add_character_symbols();
  TypeContext &types = l.types;
  auto add = [&](std::string_view name, auto made_of_code) {
    l.add(name, 1, [made_of_code](Interpreter &, Args a) -> Result<Value> {
      return made_of_code(uint32_t(a[0].low_bits()));
    });
  };
  auto mapping = [&](std::string_view name, uint32_t (*map)(uint32_t)) {
    add(name,
        [&types, map](uint32_t bits) { return Value::primitive(types.builtins().Char, {map(bits), 0}); });
  };
  mapping("__to_upper", mapped<unicode::to_upper>);
  mapping("__to_lower", mapped<unicode::to_lower>);
  mapping("__to_title", mapped<unicode::to_title>);
  add("__is_upper", [&](uint32_t bits) { return types.boolean(kiln_char_is_upper(bits)); });
  add("__is_lower", [&](uint32_t bits) { return types.boolean(kiln_char_is_lower(bits)); });
  add("__category", [&](uint32_t bits) { return types.int64(kiln_char_category(bits)); });
  add("__width", [&](uint32_t bits) {
    const unicode::Char c{bits};
    return types.int64(c.is_valid() ? unicode::width(c.code()) : 1);
  });
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
