// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Maps types of the language to C's calling convention (kiln/host_function.h lists them).
#pragma once

#include <host/host.h>
#include <types/types.h>

#include <algorithm>
#include <optional>

namespace kiln {

#if defined(__aarch64__)
/// Returns true if all members are Float64, nested ones included. Up to four of these are what the AAPCS64
/// calls a homogeneous floating-point aggregate.
inline bool holds_only_floats(TypeContext &types, TypeRef type) {
  if (type == types.builtins().Float64) return true;
  const auto *data = type->as<DataType>();
  if (!data || data->is_primitive()) return false;
  const std::span<const TypeRef> members = types.field_types(data);
  return std::ranges::all_of(members, [&](TypeRef member) { return holds_only_floats(types, member); });
}
#endif

/// Returns the form in which C passes a structure of more than 16 bytes.
inline CValue::Class structure_class(TypeContext &types, TypeRef type, uint64_t size) {
#if defined(__aarch64__)
  constexpr uint64_t max_floats = 4;
  const bool has_floats = size <= max_floats * sizeof(double) && holds_only_floats(types, type);
  return has_floats ? CValue::Class::Floats : CValue::Class::Reference;
#else
  return CValue::Class::Memory;
#endif
}

/// Returns the form in which C passes an argument of this type. No value if C passes it in a way that Kiln
/// does not support.
inline std::optional<CValue> c_value(TypeContext &types, TypeRef type) {
  constexpr uint64_t max_in_registers = 16, word = 8;
  const Layout *layout = layout_of(types, type);
  const auto *data = type->as<DataType>();
  if (!layout || !data || layout->size == 0) return std::nullopt;
  CValue value{.size = uint32_t(layout->size), .align = layout->align};
  if (!data->is_primitive()) {
    if (layout->size <= max_in_registers) return std::nullopt;
    value.kind = structure_class(types, type, layout->size);
    return value;
  }
  if (layout->size > word) return std::nullopt;
  value.kind = types.is_float(type)    ? CValue::Class::Float
               : types.is_signed(type) ? CValue::Class::Signed
                                       : CValue::Class::Unsigned;
  return value;
}

/// Returns true for result types that are empty or fit a register.
inline bool is_c_result(TypeContext &types, TypeRef type) {
  if (const Layout *layout = layout_of(types, type); layout && layout->size == 0) return true;
  const std::optional<CValue> value = c_value(types, type);
  return value && value->size <= sizeof(uint64_t); // a larger one is a structure
}

} // namespace kiln
