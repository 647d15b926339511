// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// deferred_codegen(f, T1, T2, ...): another job, whose code this one has a pointer to. It is inferred as a
// callee, so its edges, its digest and what it defers itself are this job's too.
#include "inference.h"

#include <algorithm>

namespace kiln {

Lattice Inference::defer(Frame &frame, Call call, CallInfo &info) {
  Call target;
  target.at = call.at;
  for (size_t i = 0; i < call.values.size(); i++) {
    const Lattice &value = call.values[i];
    TypeRef type = i == 0           ? value.dispatch_type(types_)
                   : value.constant ? value.constant->as_type()
                                    : nullptr;
    if (!type || !types_.is_dispatch_element(type))
      return fault(
          frame, info,
          InferenceFault{
              "TypeError",
              "deferred_codegen takes a function, then types that are concrete and known at compile time",
              {},
              {}});
    if (i == 0 && !types_.is_singleton(type))
      return fault(
          frame, info,
          InferenceFault{
              "TypeError",
              fmt::format(
                  "deferred_codegen of a value of type {}: a pointer to code has no space for what it captures",
                  to_string(type)),
              "pass what it captures as arguments",
              {}});
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

} // namespace kiln
