// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Unicode characters as in Julia: categories, case mappings, widths on terminals, and Julia's Char, which
// holds the bytes of one encoded character.
#pragma once

#include <kiln/export.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace kiln::unicode {

/// Categories of Unicode characters, with the numbers of utf8proc.
// clang-format off
enum class Category : uint8_t {
  Cn, Lu, Ll, Lt, Lm, Lo, Mn, Mc, Me, Nd, Nl, No, Pc, Pd, Ps, Pe, Pi, Pf, Po, Sm, Sc, Sk, So, Zs, Zl, Zp, Cc,
  Cf, Cs, Co
};
// clang-format on

KILN_PROGRAMS_API Category category(uint32_t code);
/// Describes a category as Julia does: "Ll: Letter, lowercase".
KILN_PROGRAMS_API std::string_view description(Category category);
KILN_PROGRAMS_API uint32_t to_upper(uint32_t code); ///< simple case mappings, from one character to one
KILN_PROGRAMS_API uint32_t to_lower(uint32_t code);
KILN_PROGRAMS_API uint32_t to_title(uint32_t code);
/// True if the character has a lowercase mapping and is no titlecase letter.
KILN_PROGRAMS_API bool is_upper(uint32_t code);
KILN_PROGRAMS_API bool is_lower(uint32_t code);
bool is_print(uint32_t code); ///< true for letters, marks, numbers, punctuation, symbols and spaces
KILN_PROGRAMS_API int width(uint32_t code); ///< columns on a terminal: 0, 1 or 2

/// A Julia Char: up to four bytes of UTF-8, the first one in the highest bits.
struct Char {
  uint32_t bits = 0;
  KILN_PROGRAMS_API bool is_malformed() const;
  KILN_PROGRAMS_API bool is_overlong() const;
  bool is_valid() const { return !is_malformed() && !is_overlong(); }
  KILN_PROGRAMS_API uint32_t code() const; ///< for valid characters only
  KILN_PROGRAMS_API size_t size() const;   ///< bytes
};

/// Returns the character that begins at byte `at`. A malformed or overlong one has the bytes that Julia gives
/// it.
KILN_PROGRAMS_API Char char_at(std::string_view text, size_t at);
KILN_PROGRAMS_API Char char_of(uint32_t code);

/// Maps each valid character.
std::string mapped(std::string_view text, uint32_t (*map)(uint32_t));

/// Escapes a text like Julia's escape_string: unprintable characters, backslashes, and the ASCII characters
/// in `also`.
KILN_PROGRAMS_API std::string escaped(std::string_view text, std::string_view also);

} // namespace kiln::unicode
