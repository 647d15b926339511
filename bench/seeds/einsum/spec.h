// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An einsum's specification, read, and the kernel's text for it.
#pragma once

#include <kiln/result.h>

#include <array>
#include <string>
#include <string_view>

namespace seeds {

/// Labels are numbered: those of the result in its order, then those that are summed over.
struct Spec {
  static constexpr uint32_t max_rank = 8, max_labels = 16;
  uint32_t operands = 0, labels = 0, kept = 0; ///< `kept` of the labels are the result's
  std::string names;                           ///< a letter a label
  std::array<uint32_t, 2> rank{};
  std::array<std::array<uint8_t, max_rank>, 2> label{}; ///< of each operand's dimensions
};

kiln::Result<Spec> read_spec(std::string_view text);
/// A kernel `name(o, a, b, sizes, strides_a, strides_b, count, Val(lanes))`, of which a specification with
/// one operand has no b.
std::string kernel_text(const Spec &spec, const std::string &name, std::string_view element,
                        std::string_view sum);

} // namespace seeds
