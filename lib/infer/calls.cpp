// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls: which methods they reach, union splitting, specialisation on constants, splats.
#include "inference.h"

namespace kiln {

namespace {
constexpr size_t max_split = 16;              // combinations of union members at one call
constexpr size_t max_constant_recursion = 24; // nested instances of one method, each with other constants
constexpr size_t max_candidates = 3;          // shown in a method error

// What to say where a kernel calls what only the host has.
std::string hint_about(TypeContext &types, TypeRef callee) {
  const DataType *function = callee->as<DataType>();
  if (function && function->name().is_type) { // a constructor
    std::vector<const TypeVar *> vars;
    TypeRef made = nullptr;
    types.unwrap_all(function->params()[0], vars, made);
    const DataType *data = made->as<DataType>();
    return data && &data->name() == types.builtins().ArrayName ? std::string(host_function_hint("zeros"))
                                                               : std::string();
  }
  if (!function || !function->name().is_function) return {};
  return std::string(host_function_hint(function->name().function_name.text()));
}
} // namespace

Lattice Inference::call(Frame &frame, Call call, CallInfo &info) {
  const Lattice &callee = call.values[0];
  if (auto intrinsic = world_.intrinsic(callee.type)) {
    const IntrinsicInfo &i = kiln::info(*intrinsic);
    int count = int(call.values.size()) - 1;
    if (count < i.min_args || (i.max_args >= 0 && count > i.max_args)) {
      std::string wanted = i.max_args < 0             ? fmt::format("at least {}", i.min_args)
                           : i.min_args == i.max_args ? std::to_string(i.min_args)
                                                      : fmt::format("{} to {}", i.min_args, i.max_args);
      return fault(
          frame, info,
          InferenceFault{
              "MethodError", fmt::format("{} takes {} arguments, not {}", i.name, wanted, count), {}, {}});
    }
    call.values.erase(call.values.begin());
    call.refs.erase(call.refs.begin());
    return call_intrinsic(frame, *intrinsic, std::move(call), info);
  }
  return call_methods(frame, call, info, nullptr);
}

Lattice Inference::call_methods(Frame &frame, const Call &call, CallInfo &info, const MethodMatch *chosen) {
  // The product of the arguments' union members, in order.
  std::vector<std::vector<TypeRef>> alternatives;
  size_t combinations = 1;
  for (const Lattice &value : call.values) {
    TypeRef type = value.dispatch_type(types_);
    std::vector<TypeRef> members;
    if (const auto *as_union = type->as<UnionType>())
      members.assign(as_union->members().begin(), as_union->members().end());
    else
      members.push_back(type);
    for (TypeRef &member : members)
      if (!types_.is_dispatch_element(member)) {
        std::vector<TypeRef> shown;
        for (const Lattice &v : call.values) shown.push_back(v.dispatch_type(types_));
        return fault(frame, info,
                     InferenceFault{"InvalidIRError",
                                    fmt::format("dynamic function invocation: {}", call_to_string(shown)),
                                    "a value's type is not concrete: look at it with --emit typed",
                                    {}});
      }
    combinations *= members.size();
    alternatives.push_back(std::move(members));
  }
  if (combinations > max_split) {
    std::vector<TypeRef> shown;
    for (const Lattice &v : call.values) shown.push_back(v.dispatch_type(types_));
    return fault(
        frame, info,
        InferenceFault{"InvalidIRError",
                       fmt::format("dynamic function invocation: {} ({} combinations of union members)",
                                   call_to_string(shown), combinations),
                       "annotate or convert the arguments so that their types are concrete",
                       {}});
  }
  info.kind = CallInfo::Kind::Invoke;
  info.args = call.refs;
  Lattice result = Lattice::bottom(types_);
  std::vector<size_t> pick(alternatives.size(), 0);
  for (size_t n = 0; n < combinations; n++) {
    std::vector<TypeRef> arguments;
    for (size_t i = 0; i < alternatives.size(); i++) arguments.push_back(alternatives[i][pick[i]]);
    CallCase one;
    Lattice value = call_case(frame, call, arguments, info, one, chosen);
    if (frame.error) return Lattice::bottom(types_);
    // A fault in one case of a split does not spoil the others' type.
    if (combinations == 1)
      result = std::move(value);
    else if (!value.poison)
      result = join(types_, result, value);
    info.cases.push_back(one);
    for (size_t i = alternatives.size(); i-- > 0;) {
      if (++pick[i] < alternatives[i].size()) break;
      pick[i] = 0;
    }
  }
  if (combinations == 1 && !info.cases[0].target) {
    info.kind = CallInfo::Kind::Fault;
    info.fault = info.cases[0].fault;
    info.cases.clear();
    return result;
  }
  constexpr uint8_t kept = effects::Writes | effects::Throws;
  bool pure = true;
  for (const CallCase &one : info.cases) pure &= one.target && !(one.target->effects & kept);
  if (pure && result.constant) {
    info.kind = CallInfo::Kind::Constant;
    // The targets are not emitted, but a change of one of them changes this result: they stay callees.
    for (const CallCase &one : info.cases)
      if (std::find(frame.code->callees.begin(), frame.code->callees.end(), one.target) ==
          frame.code->callees.end())
        frame.code->callees.push_back(one.target);
  }
  return result;
}

void Inference::add_call_edge(Frame &frame, TypeRef arguments, const Method *chosen, bool asks_only) {
  for (const Edge &edge : frame.code->edges)
    if (edge.kind == Edge::Kind::Call && edge.arguments == arguments && edge.asks_only == asks_only) return;
  frame.code->edges.push_back(Edge{.kind = Edge::Kind::Call,
                                   .arguments = arguments,
                                   .overlay = table_.facts.overlay,
                                   .method = chosen,
                                   .asks_only = asks_only});
}

Lattice Inference::call_case(Frame &frame, const Call &call, std::span<const TypeRef> arguments,
                             CallInfo &info, CallCase &out, const MethodMatch *chosen) {
  out.arguments = types_.tuple(arguments);
  MethodMatch match;
  if (chosen) {
    match = *chosen;
  } else {
    auto found = world_.lookup_method(out.arguments, age_, table_.facts.overlay);
    if (!found.ok()) {
      frame.error = found.take_error();
      return Lattice::bottom(types_);
    }
    match = std::move(*found);
    add_call_edge(frame, out.arguments, match.method);
  }
  if (!match.method) {
    Lattice value = fault(frame, info, method_error(out.arguments, match));
    out.fault = info.fault;
    info.kind = CallInfo::Kind::Invoke;
    info.fault = ~0u;
    return value;
  }
  auto expanded = world_.expanded(*match.method, out.arguments, match.static_params);
  if (!expanded.ok()) {
    const Diagnostic &why = expanded.error().diagnostics()[0];
    Lattice value = fault(
        frame, info,
        InferenceFault{why.name,
                       fmt::format("the generator of {} failed: {}", call_to_string(arguments), why.message),
                       why.hint,
                       {}});
    out.fault = info.fault;
    info.kind = CallInfo::Kind::Invoke;
    info.fault = ~0u;
    return value;
  }
  match.method = *expanded;
  const MethodInstance *instance = world_.instance(*match.method, out.arguments, match.static_params);

  // What each argument is known to be in this case.
  std::vector<Lattice> values;
  bool any_known = false;
  for (size_t i = 0; i < arguments.size(); i++) {
    Lattice value = call.values[i];
    if (value.type->is<UnionType>()) value = Lattice::of_type(types_, arguments[i]);
    any_known |= value.knows_more_than_type() && !types_.is_singleton(value.dispatch_type(types_));
    values.push_back(std::move(value));
  }
  auto take = [&](Result<Target> target) {
    if (!target.ok()) {
      frame.error = target.take_error();
      return Lattice::bottom(types_);
    }
    out.target = target->code;
    return target->result;
  };
  if (!any_known) return take(enter(&frame, *instance, {}));
  size_t nested = 0;
  for (const auto &other : stack_)
    nested += !other->key.constants.empty() && other->key.instance->method == match.method;
  if (nested >= max_constant_recursion) return take(enter(&frame, *instance, {}));
  if (wants_constants(*instance, values, nullptr)) return take(enter(&frame, *instance, values));
  Lattice generic = take(enter(&frame, *instance, {}));
  bool may_spare_fault = out.target && out.target->has_faults && !generic.is_bottom();
  if (frame.error || !(may_spare_fault || wants_constants(*instance, values, &generic))) return generic;
  return take(enter(&frame, *instance, values));
}

// Whether a call is worth an instance of its own for what is known of its arguments. Asked twice: before the
// instance for the types alone is inferred (`generic` null: only what surely pays), and with its result.
bool Inference::wants_constants(const MethodInstance &instance, const std::vector<Lattice> &arguments,
                                const Lattice *generic) {
  if (generic) {
    if (generic->is_bottom() || generic->constant) return false;
    return generic->poison || !types_.is_dispatch_element(generic->type);
  }
  if (instance.method->hints.aggressive_constprop) return true;
  bool all = true;
  for (size_t i = 1; i < arguments.size(); i++) {
    const Lattice &value = arguments[i];
    if (value.constant && value.constant->as_symbol()) return true; // a field's name
    if (value.fields)
      for (const Lattice &field : *value.fields)
        if (field.constant && (field.constant->as_type() || field.constant->as_symbol())) return true;
    all &= value.constant.has_value();
  }
  return all;
}

InferenceFault Inference::method_error(TypeRef arguments, const MethodMatch &match) {
  auto params = arguments->as<DataType>()->params();
  auto describe = [&](const Method &method) {
    return fmt::format("{} at {}", signature_to_string(method.signature),
                       world_.sources().describe(method.at));
  };
  if (!match.ambiguous.empty()) {
    InferenceFault fault{"MethodError",
                         fmt::format("{} is ambiguous", call_to_string(params)),
                         "define a method for the intersection of the candidates",
                         {}};
    for (const Method *method : match.ambiguous) fault.notes.push_back("candidate: " + describe(*method));
    return fault;
  }
  InferenceFault fault{"MethodError",
                       fmt::format("no method matching {}", call_to_string(params)),
                       hint_about(types_, params[0]),
                       {}};
  if (const DataType *callee = params[0]->as<DataType>(); callee && callee->name().is_function)
    for (std::string &why : world_.missing_of(callee->name().module, callee->name().function_name))
      fault.notes.push_back(std::move(why));
  auto methods = world_.methods_of(params[0], table_.facts.overlay, age_);
  if (methods.empty()) {
    const DataType *callee = params[0]->as<DataType>();
    if (callee && !callee->name().is_function && !callee->name().is_type)
      fault.message = fmt::format("objects of type {} are not callable", to_string(params[0]));
    return fault;
  }
  // Nearest: most arguments that fit, arity before types; ties by definition order.
  std::vector<std::pair<int, const Method *>> ranked;
  for (const Method *method : methods) {
    std::vector<const TypeVar *> vars;
    TypeRef body = nullptr;
    types_.unwrap_all(method->signature, vars, body);
    std::vector<TypeRef> bounds;
    for (const TypeVar *var : vars) bounds.push_back(var->upper());
    auto formals = body->as<DataType>()->params();
    const bool is_open =
        !formals.empty() && formals.back()->is<VarargType>(); // Vararg{T, 3} stands as T, T, T
    bool takes_count = is_open ? params.size() + 1 >= formals.size() : params.size() == formals.size();
    int score = takes_count ? 2 * int(params.size()) : 0;
    for (size_t i = 1; i < std::min(formals.size(), params.size()); i++)
      if (!formals[i]->is<VarargType>() &&
          may_intersect(types_, params[i], types_.substitute(formals[i], vars, bounds)))
        score += 2;
    ranked.push_back({score, method});
  }
  std::stable_sort(ranked.begin(), ranked.end(),
                   [](const auto &a, const auto &b) { return a.first > b.first; });
  for (size_t i = 0; i < std::min(ranked.size(), max_candidates); i++)
    fault.notes.push_back("closest candidate: " + describe(*ranked[i].second));
  if (ranked.size() > max_candidates)
    fault.notes.push_back(fmt::format("{} more methods are farther off", ranked.size() - max_candidates));
  for (TypeRef param : params)
    if (const DataType *data = param->as<DataType>();
        data && &data->name() == types_.builtins().ArrayName && fault.hint.empty())
      fault.hint =
          "an Array is memory of the host: pass it as an argument, or make a table of constants a tuple, const T = (a, b)";
  return fault;
}

// _apply_iterate(iterate, f, containers...): the containers' elements as arguments.
Lattice Inference::apply_splat(Frame &frame, Call call, CallInfo &info) {
  Call flat;
  flat.flags = call.flags;
  flat.at = call.at;
  flat.refs.push_back(call.refs[1]);
  flat.values.push_back(call.values[1]);
  for (size_t i = 2; i < call.values.size(); i++) {
    const Lattice &container = call.values[i];
    const DataType *type = container.type->as<DataType>();
    if (type && call.refs[i].field < 0 &&
        is_subtype(types_, type, types_.builtins().Number)) { // a number goes through itself
      flat.refs.push_back(call.refs[i]);
      flat.values.push_back(container);
      continue;
    }
    bool is_tuple = type && (type->is_tuple() || type->is_named_tuple()) && types_.is_concrete(type);
    if (!is_tuple)
      return fault(
          frame, info,
          InferenceFault{
              "InvalidIRError",
              fmt::format("splatting a value of type {}: only tuples of known length can be splatted",
                          to_string(container.type)),
              "convert it with Tuple(x) first",
              {}});
    if (call.refs[i].field >= 0)
      return fault(frame, info,
                   InferenceFault{
                       "InvalidIRError", "splatting a part of a splatted value", "give it a name first", {}});
    size_t count = types_.field_count(type);
    for (size_t k = 0; k < count; k++) {
      flat.refs.push_back({call.refs[i].operand, int(k)});
      flat.values.push_back(container.field(types_, k));
    }
  }
  return this->call(frame, std::move(flat), info);
}

// invoke(f, Tuple{...}, args...): the method that the given types choose, on these arguments.
Lattice Inference::invoke_signature(Frame &frame, Call call, CallInfo &info) {
  TypeRef given = call.values[1].constant ? call.values[1].constant->as_type() : nullptr;
  const DataType *tuple = given ? given->as<DataType>() : nullptr;
  if (!tuple || !tuple->is_tuple())
    return fault(
        frame, info,
        InferenceFault{"TypeError", "invoke takes a Tuple type that is known at compile time", {}, {}});
  std::vector<TypeRef> wanted{call.values[0].dispatch_type(types_)};
  wanted.insert(wanted.end(), tuple->params().begin(), tuple->params().end());
  TypeRef arguments = types_.tuple(wanted);
  auto found = world_.lookup_method(arguments, age_, table_.facts.overlay);
  if (!found.ok()) {
    frame.error = found.take_error();
    return Lattice::bottom(types_);
  }
  add_call_edge(frame, arguments, found->method); // by these types, not by those of the values
  Call direct;
  direct.flags = call.flags;
  direct.at = call.at;
  direct.refs.push_back(call.refs[0]);
  direct.values.push_back(call.values[0]);
  std::vector<TypeRef> actual{wanted[0]};
  for (size_t i = 2; i < call.values.size(); i++) {
    direct.refs.push_back(call.refs[i]);
    direct.values.push_back(call.values[i]);
    actual.push_back(call.values[i].dispatch_type(types_));
  }
  MethodMatch match;
  if (found->method)
    if (auto params = match_signature(types_, types_.tuple(actual), found->method->signature)) {
      match.method = found->method;
      match.static_params = std::move(*params);
    }
  if (!match.method) return fault(frame, info, method_error(arguments, found->method ? match : *found));
  return call_methods(frame, direct, info, &match);
}

Lattice Inference::result_of(Frame &frame, TypeRef arguments) {
  Call call;
  for (TypeRef type : arguments->as<DataType>()->params()) {
    call.refs.push_back({});
    call.values.push_back(Lattice::of_type(types_, type));
  }
  CallInfo info;
  Lattice result = call_methods(frame, call, info, nullptr);
  for (const CallCase &one : info.cases)
    if (one.target) frame.code->callees.push_back(one.target);
  return result.poison ? Lattice::bottom(types_) : result;
}

// T(fields...) as `new` does: fields must already have the fields' types.
Lattice Inference::construct(Frame &frame, Lattice type, Call call, CallInfo &info) {
  TypeRef made = type.constant ? type.constant->as_type() : nullptr;
  const DataType *data = made ? made->as<DataType>() : nullptr;
  if (!data || !types_.is_concrete(data))
    return fault(frame, info,
                 InferenceFault{"TypeError",
                                fmt::format("cannot construct a value of type {}, which is not concrete",
                                            made ? to_string(made) : "unknown"),
                                {},
                                {}});
  auto fields = types_.field_types(data);
  size_t given = call.values.size() - 1;
  if (given > fields.size() || (given < fields.size() && !data->name().is_mutable))
    return fault(
        frame, info,
        InferenceFault{"ArgumentError",
                       fmt::format("new {} takes {} fields, got {}", to_string(made), fields.size(), given),
                       {},
                       {}});
  info.kind = CallInfo::Kind::New;
  info.args.assign(call.refs.begin() + 1, call.refs.end());
  if (types_.is_singleton(data)) {
    info.kind = CallInfo::Kind::Constant;
    return Lattice::of_type(types_, data);
  }
  auto known = std::make_shared<std::vector<Lattice>>();
  std::vector<Value> constants;
  bool better = false;
  for (size_t i = 0; i < given; i++) {
    const Lattice &value = call.values[i + 1];
    Lattice fits = narrow(types_, value, fields[i], false);
    if (fits.is_bottom() || !is_subtype(types_, fits.dispatch_type(types_), fields[i])) {
      if (!is_subtype(types_, value.type, fields[i]))
        return fault(
            frame, info,
            InferenceFault{"TypeError",
                           fmt::format("in new {}, field {} of type {} cannot hold a value of type {}",
                                       to_string(made), i + 1, to_string(fields[i]), to_string(value.type)),
                           {},
                           {}});
    }
    better |= value.knows_more_than_type() && !types_.is_singleton(fields[i]);
    if (value.constant && types_.is_concrete(fields[i])) constants.push_back(*value.constant);
    known->push_back(value);
  }
  if (data->name().is_mutable) return Lattice::of_type(types_, made);
  if (constants.size() == fields.size()) {
    info.kind = CallInfo::Kind::Constant;
    return Lattice::of_constant(types_, Value::structure(made, std::move(constants)));
  }
  if (better) return {made, {}, std::move(known)};
  return Lattice::of_type(types_, made);
}

} // namespace kiln
