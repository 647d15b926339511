// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Merges the PTX texts of several kernels into one. An assembler takes at least 4 ms a call. Sixteen kernels
// in one text therefore take less than half the time of sixteen texts.
#pragma once

#include <kiln/extension/llvm/assembler.h>

#include <string>
#include <string_view>
#include <vector>

namespace kiln {

struct MergedPtx {
  std::string text;
  /// For each input, the names in `text` of its functions, shared ones and the entry included.
  std::vector<std::vector<std::string>> functions;
};

/// Returns true for a text of one kernel, as LLVM writes it. No name in it may be looked up in the loaded
/// code. It must not have full debug information, whose sections name code by its place.
bool can_merge_ptx(std::string_view text);

/// Joins the texts in their order, under the first one's header. Definitions other than kernels get unique
/// names. Equal functions that call nothing are written once. Error: Internal for texts that can_merge_ptx()
/// refuses, that have different headers, or that define the same entry.
Result<MergedPtx> merge_ptx(std::span<const AssemblerInput> inputs);

} // namespace kiln
