// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Keys of assembled objects: functions that several source files share.
#pragma once

#include "compiler.h"

namespace kiln {

/// Key of the object that the named assembler makes. `any`: AssembledKeys::any, the object's key without an
/// assembler.
Fingerprint key_of_assembler(Fingerprint any, const std::string &assembler);
/// Key of the record that names the merged cubin of a kernel, and its assembler. The key itself contains no
/// assembler, so that machines without one find the record too.
Fingerprint member_key(const AssembledKeys &keys);

} // namespace kiln
