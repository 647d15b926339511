// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Statements in a few bytes each, for methods that are defined but not in use: some 10 bytes where a Stmt and
// its operands take 120. In memory only; the bytes have no version.
#pragma once

#include <kiln/extension/language/internal/code.h>

namespace kiln {

/// Numbers as LEB128, positions as differences from the statement before.
std::string pack(const std::vector<Stmt> &stmts);

/// Exactly what was packed. `packed` must come from pack() of this process.
std::vector<Stmt> unpack(std::string_view packed);

} // namespace kiln
