// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Maps types of the language to C's calling convention (kiln/host_function.h lists them).
#pragma once

#include <host/host.h>
#include <types/types.h>

#include <optional>

namespace kiln {

/// Returns the form in which C passes an argument of this type. No value if C passes it in a way that Kiln
/// does not support.
inline std::optional<CValue> c_value(TypeContext &types, TypeRef type) {
  constexpr uint64_t max_in_registers = 16, word = 8;
  const Layout *layout = layout_of(types, type);
  const auto *data = type->as<DataType>();
  if (!layout || !data || layout->size == 0) return std::nullopt;
  CValue value{.kind = CValue::Class::Memory, .size = uint32_t(layout->size), .align = layout->align};
  if (!data->is_primitive()) return layout->size > max_in_registers ? std::optional(value) : std::nullopt;
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
  return value && value->kind != CValue::Class::Memory;
}

} // namespace kiln
