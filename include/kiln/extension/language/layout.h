// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory layout of isbits types, as Julia and C lay them out: fields in order, each at its alignment
// (integers of 128 bits at 16), size rounded up to the alignment. Bool is one byte.
#pragma once

#include <kiln/extension/language/type_context.h>

namespace kiln {

/// Bytes throughout. Offsets has one entry a field.
struct Layout {
  uint64_t size = 0;
  uint32_t align = 1;
  std::vector<uint64_t> offsets;
};

/// The layout of an isbits type, cached in the type; null if the type is not isbits.
KILN_API const Layout *layout_of(TypeContext &types, TypeRef type);

/// T, if the type is a tuple of VecElement{T} with a primitive T, which is aligned like the hardware's
/// vectors; else null.
KILN_API TypeRef vector_element(TypeContext &types, const DataType *type);

/// Where the first part that is not isbits lies: a path of field names from `type` ("a.b.c" as separate
/// entries) and its type; empty if `type` is isbits.
struct FieldPath {
  std::vector<std::string> names;
  TypeRef type = nullptr;
};
KILN_API std::vector<FieldPath> non_isbits_fields(TypeContext &types, TypeRef type);

} // namespace kiln
