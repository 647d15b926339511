// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations of statements other than method calls: construction of structs, and intrinsics.
#include "fold.h"
#include "host_arrays.h"
#include "state.h"

#include <support/count.h>

namespace kiln {

Result<Value> Interpreter::construct(std::span<const Value> args) {
  TypeContext &types = state_->world.types();
  TypeRef made = args[0].as_type();
  const DataType *data = made ? made->as<DataType>() : nullptr;
  if (!data || !types.is_concrete(data))
    return make_error(
        ErrorCode::TypeError,
        fmt::format("cannot construct a value of {}, which is no concrete type", spell(args[0])));
  auto fields = types.field_types(data);
  if (args.size() - 1 > fields.size())
    return make_error(ErrorCode::ArgumentError, fmt::format("new {} takes {} fields, got {}", spell(made),
                                                            fields.size(), args.size() - 1));
  for (size_t i = 0; i < args.size() - 1; i++)
    if (!is_subtype(types, types.type_of(args[i + 1]), fields[i]))
      return make_error(ErrorCode::TypeError,
                        fmt::format("in new {}, field {} of type {} cannot hold a value of type {}",
                                    spell(made), i + 1, spell(fields[i]), spell(args[i + 1].type())));
  if (args.size() - 1 < fields.size()) { // the other fields are undefined; bits are zero
    std::vector<Value> given(args.begin() + 1, args.end());
    given.resize(fields.size());
    if (data->name().is_mutable) return Value::mutable_structure(made, std::move(given));
    for (size_t i = args.size() - 1; i < fields.size(); i++) {
      if (!types.is_isbits(fields[i])) continue;
      const std::vector<std::byte> zeros(layout_of(types, fields[i])->size);
      KILN_TRY(given[i], from_bytes(types, fields[i], zeros.data()));
    }
    return Value::structure(made, std::move(given));
  }
  if (data->name().is_mutable) return Value::mutable_structure(made, {args.begin() + 1, args.end()});
  const bool has_object = std::ranges::any_of(args, [](const Value &v) { return v.as_object(); });
  if (types.is_singleton(made) && !has_object) return types.singleton_value(made);
  return Value::structure(made, {args.begin() + 1, args.end()});
}

/// Computes pointer operations of a program. The program only passes addresses on: the host does not read
/// memory there.
static Result<Value> address_operation(TypeContext &types, Intrinsic intrinsic, std::span<const Value> args) {
  const uint64_t last = args.back().low_bits();
  switch (intrinsic) {
  case Intrinsic::pointer_add: return Value::primitive(args[0].type(), {args[0].low_bits() + last, 0});
  case Intrinsic::pointer_to_int: return Value::primitive(types.builtins().UInt64, {last, 0});
  default:
    if (!args[0].as_type()) return make_error(ErrorCode::TypeError, "a pointer's type comes first");
    return Value::primitive(args[0].as_type(), {last, 0});
  }
}

Result<Value> Interpreter::call_intrinsic(Intrinsic intrinsic, std::span<const Value> args) {
  State &s = *state_;
  TypeContext &types = s.world.types();
  const IntrinsicInfo &about = info(intrinsic);
  if (int(args.size()) < about.min_args || (about.max_args >= 0 && int(args.size()) > about.max_args))
    return make_error(ErrorCode::MethodError,
                      fmt::format("{} does not take {}", about.name, counted(args.size(), "argument")));
  switch (intrinsic) {
  case Intrinsic::_apply_iterate: {
    std::vector<Value> flat;
    for (const Value &container : args.subspan(2)) {
      const DataType *type = container.type()->as<DataType>();
      if (type && is_subtype(types, type, types.builtins().Number)) { // a number iterates over itself
        flat.push_back(container);
        continue;
      }
      if (!type || !(type->is_tuple() || type->is_named_tuple())) {
        KILN_TRY(auto items, collect_elements(*this, container));
        flat.insert(flat.end(), items.begin(), items.end());
        continue;
      }
      for (size_t i = 0; i < types.field_count(type); i++) {
        Value get[] = {container, types.int64(int64_t(i + 1))};
        KILN_TRY(Value field, call_intrinsic(Intrinsic::getfield, get));
        flat.push_back(std::move(field));
      }
    }
    return call(args[1], flat);
  }
  case Intrinsic::invoke: return invoke(args[0], args[1], args.subspan(2));
  case Intrinsic::getfield:
    if (const Module *module = args[0].as_module()) {
      Symbol name = args[1].as_symbol();
      if (!name) return make_error(ErrorCode::TypeError, "a member of a module is named by a Symbol");
      if (s.load_member) KILN_CHECK(s.load_member(name));
      KILN_TRY(auto value, s.world.lookup(*module, name, s.world.age()));
      if (!value)
        return undefined_error(name.str(),
                               fmt::format("`{}` not defined in `{}`", name.text(), module->full_name()), {},
                               s.world.undefined_hint(*module, name));
      return std::move(*value);
    }
    break;
  case Intrinsic::isdefined:
    if (const Module *module = args[0].as_module()) {
      Symbol name = args[1].as_symbol();
      if (!name)
        return make_error(ErrorCode::TypeError, "isdefined: a member of a module is named by a Symbol");
      if (s.load_member) KILN_CHECK(s.load_member(name));
      return types.boolean(s.world.is_defined(*module, name));
    }
    break;
  case Intrinsic::typeassert: // the exception of a program has fields
    if (TypeRef expected = args[1].as_type();
        s.program && expected && !is_subtype(types, types.type_of(args[0]), expected))
      return raise(make_exception("TypeError", {{"func", Value::symbol(types, types.symbol("typeassert"))},
                                                {"context", Value::string(types, "")},
                                                {"expected", args[1]},
                                                {"got", args[0]}}));
    break;
  case Intrinsic::throw_: {
    if (s.program) return raise(args[0]);
    std::string name = to_string(args[0].type());
    std::string message = args[0].fields() && !args[0].fields()->empty() && (*args[0].fields())[0].as_string()
                              ? *(*args[0].fields())[0].as_string()
                              : to_string(args[0]);
    return named_error(name, std::move(message));
  }
  case Intrinsic::throw_undef_var:
    if (args[0].low_bits()) return types.nothing();
    return undefined_error(args[1].as_symbol().str(),
                           fmt::format("`{}` not defined", args[1].as_symbol().text()));
  case Intrinsic::static_error: return make_error(ErrorCode::ErrorException, text_of_values(args));
  case Intrinsic::message_text: // a program's types may define how they print
    if (s.program) {
      KILN_TRY(auto to_text, s.world.lookup(*s.world.base(), types.symbol("string"), s.world.age()));
      if (to_text) return call(*to_text, args);
    }
    break;
  case Intrinsic::compile_error: {
    const std::string feature = args[0].as_string() ? *args[0].as_string() : "a feature that Kiln lacks";
    return make_error(ErrorCode::Unsupported, feature, {}, std::string(feature_hint(feature)));
  }
  case Intrinsic::applicable_: {
    std::vector<TypeRef> arguments;
    for (const Value &arg : args) arguments.push_back(types.type_of(arg));
    KILN_TRY(MethodMatch match, s.world.lookup_method(types.tuple(arguments), s.world.age(), s.overlay));
    return types.boolean(match.method != nullptr);
  }
  case Intrinsic::pointer_add:
  case Intrinsic::pointer_cast:
  case Intrinsic::pointer_to_int:
  case Intrinsic::int_to_pointer:
    if (s.program && args.back().is_primitive()) return address_operation(types, intrinsic, args);
    break;
  case Intrinsic::apply_type:
    if (const auto key = MadeTypes::applied(args)) {
      if (TypeRef known = s.made_types[*key]) return Value::type_value(types, known);
      KILN_TRY(auto applied, apply_builtin(types, intrinsic, args));
      if (applied && applied->as_type()) s.made_types[*key] = applied->as_type();
      if (applied) return std::move(*applied);
    }
    break;
  case Intrinsic::tuple:
    if (const auto key = MadeTypes::tuple(args); key && !args.empty()) {
      if (TypeRef known = s.made_types[*key]) return Value::structure(known, {args.begin(), args.end()});
      Value made = tuple_value(types, args);
      if (!types.is_singleton(made.type())) s.made_types[*key] = made.type();
      return made;
    }
    break;
  case Intrinsic::foreign_call: return call_libm(types, args, s.program.has_value());
  default: break;
  }
  auto applied = apply_builtin(types, intrinsic, args);
  if (!applied.ok()) {
    if (intrinsic == Intrinsic::getfield && applied.error().code() == ErrorCode::BoundsError)
      return bounds_error(args[0], args[1]);
    return applied.take_error();
  }
  const std::optional<Value> &value = *applied;
  if (!value) {
    std::vector<std::string> shown;
    for (const Value &arg : args) shown.push_back("::" + spell(arg.type()));
    if (intrinsic >= Intrinsic::add_nsw && intrinsic <= Intrinsic::mul_nuw_nsw && args[0].is_primitive() &&
        args[0].type() == args[1].type())
      return make_error(ErrorCode::OverflowError,
                        fmt::format("{}({}, {}) does not fit {}, though the code promises that it does",
                                    about.name, spell(args[0]), spell(args[1]), spell(args[0].type())));
    if (intrinsic == Intrinsic::return_type && s.program) {
      KILN_TRY(auto inferred,
               s.world.lookup(*s.world.base(), types.symbol("__inferred_result"), s.world.age()));
      if (inferred) {
        std::vector<Value> call{*inferred};
        call.insert(call.end(), args.begin(), args.end());
        return call_values(call);
      }
    }
    if (intrinsic == Intrinsic::deferred_codegen)
      return make_error(
          ErrorCode::ErrorException,
          "a kernel's launch of another (@cuda dynamic=true) and pointers to code exist in kernels only", {},
          "write @cuda without dynamic=true on the host");
    auto is_pointer = [&](const Value &arg) {
      const TypeRef type = arg.as_type() ? arg.as_type() : arg.type();
      const DataType *data = type->as<DataType>();
      return data &&
             (&data->name() == types.builtins().PtrName || &data->name() == types.builtins().LLVMPtrName);
    };
    const bool is_of_device = intrinsic >= Intrinsic::pointer_load || std::ranges::any_of(args, is_pointer);
    const bool mixes_types = !is_of_device && args.size() > 1 && args[0].is_primitive() &&
                             args[1].is_primitive() && args[0].type() != args[1].type();
    return make_error(ErrorCode::TypeError,
                      fmt::format("{}({}) cannot be evaluated here", about.name, fmt::join(shown, ", ")), {},
                      is_of_device  ? "device memory and device intrinsics exist in kernels only"
                      : mixes_types ? "convert its arguments to one type first"
                                    : "");
  }
  return *value;
}

} // namespace kiln
