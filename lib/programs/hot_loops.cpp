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
  auto code = loop_code(types_, place, world_.intrinsic_value(Intrinsic::tuple), why);
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

Result<HotCode::LoopOutcome> HotCode::continue_loop(RunningLoop &running) {
  if (is_compiling_) return LoopOutcome::Wait;
  Loop *loop = find_loop(running);
  if (!loop) return LoopOutcome::Interpret;
  // Closures that share a variable would not see what compiled code assigns to it.
  for (const uint32_t slot : loop->as.assigned)
    if (running.slots[slot] && as_cell(running.slots[slot])) return LoopOutcome::Interpret;
  std::vector<Value> given{loop->function}, plain;
  for (const Operand input : loop->as.inputs) given.push_back(value_of(running, input));
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
