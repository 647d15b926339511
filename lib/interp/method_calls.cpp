// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs the method of a call after dispatch has chosen it. Looks up names of Base.
#include "host_arrays.h"
#include "interp.h"
#include "state.h"

#include <support/stack.h>

namespace kiln {

namespace {

constexpr uint64_t call_of_compiled = 10; // steps that a call of compiled code counts
// A call fails if less stack is left, which happens when no other stack could be allocated.
constexpr size_t last_stack = min_call_stack / 4;

Error in_frame(Error error, CompilerWorld &world, std::string_view function, Span at) {
  for (Diagnostic &d : error.diagnostics()) {
    if (!d.at) d.at = world.sources().locate(at);
    if (d.stack.size() < 40) d.stack.push_back({std::string(function), world.sources().locate(at)});
  }
  return error;
}

} // namespace

Result<Value> find_base(Interpreter &interpreter, std::string_view name) {
  CompilerWorld &world = compiler_world(interpreter.world());
  KILN_TRY(auto found, world.lookup(*world.base(), world.types().symbol(name), world.age()));
  if (!found) return internal_error(fmt::format("Base has no function `{}`", name));
  return std::move(*found);
}

TypeRef find_base_type(Interpreter &interpreter, std::string_view name) {
  CompilerWorld &world = compiler_world(interpreter.world());
  auto found = world.lookup(*world.base(), world.types().symbol(name), world.age());
  return found.ok() && *found ? (*found)->as_type() : nullptr;
}

Result<Value> call_base(Interpreter &interpreter, std::string_view function, std::span<const Value> args) {
  KILN_TRY(Value found, find_base(interpreter, function));
  return interpreter.call(found, args);
}

Result<MethodMatch> own_method(Interpreter::State &s, const Value &function, std::span<const Value> args) {
  TypeContext &types = s.world.types();
  const auto call = FoundMethods::call(types, function, args);
  if (call)
    if (const MethodMatch *known = s.own.find(*call, s.world.age())) return *known;
  std::vector<TypeRef> arguments{types.type_of(function)};
  for (const Value &arg : args) arguments.push_back(types.type_of(arg));
  const TypeRef tuple = types.tuple(arguments);
  WorldAge &looked_up = s.looked_up[function.type()];
  MethodMatch match;
  // lookup_method() also evaluates postponed definitions of the function, so call it once per world age.
  if (looked_up != s.world.age() || s.world.may_choose_added(tuple, s.overlay)) {
    KILN_TRY(match, s.world.lookup_method(tuple, s.world.age(), s.overlay));
    looked_up = s.world.age();
    if (match.method && match.method->is_library) match = MethodMatch();
  }
  if (call) s.own.keep(*call, s.world.age(), match);
  return match;
}

Result<Value> Interpreter::call(const Value &function, std::span<const Value> args) {
  // Call depth has a limit of its own. If the thread's stack ends earlier, continue on another stack.
  if (remaining_stack() >= min_call_stack) return call_here(function, args);
  return with_stack(stack_for_limits, [&] { return call_here(function, args); });
}

Result<Value> Interpreter::on_deep_stack(const std::function<Result<Value>()> &work) {
  return with_stack(4 * stack_for_limits, work);
}

Result<void> Interpreter::check_depth() const {
  const State &s = *state_;
  if (s.depth >= s.limits.depth)
    return make_error(ErrorCode::StackOverflowError,
                      fmt::format("evaluation nests more than {} calls deep", s.limits.depth));
  if (remaining_stack() < last_stack)
    return make_error(ErrorCode::StackOverflowError,
                      fmt::format("evaluation takes the thread's whole stack, {} calls deep", s.depth));
  return {};
}

Result<Value> Interpreter::run_method(const Value &function, MethodMatch match, std::span<const Value> actual,
                                      bool is_invoked) {
  State &s = *state_;
  TypeContext &types = s.world.types();
  if (match.method->generate) {
    std::vector<TypeRef> arguments{types.type_of(function)};
    for (const Value &arg : actual) arguments.push_back(types.type_of(arg));
    KILN_TRY(match.method, s.world.expanded(*match.method, types.tuple(arguments), match.static_params));
  }
  const Method &method = *match.method;
  CompiledCalls *compiled = s.program && !is_invoked ? s.program->compiled : nullptr;
  std::vector<Value> all;
  if (compiled) {
    all.reserve(1 + actual.size());
    all.push_back(function);
    all.insert(all.end(), actual.begin(), actual.end());
    KILN_TRY(Value result, compiled->call(method, all));
    if (result) {
      s.steps += call_of_compiled;
      return result;
    }
  }
  // Lowering recurses as deep as the method's text is nested.
  auto code = with_stack(stack_for_limits, [&] { return method.code(types); });
  if (!code.ok()) return code.take_error();
  const uint64_t before = s.steps;
  std::vector<Value> slots{function};
  size_t fixed = method.is_vararg ? method.nargs - 2 : method.nargs - 1;
  for (size_t i = 0; i < fixed; i++) slots.push_back(actual[i]);
  if (method.is_vararg) {
    KILN_TRY(Value rest, call_intrinsic(Intrinsic::tuple, actual.subspan(fixed)));
    slots.push_back(std::move(rest));
  }
  auto restart = [&] { return compiled->restart(method, all); };
  auto result =
      execute(**code, std::move(slots), match.static_params, compiled ? Restart(restart) : Restart());
  if (!result.ok()) return in_frame(result.take_error(), s.world, method.name.text(), method.at);
  if (compiled) compiled->was_interpreted(method, all, s.steps - before);
  return result;
}

Result<Value> Interpreter::invoke(const Value &function, const Value &named, std::span<const Value> args) {
  State &s = *state_;
  TypeContext &types = s.world.types();
  KILN_CHECK(check_depth());
  const DataType *tuple = named.as_type() ? named.as_type()->as<DataType>() : nullptr;
  if (!tuple || !tuple->is_tuple())
    return make_error(ErrorCode::TypeError,
                      fmt::format("invoke takes a Tuple type as its second argument, not {}", spell(named)));
  std::vector<TypeRef> given, wanted{types.type_of(function)}, actual = wanted;
  for (const Value &arg : args) given.push_back(types.type_of(arg));
  if (!is_subtype(types, types.tuple(given), tuple))
    return make_error(ErrorCode::TypeError, fmt::format("invoke: arguments of the types {} are not of {}",
                                                        spell(types.tuple(given)), spell(tuple)));
  wanted.insert(wanted.end(), tuple->params().begin(), tuple->params().end());
  actual.insert(actual.end(), given.begin(), given.end());
  KILN_TRY(MethodMatch match, s.world.lookup_method(types.tuple(wanted), s.world.age(), s.overlay));
  std::optional<std::vector<TypeRef>> parameters;
  if (match.method) parameters = match_signature(types, types.tuple(actual), match.method->signature);
  if (!parameters)
    return make_error(ErrorCode::MethodError, fmt::format("no method matching {}", spell_call(wanted)));
  // The static parameters come from the types of the values. These may bind parameters that the given types
  // leave unbound.
  match.static_params = std::move(*parameters);
  ++s.depth;
  auto result = run_method(function, std::move(match), args, true);
  --s.depth;
  return result;
}

} // namespace kiln
