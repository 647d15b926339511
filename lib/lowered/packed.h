// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Packed statements of methods that are not in use: about 10 bytes for a Stmt with operands of 120 bytes. In
// memory only; the format has no version.
#pragma once

#include <kiln/extension/language/internal/code.h>

namespace kiln {

/// Numbers as LEB128, positions as differences from the previous statement.
std::string pack(const std::vector<Stmt> &stmts);

/// Inverse of pack(), by the same process.
std::vector<Stmt> unpack(std::string_view packed);

} // namespace kiln
