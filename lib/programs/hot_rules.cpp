// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decides which calls compiled code may run instead of the interpreter.
#include "hot_code.h"

#include <kiln/abi.h>

#include <algorithm>

namespace kiln {

namespace {

// Interpreter steps after which a method is compiled. A compile takes 2 to 10 ms, a step about 0.5 us.
constexpr uint64_t hot_steps = 20'000;
// A method with fewer steps per call stays interpreted. A call of compiled code costs about this many steps.
constexpr uint64_t min_steps_per_call = 20;

// Names of host functions of arrays, dictionaries and strings for which an equivalent Julia method exists.
// Most of these methods are in runtime/library/program/compiled*.jl, which only compiled code uses.
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
                                       "__same_memory",
                                       "__bits_at",
                                       "__set_bits!",
                                       "__compiled_broadcast",
                                       "__new_dict",
                                       "__dict_get",
                                       "__dict_has",
                                       "__dict_set",
                                       "__dict_set_text",
                                       "__dict_delete",
                                       "__dict_clear",
                                       "__dict_length",
                                       "__dict_next",
                                       "__note_missing",
                                       "__codeunit",
                                       "unit_at",
                                       "__text_of",
                                       "push!",
                                       "pushfirst!",
                                       "append!",
                                       "pop!",
                                       "popfirst!",
                                       "empty!",
                                       "resize!",
                                       "deleteat!",
                                       "__insert",
                                       "rand",
                                       "randn",
                                       "randexp",
                                       "rand!",
                                       "randn!",
                                       "randexp!"};
  return std::ranges::find(Same, name) != std::end(Same);
}

/// True if the code's own stores are to arrays, and not to the words of a reference.
bool stores_to_arrays(const CodeInstance &code) { return code.instance->method->name.text() != "__to_words"; }

/// Returns true if the code, or what it calls, stores to an array.
bool stores(const CodeInstance &code, std::unordered_set<const CodeInstance *> &seen) {
  if (!seen.insert(&code).second) return false;
  auto is_store = [](const CallInfo &call) {
    return call.kind == CallInfo::Kind::Intrinsic && call.intrinsic == Intrinsic::pointer_store;
  };
  if (stores_to_arrays(code) && std::ranges::any_of(code.calls, is_store)) return true;
  return std::ranges::any_of(code.callees, [&](const CodeInstance *callee) { return stores(*callee, seen); });
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
  before_.erase(args.data());
  if (is_compiling_ || steps < 4 * calls) return;
  MethodCodes &known = find_method(method);
  if (known.is_for_host) return;
  std::vector<Value> plain;
  Code &code = find(known.codes, plain_arguments(args, plain));
  code.steps += steps;
  code.calls += calls;
}

/// Returns true if compiled code may run the call: it and its callees only compute, write to arrays, and
/// change dictionaries.
bool HotCode::is_allowed(const CodeInstance &code, Code &of, std::unordered_set<const CodeInstance *> &seen) {
  if (!seen.insert(&code).second) return true;
  if (code.has_faults) { // stays interpreted: the interpreter reports the fault better
    for (const InferenceFault &fault : code.faults)
      refuse(fmt::format("{}: {}", name_of(fault.code), fault.message));
    for (const CodeInstance *callee : code.callees)
      if (callee->has_faults) return is_allowed(*callee, of, seen);
    return refuse("inference found a fault");
  }
  if (!is_allowed_value(code.result, code) || !add_variables(code, of) || !add_type_key(code)) return false;
  if (!in_cells_.empty() && uses_cell(code))
    return refuse("it calls code that reads a variable that it assigns");
  if (code.instance->method->is_library && code.instance->method->name == of.loop)
    of.writes_more = writes_more(code);
  for (const Lattice &type : code.types)
    if (!is_allowed_value(type, code)) return false;
  for (const Value &constant : code.ssa->code->constants)
    if (constant && !is_allowed_value({types_.type_of(constant), constant}, code)) return false;
  for (const CallInfo &call : code.calls)
    if (!is_allowed_call(code, call, of)) return false;
  for (const CodeInstance *callee : code.callees) {
    const DataType *signature = callee->instance->arguments->as<DataType>();
    const bool takes_arrays =
        std::ranges::any_of(signature->params(), [&](TypeRef t) { return has_array(t, true); });
    const std::string_view name = callee->instance->method->name.text();
    if (takes_arrays && interpreter_.has_host_function(signature->params()[0]) && !means_the_same(name))
      return refuse(fmt::format("`{}` of arrays, dictionaries or strings is a function of the host", name));
    if (!is_allowed(*callee, of, seen)) return false;
  }
  return true;
}

/// Returns true if a loop of the library, such as __fill_from!, calls code that stores to other arrays than
/// the loop's outputs: to those of a closure.
bool HotCode::writes_more(const CodeInstance &loop) {
  std::unordered_set<const CodeInstance *> seen;
  return std::ranges::any_of(loop.callees, [&](const CodeInstance *callee) {
    const std::string_view name = callee->instance->method->name.text();
    return name != "setindex!" && name != "push!" && stores(*callee, seen);
  });
}

/// Refuses a constant that contains an array or a dictionary: its contents and length may change.
bool HotCode::is_allowed_value(const Lattice &value, const CodeInstance &code) {
  if (!value.constant) return true;
  if (has_array(types_.type_of(*value.constant), false))
    return refuse(fmt::format("`{}` uses a constant that holds an array: hand it over as an argument",
                              code.instance->method->name.text()));
  if (const Symbol symbol = value.constant->as_symbol())
    symbols_by_identity_.emplace(abi::symbol_identity(symbol.text()), symbol);
  const std::string *text = value.constant->as_string();
  return !text || text->find('\0') == text->npos || refuse("it uses a string with a zero byte");
}

/// Returns the array or object of the host that a variable refers to.
static const void *object_of(const Value &value) {
  if (const std::vector<Value> *fields = value.fields())
    return fields->empty() ? nullptr : object_of(fields->front());
  return value.as_array() ? static_cast<const void *>(value.as_array()) : value.as_object();
}

/// Notes the variables that refer to values of the interpreter.
bool HotCode::add_variables(const CodeInstance &code, Code &of) {
  for (size_t i = 0; i < code.globals.size(); ++i) {
    const Lattice &known = code.globals[i];
    if (!known.type || known.poison) continue; // never read
    if (!is_allowed_value(known, code)) return false;
    if (known.constant) continue;
    const GlobalName &name = code.code->globals[i];
    if (!packed_type(known.type))
      return refuse(fmt::format("the variable `{}` holds a {}", name.name.text(), to_string(known.type)));
    auto value = world_.lookup(*name.module, name.name, world_.age());
    if (!value.ok() || !*value) return false;
    const std::pair variable(name, object_of(**value));
    if (std::ranges::find(of.variables, variable) == of.variables.end()) of.variables.push_back(variable);
  }
  return true;
}

/// Notes the type of a call of __type_key(T), whose result names the type in compiled code.
bool HotCode::add_type_key(const CodeInstance &code) {
  if (code.instance->method->name.text() != "__type_key" || !code.instance->method->is_library) return true;
  const TypeRef type = types_.type_parameter(code.instance->arguments->as<DataType>()->params()[1]);
  return add_type(type) || refuse(fmt::format("it makes a {}", to_string(type)));
}

/// Returns the number by which compiled code names a type.
uint64_t HotCode::type_key(TypeRef type) const {
  const Value part[] = {Value::type_value(types_, type)};
  const auto key = fold_intrinsic(types_, Intrinsic::symbol_concat, part);
  return key ? abi::symbol_identity(key->as_symbol().text()) : 0;
}

/// Returns false if values of the type cannot pass, or if another type has the same text.
bool HotCode::add_type(TypeRef type) {
  return shapes().find(type) && types_by_key_.try_emplace(type_key(type), type).first->second == type;
}

/// Notes the type of a part of an exception. Parts that cannot pass are unknown later.
void HotCode::add_noted_type(TypeRef type) {
  const DataType *data = type->as<DataType>();
  if (type == types_.builtins().Symbol || (data && data->name().is_type))
    types_by_key_.try_emplace(type_key(type), type);
  else
    (void)add_type(type);
}

bool HotCode::is_allowed_call(const CodeInstance &code, const CallInfo &call, Code &of) {
  if (call.kind == CallInfo::Kind::Fault) return refuse("inference found a fault");
  if (call.kind != CallInfo::Kind::Intrinsic) return true;
  switch (call.intrinsic) {
  case Intrinsic::throw_: // the exception, or the parts of its text, for the interpreter
  case Intrinsic::message_text:
  case Intrinsic::exception_fields:
    for (const ArgRef &arg : call.args) {
      const Lattice operand = code.operand(types_, arg.operand);
      TypeRef type = operand.constant ? types_.type_of(*operand.constant) : operand.type;
      const DataType *data = type ? type->as<DataType>() : nullptr;
      if (arg.field >= 0) type = data ? types_.field_types(data)[size_t(arg.field)] : nullptr;
      if (type) add_noted_type(type);
    }
    return true;
  case Intrinsic::pointer_store: of.writes |= stores_to_arrays(code); return true;
  case Intrinsic::foreign_call: {
    const Lattice name = code.operand(types_, call.args[0].operand);
    const Symbol symbol = name.constant ? name.constant->as_symbol() : Symbol();
    std::string_view text = symbol.text();
    if (text.starts_with("extern ")) text.remove_prefix(7);
    constexpr std::string_view changes[] = {"kiln.reference.dict_set", "kiln.reference.dict_set_text",
                                            "kiln.reference.dict_erase", "kiln.reference.dict_clear"};
    of.changes_lengths |= text == GrowArraySymbol;
    of.draws |= text.starts_with("kiln.reference.random_");
    of.changes_dicts |= std::ranges::find(changes, text) != std::end(changes);
    // Allows mathematics of the C library and LLVM, and functions of the interpreter's values. Device
    // functions, random numbers of kernels, and output are refused.
    const bool is_allowed = (text.starts_with("llvm.") && text.find("nvvm") == text.npos) ||
                            text.starts_with("kiln.string_") || text.starts_with("kiln.reference.");
    if (text.empty() || (!is_allowed && text.find('.') != text.npos) || text.find("print") != text.npos)
      return refuse(fmt::format("it calls `{}`", text));
    return true;
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
  default: return true;
  }
}

} // namespace kiln
