// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs the method of a call after dispatch has chosen it. Looks up names of Base.
#include "fold.h"
#include "host_arrays.h"
#include "state.h"

#include <support/exceptions.h>
#include <support/stack.h>

#include <ranges>
#include <utility>

namespace kiln {

namespace {

constexpr uint64_t call_of_compiled = 10; // steps that a call of compiled code counts
constexpr uint64_t asked_calls = 16;      // calls after which the treatment of a call is chosen anew
constexpr uint64_t counted_calls = 256;   // calls and steps after which counted calls are reported
constexpr uint64_t counted_steps = 2'000;
// A call fails if less stack is left, which happens when no other stack could be allocated.
constexpr size_t last_stack = min_call_stack / 4;

/// True for intrinsics that only apply_builtin computes, and that have no effect if they fail.
bool is_forwarded(Intrinsic intrinsic) {
  switch (intrinsic) {
  case Intrinsic::_apply_iterate:
  case Intrinsic::invoke:
  case Intrinsic::throw_:
  case Intrinsic::throw_undef_var:
  case Intrinsic::message_text:
  case Intrinsic::compile_error:
  case Intrinsic::applicable_:
  case Intrinsic::pointer_add:
  case Intrinsic::pointer_cast:
  case Intrinsic::pointer_to_int:
  case Intrinsic::int_to_pointer:
  case Intrinsic::foreign_call: return false;
  default: return true;
  }
}

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

/// Finds a method of the user or a package for a call of a host function; such a method takes precedence.
/// Without one, the match is empty: the host function runs, then the library's methods are tried.
static Result<MethodMatch> own_method(Interpreter::State &s, std::span<const TypeRef> call) {
  TypeContext &types = s.world.types();
  const TypeRef tuple = types.tuple(call);
  WorldAge &looked_up = s.looked_up[call[0]];
  MethodMatch match;
  // lookup_method() also evaluates postponed definitions of the function, so call it once per world age.
  if (looked_up != s.world.age() || s.world.may_choose_added(tuple, s.overlay)) {
    KILN_TRY(match, s.world.lookup_method(tuple, s.world.age(), s.overlay));
    looked_up = s.world.age();
    if (match.method && match.method->is_library) match = MethodMatch();
  }
  return match;
}

static std::vector<TypeRef> types_of(Interpreter::State &s, std::span<const Value> call) {
  std::vector<TypeRef> types;
  for (const Value &each : call) types.push_back(s.types_of_types.find(s.world.types(), each));
  return types;
}

/// Finds or makes the plan of a call.
static Result<std::shared_ptr<CallPlan>> plan_of(Interpreter::State &s, std::span<const Value> call) {
  TypeContext &types = s.world.types();
  CallTypes key;
  const bool is_kept = call.size() <= CallTypes::max_types;
  for (const Value &each : call) {
    const TypeRef type = s.types_of_types.find(types, each);
    if (!type) return usage_error("Interpreter::call: the function or an argument has no value");
    if (is_kept) key.types[key.count++] = type;
  }
  if (is_kept)
    if (auto known = s.plans.find(key, s.world.age())) return known;
  auto plan = std::make_shared<CallPlan>();
  plan->types = key;
  plan->world = s.world.age();
  plan->intrinsic = s.world.intrinsic(call[0].type());
  if (plan->intrinsic) {
  } else if (auto host = s.host_functions.find(call[0].type()); host != s.host_functions.end()) {
    KILN_TRY(plan->match, own_method(s, types_of(s, call)));
    plan->is_matched = plan->match.method != nullptr;
    if (!plan->is_matched) plan->host = &host->second;
  } else if (TypeRef called = call[0].as_type(); called && !s.host_constructors.empty()) {
    while (const auto *all = called->as<UnionAllType>()) called = all->body();
    if (const DataType *data = called->as<DataType>())
      if (auto made = s.host_constructors.find(&data->name()); made != s.host_constructors.end())
        plan->constructor = &made->second;
  }
  // Looking up a method may evaluate definitions.
  if (is_kept && plan->world == s.world.age()) s.plans.keep(plan);
  return plan;
}

Result<Value> Interpreter::call(const Value &function, std::span<const Value> args) {
  ValueFrame call(args.size() + 1);
  call.push_back(function);
  call.append(args);
  return call_values(call);
}

Result<Value> Interpreter::call_values(std::span<const Value> call) {
  // Call depth has a limit of its own. If the thread's stack ends earlier, continue on another stack.
  if (remaining_stack() >= min_call_stack) return call_here(call);
  return with_stack(stack_for_limits, [&]() -> Result<Value> {
    KILN_CHECK(check_depth());
    return call_here(call);
  });
}

Result<Value> Interpreter::call_here(std::span<const Value> call) {
  State &s = *state_;
  if (s.depth == 0) s.reset_counts(); // the outermost call starts to count steps and bytes
  if (s.depth >= s.limits.depth) KILN_CHECK(check_depth());
  struct Deeper {
    uint32_t &depth;
    explicit Deeper(uint32_t &d) : depth(d) { ++depth; }
    ~Deeper() { --depth; }
  } deeper(s.depth);

  KILN_TRY(std::shared_ptr<CallPlan> plan, plan_of(s, call));
  const std::span<const Value> args = call.subspan(1);
  if (plan->intrinsic) {
    auto result = call_intrinsic(*plan->intrinsic, args);
    if (result.ok() || !s.program || *plan->intrinsic != Intrinsic::getfield || args.size() < 2)
      return result;
    Error error = result.take_error();
    if (error.code() != ErrorCode::BoundsError) return error;
    return raise(make_exception("BoundsError", {{"a", args[0]}, {"i", args[1]}}));
  }
  if (plan->host) {
    auto result = call_embedder([&] { return fmt::format("the host function {}", spell(call[0])); },
                                [&] { return (*plan->host)(*this, args); });
    // A host function returns no value for argument types that it does not handle: library methods follow.
    if (!result.ok() || *result) return result;
  } else if (plan->constructor) {
    KILN_TRY(Value made, call_embedder([&] { return fmt::format("the constructor {}", spell(call[0])); },
                                       [&] { return (*plan->constructor)(*this, call); }));
    if (made) return made;
  }
  if (plan->world != s.world.age()) plan = std::make_shared<CallPlan>(); // the host made definitions
  if (!plan->is_matched) {
    KILN_TRY(plan->match,
             s.world.lookup_method(s.world.types().tuple(types_of(s, call)), s.world.age(), s.overlay));
    plan->is_matched = plan->match.method != nullptr;
  }
  return plan->is_matched ? run_method(plan->match, call, plan.get()) : call_unmatched(plan->match, call);
}

Result<Value> Interpreter::call_unmatched(MethodMatch match, std::span<const Value> call) {
  State &s = *state_;
  TypeContext &types = s.world.types();
  if (s.adapt && !s.program) {
    // No method accepts these arguments: convert host arrays to the types that kernels see, and look up
    // again.
    std::vector<Value> actual(call.begin(), call.end());
    bool adapted = false;
    for (Value &arg : std::span(actual).subspan(1))
      if (arg.as_array()) {
        auto seen = call_embedder("the array adapter of the interpreter", [&] { return s.adapt(arg); });
        adapted = seen.ok();
        if (!adapted) break; // a kernel cannot take this array, so that no method matches
        arg = std::move(*seen);
      }
    if (adapted) {
      KILN_TRY(match, s.world.lookup_method(types.tuple(types_of(s, actual)), s.world.age(), s.overlay));
      CallPlan plan;
      if (match.method) return run_method(match, actual, &plan);
    }
  }
  const std::vector<TypeRef> shown = types_of(s, call);
  Diagnostic d{ErrorCode::MethodError,
               match.ambiguous.empty() ? fmt::format("no method matching {}", spell_call(shown))
                                       : fmt::format("{} is ambiguous", spell_call(shown)),
               {},
               {},
               {},
               {}};
  for (const Method *method : match.ambiguous)
    d.notes.push_back({"candidate: " + spell(method->signature), s.world.sources().locate(method->at)});
  if (!s.program) return Error(std::move(d));
  KILN_TRY(auto tuple, apply_builtin(types, Intrinsic::tuple, call.subspan(1)));
  return s.thrown_error(make_exception("MethodError", {{"f", call[0]}, {"args", *tuple}}), std::move(d));
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

/// Returns the intrinsic call that is the whole code of a method. No value: the code does more.
static std::optional<ForwardedCall> forwarded_call(CompilerWorld &world, const Method &method,
                                                   const CodeInfo &code,
                                                   std::span<const TypeRef> static_params) {
  if (code.stmts.size() != 2 || method.is_vararg || code.has_declarations()) return std::nullopt;
  const Stmt &first = code.stmts[0], &last = code.stmts[1];
  if (first.op != Op::Call || last.op != Op::Return || last.args[0] != Operand::ssa(0)) return std::nullopt;
  ForwardedCall forwarded;
  for (size_t i = 0; i < first.args.size(); ++i) {
    ForwardedCall::Argument argument;
    const Operand operand = first.args[i];
    switch (operand.kind) {
    case Operand::Kind::Slot: argument.index = operand.index; break;
    case Operand::Kind::Const: argument.constant = code.constants[operand.index]; break;
    case Operand::Kind::Global: {
      const GlobalName &name = code.globals[operand.index];
      argument.constant = world.constant(*name.module, name.name, world.age()).value_or(Value());
      break;
    }
    case Operand::Kind::StaticParam: {
      const TypeRef param = static_params[operand.index];
      if (const auto *constant = param->as<ConstType>())
        argument.constant = constant->value();
      else if (!param->is<TypeVar>())
        argument.constant = Value::type_value(world.types(), param);
      break;
    }
    default: return std::nullopt;
    }
    if (argument.index >= method.nargs || (argument.index == 0 && !argument.constant)) return std::nullopt;
    if (i > 0) {
      forwarded.arguments.push_back(std::move(argument));
      continue;
    }
    const auto intrinsic = argument.index ? std::nullopt : world.intrinsic(argument.constant.type());
    if (!intrinsic || !is_forwarded(*intrinsic)) return std::nullopt;
    forwarded.intrinsic = *intrinsic;
  }
  forwarded.is_unchanged = forwarded.arguments.size() + 1 == method.nargs;
  for (size_t i = 0; i < forwarded.arguments.size(); ++i)
    forwarded.is_unchanged &= forwarded.arguments[i].index == i + 1;
  return forwarded;
}

/// Runs a forwarded call. An empty Value: it failed without effect, and its method must report the error.
static Value run_forwarded(CompilerWorld &world, const ForwardedCall &forwarded,
                           std::span<const Value> call) {
  ValueFrame own(forwarded.is_unchanged ? 0 : forwarded.arguments.size());
  std::span<const Value> args = call.subspan(1);
  if (!forwarded.is_unchanged) {
    for (const ForwardedCall::Argument &each : forwarded.arguments)
      own.push_back(each.index ? call[each.index] : each.constant);
    args = own;
  }
  if (!args.empty() && args[0].as_module()) return Value(); // the name may have to be loaded
  const IntrinsicInfo &about = info(forwarded.intrinsic);
  if (int(args.size()) < about.min_args || (about.max_args >= 0 && int(args.size()) > about.max_args))
    return Value();
  auto applied = apply_builtin(world.types(), forwarded.intrinsic, args);
  return applied.ok() && *applied ? std::move(**applied) : Value();
}

Result<Value> Interpreter::run_method(const MethodMatch &match, std::span<const Value> call, CallPlan *plan) {
  using Treatment = CompiledCalls::Treatment;
  State &s = *state_;
  TypeContext &types = s.world.types();
  const Method *found = match.method;
  if (found->generate) {
    KILN_TRY(found, s.world.expanded(*found, types.tuple(types_of(s, call)), match.static_params));
  }
  const Method &method = *found;
  if (plan && plan->forwarded)
    if (Value result = run_forwarded(s.world, *plan->forwarded, call)) {
      s.steps += 2; // statements of the method
      return result;
    }
  CompiledCalls *compiled = s.program && plan ? s.program->compiled : nullptr;
  if (compiled && plan->treatment == Treatment::Ask) {
    if (plan->asked++ % asked_calls == 0) plan->treatment = compiled->treatment(method, call);
    KILN_TRY(Value result, compiled->call(method, call));
    if (result) {
      s.steps += call_of_compiled;
      return result;
    }
  }
  if (compiled && plan->treatment == Treatment::Interpret) compiled = nullptr;
  // Lowering recurses as deep as the method's text is nested.
  auto made = with_stack(stack_for_limits, [&] { return method.code(types); });
  if (!made.ok()) return made.take_error();
  const CodeInfo &code = **made;
  if (plan && !std::exchange(plan->is_examined, true))
    plan->forwarded = forwarded_call(s.world, method, code, match.static_params);
  const uint64_t before = s.steps;
  const size_t fixed = method.is_vararg ? method.nargs - 1 : method.nargs;
  ValueFrame slots(method.is_vararg ? fixed + 1 : 0);
  if (method.is_vararg) {
    slots.append(call.first(fixed));
    KILN_TRY(Value rest, call_intrinsic(Intrinsic::tuple, call.subspan(fixed)));
    slots.push_back(std::move(rest));
  }
  const std::span<const Value> arguments = method.is_vararg ? slots : call;
  std::optional<Interpreted> interpreted;
  if (s.program && s.program->compiled)
    interpreted.emplace(
        Interpreted{*s.program->compiled, &method, compiled ? call : std::span<const Value>()});
  auto result = execute(code, arguments, match.static_params, interpreted ? &*interpreted : nullptr);
  if (!result.ok()) return in_frame(result.take_error(), s.world, method.name.text(), method.at);
  if (!compiled) return result;
  if (plan->treatment == Treatment::Ask) {
    compiled->was_interpreted(method, call, s.steps - before, 1);
    return result;
  }
  plan->steps += s.steps - before;
  if (++plan->calls >= counted_calls || plan->steps >= counted_steps) {
    compiled->was_interpreted(method, call, std::exchange(plan->steps, 0), std::exchange(plan->calls, 0));
    plan->treatment = compiled->treatment(method, call);
  }
  return result;
}

Result<Value> Interpreter::invoke(const Value &function, const Value &named, std::span<const Value> args) {
  State &s = *state_;
  TypeContext &types = s.world.types();
  KILN_CHECK(check_depth());
  std::vector<const TypeVar *> vars;
  TypeRef body = nullptr;
  if (named.as_type()) types.unwrap_all(named.as_type(), vars, body);
  const DataType *tuple = body ? body->as<DataType>() : nullptr;
  if (!tuple || !tuple->is_tuple())
    return make_error(ErrorCode::TypeError,
                      fmt::format("invoke takes a Tuple type as its second argument, not {}", spell(named)));
  std::vector<TypeRef> given, wanted{types.type_of(function)}, actual = wanted;
  for (const Value &arg : args) given.push_back(types.type_of(arg));
  if (!is_subtype(types, types.tuple(given), named.as_type()))
    return make_error(ErrorCode::TypeError, fmt::format("invoke: arguments of the types {} are not of {}",
                                                        spell(types.tuple(given)), spell(named.as_type())));
  for (TypeRef parameter : tuple->params()) { // each with the variables that it uses
    for (const TypeVar *var : std::views::reverse(vars)) parameter = types.union_all(var, parameter);
    wanted.push_back(parameter);
  }
  actual.insert(actual.end(), given.begin(), given.end());
  KILN_TRY(MethodMatch match, s.world.lookup_method(types.tuple(wanted), s.world.age(), s.overlay));
  std::optional<std::vector<TypeRef>> parameters;
  if (match.method) parameters = match_signature(types, types.tuple(actual), match.method->signature);
  if (!parameters)
    return make_error(ErrorCode::MethodError, fmt::format("no method matching {}", spell_call(wanted)));
  // The static parameters come from the types of the values. These may bind parameters that the given types
  // leave unbound.
  match.static_params = std::move(*parameters);
  ValueFrame call(args.size() + 1);
  call.push_back(function);
  call.append(args);
  ++s.depth;
  auto result = run_method(match, call, nullptr);
  --s.depth;
  return result;
}

} // namespace kiln
