// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cell.h"
#include "fold.h"
#include "host_arrays.h"
#include "state.h"

#include <support/count.h>
#include <support/exceptions.h>

namespace kiln {

namespace {

constexpr uint64_t memory_steps = 8'192; // steps between two checks of memory use
constexpr uint32_t long_loop = 1'000;    // iterations of a loop after which compiled code may continue it

// One activation of a method.
struct Activation {
  const CodeInfo &code;
  std::vector<Value> slots;
  std::vector<Value> results;
  std::span<const TypeRef> static_params;
  bool inbounds = false;
  struct Handler {
    uint32_t target;
    size_t caught; ///< number of caught exceptions when the handler was entered
  };
  std::vector<Handler> handlers{};
  size_t caught = 0; ///< at its start
};

} // namespace

Interpreter::Interpreter(World &world, Limits limits)
    : state_(std::make_unique<State>(State{.world = compiler_world(world), .limits = limits})) {}
Interpreter::~Interpreter() = default;
World &Interpreter::world() { return state_->world; }
void Interpreter::set_seed(uint64_t seed) { state_->random.seed(seed); }
void Interpreter::set_array_adapter(ArrayAdapter adapter) { state_->adapt = std::move(adapter); }
void set_member_loader(Interpreter &interpreter, MemberLoader loader) {
  state_of(interpreter).load_member = std::move(loader);
}

Result<void> Interpreter::add_host_function(Module &module, std::string_view name, HostFunction function) {
  if (!function) return usage_error(fmt::format("Interpreter::add_host_function: {} is empty", name));
  TypeContext &types = state_->world.types();
  KILN_TRY(Value value, state_->world.function(module, types.symbol(name), {}));
  HostFunction &bound = state_->host_functions[value.type()];
  if (bound) // newest first
    function = [newer = std::move(function), older = std::move(bound)](Interpreter &i,
                                                                       std::span<const Value> args) {
      Result<Value> result = newer(i, args);
      if (!result.ok() || *result) return result;
      return older(i, args);
    };
  bound = std::move(function);
  return {};
}

bool Interpreter::has_host_function(TypeRef function) const {
  return state_->host_functions.contains(function);
}

void Interpreter::add_host_constructor(const TypeName &type, HostFunction function) {
  state_->host_constructors[&type] = std::move(function);
}

void Interpreter::begin_program(Program program) {
  state_->limits = program.limits;
  state_->program = program;
  state_->found.clear(); // the program's overlay may choose other methods
  state_->own.clear();
  state_->overlay = state_->world.host_overlay();
  add_exception_constructors(*this);
}

bool Interpreter::runs_program() const { return state_->program.has_value(); }
void Interpreter::set_limits(const Limits &limits) { state_->limits = limits; }

Result<Value> Interpreter::convert(TypeRef type, const Value &value) {
  if (!type || !value) return usage_error("Interpreter::convert: there is no type, or no value");
  TypeContext &types = state_->world.types();
  if (is_subtype(types, types.type_of(value), type)) return value;
  Value args[] = {Value::type_value(types, type), value};
  return call_base(*this, "convert", args);
}

Result<Value> Interpreter::call_here(const Value &function, std::span<const Value> args) {
  State &s = *state_;
  TypeContext &types = s.world.types();
  if (!function) return usage_error("Interpreter::call: there is no function");
  for (const Value &arg : args)
    if (!arg) return usage_error("Interpreter::call: an argument has no value");
  if (s.depth == 0) s.steps = s.bytes = 0; // the outermost call starts to count steps and bytes
  KILN_CHECK(check_depth());
  struct Deeper {
    uint32_t &depth;
    explicit Deeper(uint32_t &d) : depth(d) { ++depth; }
    ~Deeper() { --depth; }
  } deeper(s.depth);

  if (auto intrinsic = s.world.intrinsic(function.type())) {
    auto result = call_intrinsic(*intrinsic, args);
    if (result.ok() || !s.program || *intrinsic != Intrinsic::getfield || args.size() < 2) return result;
    Error error = result.take_error();
    if (error.code() != ErrorCode::BoundsError) return error;
    return raise(make_exception("BoundsError", {{"a", args[0]}, {"i", args[1]}}));
  }
  if (auto host = s.host_functions.find(function.type()); host != s.host_functions.end()) {
    KILN_TRY(MethodMatch own, own_method(s, function, args));
    if (own.method) return run_method(function, std::move(own), args);
    auto result = call_embedder([&] { return fmt::format("the host function {}", spell(function)); },
                                [&] { return host->second(*this, args); });
    // A host function returns no value for argument types that it does not handle: library methods follow.
    if (result.ok() && *result) return result;
    if (!result.ok()) return result;
  }
  if (TypeRef called = function.as_type(); called && !s.host_constructors.empty()) {
    while (const auto *all = called->as<UnionAllType>()) called = all->body();
    const DataType *data = called->as<DataType>();
    auto host = data ? s.host_constructors.find(&data->name()) : s.host_constructors.end();
    if (host != s.host_constructors.end()) {
      std::vector<Value> with_type{function};
      with_type.insert(with_type.end(), args.begin(), args.end());
      KILN_TRY(Value made, call_embedder([&] { return fmt::format("the constructor {}", spell(function)); },
                                         [&] { return host->second(*this, with_type); }));
      if (made) return made;
    }
  }
  auto look_up = [&](std::span<const Value> actual) -> Result<MethodMatch> {
    const auto call = FoundMethods::call(types, function, actual);
    if (call)
      if (const MethodMatch *known = s.found.find(*call, s.world.age())) return *known;
    std::vector<TypeRef> arguments{types.type_of(function)};
    for (const Value &arg : actual) arguments.push_back(types.type_of(arg));
    KILN_TRY(MethodMatch match, s.world.lookup_method(types.tuple(arguments), s.world.age(), s.overlay));
    if (call && match.method) s.found.keep(*call, s.world.age(), match);
    return match;
  };
  KILN_TRY(MethodMatch match, look_up(args));
  if (!match.method && s.adapt && !s.program) {
    // No method accepts these arguments: convert host arrays to the types that kernels see, and look up
    // again.
    std::vector<Value> actual(args.begin(), args.end());
    bool adapted = false;
    for (Value &arg : actual)
      if (arg.as_array()) {
        auto seen = call_embedder("the array adapter of the interpreter", [&] { return s.adapt(arg); });
        adapted = seen.ok();
        if (!adapted) break; // a kernel cannot take this array, so that no method matches
        arg = std::move(*seen);
      }
    if (adapted) {
      KILN_TRY(match, look_up(actual));
      if (match.method) return run_method(function, std::move(match), actual);
    }
  }
  if (!match.method) {
    std::vector<TypeRef> shown{types.type_of(function)};
    for (const Value &arg : args) shown.push_back(types.type_of(arg));
    bool ambiguous = !match.ambiguous.empty();
    Diagnostic d{ErrorCode::MethodError,
                 ambiguous ? fmt::format("{} is ambiguous", spell_call(shown))
                           : fmt::format("no method matching {}", spell_call(shown)),
                 {},
                 {},
                 {},
                 {}};
    for (const Method *method : match.ambiguous)
      d.notes.push_back({"candidate: " + spell(method->signature), s.world.sources().locate(method->at)});
    if (s.program) {
      KILN_TRY(auto tuple, apply_builtin(types, Intrinsic::tuple, args));
      return s.thrown_error(make_exception("MethodError", {{"f", function}, {"args", *tuple}}), std::move(d));
    }
    return Error(std::move(d));
  }
  return run_method(function, std::move(match), args);
}

Result<Value> Interpreter::run(const CodeInfo &code, const Module &) {
  if (state_->depth == 0) state_->steps = state_->bytes = 0;
  std::vector<Value> slots;
  if (code.nargs > 0) slots.push_back(state_->world.types().nothing());
  return execute(code, std::move(slots), {});
}

Result<Value> Interpreter::run_on(const CodeInfo &code, std::vector<Value> slots,
                                  std::span<const TypeRef> static_params) {
  State &s = *state_;
  uint64_t before = s.depth == 0 ? 0 : s.steps, limit = s.limits.steps;
  s.steps = before;
  s.limits.steps = std::min(limit, before + s.limits.generator_steps);
  ++s.depth; // nested calls count it
  auto result = execute(code, std::move(slots), static_params);
  --s.depth;
  s.limits.steps = limit;
  return result;
}

Result<Value> Interpreter::execute(const CodeInfo &code, std::vector<Value> arguments,
                                   std::span<const TypeRef> static_params, const Restart &restart) {
  State &s = *state_;
  TypeContext &types = s.world.types();
  uint32_t jumps_back = 0;
  Activation a{code, std::move(arguments), std::vector<Value>(code.stmts.size()), static_params};
  a.caught = s.caught.size();
  struct Uncaught { // removes the exceptions caught by this activation when it ends
    std::vector<Thrown> &caught;
    size_t before;
    ~Uncaught() { caught.erase(caught.begin() + ptrdiff_t(std::min(before, caught.size())), caught.end()); }
  } uncaught{s.caught, a.caught};
  a.slots.resize(code.slot_names.size());

  auto read = [&](Operand operand) -> Result<Value> {
    switch (operand.kind) {
    case Operand::Kind::None: return internal_error("an operand that is not there");
    case Operand::Kind::Ssa: return a.results[operand.index];
    case Operand::Kind::Slot: {
      const Value &slot = a.slots[operand.index];
      if (slot && !slot.as_object()) return slot;
      const CellObject *cell = slot ? as_cell(slot) : nullptr;
      if (!slot || (cell && !cell->value))
        return undefined_error(code.slot_names[operand.index].str(),
                               fmt::format("`{}` not defined", code.slot_names[operand.index].text()));
      return cell ? cell->value : slot;
    }
    case Operand::Kind::Const: return code.constants[operand.index];
    case Operand::Kind::StaticParam: {
      TypeRef param = a.static_params[operand.index];
      if (const auto *constant = param->as<ConstType>()) return constant->value();
      if (param->is<TypeVar>())
        return undefined_error(code.static_params[operand.index]->name().str(),
                               fmt::format("static parameter `{}` not defined",
                                           code.static_params[operand.index]->name().text()));
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
  };

  /// Address of a value that is already stored for this operand; null: call read() for a copy.
  auto standing = [&](Operand operand) -> const Value * {
    switch (operand.kind) {
    case Operand::Kind::Ssa: return &a.results[operand.index];
    case Operand::Kind::Const: return &code.constants[operand.index];
    case Operand::Kind::Slot: {
      const Value &slot = a.slots[operand.index];
      return slot && !slot.as_object() ? &slot : nullptr;
    }
    default: return nullptr;
    }
  };

  std::vector<Value> args; // reused by all statements
  std::optional<Value> returned;
  for (uint32_t pc = 0; pc < code.stmts.size();) {
    if (++s.steps > s.limits.steps)
      return input_error(fmt::format("evaluation took more than {} steps", s.limits.steps),
                         s.world.sources().locate(code.stmts[pc].at),
                         "run heavy computations outside, and pass their results as .npy files");
    const Stmt &stmt = code.stmts[pc];
    if (stmt.op == Op::Call && stmt.args.size() == 2 && stmt.args[1].kind == Operand::Kind::StaticParam &&
        stmt.args[0].kind == Operand::Kind::Const &&
        s.world.intrinsic(code.constants[stmt.args[0].index].type()) == Intrinsic::static_defined) {
      a.results[pc++] = types.boolean(!a.static_params[stmt.args[1].index]->is<TypeVar>());
      continue;
    }
    auto step = [&]() -> Result<void> {
      KILN_CHECK(s.check_interrupt());
      if (s.steps % memory_steps == 0 && s.program) KILN_CHECK(s.check_memory());
      args.clear();
      for (Operand operand : stmt.args) {
        if (const Value *value = standing(operand)) {
          args.push_back(*value);
        } else {
          KILN_TRY(Value found, read(operand));
          args.push_back(std::move(found));
        }
      }
      uint32_t next = pc + 1;
      switch (stmt.op) {
      case Op::Copy: a.results[pc] = std::move(args[0]); break;
      case Op::Call: {
        KILN_TRY(Value result, call(args[0], std::span<const Value>(args).subspan(1)));
        TypeRef made = result.as_type() ? result.as_type() : result.type();
        if (made && made->size() > s.limits.type_size)
          return make_error(
              ErrorCode::TypeError,
              fmt::format("a type of more than {} parts: {}", s.limits.type_size, spell_short(made)), {},
              "data of this size belongs into an array, not into a tuple");
        a.results[pc] = std::move(result);
        break;
      }
      case Op::New: {
        KILN_TRY(a.results[pc], construct(args));
        break;
      }
      case Op::NewClosure: {
        TypeRef wrapper = args[0].as_type();
        std::vector<TypeRef> captured;
        for (size_t i = 1; i < args.size(); i++) captured.push_back(types.type_of(args[i]));
        if (!captured.empty()) {
          KILN_TRY(wrapper, types.apply(wrapper, captured));
        }
        args[0] = Value::type_value(types, wrapper);
        KILN_TRY(a.results[pc], construct(args));
        break;
      }
      case Op::SetSlot:
        if (CellObject *cell = a.slots[stmt.slot] ? as_cell(a.slots[stmt.slot]) : nullptr;
            cell && !as_cell(args[0]))
          cell->value = args[0];
        else
          a.slots[stmt.slot] = args[0];
        a.results[pc] = std::move(args[0]);
        break;
      case Op::IsDefined: {
        const Value &slot = a.slots[stmt.slot];
        const CellObject *cell = slot ? as_cell(slot) : nullptr;
        a.results[pc] = types.boolean(cell ? bool(cell->value) : bool(slot));
        break;
      }
      case Op::HostOnly: break;
      case Op::Cell: {
        Value &slot = a.slots[stmt.slot];
        if (stmt.flags & flags::ByValue) {
          KILN_TRY(a.results[pc], read(Operand::slot(stmt.slot)));
          break;
        }
        if (!(stmt.flags & flags::Outer) && !(slot && as_cell(slot)))
          slot = Value::object(types.builtins().Any, std::make_shared<CellObject>(std::move(slot)));
        a.results[pc] = slot;
        break;
      }
      case Op::Fresh: a.slots[stmt.slot] = Value(); break;
      case Op::Enter: a.handlers.push_back({stmt.target, a.caught + stmt.slot}); break;
      case Op::Leave:
        if (!a.handlers.empty()) a.handlers.pop_back();
        break;
      case Op::Exception: a.results[pc] = s.caught.back().value; break;
      case Op::BoundsCheck: a.results[pc] = types.boolean(true); break;
      case Op::Goto: next = stmt.target; break;
      case Op::GotoIfNot:
        if (args[0].type() != types.builtins().Bool)
          return make_error(ErrorCode::TypeError,
                            fmt::format("non-boolean ({}) used in boolean context", spell(args[0].type())));
        if (!args[0].low_bits()) next = stmt.target;
        break;
      case Op::Return: returned = std::move(args[0]); break;
      default: return internal_error(fmt::format("statement {} cannot be evaluated", pc));
      }
      pc = next;
      return {};
    };
    Span at = stmt.at;
    const uint32_t at_pc = pc;
    auto done = step();
    if (!done.ok()) {
      Error error = done.take_error();
      for (Diagnostic &d : error.diagnostics()) {
        // An error in a library function called by a program is reported at the call in the program's text.
        const bool is_elsewhere = s.program && d.at && d.at.file && d.at.file->is_library();
        if (!d.at || is_elsewhere)
          if (Location here = s.world.sources().locate(at); !d.at || (here.file && !here.file->is_library()))
            d.at = std::move(here);
      }
      if (a.handlers.empty() || !may_catch(error)) return error;
      const auto handler = a.handlers.back();
      a.handlers.pop_back();
      enter_catch(std::move(error), handler.caught);
      pc = handler.target;
      continue;
    }
    if (returned) return std::move(*returned);
    if (pc <= at_pc && restart && ++jumps_back % long_loop == 0) {
      KILN_TRY(Value result, restart());
      if (result) return result;
    }
  }
  return internal_error("evaluation ran off the end of a method");
}

} // namespace kiln
