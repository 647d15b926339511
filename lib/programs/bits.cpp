// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bits of elements as values of other types, for arrays that `reinterpret` made. Compiled code has Julia
// methods of these names (runtime/library/program/reinterpret_array.jl).
#include "library.h"

namespace kiln {

namespace {

/// True if `count` bytes at offset `skip` are within `size` bytes.
bool is_within(const Value &skip, size_t count, size_t size) {
  const auto first = int64_t(skip.low_bits());
  return first >= 0 && uint64_t(first) <= size && count <= size - uint64_t(first);
}

} // namespace

void add_bits(Library &l) {
  TypeContext &types = l.types;
  // __bits_at(T, items, skip): the value of T at byte `skip` of an array or a tuple of bits
  l.add("__bits_at", 3, [&types](Interpreter &, Args a) -> Result<Value> {
    const TypeRef type = a[0].as_type();
    const Layout *layout = type ? layout_of(types, type) : nullptr;
    if (!layout) return Value();
    if (const HostArray *array = a[1].as_array()) {
      if (!is_within(a[2], layout->size, array->bytes.size())) return Value();
      return from_bytes(types, type, array->bytes.data() + a[2].low_bits());
    }
    KILN_TRY(const std::vector<std::byte> bytes, to_bytes(types, a[1]));
    if (!is_within(a[2], layout->size, bytes.size())) return Value();
    return from_bytes(types, type, bytes.data() + a[2].low_bits());
  });
  // __with_bits(items, x, skip): the tuple `items` with the bits of x at byte `skip`
  l.add("__with_bits", 3, [&types](Interpreter &, Args a) -> Result<Value> {
    KILN_TRY(std::vector<std::byte> bytes, to_bytes(types, a[0]));
    KILN_TRY(const std::vector<std::byte> part, to_bytes(types, a[1]));
    if (!is_within(a[2], part.size(), bytes.size())) return Value();
    std::ranges::copy(part, bytes.begin() + ptrdiff_t(a[2].low_bits()));
    return from_bytes(types, types.type_of(a[0]), bytes.data());
  });
  // __set_bits!(A, x, skip): stores the bits of x at byte `skip` of an array of bits
  l.add("__set_bits!", 3, [&l, &types](Interpreter &, Args a) -> Result<Value> {
    HostArray *array = a[0].as_array();
    if (!array) return Value();
    KILN_TRY(const std::vector<std::byte> part, to_bytes(types, a[1]));
    if (!is_within(a[2], part.size(), array->bytes.size())) return Value();
    std::ranges::copy(part, array->bytes.data() + a[2].low_bits());
    return l.nothing();
  });
}

} // namespace kiln
