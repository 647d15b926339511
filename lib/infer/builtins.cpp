// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Result types and faults of intrinsics and builtins. builtin_types.cpp has the rules that need only types
// and constants.
#include "inference.h"

#include <interp/interp.h>

namespace kiln {

namespace {

bool all_constant(std::span<const Lattice> args) {
  for (const Lattice &arg : args)
    if (!arg.constant) return false;
  return true;
}

/// Makes the fault for x.name if no possible type of x has the field. The message is empty if one has it.
InferenceFault missing_field(TypeContext &types, std::span<const Lattice> args) {
  const DataType *data = args[0].type->as<DataType>();
  Symbol name = args.size() > 1 && args[1].constant ? args[1].constant->as_symbol() : Symbol();
  if (!data || !name || !types.is_concrete(data) || types.field_index(data, name) >= 0) return {};
  std::string fields;
  for (Symbol field : types.field_names(data))
    fields += fmt::format("{}`{}`", fields.empty() ? "" : ", ", field.text());
  return InferenceFault{ErrorCode::FieldError,
                        fmt::format("type {} has no field `{}`", spell(args[0].type), name.text()),
                        fields.empty() ? "it has no fields with names" : "its fields are " + fields,
                        {}};
}

} // namespace

Lattice Inference::call_intrinsic(Frame &frame, Intrinsic intrinsic, Call call, CallInfo &info) {
  const IntrinsicInfo &about = kiln::info(intrinsic);
  std::vector<Lattice> &args = call.values;
  info.kind = CallInfo::Kind::Intrinsic;
  info.intrinsic = intrinsic;
  info.args = call.refs;

  switch (intrinsic) {
  case Intrinsic::_apply_iterate: return apply_splat(frame, std::move(call), info);
  case Intrinsic::invoke: return invoke_signature(frame, std::move(call), info);
  case Intrinsic::deferred_codegen: return defer(frame, std::move(call), info);
  case Intrinsic::deferred_codegen_in: return defer_in(frame, std::move(call), info);
  case Intrinsic::compile_error: {
    const std::string *text = args[0].constant ? args[0].constant->as_string() : nullptr;
    const std::string feature = text ? *text : "a feature that Kiln lacks";
    return fault(frame, info,
                 InferenceFault{ErrorCode::Unsupported, feature, std::string(feature_hint(feature)), {}});
  }
  case Intrinsic::return_type: {
    std::vector<TypeRef> arguments{args[0].dispatch_type(types_)};
    for (size_t i = 1; i < args.size(); i++) {
      TypeRef type = args[i].constant ? args[i].constant->as_type() : nullptr;
      const DataType *tuple = type ? type->as<DataType>() : nullptr;
      if (tuple && tuple->is_tuple() && args.size() == 2)
        arguments.insert(arguments.end(), tuple->params().begin(), tuple->params().end());
      else if (type)
        arguments.push_back(type);
      else
        return fault(
            frame, info,
            InferenceFault{
                ErrorCode::TypeError, "return_type takes types that are known at compile time", {}, {}});
    }
    for (TypeRef type : arguments)
      if (!types_.is_dispatch_element(type))
        return fault(
            frame, info,
            InferenceFault{
                ErrorCode::TypeError,
                fmt::format("return_type of a call with an argument of type {}, which is not concrete",
                            spell(type)),
                {},
                {}});
    Lattice result = result_of(frame, types_.tuple(arguments));
    info = {};
    info.kind = CallInfo::Kind::Constant;
    TypeRef type = result.constant && result.constant->as_type()
                       ? types_.type_of_type(result.constant->as_type())
                       : result.type;
    return Lattice::of_constant(types_, Value::type_value(types_, type));
  }
  case Intrinsic::applicable_: {
    std::vector<TypeRef> arguments;
    for (const Lattice &arg : args) arguments.push_back(arg.dispatch_type(types_));
    TypeRef tuple = types_.tuple(arguments);
    if (!types_.is_dispatch_tuple(tuple)) return Lattice::of_type(types_, types_.builtins().Bool);
    auto match = world_.lookup_method(tuple, age_, table_.facts.overlay);
    if (!match.ok()) {
      frame.error = match.take_error();
      return Lattice::bottom(types_);
    }
    add_call_edge(frame, tuple, match->method, true);
    info.kind = CallInfo::Kind::Constant;
    return Lattice::of_constant(types_, types_.boolean(match->method != nullptr));
  }
  case Intrinsic::throw_undef_var:
    if (args[0].constant && args[0].constant->is_primitive()) {
      if (args[0].constant->low_bits()) {
        info.kind = CallInfo::Kind::Constant;
        return Lattice::of_type(types_, types_.builtins().Nothing);
      }
      return Lattice::bottom(types_);
    }
    return Lattice::of_type(types_, types_.builtins().Nothing);
  case Intrinsic::getfield:
    // Reading a member of a module reads a binding, which becomes an edge.
    if (args[0].constant && args[0].constant->as_module()) {
      Symbol name = args.size() > 1 && args[1].constant ? args[1].constant->as_symbol() : Symbol();
      if (!name)
        return fault(
            frame, info,
            InferenceFault{ErrorCode::TypeError, "a member of a module must be named by a constant", {}, {}});
      GlobalName global{args[0].constant->as_module(), name};
      frame.code->edges.push_back(Edge{.kind = Edge::Kind::Binding, .binding = global});
      auto value = world_.lookup(*global.module, name, age_);
      if (!value.ok() || !value->has_value()) {
        InferenceFault f{ErrorCode::UndefVarError,
                         fmt::format("`{}` not defined in `{}`", name.text(), global.module->full_name()),
                         {},
                         {}};
        f.hint = world_.undefined_hint(*global.module, name);
        return fault(frame, info, std::move(f));
      }
      info.kind = CallInfo::Kind::Constant;
      return Lattice::of_constant(types_, **value);
    }
    if (args.size() > 1 && args[0].constant && args[0].constant->as_type() && args[1].constant) {
      const Value field[] = {*args[0].constant, *args[1].constant};
      if (auto folded = fold_intrinsic(types_, intrinsic, field)) {
        info.kind = CallInfo::Kind::Constant;
        return Lattice::of_constant(types_, std::move(*folded));
      }
    }
    break;
  default: break;
  }

  // Fold pure intrinsics whose arguments are all constant.
  if ((about.effects & effects::Pure || intrinsic == Intrinsic::foreign_call) && all_constant(args)) {
    std::vector<Value> values;
    for (const Lattice &arg : args) values.push_back(*arg.constant);
    if (auto folded = fold_intrinsic(types_, intrinsic, values)) {
      info.kind = CallInfo::Kind::Constant;
      return Lattice::of_constant(types_, std::move(*folded));
    }
  }
  if (!is_host_code() && intrinsic == Intrinsic::foreign_call && args.size() > 3 &&
      args[3].type == types_.builtins().String && args[0].constant && args[0].constant->as_symbol() &&
      args[0].constant->as_symbol().text().starts_with("kiln.string_"))
    return fault(frame, info,
                 InferenceFault{ErrorCode::TypeError,
                                "a string in a kernel must be a constant: this one is a value of the run",
                                "pass it as a Symbol, or choose between constants where it is used",
                                {}});
  // Host code reports the parts of a message to the interpreter, which makes the text.
  if (intrinsic == Intrinsic::message_text && is_host_code())
    return Lattice::of_type(types_, types_.builtins().String);
  Lattice result = builtin_on_types(types_, intrinsic, args);
  if (result.type) {
    if (result.constant && !(about.effects & effects::Writes) && !(intrinsic == Intrinsic::throw_))
      info.kind = CallInfo::Kind::Constant;
    return result;
  }

  // Apply the result rule that the intrinsics list gives.
  auto expect_type_argument = [&]() -> TypeRef {
    return !args.empty() && args[0].constant ? args[0].constant->as_type() : nullptr;
  };
  std::vector<TypeRef> shown;
  for (const Lattice &arg : args) shown.push_back(arg.dispatch_type(types_));
  auto type_fault = [&](std::string_view why, std::string hint = {}) {
    std::string list;
    for (TypeRef type : shown) list += fmt::format("{}::{}", list.empty() ? "" : ", ", spell(type));
    return fault(
        frame, info,
        InferenceFault{
            ErrorCode::TypeError, fmt::format("{}({}): {}", about.name, list, why), std::move(hint), {}});
  };
  if (intrinsic == Intrinsic::getfield || intrinsic == Intrinsic::setfield)
    if (InferenceFault missing = missing_field(types_, args); !missing.message.empty())
      return fault(frame, info, std::move(missing));
  for (const Lattice &arg : args)
    if (arg.type->is<UnionType>() && about.rule != TypeRule::Special)
      return type_fault("an argument's type is a Union");
  switch (about.rule) {
  case TypeRule::SameAsFirst: {
    const DataType *first = args[0].type->as<DataType>();
    if (!first || !first->is_primitive()) return type_fault("takes primitive values");
    // The two operands of a shift may differ in width. All other operations need equal types.
    bool shift = intrinsic == Intrinsic::shl_int || intrinsic == Intrinsic::lshr_int ||
                 intrinsic == Intrinsic::ashr_int || intrinsic == Intrinsic::pointer_add;
    for (const Lattice &arg : args)
      if (!shift && arg.type != args[0].type) return type_fault("the arguments' types differ");
    return Lattice::of_type(types_, args[0].type);
  }
  case TypeRule::Bool: return Lattice::of_type(types_, types_.builtins().Bool);
  case TypeRule::FirstIsType: {
    TypeRef type = expect_type_argument();
    if (!type || !types_.is_concrete(type)) return type_fault("the first argument must be a concrete type");
    return Lattice::of_type(types_, type);
  }
  case TypeRule::Int32: return Lattice::of_type(types_, types_.builtins().Int32);
  case TypeRule::Int64: return Lattice::of_type(types_, types_.builtins().Int64);
  case TypeRule::Nothing: return Lattice::of_type(types_, types_.builtins().Nothing);
  case TypeRule::WithOverflow:
    return Lattice::of_type(types_, types_.tuple({args[0].type, types_.builtins().Bool}));
  case TypeRule::Never: return Lattice::bottom(types_);
  case TypeRule::Special:
    if (intrinsic == Intrinsic::apply_type && args[0].constant)
      for (size_t i = 1; i < args.size(); i++)
        if (!args[i].constant)
          return fault(
              frame, info,
              InferenceFault{
                  ErrorCode::NeedsConstant,
                  fmt::format(
                      "{}{{...}}: a parameter of a type must be known when the kernel is compiled, but this {} is a value of the run",
                      spell(*args[0].constant), spell(args[i].type)),
                  "sizes of static memory, Val and static parameters are such parameters: use a constant or pass Val(n); CuDynamicSharedArray takes a size at run time",
                  {}});
    if (std::string cure = cure_of_atomic(types_, args[0].type);
        !cure.empty() && intrinsic >= Intrinsic::atomic_modify && intrinsic <= Intrinsic::atomic_store)
      return fault(frame, info,
                   InferenceFault{ErrorCode::TypeError,
                                  fmt::format("an atomic operation on {}, which is wider than a number",
                                              spell(args[0].type)),
                                  std::move(cure),
                                  {}});
    return type_fault(
        "is not possible on these values at compile time",
        "look at the types with --emit typed: write code whose values have concrete types, and constants "
        "for names of fields");
  }
  return Lattice::poisoned(types_);
}

} // namespace kiln
