// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "partial.h"

#include <unordered_map>
#include <world/world.h>

namespace kiln {

namespace {

/// Finds the functions that return unknown values, by passes until nothing changes: calls may be cyclic.
class PartialResults {
public:
  explicit PartialResults(TypeContext &types) : types_(types) {}

  bool find(const CodeInstance &code) {
    std::vector<const CodeInstance *> order{&code};
    is_partial_.emplace(&code, false);
    for (size_t i = 0; i < order.size(); ++i)
      for (const CodeInstance *callee : order[i]->callees)
        if (callee->has_faults && is_partial_.emplace(callee, false).second) order.push_back(callee);
    for (bool changed = true; changed && !is_partial_[&code];) {
      changed = false;
      for (size_t i = order.size(); i-- > 0;)
        if (bool &known = is_partial_[order[i]]; !known && returns_unknown(*order[i])) changed = known = true;
    }
    return is_partial_[&code];
  }

  bool returns_unknown(const CodeInstance &code) const {
    std::vector<bool> unknown(code.ssa->stmts.size());
    for (bool changed = true; changed;) { // values of loops
      changed = false;
      for (uint32_t i = 0; i < unknown.size(); ++i)
        if (!unknown[i] && code.reachable[code.ssa->block_of[i]] && is_unknown(code, i, unknown))
          changed = unknown[i] = true;
    }
    for (uint32_t i = 0; i < unknown.size(); ++i)
      if (code.ssa->stmts[i].op == Op::Return && code.reachable[code.ssa->block_of[i]] &&
          code.types[i].type && is_unknown(code, code.ssa->stmts[i].args[0], unknown))
        return true;
    return false;
  }

private:
  using Unknown = std::vector<bool>; // by statement

  bool is_unknown(const CodeInstance &code, Operand operand, const Unknown &unknown) const {
    if (operand.kind == Operand::Kind::Ssa) return unknown[operand.index];
    return operand.kind == Operand::Kind::Global && code.globals[operand.index].poison;
  }

  bool is_unknown(const CodeInstance &code, uint32_t index, const Unknown &unknown) const {
    const Stmt &stmt = code.ssa->stmts[index];
    const Lattice &known = code.types[index];
    if (!known.type || known.is_bottom()) return false;
    const auto any_operand = [&](size_t from) {
      for (size_t i = from; i < stmt.args.size(); ++i)
        if (is_unknown(code, stmt.args[i], unknown)) return true;
      return false;
    };
    switch (stmt.op) {
    case Op::Phi:
      for (size_t i = 0; i < stmt.args.size(); ++i)
        if (code.reachable[stmt.phi_blocks[i]] && is_unknown(code, stmt.args[i], unknown)) return true;
      return false;
    case Op::Pi:
    case Op::Copy:
    case Op::Cell: return any_operand(0);
    case Op::New:
    case Op::NewClosure: return is_unknown(code, stmt.args[0], unknown) || known.poison;
    case Op::Call: break;
    default: return false;
    }
    const CallInfo &call = code.calls[index];
    if (call.has_declared_type || never_returns(code, stmt)) return false;
    // A function of the library gives one type on all of its ways, except that it may give nothing.
    const bool gives_one_type = code.instance->method->is_library && !code.result.poison &&
                                code.result.type != types_.builtins().Nothing;
    switch (call.kind) {
    case CallInfo::Kind::Invoke:
      for (const CallCase &one : call.cases)
        if (one.target ? is_partial(*one.target)
                       : !gives_one_type && !always_throws(one.arguments->as<DataType>()->params()[0]))
          return true;
      return any_operand(0); // an unknown argument may choose another method
    case CallInfo::Kind::Fault:
      if (!known.poison) return false; // an assertion gives its type
      if (call.fault >= code.faults.size()) return any_operand(0);
      if (gives_one_type) return false;
      return code.faults[call.fault].code != ErrorCode::MethodError || call.args.empty() ||
             !always_throws(code.operand(types_, call.args[0].operand).dispatch_type(types_));
    case CallInfo::Kind::Intrinsic: return any_operand(1);
    default: return false;
    }
  }

  bool is_partial(const CodeInstance &code) const {
    auto found = is_partial_.find(&code);
    return found != is_partial_.end() ? found->second : code.is_partial;
  }

  const DataType *callee_type(TypeRef callee) const {
    if (TypeRef constructed = callee ? types_.type_parameter(callee) : nullptr) callee = constructed;
    while (const auto *all = callee ? callee->as<UnionAllType>() : nullptr) callee = all->body();
    return callee ? callee->as<DataType>() : nullptr;
  }

  /// True if Julia too has no method for a call without one. The library's functions may have methods that
  /// only the interpreter knows.
  bool always_throws(TypeRef callee) const {
    const DataType *type = callee_type(callee);
    return type && !is_library_module(type->name().module);
  }

  /// True for calls of functions that never return, whatever their arguments are.
  bool never_returns(const CodeInstance &code, const Stmt &stmt) const {
    const DataType *type = callee_type(code.operand(types_, stmt.args[0]).type);
    if (!type || !type->name().is_function || !is_library_module(type->name().module)) return false;
    const std::string_view name = type->name().function_name.text();
    return name == "throw" || name == "error" || name == "rethrow" || name == "exit";
  }

  TypeContext &types_;
  std::unordered_map<const CodeInstance *, bool> is_partial_;
};

} // namespace

bool has_partial_result(TypeContext &types, const CodeInstance &code) {
  return PartialResults(types).find(code);
}

bool returns_partial_value(TypeContext &types, const CodeInstance &code) {
  return PartialResults(types).returns_unknown(code);
}

} // namespace kiln
