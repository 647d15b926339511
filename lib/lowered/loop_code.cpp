// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "loop_code.h"

#include "captures.h"
#include "cfg.h"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

namespace kiln {

namespace {

bool jumps(const Stmt &stmt) { return stmt.op == Op::Goto || stmt.op == Op::GotoIfNot; }

} // namespace

std::vector<LoopRange> find_loops(const CodeInfo &code) {
  std::map<uint32_t, uint32_t> last_of; // by head
  for (uint32_t i = 0; i < code.stmts.size(); ++i)
    if (jumps(code.stmts[i]) && code.stmts[i].target <= i) last_of[code.stmts[i].target] = i;
  std::vector<LoopRange> loops;
  for (const auto &[head, last] : last_of) {
    uint32_t parent = loops.empty() ? LoopRange::no_parent : uint32_t(loops.size() - 1);
    while (parent != LoopRange::no_parent && loops[parent].last < head) parent = loops[parent].parent;
    for (uint32_t around = parent; around != LoopRange::no_parent; around = loops[around].parent)
      loops[around].last = std::max(loops[around].last, last);
    loops.push_back({head, last, parent});
  }
  return loops;
}

namespace {

class Outliner {
public:
  Outliner(TypeContext &types, const LoopPlace &place, const LoopFunctions &functions, std::string &why)
      : types_(types), place_(place), functions_(functions), from_(place.code), why_(why), flow_(place.code) {
  }

  std::optional<LoopCode> run() {
    if (from_.has_declarations() || from_.hints.typed) return refuse("its types are declared");
    find_statements();
    if (!find_uses()) return std::nullopt;
    find_exits();
    if (!find_outputs()) return std::nullopt;
    find_inputs();
    if (!build()) return std::nullopt;
    made_.assigned.assign(assigned_.begin(), assigned_.end());
    return std::move(made_);
  }

private:
  std::nullopt_t refuse(std::string why) {
    why_ = std::move(why);
    return std::nullopt;
  }
  /// True for the statements of the natural loop, from which control can come back to the head. Others in its
  /// range leave the loop, as those before a `break`: the interpreter runs them.
  bool is_inside(uint32_t statement) const {
    return statement >= place_.loop.head && statement <= place_.loop.last &&
           comes_back_[statement - place_.loop.head];
  }
  bool continues(uint32_t statement) const { // with the next statement
    const Op op = from_.stmts[statement].op;
    return !is_terminator(op) || op == Op::GotoIfNot;
  }
  bool leaves_to_next(uint32_t statement) const { return continues(statement) && !is_inside(statement + 1); }

  void find_statements() {
    const auto [head, last, parent] = place_.loop;
    comes_back_.assign(last - head + 1, false);
    for (bool changed = true; changed;) {
      changed = false;
      for (uint32_t i = last + 1; i-- > head;) {
        if (is_inside(i)) continue;
        const Stmt &stmt = from_.stmts[i];
        const auto comes_back = [&](uint32_t next) { return next == head || is_inside(next); };
        if (!(jumps(stmt) && comes_back(stmt.target)) && !(continues(i) && comes_back(i + 1))) continue;
        comes_back_[i - head] = changed = true;
      }
    }
  }

  /// Collects the variables and results that the loop's statements use.
  bool find_uses() {
    for (uint32_t i = place_.loop.head; i <= place_.loop.last; ++i) {
      if (!is_inside(i)) continue;
      const Stmt &stmt = from_.stmts[i];
      switch (stmt.op) {
      case Op::HostOnly:
        if (note_global(i)) break;
        [[fallthrough]];
      case Op::Enter:
      case Op::Leave:
      case Op::Exception: refuse("it has a try block, or an effect of the interpreter alone"); return false;
      case Op::Cell:
        if (!(stmt.flags & (flags::ByValue | flags::Unchanged))) shared_.insert(stmt.slot);
        read_.insert(stmt.slot);
        break;
      case Op::IsDefined: read_.insert(stmt.slot); break;
      case Op::SetSlot: assigned_.insert(stmt.slot); break;
      case Op::Fresh:
        assigned_.insert(stmt.slot);
        renewed_.insert(stmt.slot);
        break;
      default: break;
      }
      for (const Operand operand : stmt.args) {
        if (operand.kind == Operand::Kind::Slot) read_.insert(operand.index);
        if (operand.kind == Operand::Kind::Ssa && !is_inside(operand.index)) results_.insert(operand.index);
      }
    }
    return true;
  }

  /// Returns the module and name that a call of setglobal! assigns; no value: another statement.
  std::optional<GlobalName> global_assigned_by(uint32_t statement) const {
    const Stmt &stmt = from_.stmts[statement];
    if (stmt.op != Op::Call || stmt.args.size() != 4) return std::nullopt;
    const Operand callee = stmt.args[0], module = stmt.args[1], name = stmt.args[2];
    if (callee.kind != Operand::Kind::Global || !(from_.globals[callee.index] == functions_.set_global) ||
        module.kind != Operand::Kind::Const || name.kind != Operand::Kind::Const)
      return std::nullopt;
    const GlobalName assigned{from_.constants[module.index].as_module(),
                              from_.constants[name.index].as_symbol()};
    return assigned.module && assigned.name ? std::optional(assigned) : std::nullopt;
  }

  /// Notes the global variable that the call after a HostOnly statement assigns. False: another effect.
  bool note_global(uint32_t host_only) {
    const auto name = is_inside(host_only + 1) ? global_assigned_by(host_only + 1) : std::nullopt;
    if (name && !std::ranges::count(made_.globals, *name)) made_.globals.push_back(*name);
    return name.has_value();
  }

  /// Returns the number of the global variable that an operand reads, if the loop assigns it.
  std::optional<uint32_t> global_read_by(Operand operand) const {
    if (operand.kind != Operand::Kind::Global) return std::nullopt;
    const auto found = std::ranges::find(made_.globals, from_.globals[operand.index]);
    return found == made_.globals.end() ? std::nullopt
                                        : std::optional(uint32_t(found - made_.globals.begin()));
  }
  uint32_t globals_read_by(uint32_t statement) const {
    return uint32_t(std::ranges::count_if(
        from_.stmts[statement].args, [&](Operand operand) { return global_read_by(operand).has_value(); }));
  }

  void add_exit(uint32_t target) {
    const bool is_known =
        std::ranges::any_of(made_.exits, [&](const LoopCode::Exit &exit) { return exit.target == target; });
    if (!is_known) made_.exits.push_back({target, {}});
  }
  void find_exits() {
    for (uint32_t i = place_.loop.head; i <= place_.loop.last; ++i) {
      if (!is_inside(i)) continue;
      const Stmt &stmt = from_.stmts[i];
      if (jumps(stmt) && !is_inside(stmt.target)) add_exit(stmt.target);
      if (leaves_to_next(i)) add_exit(i + 1);
    }
  }

  /// True if a statement that is reachable from `start` reads the variable before an assignment.
  bool is_read_from(uint32_t start, uint32_t slot) {
    bool found = false;
    flow_.walk({start}, [&](uint32_t at) {
      const Stmt &stmt = from_.stmts[at];
      found |= reads_slot(stmt, slot);
      return !found && !((stmt.op == Op::SetSlot || stmt.op == Op::Fresh) && stmt.slot == slot);
    });
    return found;
  }
  bool is_result_read_from(uint32_t start, uint32_t result) {
    bool found = false;
    flow_.walk({start}, [&](uint32_t at) {
      found |= std::ranges::find(from_.stmts[at].args, Operand::ssa(result)) != from_.stmts[at].args.end();
      return !found && at != result;
    });
    return found;
  }

  bool find_outputs() {
    std::set<uint32_t> results; // of the loop, used after it
    for (uint32_t i = 0; i < from_.stmts.size(); ++i)
      if (!is_inside(i))
        for (const Operand operand : from_.stmts[i].args)
          if (operand.kind == Operand::Kind::Ssa && is_inside(operand.index)) results.insert(operand.index);
    for (const uint32_t slot : assigned_) {
      const auto name = [&] { return from_.slot_names[slot].text(); };
      for (const uint32_t handler : place_.handlers)
        if (is_read_from(handler, slot)) {
          refuse(fmt::format("a catch block reads `{}`, which it assigns", name()));
          return false;
        }
      for (LoopCode::Exit &exit : made_.exits) {
        if (!is_read_from(exit.target, slot)) continue;
        if (renewed_.contains(slot) || shared_.contains(slot) || !place_.is_set(Operand::slot(slot))) {
          refuse(fmt::format("`{}` may have no value after it, or closures share it", name()));
          return false;
        }
        exit.outputs.push_back(Operand::slot(slot));
        read_.insert(slot);
      }
    }
    for (const uint32_t result : results)
      for (LoopCode::Exit &exit : made_.exits)
        if (is_result_read_from(exit.target, result)) exit.outputs.push_back(Operand::ssa(result));
    return true;
  }

  void find_inputs() {
    for (const uint32_t slot : read_)
      if (!place_.is_set(Operand::slot(slot)))
        made_.unset.push_back(slot);
      else if (is_read_from(place_.loop.head, slot))
        made_.inputs.push_back(Operand::slot(slot));
    for (const uint32_t result : results_) made_.inputs.push_back(Operand::ssa(result));
  }

  bool build() {
    CodeInfo &to = made_.code;
    to.name = from_.name;
    to.at = from_.at;
    to.hints.join = from_.hints.join;
    to.slot_names.push_back(types_.symbol("#self#"));
    for (const Operand input : made_.inputs) {
      const bool is_variable = input.kind == Operand::Kind::Slot;
      if (!is_variable) argument_of_[input.index] = uint32_t(to.slot_names.size());
      to.slot_names.push_back(is_variable ? from_.slot_names[input.index] : types_.symbol("#result#"));
    }
    const auto first_cell = uint32_t(to.slot_names.size());
    for (const GlobalName &global : made_.globals) to.slot_names.push_back(global.name);
    to.nargs = uint32_t(to.slot_names.size());
    for (uint32_t i = 0; i < made_.inputs.size(); ++i) // an argument cannot be renewed: copy it
      if (made_.inputs[i].kind == Operand::Kind::Slot)
        add({.op = Op::SetSlot, .slot = slot(made_.inputs[i].index), .args = {Operand::slot(i + 1)}});
    uint32_t next = uint32_t(to.stmts.size());
    for (uint32_t i = place_.loop.head; i <= place_.loop.last; ++i) {
      if (!is_inside(i)) continue;
      begin_of_[i] = next;
      next += from_.stmts[i].op == Op::HostOnly ? 0 : globals_read_by(i);
      statement_of_[i] = next;
      next += (from_.stmts[i].op != Op::HostOnly) + leaves_to_next(i);
    }
    for (const LoopCode::Exit &exit : made_.exits) {
      exit_of_[exit.target] = next;
      next += 2;
    }
    for (const auto &[i, copied] : statement_of_) {
      if (from_.stmts[i].op == Op::HostOnly) continue; // the call after it becomes one of `store`
      if (!copy(i, first_cell)) return false;
      if (leaves_to_next(i)) add({.op = Op::Goto, .target = exit_of_.at(i + 1)});
    }
    for (uint32_t number = 0; number < made_.exits.size(); ++number) {
      Operands parts{constant(functions_.tuple), constant(types_.int64(number))};
      for (const Operand output : made_.exits[number].outputs) parts.push_back(*mapped(output));
      add({.op = Op::Call, .args = std::move(parts)});
      add({.op = Op::Return, .args = {Operand::ssa(uint32_t(to.stmts.size() - 1))}});
    }
    return true;
  }

  bool copy(uint32_t index, uint32_t first_cell) {
    Stmt stmt = from_.stmts[index];
    if (jumps(stmt))
      stmt.target = is_inside(stmt.target) ? begin_of_.at(stmt.target) : exit_of_.at(stmt.target);
    if (stmt.op == Op::SetSlot || stmt.op == Op::IsDefined || stmt.op == Op::Cell || stmt.op == Op::Fresh)
      stmt.slot = slot(stmt.slot);
    const auto assigned = global_assigned_by(index);
    Operands args;
    if (assigned) {
      const auto number = uint32_t(std::ranges::find(made_.globals, *assigned) - made_.globals.begin());
      args = {constant(functions_.store), Operand::slot(first_cell + number)};
    }
    for (size_t i = assigned ? 3 : 0; i < stmt.args.size(); ++i) {
      if (const auto global = global_read_by(stmt.args[i])) {
        made_.code.stmts.push_back({.op = Op::Call,
                                    .args = {constant(functions_.load), Operand::slot(first_cell + *global)},
                                    .at = stmt.at});
        args.push_back(Operand::ssa(uint32_t(made_.code.stmts.size() - 1)));
        continue;
      }
      const auto to = mapped(stmt.args[i]);
      if (!to) return false;
      args.push_back(*to);
    }
    stmt.args = std::move(args);
    made_.code.stmts.push_back(std::move(stmt));
    return true;
  }

  void add(Stmt stmt) {
    stmt.at = from_.stmts[place_.loop.head].at;
    made_.code.stmts.push_back(std::move(stmt));
  }
  uint32_t slot(uint32_t old) {
    auto [known, is_new] = slot_of_.try_emplace(old, uint32_t(made_.code.slot_names.size()));
    if (is_new) made_.code.slot_names.push_back(from_.slot_names[old]);
    return known->second;
  }
  Operand constant(Value value) {
    made_.code.constants.push_back(std::move(value));
    return {Operand::Kind::Const, uint32_t(made_.code.constants.size() - 1)};
  }

  /// Returns the operand in the loop's code. No value: a where-variable has none.
  std::optional<Operand> mapped(Operand operand) {
    const auto once = [](auto &known, uint32_t old, auto &&make) {
      auto [found, is_new] = known.try_emplace(old);
      if (is_new) found->second = make();
      return found->second;
    };
    switch (operand.kind) {
    case Operand::Kind::None: return operand;
    case Operand::Kind::Ssa:
      if (is_inside(operand.index)) return Operand::ssa(statement_of_.at(operand.index));
      return Operand::slot(argument_of_.at(operand.index));
    case Operand::Kind::Slot: return Operand::slot(slot(operand.index));
    case Operand::Kind::StaticParam: {
      const TypeRef value = place_.static_params[operand.index];
      if (value->is<TypeVar>()) return refuse("a type variable of its method has no value");
      const auto *held = value->as<ConstType>();
      return once(param_of_, operand.index,
                  [&] { return constant(held ? held->value() : Value::type_value(types_, value)); });
    }
    case Operand::Kind::Const:
      return once(constant_of_, operand.index, [&] { return constant(from_.constants[operand.index]); });
    case Operand::Kind::Global:
      return once(global_of_, operand.index, [&] {
        made_.code.globals.push_back(from_.globals[operand.index]);
        return Operand{Operand::Kind::Global, uint32_t(made_.code.globals.size() - 1)};
      });
    }
    return refuse("an operand of unknown kind");
  }

  TypeContext &types_;
  const LoopPlace &place_;
  const LoopFunctions &functions_;
  const CodeInfo &from_;
  std::string &why_;
  StatementFlow flow_;
  LoopCode made_;
  std::set<uint32_t> read_, assigned_, renewed_, shared_; ///< slots
  std::set<uint32_t> results_;                            ///< statements before the loop
  std::vector<bool> comes_back_;                          ///< by statement, from the head
  std::map<uint32_t, uint32_t> slot_of_, argument_of_, exit_of_;
  std::map<uint32_t, uint32_t> statement_of_; ///< the copy of a statement
  std::map<uint32_t, uint32_t> begin_of_;     ///< its first statement: loads of global variables precede it
  std::map<uint32_t, Operand> constant_of_, global_of_, param_of_;
};

} // namespace

std::optional<LoopCode> loop_code(TypeContext &types, const LoopPlace &place, const LoopFunctions &functions,
                                  std::string &why) {
  return Outliner(types, place, functions, why).run();
}

} // namespace kiln
