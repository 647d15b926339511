// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Formats floats as Julia does (base/ryu/shortest.jl): with the fewest digits that identify the float.
#pragma once

#include <kiln/export.h>

#include <cstdint>
#include <string>

namespace kiln {

enum class FloatKind : uint8_t { Float16, BFloat16, Float32, Float64 };

struct FloatStyle {
  /// Write the type too, so that Julia reads the text back as this type: 1.0f0, Float16(1.0), NaN32.
  bool typed = true;
  bool compact = false; ///< at most six significant digits
  bool printed = false; ///< by print: a Float32's exponent begins with e, not f
};

/// Formats a float. `bits` holds the float's bits in its low bits.
KILN_PROGRAMS_API std::string float_text(FloatKind kind, uint64_t bits, FloatStyle style = {});

} // namespace kiln
