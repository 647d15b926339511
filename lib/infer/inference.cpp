// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "inference.h"

#include <support/cancellation.h>
#include <support/timed_lock.h>

namespace kiln {

namespace {
constexpr size_t max_depth = 300;          // of calls: ends recursion with ever new argument types
constexpr size_t max_instances = 20'000;   // per request: about a second
constexpr uint32_t max_type_size = 20'000; // nodes of a value's type
// Maximum passes over one body, far more than needed: a change in an inner loop takes one per loop around it.
constexpr int max_passes = 64, max_passes_per_loop = 8;
constexpr int max_cycle_rounds = 32;         // for a recursive cycle
constexpr size_t cancellation_interval = 64; // statements between tests of cancellation: tens of microseconds
} // namespace

Inference::Inference(CodeInstanceTable::State &state, CodeInstanceTable::State::FactsTable &table,
                     WorldAge world)
    : state_(state), table_(table), world_(state.world), types_(state.world.types()), age_(world) {}
Inference::~Inference() = default;

Result<const CodeInstance *> Inference::infer(const MethodInstance &source) {
  KILN_TRY(Target target, enter(nullptr, source, {}));
  return target.code;
}

std::shared_ptr<CodeInstance> Inference::find(const InstanceKey &key) {
  std::shared_lock lock(table_.mutex, std::defer_lock);
  lock_timed(lock, Stage::WaitForInference);
  return find_locked(key);
}

std::shared_ptr<CodeInstance> Inference::find_locked(const InstanceKey &key) {
  auto it = table_.instances.find(key);
  if (it == table_.instances.end()) return nullptr;
  for (const auto &code : it->second)
    if (code->begin <= age_ && age_ < code->end.load(std::memory_order_acquire)) return code;
  return nullptr;
}

// Moves finished instances to the table: the head of a call cycle together with its members. If another
// thread was faster, returns that thread's instance, since each key must have one instance.
const CodeInstance *Inference::publish(Group group) {
  auto &[head, head_code] = group.front();
  if (auto faster = find(head)) return faster.get();
  for (auto &[key, code] : group) {
    code->edges.shrink_to_fit(); // the table keeps these lists long
    code->callees.shrink_to_fit();
    code->faults.shrink_to_fit();
    for (CallInfo &call : code->calls) {
      call.args.shrink_to_fit();
      call.cases.shrink_to_fit();
    }
    if (!world_.add_edges(code, code->edges, age_)) code->end.store(age_ + 1, std::memory_order_release);
    for (const CodeInstance *callee : code->callees) callee->add_caller(code);
  }
  const CodeInstance *made = head_code.get();
  size_t bytes = 0;
  for (auto &[key, code] : group) bytes += code->memory();
  std::unique_lock lock(table_.mutex, std::defer_lock);
  lock_timed(lock, Stage::WaitForInference);
  if (auto faster = find_locked(head)) return faster.get();
  state_.counters.bytes.fetch_add(bytes, std::memory_order_relaxed);
  state_.counters.inferred.fetch_add(group.size(), std::memory_order_relaxed);
  for (auto &[key, code] : group) table_.instances[key].push_back(std::move(code));
  return made;
}

// Facts about the argument slots. A vararg method's last slot is a tuple of the remaining arguments.
std::vector<Lattice> Inference::slot_arguments(const Method &method, std::span<const Lattice> arguments) {
  if (!method.is_vararg) return {arguments.begin(), arguments.end()};
  size_t fixed = method.nargs - 1;
  std::vector<Lattice> slots(arguments.begin(), arguments.begin() + fixed);
  std::vector<TypeRef> rest;
  auto fields = std::make_shared<std::vector<Lattice>>();
  bool better = false, all_constant = true;
  std::vector<Value> values;
  for (const Lattice &argument : arguments.subspan(fixed)) {
    rest.push_back(argument.type);
    better |= argument.knows_more_than_type();
    if (argument.constant)
      values.push_back(*argument.constant);
    else
      all_constant = false;
    fields->push_back(argument);
  }
  TypeRef tuple = types_.tuple(rest);
  if (all_constant)
    slots.push_back(Lattice::of_constant(types_, rest.empty() ? types_.singleton_value(tuple)
                                                              : Value::structure(tuple, std::move(values))));
  else if (better)
    slots.push_back({tuple, {}, std::move(fields)});
  else
    slots.push_back(Lattice::of_type(types_, tuple));
  return slots;
}

/// Method that errors about limits name: for a library method, the innermost user method on the stack.
const Method &Inference::innermost_of_user(const MethodInstance &instance) const {
  if (!instance.method->is_library) return *instance.method;
  for (auto frame = stack_.rbegin(); frame != stack_.rend(); ++frame)
    if (const Method &method = *(*frame)->key.instance->method; !method.is_library) return method;
  return *instance.method;
}

Result<Inference::Target> Inference::enter(Frame *caller, const MethodInstance &instance,
                                           std::vector<Lattice> constants) {
  InstanceKey key{&instance, std::move(constants)};
  if (auto done = find(key)) {
    state_.counters.hits.fetch_add(1, std::memory_order_relaxed);
    return Target{done.get(), done->result};
  }
  if (auto it = provisional_.find(key); it != provisional_.end()) {
    if (caller) caller->lowest = std::min(caller->lowest, it->second.second);
    return Target{it->second.first.get(), it->second.first->result};
  }
  for (auto &frame : stack_)
    if (frame->key == key) {
      frame->is_head = true;
      frame->code->is_recursive = true;
      for (size_t i = frame->depth + 1; i < stack_.size(); i++) {
        stack_[i]->lowest = std::min(stack_[i]->lowest, frame->depth);
        stack_[i]->code->is_recursive = true;
      }
      return Target{frame->code.get(), frame->estimate};
    }
  if (stack_.size() >= max_depth) {
    // Report the method that occurs most often on the stack: it recurses. The innermost one may not.
    const MethodInstance *nests = &instance;
    ptrdiff_t max_count = 0;
    for (const auto &one : stack_) {
      ptrdiff_t count = std::count_if(stack_.begin(), stack_.end(), [&](const auto &other) {
        return other->key.instance->method == one->key.instance->method;
      });
      if (count >= max_count) {
        max_count = count;
        nests = one->key.instance;
      }
    }
    return make_error(
        ErrorCode::TypeError,
        fmt::format("inference of {} does not end: calls nest more than {} deep with ever new argument types",
                    spell_call(nests->arguments->as<DataType>()->params()), max_depth),
        world_.sources().locate((nests->method->is_library ? innermost_of_user(*nests) : *nests->method).at),
        "a recursive function must reach the same argument types again");
  }
  if (++entered_ > max_instances) {
    const MethodInstance &root = stack_.empty() ? instance : *stack_.front()->key.instance;
    return make_error(ErrorCode::TypeError,
                      fmt::format("{} needs more than {} specialised functions; the last is {}",
                                  spell_call(root.arguments->as<DataType>()->params()), max_instances,
                                  spell_call(instance.arguments->as<DataType>()->params())),
                      world_.sources().locate(innermost_of_user(instance).at),
                      "count with values, not with types: each Val{N} compiles its own function");
  }

  auto owned = std::make_unique<Frame>();
  Frame &frame = *owned;
  frame.key = std::move(key);
  frame.depth = frame.lowest = stack_.size();
  frame.estimate = Lattice::bottom(types_);
  stack_.push_back(std::move(owned));
  Result<void> ran;
  for (int round = 0; round < max_cycle_rounds; round++) {
    frame.is_head = false;
    ran = run(frame);
    if (!ran.ok() || !frame.is_head || frame.code->result == frame.estimate) break;
    Lattice next = join(types_, frame.estimate, frame.code->result);
    if (next == frame.estimate) break;
    frame.estimate = round + 2 < max_cycle_rounds ? next : Lattice::of_type(types_, types_.builtins().Any);
    // The estimate of this frame's result was wrong: infer all instances that used it again.
    for (auto it = provisional_.begin(); it != provisional_.end();)
      if (it->second.second >= frame.depth) {
        discarded_.push_back(it->second.first);
        it = provisional_.erase(it);
      } else {
        ++it;
      }
    discarded_.push_back(frame.code);
  }
  std::unique_ptr<Frame> done = std::move(stack_.back());
  stack_.pop_back();
  if (!ran.ok()) return ran.take_error();
  if (frame.lowest < frame.depth) { // a member of a call cycle whose head is further down the stack
    provisional_[frame.key] = {frame.code, frame.lowest};
    if (caller) caller->lowest = std::min(caller->lowest, frame.lowest);
  } else {
    Group group{{frame.key, frame.code}};
    for (auto it = provisional_.begin(); it != provisional_.end();)
      if (it->second.second >= frame.depth) {
        group.emplace_back(it->first, it->second.first);
        it = provisional_.erase(it);
      } else {
        ++it;
      }
    std::vector<Diagnostic> wrong;
    for (const auto &[part, code] : group)
      if (!code->ssa->declarations.empty()) check_declarations(*code, wrong);
    if (!wrong.empty()) return Error(std::move(wrong));
    const CodeInstance *published = publish(std::move(group));
    return Target{published, published->result};
  }
  return Target{frame.code.get(), frame.code->result};
}

Result<void> Inference::run(Frame &frame) {
  do {
    if (std::exchange(frame.moved, false)) forget_run(frame);
    KILN_CHECK(run_passes(frame));
  } while (frame.moved);
  if (frame.code->code->hints.join) convert_joined(frame);
  if (frame.error) return std::move(*frame.error);
  finish(frame);
  return {};
}

Result<void> Inference::run_passes(Frame &frame) {
  const MethodInstance &instance = *frame.key.instance;
  const Method &method = *instance.method;
  KILN_TRY(const SsaCode *ssa, method.ssa(types_));
  if (ssa->code->hints.join && !frame.known_before) {
    std::vector<const CodeInstance *> &before = frame.known_before.emplace();
    for (const auto &[key, made] : provisional_) before.push_back(made.first.get());
  }
  auto previous = std::move(frame.code);
  frame.code = std::make_shared<CodeInstance>();
  CodeInstance &code = *frame.code;
  code.is_recursive = previous && previous->is_recursive;
  code.instance = &instance;
  code.ssa = ssa;
  code.code = ssa->code;
  code.begin = age_;
  code.is_host_code = is_host_code();
  code.has_constants = !frame.key.constants.empty();
  if (code.has_constants) {
    code.arguments = slot_arguments(method, frame.key.constants);
  } else {
    std::vector<Lattice> arguments;
    for (TypeRef type : instance.arguments->as<DataType>()->params())
      arguments.push_back(Lattice::of_type(types_, type));
    code.arguments = slot_arguments(method, arguments);
  }
  code.types.assign(ssa->stmts.size(), {});
  code.calls.assign(ssa->stmts.size(), {});
  code.reachable.assign(ssa->blocks.size(), false);
  code.edge_taken.assign(ssa->blocks.size(), 0);
  code.result = Lattice::bottom(types_);
  frame.changed.assign(ssa->stmts.size(), 0);
  frame.evaluated.assign(ssa->stmts.size(), 0);
  frame.epoch = 1;
  code.reachable[0] = true;
  frame.error.reset();
  frame.fault_index.clear();
  frame.callees.clear();
  frame.call_edges.clear();
  code.globals.assign(code.code->globals.size(), {});

  const int loops = int(std::ranges::count_if(ssa->blocks, &SsaBlock::is_loop_header));
  const int pass_limit = max_passes + max_passes_per_loop * loops;
  frame.met_poison = false;
  frame.follows_poison = loops == 0;
  for (int pass = 0;; pass++) {
    bool changed = false;
    for (uint32_t block = 0; block < ssa->blocks.size(); block++)
      if (code.reachable[block]) changed |= run_block(frame, block);
    if (frame.error) return std::move(*frame.error);
    if (frame.moved) return {};
    bool waits = std::exchange(frame.met_poison, false);
    if (loops == 0 || (!changed && !waits)) break;
    frame.follows_poison = !changed;
    if (pass >= pass_limit)
      return internal_error(
          fmt::format("inference of {} did not settle in {} passes", method.name.text(), pass_limit));
  }
  return {};
}

Error Inference::type_too_large(Frame &frame, const Stmt &stmt, TypeRef type) {
  return make_error(ErrorCode::TypeError,
                    fmt::format("in {}, a value's type has more than {} parts: {}",
                                spell_call(frame.key.instance->arguments->as<DataType>()->params()),
                                max_type_size, spell_short(type)),
                    world_.sources().locate(stmt.at),
                    "data of this size belongs into an array, not into a tuple");
}

// Evaluates the statements of one block. Returns true if the type of a value rose in the lattice.
bool Inference::run_block(Frame &frame, uint32_t index) {
  CodeInstance &code = *frame.code;
  const SsaBlock &block = code.ssa->blocks[index];
  bool changed = false;
  uint8_t edges = 0;
  for (uint32_t i = block.begin; i < block.end; i++) {
    const Stmt &stmt = code.ssa->stmts[i];
    bool stale = frame.evaluated[i] == 0 || stmt.op == Op::Phi;
    for (Operand arg : stmt.args)
      stale |= arg.kind == Operand::Kind::Ssa && frame.changed[arg.index] >= frame.evaluated[i];
    if (stale) {
      frame.evaluated[i] = ++frame.epoch;
      Lattice value = evaluate(frame, i);
      if (!frame.error && value.type && value.type->size() > max_type_size)
        frame.error = type_too_large(frame, stmt, value.type);
      if (++evaluated_ % cancellation_interval == 0 && cancellation_requested())
        frame.error = current_cancellation()->check().take_error();
      if (frame.error || frame.moved) return false;
      Lattice risen = join(types_, code.types[i], value);
      if (!code.types[i].type || !(risen == code.types[i])) {
        code.types[i] = std::move(risen);
        frame.changed[i] = ++frame.epoch;
        changed = true;
      }
    }
    bool never_returns = code.types[i].is_bottom() && stmt.op != Op::Phi && stmt.op != Op::Goto &&
                         stmt.op != Op::GotoIfNot && stmt.op != Op::Return && !(stmt.flags & flags::Joined);
    if (never_returns) return changed; // control flow ends here: no edge to a successor is taken
    switch (stmt.op) {
    case Op::Goto: edges = 1; break;
    case Op::GotoIfNot: {
      CallInfo ignored;
      Lattice condition = operand(frame, stmt.args[0], ignored);
      if (condition.is_bottom()) return changed;
      if (condition.constant && condition.constant->is_primitive() &&
          condition.type == types_.builtins().Bool)
        edges = condition.constant->low_bits() ? 1 : 2;
      else if (condition.type == types_.builtins().Bool)
        edges = 3;
      // No edge yet, since a later pass may find a constant in place of the poison value.
      else if (condition.poison)
        edges = frame.follows_poison ? 3 : (frame.met_poison |= code.edge_taken[index] != 3, 0);
      break;
    }
    case Op::Return: {
      CallInfo ignored;
      Lattice joined = join(types_, code.result, operand(frame, stmt.args[0], ignored));
      if (!(joined == code.result)) {
        code.result = std::move(joined);
        changed = true;
      }
      break;
    }
    default: break;
    }
  }
  uint8_t fresh = edges & ~code.edge_taken[index];
  if (fresh) {
    code.edge_taken[index] |= fresh;
    changed = true;
    for (size_t k = 0; k < block.succs.size(); k++)
      if (fresh & (1u << k)) code.reachable[block.succs[k]] = true;
  }
  return changed;
}

// Computes callees, effects and inlining cost, after the types are final.
void Inference::finish(Frame &frame) {
  CodeInstance &code = *frame.code;
  if (code.ssa->shares_variables) check_captures(frame);
  for (uint32_t block = 0; block < code.ssa->blocks.size(); block++) {
    if (!code.reachable[block]) continue;
    for (uint32_t i = code.ssa->blocks[block].begin; i < code.ssa->blocks[block].end; i++) {
      const CallInfo &info = code.calls[i];
      switch (info.kind) {
      case CallInfo::Kind::Intrinsic:
        code.effects |=
            kiln::info(info.intrinsic).effects & (effects::Writes | effects::Throws | effects::Reads);
        code.inline_cost++;
        break;
      case CallInfo::Kind::Invoke:
        for (const CallCase &one : info.cases) {
          if (!one.target) {
            code.effects |= effects::Writes | effects::Throws;
            code.has_faults = true;
            continue;
          }
          code.has_faults |= one.target->has_faults;
          code.effects |= one.target->effects;
          if (one.target == &code) code.effects |= effects::Writes; // may not end
          code.inline_cost += one.target->is_recursive ? 5 : std::min(one.target->inline_cost + 1, 1000u);
          frame.add_callee(one.target);
        }
        break;
      case CallInfo::Kind::Fault:
        code.effects |= effects::Writes | effects::Throws;
        code.has_faults = true;
        code.inline_cost++;
        break;
      case CallInfo::Kind::New: code.inline_cost++; break;
      default: break;
      }
      if (code.types[i].is_bottom() && !(code.ssa->stmts[i].flags & flags::Joined)) break;
    }
    if (code.ssa->blocks[block].is_loop_header) code.inline_cost += 10;
  }
  code.inline_cost = std::min(code.inline_cost, 100'000u);
  code.is_partial = code.has_faults && returns_partial_value(types_, code);
}

} // namespace kiln
