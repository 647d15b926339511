// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compresses the statements of methods that are not in use. A Stmt with its operands takes about 120 bytes,
// and about 10 when packed. The bytes stay in memory, so that their format has no version.
#pragma once

#include <kiln/extension/language/internal/code.h>

namespace kiln {

/// Packs statements. Numbers are written as LEB128, source positions as differences from the previous
/// statement.
std::string pack(const std::vector<Stmt> &stmts);

/// Restores the statements that pack() wrote in this process.
std::vector<Stmt> unpack(std::string_view packed);

} // namespace kiln
