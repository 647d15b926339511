// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernel_view.h"

#include <world/world.h>

namespace kiln {

Result<Value> device_array_of(TypeContext &types, TypeRef type, TypeRef element,
                              std::span<const int64_t> dims, uint64_t address) {
  const Layout *layout = types.is_isbits(element) ? layout_of(types, element) : nullptr;
  if (!layout)
    return make_error(
        ErrorCode::KernelError,
        fmt::format("an array of {} cannot be passed to a kernel: its elements are not of a bits type",
                    spell(element)));
  TypeRef params[] = {element, types.constant(int64_t(dims.size())), types.constant(int64_t(1))};
  KILN_TRY(TypeRef made, types.apply(type, params));
  TypeRef pointer_params[] = {element, types.constant(int64_t(1))};
  TypeRef pointer = types.data(*types.builtins().LLVMPtrName, pointer_params);
  std::vector<Value> extents;
  int64_t length = 1;
  for (int64_t d : dims) {
    extents.push_back(types.int64(d));
    length *= d;
  }
  TypeRef tuple = types.tuple(std::vector<TypeRef>(dims.size(), types.builtins().Int64));
  Value size = dims.empty() ? Value::singleton(tuple) : Value::structure(tuple, std::move(extents));
  return Value::structure(made, {Value::primitive(pointer, {address, 0}),
                                 types.int64(length * int64_t(layout->size)), std::move(size),
                                 types.int64(length)});
}

Result<std::optional<Value>> with_fields(TypeContext &types, const DataType &type,
                                         std::vector<Value> fields) {
  std::vector<TypeRef> field_types;
  for (const Value &field : fields)
    field_types.push_back(type.is_tuple() || type.is_named_tuple() ? field.type() : types.type_of(field));
  if (type.is_tuple()) return std::optional(Value::structure(types.tuple(field_types), std::move(fields)));
  if (type.is_named_tuple())
    return std::optional(
        Value::structure(types.named_tuple(types.field_names(&type), field_types), std::move(fields)));
  const TypeName &name = type.name();
  if (!name.wrapper || name.is_mutable) return std::optional<Value>();
  // Change type parameters with the fields: Broadcasted{F, Tuple{Array, Int}} becomes Broadcasted{F,
  // Tuple{CuDeviceArray, Int}}.
  std::vector<TypeRef> params(type.params().begin(), type.params().end());
  for (size_t v = 0; v < name.params.size() && v < params.size(); v++)
    for (size_t i = 0; i < name.field_types.size() && i < field_types.size(); i++)
      if (name.field_types[i] == name.params[v]) params[v] = field_types[i];
  auto made = types.apply(name.wrapper, params);
  const DataType *data = made.ok() ? (*made)->as<DataType>() : nullptr;
  if (!data || !types.is_concrete(data)) return std::optional<Value>();
  auto wanted = types.field_types(data);
  for (size_t i = 0; i < wanted.size(); i++)
    if (i >= field_types.size() || !is_subtype(types, field_types[i], wanted[i]))
      return std::optional<Value>();
  return std::optional(Value::structure(*made, std::move(fields)));
}

Result<Value> kernel_view(World &world, const Value &value, ViewPolicy *policy) {
  TypeContext &types = world.types();
  if (policy) {
    KILN_TRY(Value known, policy->view(value));
    if (known) return known;
  }
  if (const HostArray *array = value.as_array()) {
    KILN_TRY(auto type, world.lookup(*world.main(), types.symbol("CuDeviceArray"), world.age()));
    if (!type || !type->as_type()) return internal_error("module CUDA has no type CuDeviceArray");
    return device_array_of(types, type->as_type(), array->element, array->dims,
                           uint64_t(reinterpret_cast<uintptr_t>(array->bytes.data())));
  }
  const auto *fields = value.fields();
  const DataType *data = value.type() ? value.type()->as<DataType>() : nullptr;
  if (!fields || !data) return value;
  std::vector<Value> seen;
  bool is_changed = false;
  for (const Value &field : *fields) {
    KILN_TRY(Value inner, kernel_view(world, field, policy));
    is_changed |= inner.type() != field.type();
    seen.push_back(std::move(inner));
  }
  if (!is_changed) return value;
  KILN_TRY(std::optional<Value> made, with_fields(types, *data, std::move(seen)));
  if (made) return std::move(*made);
  if (policy) return value;
  return make_error(ErrorCode::KernelError,
                    fmt::format("a value of type {} holds a host array and cannot be passed to a kernel",
                                spell(value.type())),
                    {}, "make the array's type a parameter of the struct: struct S{A}; items::A; end");
}

} // namespace kiln
