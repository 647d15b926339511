// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decides which calls compiled code may run instead of the interpreter.
#include "hot_code.h"

#include <algorithm>

namespace kiln {

namespace {

// Interpreter steps after which a method is compiled. A compile takes 2 to 10 ms, a step about 0.5 us.
constexpr uint64_t hot_steps = 20'000;
// A method with fewer steps per call stays interpreted. A call of compiled code costs about this many steps.
constexpr uint64_t min_steps_per_call = 20;

// Names of host functions of arrays for which an equivalent Julia method exists. The methods of the list's
// second part are in runtime/library/program/compiled_arrays.jl, which only compiled code uses.
bool means_the_same(std::string_view name) {
  constexpr std::string_view Same[] = {"getindex",
                                       "setindex!",
                                       "size",
                                       "length",
                                       "iterate",
                                       "eachindex",
                                       "axes",
                                       "eltype",
                                       "ndims",
                                       "first",
                                       "lastindex",
                                       "isempty",
                                       "undef_array",
                                       "fill",
                                       "collect",
                                       "copy",
                                       "map",
                                       "vect",
                                       "lazy_call",
                                       "materialize",
                                       "sum",
                                       "__joined_array",
                                       "__product",
                                       "__compiled_into",
                                       "__compiled_broadcast"};
  return std::ranges::find(Same, name) != std::end(Same);
}

} // namespace

bool HotCode::is_hot(const Code &code) {
  return code.steps >= hot_steps && code.steps >= min_steps_per_call * code.calls;
}

HotCode::MethodCodes &HotCode::find_method(const Method &method) {
  MethodCodes &found = methods_[&method];
  if (found.is_known) return found;
  found.is_known = true;
  auto code = method.code(types_);
  if (!code.ok()) return found;
  const std::vector<Stmt> &stmts = (*code)->stmts;
  for (uint32_t i = 0; i < stmts.size(); ++i) {
    found.is_for_host |= stmts[i].op == Op::HostOnly;
    found.has_loop |= (stmts[i].op == Op::Goto || stmts[i].op == Op::GotoIfNot) && stmts[i].target <= i;
  }
  return found;
}

HotCode::Treatment HotCode::treatment(const Method &method, std::span<const Value> args) {
  if (is_compiling_) return Treatment::Ask;
  MethodCodes &known = find_method(method);
  if (known.is_for_host) return Treatment::Interpret;
  std::vector<Value> plain;
  if (plain_arguments(args, plain).data() != args.data()) return Treatment::Ask; // equal types, other cells
  const Code &code = find(known.codes, args);
  if (code.wanted == Wanted::Refused) return Treatment::Interpret;
  return code.wanted == Wanted::Yes || known.has_loop || is_hot(code) ? Treatment::Ask : Treatment::Count;
}

void HotCode::was_interpreted(const Method &method, std::span<const Value> args, uint64_t steps,
                              uint64_t calls) {
  saved_arrays_.erase(args.data());
  if (is_compiling_ || steps < 4 * calls) return;
  MethodCodes &known = find_method(method);
  if (known.is_for_host) return;
  std::vector<Value> plain;
  Code &code = find(known.codes, plain_arguments(args, plain));
  code.steps += steps;
  code.calls += calls;
}

/// Returns true if compiled code may run the call: it and its callees only compute and write to arrays.
bool HotCode::is_allowed(const CodeInstance &code, bool &writes,
                         std::unordered_set<const CodeInstance *> &seen) {
  if (!seen.insert(&code).second) return true;
  if (code.has_faults) { // stays interpreted: the interpreter reports the fault better
    for (const InferenceFault &fault : code.faults)
      refuse(fmt::format("{}: {}", name_of(fault.code), fault.message));
    for (const CodeInstance *callee : code.callees)
      if (callee->has_faults) return is_allowed(*callee, writes, seen);
    return refuse("inference found a fault");
  }
  // Refuses code that contains an array, such as `const A = [1, 2]`: its contents and length may change.
  auto is_array = [&](const Lattice &l) { return l.constant && has_array(types_.type_of(*l.constant)); };
  if (std::ranges::any_of(code.globals, is_array) || std::ranges::any_of(code.types, is_array) ||
      is_array(code.result) || std::ranges::any_of(code.ssa->code->constants, [&](const Value &v) {
        return v && has_array(types_.type_of(v));
      }))
    return refuse(fmt::format("`{}` uses an array that is a constant: hand it over as an argument",
                              code.instance->method->name.text()));
  for (const CallInfo &call : code.calls) {
    if (call.kind == CallInfo::Kind::Fault) return refuse("inference found a fault");
    if (call.kind != CallInfo::Kind::Intrinsic) continue;
    switch (call.intrinsic) {
    case Intrinsic::pointer_store: writes = true; break;
    case Intrinsic::foreign_call: {
      const Lattice name = code.operand(types_, call.args[0].operand);
      const Symbol symbol = name.constant ? name.constant->as_symbol() : Symbol();
      std::string_view text = symbol.text();
      if (text.starts_with("extern ")) text.remove_prefix(7);
      // Allows mathematics of the C library and LLVM. Device functions, random numbers and output are
      // refused.
      const bool is_llvm = text.starts_with("llvm.") && text.find("nvvm") == text.npos;
      if (text.empty() || (!is_llvm && text.find('.') != text.npos) || text.find("print") != text.npos)
        return refuse(fmt::format("it calls `{}`", text));
      break;
    }
    case Intrinsic::deferred_codegen:
    case Intrinsic::deferred_codegen_in:
    case Intrinsic::pointer_call:
    case Intrinsic::kernel_state:
    case Intrinsic::static_shared:
    case Intrinsic::dynamic_shared:
    case Intrinsic::atomic_modify:
    case Intrinsic::atomic_replace:
    case Intrinsic::atomic_load:
    case Intrinsic::atomic_store:
    case Intrinsic::memory_fence:
    case Intrinsic::inline_assembly:
    case Intrinsic::pure_assembly: return refuse(fmt::format("it calls {}", info(call.intrinsic).name));
    default: break;
    }
  }
  for (const CodeInstance *callee : code.callees) {
    const DataType *signature = callee->instance->arguments->as<DataType>();
    const bool takes_arrays =
        std::ranges::any_of(signature->params(), [&](TypeRef t) { return has_array(t); });
    if (takes_arrays && interpreter_.has_host_function(signature->params()[0]) &&
        !means_the_same(callee->instance->method->name.text()))
      return refuse(
          fmt::format("`{}` of arrays is a function of the host", callee->instance->method->name.text()));
    if (!is_allowed(*callee, writes, seen)) return false;
  }
  return true;
}

} // namespace kiln
