// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "arguments.h"

#include <kiln/session.h>

#include <cstring>

namespace kiln {

namespace {

// A parameter that is a field's type follows the field: Broadcasted{F, Tuple{Array, Int}} becomes
// Broadcasted{F, Tuple{CuDeviceArray, Int}}.
Result<Value> adapted_struct(TypeContext &types, const DataType &from, std::vector<Value> fields,
                             std::span<const TypeRef> field_types) {
  const TypeName &name = from.name();
  auto refused = [&] {
    return input_error("KernelError",
                       fmt::format("a value of type {} holds a host array and cannot be passed to a kernel",
                                   to_string(&from)),
                       {}, "make the array's type a parameter of the struct: struct S{A}; items::A; end");
  };
  if (!name.wrapper || name.is_mutable) return refused();
  std::vector<TypeRef> params(from.params().begin(), from.params().end());
  for (size_t v = 0; v < name.params.size() && v < params.size(); v++)
    for (size_t i = 0; i < name.field_types.size() && i < field_types.size(); i++)
      if (name.field_types[i] == name.params[v]) params[v] = field_types[i];
  KILN_TRY(TypeRef made, types.apply(name.wrapper, params));
  const DataType *data = made->as<DataType>();
  if (!data || !types.is_concrete(data)) return refused();
  auto wanted = types.field_types(data);
  for (size_t i = 0; i < wanted.size(); i++)
    if (i >= field_types.size() || !is_subtype(types, field_types[i], wanted[i])) return refused();
  return Value::structure(made, std::move(fields));
}

} // namespace

Result<Value> adapt(World &world, const Value &value) {
  TypeContext &types = world.types();
  if (const HostArray *array = value.as_array()) {
    if (!types.is_isbits(array->element))
      return input_error(
          "KernelError",
          fmt::format("an array of {} cannot be passed to a kernel: its elements are not of a bits type",
                      to_string(array->element)));
    KILN_TRY(auto type, world.lookup(*world.main(), types.symbol("CuDeviceArray"), world.age()));
    if (!type || !type->as_type()) return internal_error("module CUDA has no type CuDeviceArray");
    int64_t rank = int64_t(array->dims.size());
    TypeRef params[] = {array->element, types.constant(rank), types.constant(int64_t(1))};
    KILN_TRY(TypeRef device_array, types.apply(type->as_type(), params));
    TypeRef pointer_params[] = {array->element, types.constant(int64_t(1))};
    TypeRef pointer = types.data(*types.builtins().LLVMPtrName, pointer_params);
    std::vector<Value> dims;
    std::vector<TypeRef> dim_types(size_t(rank), types.builtins().Int64);
    for (int64_t d : array->dims) dims.push_back(types.int64(d));
    TypeRef tuple = types.tuple(dim_types);
    return Value::structure(
        device_array,
        {Value::primitive(pointer, {uint64_t(reinterpret_cast<uintptr_t>(array->bytes.data())), 0}),
         types.int64(int64_t(array->bytes.size())),
         rank ? Value::structure(tuple, std::move(dims)) : Value::singleton(tuple),
         types.int64(array->length())});
  }
  const auto *fields = value.fields();
  const DataType *data = value.type() ? value.type()->as<DataType>() : nullptr;
  if (!fields || !data) return value;
  // Arrays inside tuples and structs: the type changes with them.
  std::vector<Value> adapted;
  std::vector<TypeRef> field_types;
  bool changed = false;
  for (const Value &field : *fields) {
    KILN_TRY(Value inner, adapt(world, field));
    changed |= inner.type() != field.type();
    field_types.push_back(inner.type());
    adapted.push_back(std::move(inner));
  }
  if (!changed) return value;
  if (data->is_tuple()) return Value::structure(types.tuple(field_types), std::move(adapted));
  if (data->is_named_tuple()) {
    auto names = types.field_names(data);
    return Value::structure(types.named_tuple(names, field_types), std::move(adapted));
  }
  return adapted_struct(types, *data, std::move(adapted), field_types);
}

} // namespace kiln
