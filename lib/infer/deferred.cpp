// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Infers deferred_codegen(f, T1, T2, ...): a pointer to the code of another job. That job is inferred like a
// callee. Its edges, its digest and its own deferred jobs thus become part of the job that is inferred.
//
// Infers deferred_codegen_in(Val(:name), f, T1, T2, ...): the pointer's code is compiled with a nested config
// of the job. That config has other inference facts, and so another table of code instances: a separate
// inference makes the code. Its edges, its digest and the end of its worlds still become part of this job.
#include "inference.h"

#include <algorithm>

namespace kiln {

/// Collects the types of a function and its arguments from values[first] on. Returns false after setting
/// `fault`.
bool Inference::deferred_types(Frame &frame, const Call &call, size_t first, std::string_view name,
                               CallInfo &info, std::vector<TypeRef> &out, Lattice &fault) {
  for (size_t i = first; i < call.values.size(); i++) {
    const Lattice &value = call.values[i];
    TypeRef type = i == first       ? value.dispatch_type(types_)
                   : value.constant ? value.constant->as_type()
                                    : nullptr;
    if (!type || !types_.is_dispatch_element(type)) {
      fault = this->fault(
          frame, info,
          InferenceFault{
              ErrorCode::TypeError,
              fmt::format("{} takes a function, then types that are concrete and known at compile time",
                          name),
              {},
              {}});
      return false;
    }
    if (i == first && !types_.is_singleton(type)) {
      fault = this->fault(
          frame, info,
          InferenceFault{
              ErrorCode::TypeError,
              fmt::format("{} of a value of type {}: a pointer to code has no space for what it captures",
                          name, spell(type)),
              "pass what it captures as arguments",
              {}});
      return false;
    }
    out.push_back(type);
  }
  return true;
}

Lattice Inference::defer(Frame &frame, Call call, CallInfo &info) {
  std::vector<TypeRef> arguments;
  if (Lattice wrong; !deferred_types(frame, call, 0, "deferred_codegen", info, arguments, wrong))
    return wrong;
  Call target;
  target.at = call.at;
  for (TypeRef type : arguments) {
    target.refs.push_back({});
    target.values.push_back(Lattice::of_type(types_, type));
  }
  CallInfo found;
  Lattice result = call_methods(frame, target, found, nullptr);
  if (frame.error) return Lattice::bottom(types_);
  if (found.kind == CallInfo::Kind::Fault || found.cases.size() != 1 || !found.cases[0].target) {
    info.kind = CallInfo::Kind::Fault;
    info.fault = found.fault;
    return result;
  }
  const CodeInstance *code = found.cases[0].target;
  frame.add_callee(code);
  info.cases = std::move(found.cases);
  TypeRef nothing[] = {types_.builtins().Nothing};
  return Lattice::of_type(types_, types_.data(*types_.builtins().PtrName, nothing));
}

Lattice Inference::defer_in(Frame &frame, Call call, CallInfo &info) {
  const Lattice &given = call.values[0];
  Symbol name = given.constant ? given.constant->as_symbol() : Symbol();
  if (const DataType *val = given.type ? given.type->as<DataType>() : nullptr;
      !name && val && val->params().size() == 1)
    if (const ConstType *parameter = val->params()[0]->as<ConstType>()) name = parameter->value().as_symbol();
  if (!name)
    return fault(frame, info,
                 InferenceFault{ErrorCode::TypeError,
                                "deferred_codegen_in takes the name of a nested config, Val(:name), then a "
                                "function, then the types of its arguments",
                                {},
                                {}});
  const NestedFacts *nested = table_.facts.nested.get();
  const InferenceFacts *facts = nested ? nested->find(name) : nullptr;
  if (!facts) {
    std::string names;
    if (nested)
      for (const auto &[each, of_it] : nested->configs)
        names += fmt::format("{}`{}`", names.empty() ? "" : ", ", each.text());
    return fault(frame, info,
                 InferenceFault{ErrorCode::InvalidIRError,
                                fmt::format("the config of this job has no nested config `{}`", name.text()),
                                names.empty() ? "it has none: CompilerConfig::nested gives a config a name"
                                              : "its nested configs are " + names,
                                {}});
  }
  std::vector<TypeRef> arguments;
  if (Lattice wrong; !deferred_types(frame, call, 1, "deferred_codegen_in", info, arguments, wrong))
    return wrong;
  // Infer the code in another table. The recursion ends, since each nested config has fewer levels below it.
  CallCase only;
  only.arguments = types_.tuple(arguments);
  auto wrong_with = [&](Error error) {
    frame.error = std::move(error);
    return Lattice::bottom(types_);
  };
  auto match = world_.lookup_method(only.arguments, age_, facts->overlay);
  if (!match.ok()) return wrong_with(match.take_error());
  add_call_edge(frame, only.arguments, match->method, false, facts->overlay);
  if (!match->method) return fault(frame, info, method_error(only.arguments, *match));
  auto expanded = world_.expanded(*match->method, only.arguments, match->static_params);
  if (!expanded.ok()) return wrong_with(expanded.take_error());
  Inference inner(state_, state_.table(*facts), age_);
  auto code = inner.infer(*world_.instance(**expanded, only.arguments, match->static_params));
  if (!code.ok()) {
    Error error = code.take_error();
    for (Diagnostic &each : error.diagnostics())
      each.notes.push_back({fmt::format("in the nested job `{}`: {}", name.text(), spell_call(arguments)),
                            world_.sources().locate(call.at)});
    return wrong_with(std::move(error));
  }
  only.target = *code;
  frame.add_callee(*code);
  info.cases = {only};
  TypeRef nothing[] = {types_.builtins().Nothing};
  return Lattice::of_type(types_, types_.data(*types_.builtins().PtrName, nothing));
}

} // namespace kiln
