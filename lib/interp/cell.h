// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Variables that closures share in the interpreter, and closures without them, for compiled code.
#pragma once

#include <types/types.h>

namespace kiln {

/// A variable that closures share. Its holder is a value of type Any: a slot, or a closure's field.
class CellObject final : public HostObject {
public:
  explicit CellObject(Value held) : value(std::move(held)) {}
  Value value; ///< empty: not assigned
};

inline CellObject *as_cell(const Value &value) { return dynamic_cast<CellObject *>(value.as_object()); }

/// True if values of the type may hold cells: a parameter of it is Any.
KILN_PROGRAMS_API bool may_hold_cells(TypeRef type);
/// True if values of the type hold a closure with captures.
KILN_PROGRAMS_API bool holds_closure(TypeContext &types, TypeRef type);
/// The value with the present value in place of each cell, also in closures, tuples and structs inside it.
/// It is `value` itself if there is no cell, or one that is not assigned or holds a closure over itself.
KILN_PROGRAMS_API Value without_cells(TypeContext &types, const Value &value);

} // namespace kiln
