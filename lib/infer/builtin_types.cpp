// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Result types of builtins whose rule in the intrinsics list is Special. Results that depend only on
// constants (apply_type, fieldtype, ...) are already folded by fold_intrinsic() in interp.
#include "inference.h"

namespace kiln {

namespace {

struct Rules {
  TypeContext &types;
  std::span<const Lattice> args;

  Lattice undecided() const { return {}; }
  Lattice type(TypeRef t) const { return Lattice::of_type(types, t); }
  Lattice constant(Value v) const { return Lattice::of_constant(types, std::move(v)); }
  Lattice type_value(TypeRef t) const { return constant(Value::type_value(types, t)); }
  TypeRef type_argument(size_t i) const {
    return i < args.size() && args[i].constant ? args[i].constant->as_type() : nullptr;
  }
  std::optional<int64_t> int_argument(size_t i) const {
    if (i >= args.size() || !args[i].constant || !args[i].constant->is_primitive() ||
        !types.is_integer(args[i].type))
      return std::nullopt;
    uint64_t bits = args[i].constant->low_bits();
    return args[i].type == types.builtins().Int32 ? int64_t(int32_t(bits)) : int64_t(bits);
  }
  /// N of Val(N).
  std::optional<int64_t> val_argument(size_t i) const {
    const DataType *data = i < args.size() ? args[i].type->as<DataType>() : nullptr;
    if (!data || data->params().size() != 1) return std::nullopt;
    const auto *constant = data->params()[0]->as<ConstType>();
    if (!constant || !constant->value().is_primitive()) return std::nullopt;
    return int64_t(constant->value().low_bits());
  }
  TypeRef element_of_pointer(size_t i) const {
    const DataType *data = args[i].type->as<DataType>();
    if (!data || (&data->name() != types.builtins().PtrName && &data->name() != types.builtins().LLVMPtrName))
      return nullptr;
    return data->params()[0];
  }
  TypeRef device_pointer(TypeRef element, int64_t space) const {
    TypeRef params[] = {element, types.constant(space)};
    return types.data(*types.builtins().LLVMPtrName, params);
  }
  /// Index, from 0, of the field that argument `i` names. -1: the type has no such field. No value: the
  /// argument is not a constant.
  std::optional<int> field_argument(const DataType *data, size_t i) const {
    if (i < args.size() && args[i].constant)
      if (Symbol name = args[i].constant->as_symbol()) return types.field_index(data, name);
    if (auto index = int_argument(i)) {
      if (*index < 1 || *index > int64_t(types.field_count(data))) return -1;
      return int(*index - 1);
    }
    return std::nullopt;
  }

  Lattice getfield() const {
    const Lattice &object = args[0];
    if (const auto *either = object.type->as<UnionType>()) { // join the field's types over all union members
      Lattice all = Lattice::bottom(types);
      for (TypeRef member : either->members()) {
        const DataType *data = member->as<DataType>();
        std::optional<int> index = data && types.is_concrete(data) ? field_argument(data, 1) : std::nullopt;
        if (!index || *index < 0) return undecided();
        all = join(types, all, Lattice::of_type(types, types.field_types(data)[size_t(*index)]));
      }
      return all;
    }
    const DataType *data = object.type->as<DataType>();
    // A tuple type with union elements is not concrete, but the types of its fields are known.
    if (!data || data->is_abstract() || data->has_free_vars() ||
        (!data->is_tuple() && !types.is_concrete(data)))
      return undecided();
    if (data->is_tuple() && !data->params().empty() && data->params().back()->is<VarargType>())
      return undecided();
    auto index = field_argument(data, 1);
    if (index && *index < 0)
      return args[1].constant->as_symbol() ? undecided() : Lattice::bottom(types); // BoundsError at run time
    if (index && !data->name().is_mutable) return object.field(types, size_t(*index));
    if (index) return type(types.field_types(data)[size_t(*index)]);
    if (!types.is_integer(args[1].type)) return undecided();
    Lattice all = Lattice::bottom(types);
    for (TypeRef field : types.field_types(data))
      all = join(types, all, types.is_singleton(field) ? Lattice{field, {}, {}} : type(field));
    return all;
  }

  Lattice tuple() const {
    std::vector<TypeRef> elements;
    std::vector<Value> values;
    auto fields = std::make_shared<std::vector<Lattice>>();
    bool better = false;
    for (const Lattice &arg : args) {
      elements.push_back(arg.type);
      if (arg.constant) values.push_back(*arg.constant);
      better |= arg.knows_more_than_type() && !(types.is_singleton(arg.type));
      fields->push_back(arg);
    }
    TypeRef made = types.tuple(elements);
    if (elements.empty()) return constant(types.singleton_value(made));
    if (values.size() == elements.size())
      return constant(types.is_singleton(made) ? types.singleton_value(made)
                                               : Value::structure(made, std::move(values)));
    if (better) return {made, {}, std::move(fields)};
    return type(made);
  }

  Lattice isa() const {
    TypeRef wanted = type_argument(1);
    if (!wanted) return type(types.builtins().Bool);
    if (args[0].constant)
      return constant(types.boolean(is_subtype(types, types.type_of(*args[0].constant), wanted)));
    TypeRef given = args[0].type;
    if (is_subtype(types, given, wanted)) return constant(types.boolean(true));
    if (!may_intersect(types, given, wanted) || (types.is_concrete(given) && given->is<DataType>()))
      return constant(types.boolean(false));
    return type(types.builtins().Bool);
  }

  Lattice egal_() const {
    const Lattice &a = args[0], &b = args[1];
    if (a.constant && b.constant) return constant(types.boolean(egal(*a.constant, *b.constant)));
    bool both_known = types.is_concrete(a.type) && types.is_concrete(b.type);
    if ((both_known && a.type != b.type) || !may_intersect(types, a.type, b.type))
      return constant(types.boolean(false));
    return type(types.builtins().Bool);
  }
};

} // namespace

Lattice builtin_on_types(TypeContext &types, Intrinsic intrinsic, std::span<const Lattice> args) {
  Rules r{types, args};
  const auto &b = types.builtins();
  switch (intrinsic) {
  case Intrinsic::egal: return r.egal_();
  case Intrinsic::isa: return r.isa();
  case Intrinsic::typeof_:
    if (args[0].constant) return r.type_value(args[0].constant->type());
    return types.is_concrete(args[0].type) ? r.type_value(args[0].type) : r.undecided();
  case Intrinsic::typeassert: {
    TypeRef wanted = r.type_argument(1);
    if (!wanted) return r.undecided();
    return narrow(types, args[0], wanted, false);
  }
  case Intrinsic::tuple: return r.tuple();
  case Intrinsic::getfield: return r.getfield();
  case Intrinsic::setfield: {
    const DataType *data = args[0].type->as<DataType>();
    if (!data || !data->name().is_mutable || !types.is_concrete(data)) return r.undecided();
    auto index = r.field_argument(data, 1);
    if (!index || *index < 0 ||
        !is_subtype(types, args[2].dispatch_type(types), types.field_types(data)[size_t(*index)]))
      return r.undecided();
    return args[2];
  }
  case Intrinsic::nfields: {
    const DataType *data = args[0].type->as<DataType>();
    return data && types.is_concrete(data) ? r.constant(types.int64(int64_t(types.field_count(data))))
                                           : r.undecided();
  }
  case Intrinsic::isdefined: {
    const DataType *data = args[0].type->as<DataType>();
    if (!data || !types.is_concrete(data)) return r.undecided();
    auto index = r.field_argument(data, 1);
    return index ? r.constant(types.boolean(*index >= 0)) : r.type(b.Bool);
  }
  case Intrinsic::ifelse:
    if (args[0].type != b.Bool) return r.undecided();
    if (args[0].constant) return args[0].constant->low_bits() ? args[1] : args[2];
    return join(types, args[1], args[2]);
  case Intrinsic::message_text:
    return r.constant(Value::string(types, "(its text has values of the run in it)"));
  case Intrinsic::object_pointer: {
    const DataType *data = args[0].type->as<DataType>();
    if (!data || !data->name().is_mutable || !types.is_concrete(data)) return r.undecided();
    TypeRef params[] = {b.Nothing};
    return r.type(types.data(*b.PtrName, params));
  }
  case Intrinsic::retype_scalars: {
    TypeRef type = r.type_argument(0);
    return type && types.is_dispatch_element(type) ? r.type(type) : r.undecided();
  }
  case Intrinsic::newtuple_: {
    TypeRef type = r.type_argument(0);
    const DataType *data = type ? type->as<DataType>() : nullptr;
    if (!data || !types.is_concrete(data) || types.field_count(data) != args.size() - 1) return r.undecided();
    auto wanted = types.field_types(data);
    std::vector<Value> values;
    auto fields = std::make_shared<std::vector<Lattice>>();
    for (size_t i = 1; i < args.size(); i++) {
      if (!is_subtype(types, args[i].type, wanted[i - 1])) return r.undecided();
      if (args[i].constant) values.push_back(*args[i].constant);
      fields->push_back(args[i]);
    }
    if (types.is_singleton(data) || data->name().is_mutable) return r.type(data);
    if (values.size() == wanted.size()) return r.constant(Value::structure(data, std::move(values)));
    return {data, {}, std::move(fields)};
  }
  case Intrinsic::modifiable_copy: {
    const DataType *data = args[0].type->as<DataType>();
    if (!data || !types.is_concrete(data) || data->name().is_mutable) return r.undecided();
    for (TypeRef field : types.field_types(data))
      if (!is_subtype(types, args[2].type, field) && !r.int_argument(1)) return r.undecided();
    return r.type(args[0].type);
  }
  case Intrinsic::nothrow_: return args[0];
  case Intrinsic::pointer_load:
  case Intrinsic::pointer_load_invariant: {
    TypeRef element = r.element_of_pointer(0);
    if (!element || !types.is_isbits(element) || !types.is_integer(args[1].type)) return r.undecided();
    return r.type(element);
  }
  case Intrinsic::pointer_store: {
    TypeRef element = r.element_of_pointer(0);
    if (!element || !types.is_isbits(element) || args[1].type != element || !types.is_integer(args[2].type))
      return r.undecided();
    return r.type(b.Nothing);
  }
  case Intrinsic::atomic_modify:
  case Intrinsic::atomic_replace:
  case Intrinsic::atomic_load: {
    size_t at = intrinsic == Intrinsic::atomic_modify ? 1 : 0;
    TypeRef element = r.element_of_pointer(at);
    const DataType *data = element ? element->as<DataType>() : nullptr;
    if (!data || !data->is_primitive()) return r.undecided();
    size_t end = intrinsic == Intrinsic::atomic_load ? 1 : 3; // an ordering may follow
    for (size_t i = at + 1; i < end; i++)
      if (args[i].type != element) return r.undecided();
    return r.type(element);
  }
  case Intrinsic::inline_assembly:
  case Intrinsic::pure_assembly: {
    TypeRef result = r.type_argument(2), parameters = r.type_argument(3);
    const DataType *tuple = parameters ? parameters->as<DataType>() : nullptr;
    if (!result || !tuple || !tuple->is_tuple() || tuple->params().size() != args.size() - 4)
      return r.undecided();
    for (size_t i = 4; i < args.size(); i++)
      if (args[i].type != tuple->params()[i - 4]) return r.undecided();
    return r.type(result);
  }
  case Intrinsic::pointer_to_int: return r.element_of_pointer(0) ? r.type(b.UInt64) : r.undecided();
  case Intrinsic::pointer_call:
  case Intrinsic::foreign_call: {
    TypeRef result = r.type_argument(1), parameters = r.type_argument(2);
    const DataType *tuple = parameters ? parameters->as<DataType>() : nullptr;
    bool has_callee = intrinsic == Intrinsic::pointer_call
                          ? r.element_of_pointer(0) != nullptr
                          : args[0].constant && args[0].constant->as_symbol();
    if (!has_callee || !result || !tuple) return r.undecided();
    // Tuple{..., Vararg{Any}} is the type of a C function with variable arguments.
    size_t fixed = tuple->params().size();
    bool open = fixed && tuple->params().back()->is<VarargType>();
    fixed -= open ? 1 : 0;
    if (open ? args.size() - 3 < fixed : args.size() - 3 != fixed) return r.undecided();
    for (size_t i = 0; i < fixed; i++)
      if (!is_subtype(types, args[i + 3].type, tuple->params()[i])) return r.undecided();
    return r.type(result);
  }
  case Intrinsic::kernel_state: return r.type(r.device_pointer(b.UInt8, 0));
  case Intrinsic::device_string: {
    TypeRef params[] = {b.UInt8};
    return r.type(types.data(*b.PtrName, params));
  }
  case Intrinsic::static_shared:
  case Intrinsic::stack_alloc: {
    TypeRef element = r.type_argument(0);
    auto count = r.val_argument(1);
    if (!element || !types.is_isbits(element) || !count || *count < 0) return r.undecided();
    return r.type(r.device_pointer(element, intrinsic == Intrinsic::static_shared ? 3 : 5));
  }
  case Intrinsic::dynamic_shared: {
    TypeRef element = r.type_argument(0);
    return element && types.is_isbits(element) ? r.type(r.device_pointer(element, 3)) : r.undecided();
  }
  default: return r.undecided();
  }
}

} // namespace kiln
