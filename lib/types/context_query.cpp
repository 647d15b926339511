// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Queries about types: supertypes, fields, concreteness, singletons; literal values.
#include "context_state.h"

#include <algorithm>
#include <bit>

namespace kiln {

bool TypeContext::owns(TypeRef type) const {
  if (!type) return false;
  auto own_all = [this](std::span<const TypeRef> types) {
    return std::ranges::all_of(types, [this](TypeRef each) { return owns(each); });
  };
  switch (type->kind()) {
  case TypeKind::Data: {
    const auto *data = type->as<DataType>();
    return data->name().context == this && own_all(data->params());
  }
  case TypeKind::Union: return own_all(type->as<UnionType>()->members());
  case TypeKind::UnionAll: return owns(type->as<UnionAllType>()->body());
  case TypeKind::Vararg: return owns(type->as<VarargType>()->element());
  case TypeKind::Const: return owns(type->as<ConstType>()->value().type());
  default: return true;
  }
}

TypeRef TypeContext::super(const DataType *type) {
  if (!type) return nullptr;
  if (TypeRef known = type->super_.load(std::memory_order_acquire)) return known;
  const TypeName &name = type->name();
  TypeRef result = name.super ? name.super : builtins_.Any;
  if (!name.is_tuple && name.params.size() == type->params().size())
    result = substitute(result, name.params, type->params());
  type->super_.store(result, std::memory_order_release);
  return result;
}

std::span<const TypeRef> TypeContext::field_types(const DataType *type) {
  if (!type) return {};
  if (type->is_tuple()) return type->params();
  const TypeName &name = type->name();
  if (!name.is_named_tuple && name.field_types.empty()) return {};
  if (const auto *known = type->fields_.load(std::memory_order_acquire)) return *known;
  auto made = std::make_unique<std::vector<TypeRef>>();
  if (name.is_named_tuple) {
    if (const auto *tuple = type->params().size() == 2 ? type->params()[1]->as<DataType>() : nullptr;
        tuple && tuple->is_tuple())
      made->assign(tuple->params().begin(), tuple->params().end());
  } else {
    for (TypeRef field : name.field_types) made->push_back(substitute(field, name.params, type->params()));
  }
  std::lock_guard lock(state_->owned_mutex);
  const std::vector<TypeRef> *expected = nullptr;
  if (type->fields_.compare_exchange_strong(expected, made.get(), std::memory_order_acq_rel)) {
    state_->field_lists.push_back(std::move(made));
    return *state_->field_lists.back();
  }
  return *expected;
}

std::span<const Symbol> TypeContext::field_names(const DataType *type) {
  if (!type || type->is_tuple()) return {};
  if (!type->is_named_tuple()) return type->name().field_names;
  std::lock_guard lock(state_->owned_mutex);
  auto [it, fresh] = state_->named_tuple_names.try_emplace(type, nullptr);
  if (fresh) {
    auto names = std::make_unique<std::vector<Symbol>>();
    if (const auto *constant = type->params()[0]->as<ConstType>())
      if (const auto *fields = constant->value().fields())
        for (const Value &field : *fields) names->push_back(field.as_symbol());
    it->second = names.get();
    state_->symbol_lists.push_back(std::move(names));
  }
  return *it->second;
}

int TypeContext::field_index(const DataType *type, Symbol name) {
  auto names = field_names(type);
  for (size_t i = 0; i < names.size(); i++)
    if (names[i] == name) return int(i);
  return -1;
}

bool TypeContext::is_concrete(TypeRef type) {
  const auto *data = type ? type->as<DataType>() : nullptr;
  if (!data || data->has_free_vars() || data->is_abstract() || data->name().is_type) return false;
  if (data->is_tuple()) {
    for (TypeRef p : data->params())
      if (!is_concrete(p)) return false;
    return true;
  }
  if (data->is_named_tuple())
    return data->params().size() == 2 && data->params()[0]->is<ConstType>() && is_concrete(data->params()[1]);
  return true;
}

TypeRef TypeContext::type_parameter(TypeRef type) {
  const auto *data = type ? type->as<DataType>() : nullptr;
  return data && data->name().is_type && !data->has_free_vars() && !data->params().empty() ? data->params()[0]
                                                                                           : nullptr;
}

bool TypeContext::is_dispatch_element(TypeRef type) {
  if (is_concrete(type)) {
    // For values that are types, DataType, UnionAll and Union do not state which type the value is.
    return type != builtins_.DataType && type != builtins_.UnionAll && type != builtins_.Union;
  }
  return type_parameter(type) != nullptr;
}

bool TypeContext::is_dispatch_tuple(TypeRef type) {
  const auto *data = type ? type->as<DataType>() : nullptr;
  if (!data || !data->is_tuple()) return false;
  for (TypeRef p : data->params())
    if (!is_dispatch_element(p)) return false;
  return true;
}

// Limit of nesting. A struct that contains itself, or that needs a new type of its own kind at each level,
// has no finite size.
static constexpr int max_nesting = 500;

static bool has_one_value(TypeContext &types, TypeRef type, int depth) {
  if (types.type_parameter(type)) return true;
  if (!types.is_concrete(type)) return false;
  const auto *data = type->as<DataType>();
  if (data->name().is_mutable || data->is_primitive() || depth == max_nesting) return false;
  for (TypeRef field : types.field_types(data))
    if (!has_one_value(types, field, depth + 1)) return false;
  return true;
}

bool TypeContext::is_singleton(TypeRef type) { return has_one_value(*this, type, 0); }

Value TypeContext::singleton_value(TypeRef type) {
  if (TypeRef parameter = type_parameter(type)) return Value::type_value(*this, parameter);
  if (!is_singleton(type)) return {};
  const auto *data = type->as<DataType>();
  auto types = field_types(data);
  if (types.empty()) return Value::singleton(type);
  std::vector<Value> fields;
  for (TypeRef field : types) fields.push_back(singleton_value(field));
  return Value::structure(type, std::move(fields));
}

static bool has_only_bits(TypeContext &types, TypeRef type, int depth) {
  if (types.type_parameter(type)) return true; // a field of type Type{T} takes no space in a struct
  if (!types.is_concrete(type)) return false;
  const auto *data = type->as<DataType>();
  if (data->is_primitive()) return true;
  if (data->name().is_mutable || depth == max_nesting) return false;
  for (TypeRef field : types.field_types(data))
    if (!has_only_bits(types, field, depth + 1)) return false;
  return true;
}

bool TypeContext::is_isbits(TypeRef type) { return has_only_bits(*this, type, 0); }

TypeRef TypeContext::type_of(const Value &value) {
  if (TypeRef type = value.as_type()) return type_of_type(type);
  return value.type();
}

const UnionAllType *TypeContext::unwrap_all(TypeRef type, std::vector<const TypeVar *> &vars, TypeRef &body) {
  const auto *first = type ? type->as<UnionAllType>() : nullptr;
  while (const auto *all = type ? type->as<UnionAllType>() : nullptr) {
    vars.push_back(all->var());
    type = all->body();
  }
  body = type;
  return first;
}

const Layout *TypeContext::cached_layout(const DataType *type,
                                         const Layout *(*make)(TypeContext &, const DataType *)) {
  if (!type || !make) return nullptr;
  if (const Layout *known = type->layout_.load(std::memory_order_acquire)) return known;
  std::unique_ptr<const Layout> made(make(*this, type));
  if (!made) return nullptr;
  std::lock_guard lock(state_->owned_mutex);
  const Layout *expected = nullptr;
  if (type->layout_.compare_exchange_strong(expected, made.get(), std::memory_order_acq_rel)) {
    state_->layouts.push_back(std::move(made));
    return state_->layouts.back().get();
  }
  return expected;
}

Value TypeContext::nothing() const { return Value::singleton(builtins_.Nothing); }
Value TypeContext::boolean(bool value) const {
  return Value::primitive(builtins_.Bool, {value ? 1u : 0u, 0});
}
Value TypeContext::int64(int64_t value) const {
  return Value::primitive(builtins_.Int64, {uint64_t(value), 0});
}
Value TypeContext::int32(int32_t value) const {
  return Value::primitive(builtins_.Int32, {uint32_t(value), 0});
}
Value TypeContext::float64(double value) const {
  return Value::primitive(builtins_.Float64, {std::bit_cast<uint64_t>(value), 0});
}
Value TypeContext::float32(float value) const {
  return Value::primitive(builtins_.Float32, {std::bit_cast<uint32_t>(value), 0});
}

bool TypeContext::is_signed(TypeRef t) const {
  const Builtins &b = builtins_;
  return t == b.Int64 || t == b.Int32 || t == b.Int8 || t == b.Int16 || t == b.Int128;
}
bool TypeContext::is_integer(TypeRef t) const {
  const Builtins &b = builtins_;
  return is_signed(t) || t == b.Bool || t == b.UInt8 || t == b.UInt16 || t == b.UInt32 || t == b.UInt64 ||
         t == b.UInt128;
}
bool TypeContext::is_float(TypeRef t) const {
  const Builtins &b = builtins_;
  return t == b.Float32 || t == b.Float64 || t == b.Float16 || t == b.BFloat16;
}

std::vector<std::pair<Symbol, TypeRef>> TypeContext::builtin_bindings() const { return state_->bindings; }

} // namespace kiln
