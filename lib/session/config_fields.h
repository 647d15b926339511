// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fields of a CompilerConfig in JSON: which option sets which field, and how a value gets into one. Traces
// have the fields by their own names (visit_fields), options by those of the command line.
#pragma once

#include <kiln/job.h>
#include <support/support.h>

#include <charconv>
#include <climits>
#include <limits>
#include <type_traits>

namespace kiln {

/// An option of the command line, without its dashes, and the field of CompilerConfig that it sets.
struct ConfigOption {
  std::string_view option, field;
  bool is_inverse = false; ///< true makes the field false, and false leaves it
  int least = INT_MIN, most = INT_MAX;
};
inline constexpr ConfigOption config_options[] = {
    {"kernel", "kernel"},
    {"no-kernel", "kernel", true},
    {"name", "name"},
    {"always-inline", "always_inline"},
    {"fastmath", "fast_math"}, // of the target's spec, as is contract
    {"contract", "contract"},
    {"O", "opt_level", false, 0, 3},
    {"g", "debug_level", false, 0, 2},
    {"no-validate", "validate", true},
    {"no-optimize", "optimize", true},
    {"strip", "strip"},
    {"check", "check"},
    {"interruptible", "interruptible"},
};

inline constexpr std::string_view entry_abi_names[] = {"specfunc", "packed"}; ///< by EntryAbi

// Each gives true, or leaves the field and gives false for a value that does not fit it.
inline bool set_field(bool &field, const JsonValue &value) {
  if (!value.is(JsonValue::Kind::Boolean)) return false;
  field = value.boolean;
  return true;
}
inline bool set_field(std::string &field, const JsonValue &value) {
  if (!value.is(JsonValue::Kind::String)) return false;
  field = value.text;
  return true;
}
inline bool set_field(EntryAbi &field, const JsonValue &value) {
  for (size_t i = 0; i < std::size(entry_abi_names); i++) {
    if (!value.is(JsonValue::Kind::String) || value.text != entry_abi_names[i]) continue;
    field = EntryAbi(i);
    return true;
  }
  return false;
}
inline bool set_field(Contraction &field, const JsonValue &value) {
  for (size_t i = 0; i < std::size(contraction_names); i++) {
    if (!value.is(JsonValue::Kind::String) || value.text != contraction_names[i]) continue;
    field = Contraction(i);
    return true;
  }
  return false;
}
/// A whole number from `least` to `most`.
template <class T>
  requires std::is_integral_v<T>
bool set_field(T &field, const JsonValue &value, T least = std::numeric_limits<T>::min(),
               T most = std::numeric_limits<T>::max()) {
  T number{};
  const char *end = value.text.data() + value.text.size();
  auto [stop, error] = std::from_chars(value.text.data(), end, number);
  if (!value.is(JsonValue::Kind::Number) || error != std::errc() || stop != end) return false;
  if (number < least || number > most) return false;
  field = number;
  return true;
}

} // namespace kiln
