// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cell.h"

#include <algorithm>

namespace kiln {

bool may_hold_cells(TypeRef type) {
  const DataType *data = type ? type->as<DataType>() : nullptr;
  return data && !data->name().is_type && std::ranges::any_of(data->params(), [](TypeRef parameter) {
           const DataType *inner = parameter->as<DataType>();
           return (inner && !inner->name().super) || may_hold_cells(parameter);
         });
}

bool holds_closure(TypeContext &types, TypeRef type) {
  const DataType *data = type ? type->as<DataType>() : nullptr;
  if (!data) return false;
  if (data->name().super == types.builtins().Function && !data->params().empty()) return true;
  return std::ranges::any_of(data->params(), [&](TypeRef inner) { return holds_closure(types, inner); });
}

Value without_cells(TypeContext &types, const Value &value) {
  if (const CellObject *cell = as_cell(value)) return cell->value ? without_cells(types, cell->value) : value;
  const std::vector<Value> *fields = value.fields();
  const DataType *type = value.type() ? value.type()->as<DataType>() : nullptr;
  if (!fields || !type || !may_hold_cells(type)) return value;
  std::vector<Value> plain;
  std::vector<TypeRef> plain_types;
  bool changed = false;
  for (const Value &field : *fields) {
    plain.push_back(without_cells(types, field));
    plain_types.push_back(types.type_of(plain.back()));
    changed |= plain_types.back() != types.type_of(field);
  }
  if (!changed) return value;
  if (type->is_tuple()) return Value::structure(types.tuple(plain_types), std::move(plain));
  if (type->is_named_tuple())
    return Value::structure(types.named_tuple(types.field_names(type), plain_types), std::move(plain));
  // A parameter that is a field's type follows the field.
  const TypeName &name = type->name();
  std::vector<TypeRef> params(type->params().begin(), type->params().end());
  for (size_t v = 0; v < name.params.size() && v < params.size(); ++v)
    for (size_t i = 0; i < name.field_types.size() && i < plain.size(); ++i)
      if (name.field_types[i] == name.params[v]) params[v] = plain_types[i];
  auto made = types.apply(name.wrapper, params);
  const DataType *data = made.ok() ? (*made)->as<DataType>() : nullptr;
  if (!data || !types.is_concrete(data)) return value;
  const auto wanted = types.field_types(data);
  for (size_t i = 0; i < wanted.size(); ++i)
    if (wanted[i] != plain_types[i]) return value;
  if (types.is_singleton(data)) return types.singleton_value(data);
  return Value::structure(data, std::move(plain));
}

} // namespace kiln
