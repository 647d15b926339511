// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lattice.h"

namespace kiln {

Lattice Lattice::of_type(TypeContext &types, TypeRef type) {
  if (TypeRef parameter = types.type_parameter(type))
    return of_constant(types, Value::type_value(types, parameter));
  if (types.is_singleton(type)) return {type, types.singleton_value(type), {}};
  return {type, {}, {}};
}

Lattice Lattice::of_constant(TypeContext &types, Value value) {
  TypeRef type = value.type();
  return {type, std::move(value), {}};
}

TypeRef Lattice::dispatch_type(TypeContext &types) const {
  if (constant)
    if (TypeRef value = constant->as_type()) return types.type_of_type(value);
  return type;
}

Lattice Lattice::field(TypeContext &types, size_t index) const {
  if (poison) return poisoned(types);
  if (constant) {
    if (const auto *values = constant->fields(); values && index < values->size())
      return of_constant(types, (*values)[index]);
  }
  if (fields && index < fields->size()) return (*fields)[index];
  const DataType *data = type ? type->as<DataType>() : nullptr;
  if (!data || index >= types.field_types(data).size()) return bottom(types);
  return of_type(types, types.field_types(data)[index]);
}

bool Lattice::operator==(const Lattice &other) const {
  if (type != other.type || poison != other.poison || constant.has_value() != other.constant.has_value())
    return false;
  if (constant && !egal(*constant, *other.constant)) return false;
  if (fields == other.fields) return true;
  return fields && other.fields && *fields == *other.fields;
}

namespace {

// A joined type deeper than this is widened. Otherwise a loop that wraps its own value would not end.
constexpr int max_type_depth = 12;
constexpr size_t max_union_members = 4;

int type_depth(TypeRef type) {
  int depth = 0;
  if (const auto *data = type->as<DataType>()) {
    for (TypeRef parameter : data->params()) depth = std::max(depth, 1 + type_depth(parameter));
  } else if (const auto *members = type->as<UnionType>()) {
    for (TypeRef member : members->members()) depth = std::max(depth, type_depth(member));
  }
  return depth;
}

} // namespace

Lattice join(TypeContext &types, const Lattice &a, const Lattice &b) {
  if (!a.type || a.is_bottom()) return b.type ? b : a;
  if (!b.type || b.is_bottom()) return a;
  if (a.poison) // poison stands for the value of a fault: take the other operand
    return b;
  if (b.poison) return a;
  if (a == b) return a;
  if (a.type == b.type) {
    // Keep facts about fields that hold in both operands.
    const DataType *data = a.type->as<DataType>();
    bool has_fields = data && (data->is_tuple() || (a.fields || b.fields)) && types.is_concrete(a.type) &&
                      (a.knows_more_than_type() && b.knows_more_than_type());
    if (has_fields && !data->name().is_mutable) {
      size_t count = types.field_count(data);
      auto fields = std::make_shared<std::vector<Lattice>>();
      bool better = false;
      for (size_t i = 0; i < count; i++) {
        Lattice field = join(types, a.field(types, i), b.field(types, i));
        better |= field.knows_more_than_type() && !types.is_singleton(field.type);
        fields->push_back(std::move(field));
      }
      if (better) return {a.type, {}, std::move(fields)};
    }
    return Lattice::of_type(types, a.type);
  }
  // Two values that are types, `Type{A}` and `Type{B}`, are both of type DataType.
  TypeRef joined = types.union_of({a.type, b.type});
  if (const auto *members = joined->as<UnionType>(); members && members->members().size() > max_union_members)
    joined = types.builtins().Any;
  if (type_depth(joined) > max_type_depth) joined = types.builtins().Any;
  return Lattice::of_type(types, joined);
}

Lattice narrow(TypeContext &types, const Lattice &a, TypeRef to, bool negate) {
  if (!a.type || a.poison || a.is_bottom()) return a;
  if (a.constant) {
    bool is = is_subtype(types, types.type_of(*a.constant), to);
    return is != negate ? a : Lattice::bottom(types);
  }
  std::vector<TypeRef> kept;
  std::span<const TypeRef> members{&a.type, 1};
  if (const auto *alternatives = a.type->as<UnionType>()) members = alternatives->members();
  for (TypeRef member : members) {
    if (negate) {
      if (!is_subtype(types, member, to)) kept.push_back(member);
    } else if (is_subtype(types, member, to)) {
      kept.push_back(member);
    } else if (may_intersect(types, member, to)) {
      kept.push_back(types.is_concrete(member) ? member : intersect(types, member, to));
    }
  }
  if (kept.size() == 1 && kept[0] == a.type) return a;
  return Lattice::of_type(types, types.union_of(kept));
}

uint64_t hash(const Lattice &value) {
  uint64_t h = value.type ? value.type->hash() : 0;
  if (value.constant) h = h * 0x9e3779b97f4a7c15ull + value.constant->hash();
  if (value.fields)
    for (const Lattice &field : *value.fields) h = (h ^ (h >> 29)) * 0xbf58476d1ce4e5b9ull + hash(field);
  return h + (value.poison ? 1 : 0);
}

std::string to_string(const Lattice &value) {
  if (!value.type) return "?";
  if (value.poison) return "(fault)";
  if (value.constant)
    return value.constant->as_type() ? fmt::format("Type{{{}}}", to_string(*value.constant))
                                     : fmt::format("Const({})", to_string(*value.constant));
  return to_string(value.type);
}

} // namespace kiln
