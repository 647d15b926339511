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
  if (const auto *either = type ? type->as<UnionType>() : nullptr)
    return std::ranges::any_of(either->members(),
                               [&](TypeRef member) { return holds_closure(types, member); });
  const DataType *data = type ? type->as<DataType>() : nullptr;
  if (!data) return false;
  if (data->name().super == types.builtins().Function && !data->params().empty()) return true;
  return std::ranges::any_of(data->params(), [&](TypeRef inner) { return holds_closure(types, inner); });
}

namespace {

class Remover {
public:
  explicit Remover(TypeContext &types) : types_(types) {}

  /// Returns `value` without cells. Empty: a cell is unassigned, or contains a closure over itself.
  Value plain(const Value &value) {
    if (const CellObject *cell = as_cell(value)) {
      if (!cell->value || std::ranges::find(within_, cell) != within_.end()) return Value();
      within_.push_back(cell);
      Value held = plain(cell->value);
      within_.pop_back();
      return held;
    }
    const std::vector<Value> *fields = value.fields();
    const DataType *type = value.type() ? value.type()->as<DataType>() : nullptr;
    if (!fields || !type || !may_hold_cells(type)) return value;
    std::vector<Value> made;
    std::vector<TypeRef> made_types;
    bool changed = false;
    for (const Value &field : *fields) {
      made.push_back(plain(field));
      if (!made.back()) return Value();
      made_types.push_back(types_.type_of(made.back()));
      changed |= made_types.back() != types_.type_of(field);
    }
    return changed ? rebuilt(*type, std::move(made), made_types) : value;
  }

private:
  Value rebuilt(const DataType &type, std::vector<Value> fields, std::span<const TypeRef> field_types) {
    if (type.is_tuple()) return Value::structure(types_.tuple(field_types), std::move(fields));
    if (type.is_named_tuple())
      return Value::structure(types_.named_tuple(types_.field_names(&type), field_types), std::move(fields));
    // A type parameter that is the type of a field changes with the field's value.
    const TypeName &name = type.name();
    std::vector<TypeRef> params(type.params().begin(), type.params().end());
    for (size_t v = 0; v < name.params.size() && v < params.size(); ++v)
      for (size_t i = 0; i < name.field_types.size() && i < fields.size(); ++i)
        if (name.field_types[i] == name.params[v]) params[v] = field_types[i];
    auto made = types_.apply(name.wrapper, params);
    const DataType *data = made.ok() ? (*made)->as<DataType>() : nullptr;
    if (!data || !types_.is_concrete(data)) return Value();
    if (!std::ranges::equal(types_.field_types(data), field_types)) return Value();
    if (types_.is_singleton(data)) return types_.singleton_value(data);
    return Value::structure(data, std::move(fields));
  }

  TypeContext &types_;
  std::vector<const CellObject *> within_; ///< enclosing cells
};

} // namespace

Value without_cells(TypeContext &types, const Value &value) {
  Value plain = Remover(types).plain(value);
  return plain ? plain : value;
}

} // namespace kiln
