// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shared variables of closures in the interpreter, and their removal for compiled code.
#pragma once

#include <types/types.h>

namespace kiln {

/// A variable shared by closures. Its holder, a slot or a closure's field, has type Any.
class CellObject final : public HostObject {
public:
  explicit CellObject(Value held) : value(std::move(held)) {}
  Value value; ///< empty: unassigned
};

inline CellObject *as_cell(const Value &value) { return dynamic_cast<CellObject *>(value.as_object()); }

/// True if values of the type may hold cells: a parameter of it is Any.
KILN_PROGRAMS_API bool may_hold_cells(TypeRef type);
/// True if values of the type hold a closure with captures.
KILN_PROGRAMS_API bool holds_closure(TypeContext &types, TypeRef type);
/// Replaces each cell by its present value, also in nested closures, tuples and structs. Returns `value`
/// unchanged if it has no cells, or a cell that is unassigned or contains a closure over itself.
KILN_PROGRAMS_API Value without_cells(TypeContext &types, const Value &value);

} // namespace kiln
