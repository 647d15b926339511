// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <kiln/export.h>

#include <cstdint>
#include <string_view>

namespace kiln {

/// The rule that gives an intrinsic's result type from its arguments.
enum class TypeRule : uint8_t {
  SameAsFirst, ///< the type of argument 1
  Bool,        ///< Bool
  FirstIsType, ///< argument 1 is the result type
  Int32,
  Int64,
  Nothing,
  WithOverflow, ///< Tuple{type of argument 1, Bool}
  Never,        ///< does not return
  Special,      ///< inference has a special rule (lib/infer/builtins)
};

namespace effects {
/// Equal arguments give equal results, without side effects: calls may be folded, removed or hoisted.
inline constexpr uint8_t Pure = 1;
inline constexpr uint8_t Reads = 2;  ///< reads memory
inline constexpr uint8_t Writes = 4; ///< writes memory or has another effect
inline constexpr uint8_t Throws = 8;
} // namespace effects

enum class Intrinsic : uint16_t {
#define KILN_INTRINSIC(name, min_args, max_args, rule, effects, doc) name,
#include <kiln/extension/language/intrinsics.def>
#undef KILN_INTRINSIC
  Count
};

struct IntrinsicInfo {
  std::string_view name;
  int min_args;
  int max_args; ///< -1: any number
  TypeRule rule;
  uint8_t effects;
};
KILN_API const IntrinsicInfo &info(Intrinsic intrinsic);
/// Returns the name under which an intrinsic is bound in Core or Core.Intrinsics: `===` for egal, `throw` for
/// throw_, ...
KILN_API std::string_view bound_name(Intrinsic intrinsic);

} // namespace kiln
