// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "julia_world.h"

#include <infer/infer.h>

namespace kiln::test {

/// Programs in Julia's text, inferred.
struct InferFixture : JuliaWorld {
  CodeInstanceTable table{world};

  /// The method instance that a call names at this world: "f(Int64, Val(3))".
  const MethodInstance &instance(std::string_view call, Symbol overlay = {}) {
    ResolvedCall resolved = take(frontend.resolve_call(world, *world.main(), "call", call));
    MethodMatch match = take(world.lookup_method(resolved.tuple, world.age(), overlay));
    if (!match.method) FAIL("no method for " << call);
    return *world.instance(*match.method, resolved.tuple, match.static_params);
  }
  Result<const CodeInstance *> try_infer(std::string_view call, const InferenceFacts &facts = {}) {
    return table.get(instance(call, facts.overlay), facts, world.age());
  }
  const CodeInstance &infer(std::string_view call, const InferenceFacts &facts = {}) {
    return *take(try_infer(call, facts));
  }
  /// As --emit typed writes it: a type, or Const(value).
  std::string result(std::string_view call) { return to_string(infer(call).result); }
  TypeRef type(std::string_view call) { return infer(call).result.type; }
  /// "name: message" of what cannot run, in the order of the statements that are reached; of callees too.
  std::vector<std::string> faults(const CodeInstance &code) {
    std::vector<std::string> all;
    std::vector<const CodeInstance *> seen{&code};
    for (size_t i = 0; i < seen.size(); i++) {
      for (const InferenceFault &fault : seen[i]->faults)
        all.push_back(std::string(name_of(fault.code)) + ": " + fault.message);
      for (const CodeInstance *callee : seen[i]->callees)
        if (std::find(seen.begin(), seen.end(), callee) == seen.end()) seen.push_back(callee);
    }
    return all;
  }
  /// The calls of a function of that name in the code, as inference resolved them.
  std::vector<const CallInfo *> calls_of(const CodeInstance &code, std::string_view name) {
    std::vector<const CallInfo *> found;
    for (size_t i = 0; i < code.calls.size(); i++) {
      if (code.ssa->stmts[i].op != Op::Call) continue;
      const DataType *callee = code.operand(types, code.ssa->stmts[i].args[0]).type->as<DataType>();
      if (callee && callee->name().is_function && callee->name().function_name.text() == name)
        found.push_back(&code.calls[i]);
    }
    return found;
  }
  TypeRef union_of(std::initializer_list<TypeRef> members) {
    return types.union_of(std::vector<TypeRef>(members));
  }
};

} // namespace kiln::test
