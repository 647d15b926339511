// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiles the rest of a long loop, where the function around it stays interpreted.
#include "hot_code.h"

#include <algorithm>

namespace kiln {

namespace {

constexpr uint64_t hot_rounds = 1'000; // of a loop with variables of the same types
constexpr size_t max_loops = 64;       // functions that are made of one loop
constexpr size_t max_inputs = 40;

/// Sets the list of variables in cells, and clears it at the end of the scope.
class InCells {
public:
  InCells(std::span<const GlobalName> &list, std::span<const GlobalName> names) : list_(list) {
    list_ = names;
  }
  ~InCells() { list_ = {}; }
  InCells(const InCells &) = delete;

private:
  std::span<const GlobalName> &list_;
};

/// Returns a variable or a result of the activation; of a variable that closures share, the value.
const Value &value_of(const RunningLoop &loop, Operand operand) {
  const Value &value =
      operand.kind == Operand::Kind::Slot ? loop.slots[operand.index] : loop.results[operand.index];
  const CellObject *cell = value && operand.kind == Operand::Kind::Slot ? as_cell(value) : nullptr;
  return cell ? cell->value : value;
}

} // namespace

Result<HotCode::LoopKey> HotCode::loop_key(const RunningLoop &loop) {
  Fingerprint digest;
  if (loop.method && !loop.method->generate) {
    KILN_TRY(digest, loop.method->digest(types_));
  } else {
    digest = loop.code.digest(types_);
  }
  return LoopKey(digest, loop.code.at.file, loop.code.at.begin, loop.range.head);
}

/// Makes a function whose only method has the loop's code. Every world age sees it.
Result<Value> HotCode::loop_function(const RunningLoop &loop, const LoopCode &as) {
  const Span at = loop.code.stmts[loop.range.head].at;
  const Location where = world_.sources().locate(at);
  Fingerprinter digest;
  digest.add(as.code.digest(types_)).add(where.file_name()).add(where.line()).add(where.column());
  // Cache keys contain the name: it must be the same in every process for equal code, and for no other code.
  const std::string name = fmt::format("{}#loop#{}", as.code.name.text(), digest.finish().hex());
  Value &known = loop_functions_[name];
  if (known) return known;
  const Module *module = loop.method ? loop.method->module : world_.main();
  const TypeRef type = types_.new_function_type(types_.symbol(name), module->full_name());
  auto method = std::make_unique<Method>();
  method->name = as.code.name;
  method->module = module;
  std::vector<TypeRef> parameters(as.code.nargs, types_.builtins().Any);
  parameters[0] = type;
  method->signature = types_.tuple(parameters);
  method->argument_names.assign(as.code.slot_names.begin() + 1,
                                as.code.slot_names.begin() + ptrdiff_t(as.code.nargs));
  method->nargs = as.code.nargs;
  method->at = at;
  method->of_fresh_type = true;
  method->lower = [code = as.code]() -> Result<CodeInfo> { return code; };
  KILN_CHECK(world_.define(std::move(method)));
  return known = Value::singleton(type);
}

/// Finds the loop as a function, or makes it. Null: it stays interpreted.
HotCode::Loop *HotCode::find_loop(const RunningLoop &loop) {
  const auto key = loop_key(loop);
  if (!key.ok()) return nullptr;
  std::deque<Loop> &known = loops_[*key];
  const auto is_set = [&](Operand operand) { return bool(value_of(loop, operand)); };
  for (Loop &each : known)
    if (std::ranges::equal(each.static_params, loop.static_params) && each.handlers == loop.handlers &&
        std::ranges::all_of(each.as.inputs, is_set) &&
        std::ranges::none_of(each.as.unset, [&](uint32_t slot) { return is_set(Operand::slot(slot)); }))
      return each.function ? &each : nullptr;
  if (known.size() >= max_loops) return nullptr;
  Loop &made = known.emplace_back();
  made.static_params.assign(loop.static_params.begin(), loop.static_params.end());
  made.handlers = loop.handlers;
  const LoopPlace place{.code = loop.code,
                        .loop = loop.range,
                        .static_params = loop.static_params,
                        .handlers = loop.handlers,
                        .is_set = is_set};
  std::string why;
  std::optional<LoopCode> code;
  const std::optional<LoopFunctions> functions = loop_functions();
  if (functions) code = loop_code(types_, place, *functions, why);
  if (code && code->inputs.size() > max_inputs) {
    code.reset();
    why = "it uses too many variables";
  }
  if (code) {
    made.as = std::move(*code);
    auto function = loop_function(loop, made.as);
    if (function.ok())
      made.function = std::move(*function);
    else
      why = function.error().what();
  }
  if (made.function) return &made;
  if (jobs_.log().log.enabled(LogLevel::Debug))
    jobs_.log().log.debug("a loop in {} stays interpreted: {}", loop.code.name.text(), why);
  return nullptr;
}

std::optional<LoopFunctions> HotCode::loop_functions() {
  const auto of_base = [&](std::string_view name) -> Value {
    auto found = world_.lookup(*world_.base(), types_.symbol(name), world_.age());
    return found.ok() && *found ? **found : Value();
  };
  LoopFunctions functions{world_.intrinsic_value(Intrinsic::tuple),
                          {world_.base(), types_.symbol("setglobal!")},
                          of_base("__load_cell"),
                          of_base("__store_cell")};
  return functions.load && functions.store ? std::optional(functions) : std::nullopt;
}

/// Returns a vector of one element that holds the variable's value. Empty: the value is not of bits, or the
/// name is a constant, which the interpreter refuses to assign.
Result<Value> HotCode::cell_of(const GlobalName &name) {
  KILN_TRY(std::optional<Value> value, world_.lookup(*name.module, name.name, world_.age()));
  if (!value || !types_.is_isbits(types_.type_of(*value)) ||
      world_.constant(*name.module, name.name, world_.age()))
    return Value();
  return make_array_from(interpreter_, std::span(&*value, 1), types_.type_of(*value),
                         std::vector<int64_t>{1});
}

/// Assigns the values in the cells to the variables.
Result<void> HotCode::take_cells(std::span<const GlobalName> names, std::span<const Value> cells) {
  for (size_t i = 0; i < names.size(); ++i) {
    KILN_TRY(Value value, get_element(types_, *cells[i].as_array(), 0));
    KILN_TRY(std::optional<Value> old, world_.lookup(*names[i].module, names[i].name, world_.age()));
    if (old && egal(*old, value)) continue;
    const Module &module = *names[i].module;
    Module *writable = world_.module(module.name(), const_cast<Module *>(module.parent()));
    KILN_CHECK(world_.set_variable(*writable, names[i].name, std::move(value), {}));
  }
  return {};
}

/// True if the code depends on a variable that the running loop keeps in a cell.
bool HotCode::uses_cell(const CodeInstance &code) const {
  const auto owner_of = [&](const GlobalName &name) {
    const CompilerWorld::Meaning meaning = world_.meaning(*name.module, name.name, world_.age());
    return std::pair(meaning.owner ? meaning.owner : name.module, meaning.owner ? meaning.name : name.name);
  };
  return std::ranges::any_of(code.edges, [&](const Edge &edge) {
    return edge.kind == Edge::Kind::Binding && std::ranges::any_of(in_cells_, [&](const GlobalName &name) {
             return owner_of(name) == owner_of(edge.binding);
           });
  });
}

Result<HotCode::LoopOutcome> HotCode::continue_loop(RunningLoop &running) {
  if (is_compiling_) return LoopOutcome::Wait;
  Loop *loop = find_loop(running);
  if (!loop) return LoopOutcome::Interpret;
  // Closures that share a variable would not see what compiled code assigns to it.
  for (const uint32_t slot : loop->as.assigned)
    if (running.slots[slot] && as_cell(running.slots[slot])) return LoopOutcome::Interpret;
  std::vector<Value> given{loop->function}, plain;
  for (const Operand input : loop->as.inputs) given.push_back(value_of(running, input));
  std::vector<Value> cells;
  for (const GlobalName &name : loop->as.globals) {
    KILN_TRY(Value cell, cell_of(name));
    if (!cell) return LoopOutcome::Interpret;
    cells.push_back(cell);
    given.push_back(std::move(cell));
  }
  const InCells scope(in_cells_, loop->as.globals);
  const std::span<const Value> args = plain_arguments(given, plain);
  Code &code = find(loop->codes, args);
  if (code.wanted == Wanted::Refused) return LoopOutcome::Interpret;
  if (code.wanted == Wanted::No) {
    code.calls += running.rounds;
    if (code.calls < hot_rounds) return LoopOutcome::Wait;
    if (!compile(code, true)) return LoopOutcome::Interpret;
  }
  if (holds_closure(types_, code.result)) return LoopOutcome::Interpret;
  auto ended = execute(code, args);
  if (!ended.ok() || *ended) KILN_CHECK(take_cells(loop->as.globals, cells));
  if (!ended.ok()) { // the interpreter adds the frame of the function around the loop
    Error error = ended.take_error();
    for (Diagnostic &d : error.diagnostics())
      if (!d.stack.empty() && d.stack.back().function == running.code.name.text()) d.stack.pop_back();
    return error;
  }
  if (!*ended) return LoopOutcome::Interpret;
  const std::vector<Value> &values = *ended->fields();
  const LoopCode::Exit &exit = loop->as.exits[values[0].low_bits()];
  for (size_t i = 0; i < exit.outputs.size(); ++i) {
    const Operand output = exit.outputs[i];
    (output.kind == Operand::Kind::Slot ? running.slots : running.results)[output.index] = values[i + 1];
  }
  running.next = exit.target;
  return LoopOutcome::Done;
}

} // namespace kiln
