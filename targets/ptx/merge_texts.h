// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// PTX texts of several kernels as one. An assembler takes 4 ms a call whatever it is given, so sixteen
// kernels in one text take less than half the time of sixteen texts.
#pragma once

#include <kiln/extension/llvm/assembler.h>

#include <string>
#include <string_view>
#include <vector>

namespace kiln {

struct MergedPtx {
  std::string text;
  /// Of each input, the names in `text` of the functions that are its own or that it shares, entry included.
  std::vector<std::vector<std::string>> functions;
};

/// Is it a text as LLVM writes it, of one kernel, in which nothing has a name that somebody asks the loaded
/// code for, and without full debug information, whose sections name the code by its place?
bool can_merge_ptx(std::string_view text);

/// The texts in their order, under the first one's header. What each defines beside its kernel gets a name of
/// its own; functions that are equal and call nothing are there once. Error: Internal, for texts that
/// can_merge_ptx() refuses, that have other headers, or two of which have an entry of one name.
Result<MergedPtx> merge_ptx(std::span<const AssemblerInput> inputs);

} // namespace kiln
