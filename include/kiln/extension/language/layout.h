// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory layout of isbits types, the same as in Julia and C: fields in order, each at its alignment (integers
// of 128 bits at 16), size rounded up to the alignment. Bool is one byte.
#pragma once

#include <kiln/extension/language/type_context.h>

namespace kiln {

/// Layout of an isbits type, in bytes. `offsets` has one entry for each field.
struct Layout {
  uint64_t size = 0;
  uint32_t align = 1;
  std::vector<uint64_t> offsets;
};

/// Returns the layout of an isbits type, which is cached in the type; null for another type.
KILN_API const Layout *layout_of(TypeContext &types, TypeRef type);

/// Returns T for a tuple of VecElement{T} with primitive T, which has the alignment of hardware vectors; else
/// null.
KILN_API TypeRef vector_element(TypeContext &types, const DataType *type);

/// Path to a field that is not isbits: the field names from the outer type ("a.b.c" as separate entries), and
/// the field's type.
struct FieldPath {
  std::vector<std::string> names;
  TypeRef type = nullptr;
};
KILN_API std::vector<FieldPath> non_isbits_fields(TypeContext &types, TypeRef type);

} // namespace kiln
