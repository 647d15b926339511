// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Keys of objects assembled from one text, shared by files that look under several of them.
#pragma once

#include "compiler.h"

namespace kiln {

/// Key of the object by this assembler. `any`: as in AssembledKeys.
Fingerprint key_of_assembler(Fingerprint any, const std::string &assembler);
/// Key of the record that locates a kernel in a merged cubin. The record names its assembler. Like single
/// cubins, it serves machines with that assembler and machines without one.
Fingerprint member_key(const AssembledKeys &keys);

} // namespace kiln
