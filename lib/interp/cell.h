// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Variables that closures share in the interpreter (cells), and their removal for compiled code.
#pragma once

#include <types/types.h>

namespace kiln {

/// A variable that closures share (Julia's Core.Box). The slot or closure field that holds the cell has type
/// Any.
class CellObject final : public HostObject {
public:
  explicit CellObject(Value held) : value(std::move(held)) {}
  Value value; ///< empty: unassigned
};

inline CellObject *as_cell(const Value &value) { return dynamic_cast<CellObject *>(value.as_object()); }

/// True if values of the type may hold cells, because a parameter of the type is Any.
KILN_PROGRAMS_API bool may_hold_cells(TypeRef type);
/// True if values of the type are or contain a closure with captures.
KILN_PROGRAMS_API bool holds_closure(TypeContext &types, TypeRef type);
/// Returns `value` with each cell replaced by the value in it, also in nested closures, tuples and structs.
/// Returns `value` itself if it has no cells. A cell that is unassigned, or contains a closure over itself,
/// also leaves it unchanged.
KILN_PROGRAMS_API Value without_cells(TypeContext &types, const Value &value);

} // namespace kiln
