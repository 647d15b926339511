// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Merges the PTX texts of several kernels into one. A call of an assembler takes at least 4 ms. Sixteen
// kernels in one text therefore take less than half the time of sixteen texts.
#pragma once

#include <kiln/extension/llvm/assembler.h>

#include <string>
#include <string_view>
#include <vector>

namespace kiln {

struct MergedPtx {
  std::string text;
  /// For each input: names of its functions in `text`, with the entry and with functions shared by several
  /// inputs.
  std::vector<std::vector<std::string>> functions;
};

/// Returns true if a text can be merged: it has one kernel, in the form that LLVM writes. It must not define
/// names that host code looks up after loading. It must not have full debug information, whose sections refer
/// to code by its position.
bool can_merge_ptx(std::string_view text);

/// Joins the texts in their order, with the header of the first text. Definitions other than kernels get
/// unique names. Equal functions that call nothing are written once. Error: Internal for texts that
/// can_merge_ptx() refuses, that have different headers, or that define the same entry.
Result<MergedPtx> merge_ptx(std::span<const AssemblerInput> inputs);

} // namespace kiln
