// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Infers calls: method look-up, union splitting, and specialisation on constants.
#include "inference.h"

#include <kiln/extension/language/internal/hint.h>

namespace kiln {

namespace {
constexpr size_t max_split = 16; // of union members per call
// Maximum depth of instances of one method that are nested in each other, with different constants.
constexpr size_t max_constant_recursion = 24;
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
      return fault(frame, info,
                   InferenceFault{ErrorCode::MethodError,
                                  fmt::format("{} takes {} argument{}, not {}", i.name, wanted,
                                              wanted == "1" ? "" : "s", count),
                                  {},
                                  {}});
    }
    call.values.erase(call.values.begin());
    call.refs.erase(call.refs.begin());
    return call_intrinsic(frame, *intrinsic, std::move(call), info);
  }
  return call_methods(frame, call, info, nullptr);
}

Lattice Inference::call_methods(Frame &frame, const Call &call, CallInfo &info, const MethodMatch *chosen) {
  // Alternatives per argument: the members of its union type, or its single type.
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
        return fault(
            frame, info,
            InferenceFault{ErrorCode::InvalidIRError,
                           fmt::format("dynamic function invocation: {}", spell_call(shown)),
                           "a value's type is not concrete: look at it with " + product_hint("typed"),
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
        InferenceFault{ErrorCode::InvalidIRError,
                       fmt::format("dynamic function invocation: {} ({} combinations of union members)",
                                   spell_call(shown), combinations),
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
    // In a union split, a case that faults does not affect the result type.
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
  const CodeInstance *only = combinations == 1 ? info.cases[0].target : nullptr;
  const bool is_unknown = result.poison || result.is_bottom() || result.type == types_.builtins().Any ||
                          (only && only->is_partial);
  if (combinations == 1 && is_unknown)
    if (auto declared = declared_result(frame, info.cases[0].arguments->as<DataType>()->params())) {
      result = std::move(*declared);
      info.has_declared_type = true;
    }
  if (combinations == 1 && !info.cases[0].target) {
    info.kind = CallInfo::Kind::Fault;
    info.fault = info.cases[0].fault;
    info.cases.clear();
    return result;
  }
  constexpr uint8_t kept = effects::Writes | effects::Throws;
  bool pure = true;
  for (const CallCase &one : info.cases) // a member of an unfinished call cycle does not know its effects yet
    pure &= one.target && !one.target->is_recursive && !(one.target->effects & kept);
  if (pure && result.constant) {
    info.kind = CallInfo::Kind::Constant;
    // The call becomes a constant, so that its targets are not emitted. They remain callees, since the
    // constant depends on their code.
    for (const CallCase &one : info.cases) frame.add_callee(one.target);
  }
  return result;
}

void Inference::Frame::add_callee(const CodeInstance *callee) {
  std::vector<const CodeInstance *> &list = code->callees;
  if (list.size() < max_list_search) {
    if (std::find(list.begin(), list.end(), callee) == list.end()) list.push_back(callee);
    return;
  }
  if (callees.empty()) callees.insert(list.begin(), list.end());
  if (callees.insert(callee).second) list.push_back(callee);
}

void Inference::add_call_edge(Frame &frame, TypeRef arguments, const Method *chosen, bool asks_only,
                              Symbol overlay) {
  const std::vector<Edge> &edges = frame.code->edges;
  auto is_call = [](const Edge &edge) { return edge.kind == Edge::Kind::Call; };
  // Calls in nested jobs are few, and not in `call_edges`.
  const bool is_nested = overlay != table_.facts.overlay;
  if (is_nested || edges.size() < max_list_search) {
    for (const Edge &edge : edges)
      if (is_call(edge) && edge.arguments == arguments && edge.asks_only == asks_only &&
          edge.overlay == overlay)
        return;
  } else {
    if (frame.call_edges.empty())
      for (const Edge &edge : edges)
        if (is_call(edge) && edge.overlay == overlay)
          frame.call_edges.emplace(edge.arguments, edge.asks_only);
    if (!frame.call_edges.emplace(arguments, asks_only).second) return;
  }
  frame.code->edges.push_back(Edge{.kind = Edge::Kind::Call,
                                   .arguments = arguments,
                                   .overlay = overlay,
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
        InferenceFault{why.code,
                       fmt::format("the generator of {} failed: {}", spell_call(arguments), why.message),
                       why.hint,
                       {}});
    out.fault = info.fault;
    info.kind = CallInfo::Kind::Invoke;
    info.fault = ~0u;
    return value;
  }
  match.method = *expanded;
  const MethodInstance *instance = world_.instance(*match.method, out.arguments, match.static_params);

  // Facts about the arguments in this case of the union split.
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

// True if a call needs its own code instance for its constant arguments. Called before the generic instance
// is inferred, with `generic` null, and again with the generic instance's result.
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

} // namespace kiln
