// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The keys of what is assembled from one text, for the files that look under several of them.
#pragma once

#include "compiler.h"

namespace kiln {

/// What an assembler of this identity makes. `any`: AssembledKeys'.
Fingerprint key_of_assembler(Fingerprint any, const std::string &assembler);
/// Where the record of a kernel in a merged cubin lies. It names its assembler, so that one record serves
/// machines with that one and, as with single cubins, those that have none.
Fingerprint member_key(const AssembledKeys &keys);

} // namespace kiln
