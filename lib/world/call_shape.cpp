// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dispatch.h"

#include <kiln/extension/language/internal/call_shape.h>

namespace kiln {

namespace {

/// Parameters after this one are not looked at.
constexpr uint32_t max_parameter = 4;

/// Adds the heads of a parameter's type. Returns false if values of any name may have the type.
bool add_heads(TypeContext &types, TypeRef type, uint32_t parameter, std::vector<CallShape::Head> &heads) {
  type = without_where(type);
  if (const auto *var = type->as<TypeVar>()) return add_heads(types, var->upper(), parameter, heads);
  if (const auto *either = type->as<UnionType>())
    return std::ranges::all_of(either->members(),
                               [&](TypeRef member) { return add_heads(types, member, parameter, heads); });
  const auto *data = type->as<DataType>();
  if (!data || data == types.builtins().Any->as<DataType>()) return false;
  const std::string_view name = data->name().name.text();
  if (name == "DataType" || name == "UnionAll" || name == "Union" || name == "TypeofBottom")
    return false; // values of these types are types, whose own type in a call is a Type{X}
  CallShape::Head head{parameter, data->name().name, {}};
  if (!data->name().is_type || data->params().empty()) {
    heads.push_back(head);
    return true;
  }
  std::vector<CallShape::Head> inner;
  if (!add_heads(types, data->params()[0], parameter, inner) ||
      std::ranges::any_of(inner, [](const CallShape::Head &each) { return bool(each.inner); })) {
    heads.push_back(head);
    return true;
  }
  for (const CallShape::Head &each : inner) heads.push_back({parameter, head.name, each.name});
  return true;
}

/// True if the type or one of its supertypes has this name, or if that cannot be told.
bool has_name(TypeRef type, Symbol name) {
  type = without_where(type);
  const auto *data = type->as<DataType>();
  if (!data) return true;
  for (const TypeName *each = &data->name();;) {
    if (each->name == name) return true;
    const TypeRef super = each->super ? without_where(each->super) : nullptr;
    if (!super || !super->is<DataType>() || &super->as<DataType>()->name() == each) return false;
    each = &super->as<DataType>()->name();
  }
}

/// False if values of types that do not exist yet may have this type: it is abstract or has variables.
bool is_closed(TypeRef type) {
  if (const auto *either = type->as<UnionType>()) return std::ranges::all_of(either->members(), is_closed);
  if (type->is<ConstType>()) return true;
  const auto *data = type->as<DataType>();
  if (!data || data->has_free_vars()) return false;
  if (data->name().is_type) return !data->params().empty();
  if (data->is_abstract()) return false;
  return !data->is_tuple() || std::ranges::all_of(data->params(), is_closed);
}

bool matches(const CallShape::Head &head, TypeRef argument) {
  const auto *data = argument->as<DataType>();
  if (!data || !is_closed(data)) return true;
  if (!data->name().is_type || data->params().empty()) return has_name(argument, head.name);
  if (data->name().name != head.name) return has_name(argument, head.name);
  return !head.inner || has_name(data->params()[0], head.inner);
}

} // namespace

CallShape call_shape(TypeContext &types, TypeRef signature) {
  CallShape shape;
  for (TypeRef type : tuple_elements(types, signature).subspan(1)) {
    if (type->is<VarargType>()) {
      shape.is_vararg = true;
      break;
    }
    const uint32_t parameter = shape.parameters++;
    if (parameter >= max_parameter) continue;
    const size_t before = shape.heads.size();
    if (!add_heads(types, type, parameter, shape.heads)) shape.heads.resize(before);
  }
  return shape;
}

bool may_take(const CallShape &shape, std::span<const TypeRef> arguments) {
  arguments = arguments.subspan(1);
  if (!arguments.empty() && arguments.back()->is<VarargType>()) return true;
  if (arguments.size() < shape.parameters || (arguments.size() > shape.parameters && !shape.is_vararg))
    return false;
  for (auto head = shape.heads.begin(); head != shape.heads.end();) {
    const uint32_t parameter = head->parameter;
    bool is_matched = false;
    for (; head != shape.heads.end() && head->parameter == parameter; ++head)
      is_matched = is_matched || matches(*head, arguments[parameter]);
    if (!is_matched) return false;
  }
  return true;
}

} // namespace kiln
