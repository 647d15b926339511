// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Evaluates the statements of lowered code.
#include "cell.h"
#include "fold.h"
#include "host_arrays.h"
#include "state.h"

namespace kiln {

namespace {

constexpr uint32_t long_loop = 1'000; // iterations of a loop after which compiled code may continue it

} // namespace

/// One activation of a method.
struct Interpreter::Activation {
  struct Handler {
    uint32_t target;
    size_t caught; ///< number of caught exceptions when the handler was entered
  };

  Activation(Interpreter &interpreter, const CodeInfo &of, std::span<const Value> arguments,
             std::span<const TypeRef> params, const Interpreted *as)
      : interp(interpreter), s(*interpreter.state_), types(s.world.types()), code(of), static_params(params),
        continued(as), slots(of.slot_names.size()), results(of.stmts.size()), caught(s.caught.size()) {
    slots.append(arguments);
    slots.resize(of.slot_names.size());
    results.resize(of.stmts.size());
  }
  ~Activation() { // removes the exceptions that this activation caught
    if (s.caught.size() > caught) s.caught.erase(s.caught.begin() + ptrdiff_t(caught), s.caught.end());
  }

  Interpreter &interp;
  State &s;
  TypeContext &types;
  const CodeInfo &code;
  const std::span<const TypeRef> static_params;
  const Interpreted *continued; ///< null: compiled code does not continue it
  ValueFrame slots, results;
  std::vector<Handler> handlers;
  const size_t caught; ///< number of caught exceptions at its start
  Value returned;
  uint32_t jumps_back = 0;
  LoopCounts *counts = nullptr;           ///< of its loops, from the first jump back
  std::unique_ptr<LoopCounts> own_counts; ///< of code at top level

  /// Returns the address of a value that is stored for this operand, until the next statement. Null: call
  /// read() for a copy.
  const Value *find(Operand operand) {
    switch (operand.kind) {
    case Operand::Kind::Ssa: return &results[operand.index];
    case Operand::Kind::Const: return &code.constants[operand.index];
    case Operand::Kind::Slot: {
      const Value &slot = slots[operand.index];
      return slot && !slot.as_object() ? &slot : nullptr;
    }
    case Operand::Kind::Global: return s.constants.find(s.world, code.globals[operand.index]);
    default: return nullptr;
    }
  }
  Result<Value> read(Operand operand);
  /// Calls use(value) with the operand's value.
  template <class Use> Result<void> with(Operand operand, Use &&use) {
    if (const Value *stored = find(operand)) return use(*stored);
    KILN_TRY(Value value, read(operand));
    return use(std::move(value));
  }
  Result<void> read_all(const Operands &operands, ValueFrame &into) {
    for (Operand operand : operands)
      KILN_CHECK(with(operand, [&]<class V>(V &&value) -> Result<void> {
        into.push_back(std::forward<V>(value));
        return {};
      }));
    return {};
  }
  Result<void> step(const Stmt &stmt, uint32_t &pc);
  Result<void> make_cell(const Stmt &stmt, Value &result);
  Result<void> call(const Stmt &stmt, Value &result);
  Result<void> make(const Stmt &stmt, Value &result);
  Result<void> jumped_back(uint32_t &pc);
};

Result<Value> Interpreter::Activation::read(Operand operand) {
  switch (operand.kind) {
  case Operand::Kind::None: return internal_error("an operand that is not there");
  case Operand::Kind::Ssa: return results[operand.index];
  case Operand::Kind::Slot: {
    const Value &slot = slots[operand.index];
    const CellObject *cell = slot ? as_cell(slot) : nullptr;
    if (!slot || (cell && !cell->value))
      return undefined_error(code.slot_names[operand.index].str(),
                             fmt::format("`{}` not defined", code.slot_names[operand.index].text()));
    return cell ? cell->value : slot;
  }
  case Operand::Kind::Const: return code.constants[operand.index];
  case Operand::Kind::StaticParam: {
    TypeRef param = static_params[operand.index];
    if (const auto *constant = param->as<ConstType>()) return constant->value();
    if (param->is<TypeVar>())
      return undefined_error(
          code.static_params[operand.index]->name().str(),
          fmt::format("static parameter `{}` not defined", code.static_params[operand.index]->name().text()));
    return Value::type_value(types, param);
  }
  case Operand::Kind::Global: {
    const GlobalName &name = code.globals[operand.index];
    KILN_TRY(auto value, s.world.lookup(*name.module, name.name, s.world.age()));
    if (!value) {
      return undefined_error(
          name.name.str(),
          fmt::format("`{}` not defined in `{}`", name.name.text(), name.module->full_name()), {},
          s.world.undefined_hint(*name.module, name.name));
    }
    return std::move(*value);
  }
  }
  return internal_error("an operand of unknown kind");
}

Result<void> Interpreter::Activation::call(const Stmt &stmt, Value &result) {
  if (stmt.args.size() == 2 && stmt.args[1].kind == Operand::Kind::StaticParam &&
      stmt.args[0].kind == Operand::Kind::Const &&
      s.world.intrinsic(code.constants[stmt.args[0].index].type()) == Intrinsic::static_defined) {
    result = types.boolean(!static_params[stmt.args[1].index]->is<TypeVar>());
    return {};
  }
  ValueFrame args(stmt.args.size());
  KILN_CHECK(read_all(stmt.args, args));
  KILN_TRY(Value made, interp.call_values(args));
  TypeRef type = made.as_type() ? made.as_type() : made.type();
  if (type && type->size() > s.limits.type_size)
    return make_error(ErrorCode::TypeError,
                      fmt::format("a type of more than {} parts: {}", s.limits.type_size, spell_short(type)),
                      {}, "data of this size belongs into an array, not into a tuple");
  result = std::move(made);
  return {};
}

/// Makes a struct or a closure.
Result<void> Interpreter::Activation::make(const Stmt &stmt, Value &result) {
  ValueFrame args(stmt.args.size());
  KILN_CHECK(read_all(stmt.args, args));
  if (stmt.op == Op::NewClosure && args.size() > 1) {
    TypeRef wrapper = args[0].as_type();
    std::vector<TypeRef> captured;
    for (size_t i = 1; i < args.size(); i++) captured.push_back(types.type_of(args[i]));
    KILN_TRY(wrapper, types.apply(wrapper, captured));
    args[0] = Value::type_value(types, wrapper);
  }
  KILN_TRY(result, interp.construct(args));
  return {};
}

Result<void> Interpreter::Activation::make_cell(const Stmt &stmt, Value &result) {
  Value &slot = slots[stmt.slot];
  if (stmt.flags & flags::ByValue) {
    KILN_TRY(result, read({Operand::Kind::Slot, stmt.slot}));
    return {};
  }
  if (!(stmt.flags & flags::Outer) && !(slot && as_cell(slot)))
    slot = Value::object(types.builtins().Any, std::make_shared<CellObject>(std::move(slot)));
  result = slot;
  return {};
}

/// Evaluates the statement at `pc`, and sets `pc` to the next one.
Result<void> Interpreter::Activation::step(const Stmt &stmt, uint32_t &pc) {
  KILN_CHECK(s.check_interrupt());
  if (s.steps >= s.next_memory_check && s.program) {
    s.next_memory_check = s.steps + State::memory_steps;
    KILN_CHECK(s.check_memory());
  }
  Value &result = results[pc];
  uint32_t next = pc + 1;
  switch (stmt.op) {
  case Op::Copy:
    KILN_CHECK(with(stmt.args[0], [&]<class V>(V &&value) -> Result<void> {
      result = std::forward<V>(value);
      return {};
    }));
    break;
  case Op::Call: KILN_CHECK(call(stmt, result)); break;
  case Op::New:
  case Op::NewClosure: KILN_CHECK(make(stmt, result)); break;
  case Op::SetSlot:
    KILN_CHECK(with(stmt.args[0], [&]<class V>(V &&value) -> Result<void> {
      result = std::forward<V>(value);
      return {};
    }));
    if (CellObject *cell = slots[stmt.slot] ? as_cell(slots[stmt.slot]) : nullptr; cell && !as_cell(result))
      cell->value = result;
    else
      slots[stmt.slot] = result;
    break;
  case Op::IsDefined: {
    const Value &slot = slots[stmt.slot];
    const CellObject *cell = slot ? as_cell(slot) : nullptr;
    result = types.boolean(cell ? bool(cell->value) : bool(slot));
    break;
  }
  case Op::HostOnly: break;
  case Op::Cell: KILN_CHECK(make_cell(stmt, result)); break;
  case Op::Fresh: slots[stmt.slot] = Value(); break;
  case Op::Enter: handlers.push_back({stmt.target, caught + stmt.slot}); break;
  case Op::Leave:
    if (!handlers.empty()) handlers.pop_back();
    break;
  case Op::Exception: result = s.caught.back().value; break;
  case Op::BoundsCheck: result = types.boolean(true); break;
  case Op::Goto: next = stmt.target; break;
  case Op::GotoIfNot:
    KILN_CHECK(with(stmt.args[0], [&](const Value &condition) -> Result<void> {
      if (condition.type() != types.builtins().Bool)
        return make_error(ErrorCode::TypeError,
                          fmt::format("non-boolean ({}) used in boolean context", spell(condition.type())));
      if (!condition.low_bits()) next = stmt.target;
      return {};
    }));
    break;
  case Op::Return:
    if (stmt.args[0].kind == Operand::Kind::Ssa) {
      returned = std::move(results[stmt.args[0].index]);
    } else {
      KILN_TRY(returned, read(stmt.args[0]));
    }
    break;
  default: return internal_error(fmt::format("statement {} cannot be evaluated", pc));
  }
  pc = next;
  return {};
}

/// Lets compiled code continue a loop, or restart the call, at the start of a round. Sets `pc` to the
/// statement after the loop, or `returned` to the call's result.
Result<void> Interpreter::Activation::jumped_back(uint32_t &pc) {
  CompiledCalls &compiled = continued->compiled;
  if (!continued->call.empty() && ++jumps_back % long_loop == 0) {
    KILN_TRY(returned, compiled.restart(*continued->method, continued->call));
    if (returned) return {};
  }
  if (!counts && continued->method) counts = &s.loops.of(code);
  if (!counts) counts = (own_counts = std::make_unique<LoopCounts>(code)).get();
  LoopCounts::Loop *loop = counts->jumped(pc);
  if (!loop) return {};
  RunningLoop running{.method = continued->method,
                      .code = code,
                      .range = loop->range,
                      .static_params = static_params,
                      .slots = {slots.begin(), slots.size()},
                      .results = {results.begin(), results.size()},
                      .rounds = loop->rounds - loop->asked};
  for (const Handler &handler : handlers) running.handlers.push_back(handler.target);
  KILN_TRY(const CompiledCalls::LoopOutcome outcome, compiled.continue_loop(running));
  loop->note(outcome);
  if (outcome == CompiledCalls::LoopOutcome::Done) pc = running.next;
  return {};
}

Result<Value> Interpreter::run(const CodeInfo &code, const Module &) {
  State &s = *state_;
  if (s.depth == 0) s.reset_counts();
  const Value nothing = s.world.types().nothing();
  std::optional<Interpreted> continued;
  if (s.program && s.program->compiled) continued.emplace(Interpreted{*s.program->compiled});
  return execute(code, std::span(&nothing, code.nargs > 0), {}, continued ? &*continued : nullptr);
}

Result<Value> Interpreter::run_on(const CodeInfo &code, std::vector<Value> slots,
                                  std::span<const TypeRef> static_params) {
  State &s = *state_;
  uint64_t before = s.depth == 0 ? 0 : s.steps, limit = s.limits.steps;
  s.steps = before;
  s.limits.steps = std::min(limit, before + s.limits.generator_steps);
  ++s.depth; // nested calls count it
  auto result = execute(code, slots, static_params);
  --s.depth;
  s.limits.steps = limit;
  return result;
}

Result<Value> Interpreter::execute(const CodeInfo &code, std::span<const Value> arguments,
                                   std::span<const TypeRef> static_params, const Interpreted *call) {
  State &s = *state_;
  Activation a(*this, code, arguments, static_params, call);
  for (uint32_t pc = 0; pc < code.stmts.size();) {
    const Stmt &stmt = code.stmts[pc];
    if (++s.steps > s.limits.steps)
      return input_error(fmt::format("evaluation took more than {} steps", s.limits.steps),
                         s.world.sources().locate(stmt.at),
                         "run heavy computations outside, and pass their results as .npy files");
    const uint32_t at = pc;
    Result<void> done = a.step(stmt, pc);
    if (pc <= at && call && done.ok() && !a.returned) done = a.jumped_back(pc);
    if (!done.ok()) {
      Error error = done.take_error();
      for (Diagnostic &d : error.diagnostics()) {
        // An error in a library function called by a program is reported at the call in the program's text.
        const bool is_elsewhere = s.program && d.at && d.at.file && d.at.file->is_library();
        if (!d.at || is_elsewhere)
          if (Location here = s.world.sources().locate(stmt.at);
              !d.at || (here.file && !here.file->is_library()))
            d.at = std::move(here);
      }
      if (a.handlers.empty() || !may_catch(error)) return error;
      const auto handler = a.handlers.back();
      a.handlers.pop_back();
      enter_catch(std::move(error), handler.caught);
      pc = handler.target;
      continue;
    }
    if (a.returned) return std::move(a.returned);
  }
  return internal_error("evaluation ran off the end of a method");
}

} // namespace kiln
