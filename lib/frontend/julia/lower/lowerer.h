// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lowers one function. Its parts are in values.cpp, call.cpp, assign.cpp, control.cpp, closure.cpp, and in
// body.cpp for macros that mark a region.
#pragma once

#include "lower.h"

namespace kiln::julia {

class Lowerer {
public:
  Lowerer(Body &body, FunctionScope &function);
  Result<CodeInfo> run();

private:
  using Label = CodeBuilder::Label;
  struct Loop {
    Label next, exit;
    size_t guards; ///< number of enclosing guards
  };
  /// A try block around the current code (an active Enter), and the `finally` block to run on every way out.
  struct Guard {
    const Syntax *always; ///< null: nothing
  };
  struct Mark {
    const Syntax *first;
    Label label;
    bool placed;
  };
  struct Indexing { ///< meaning of `end` and `begin`
    Operand array;
    size_t position, count;
    bool after_splat;
  };

  // ---- values.cpp
  Operand value(const Syntax &node); ///< evaluates
  void effect(const Syntax &node);   ///< evaluates for effect only
  void tail(const Syntax &node);     ///< evaluates and returns
  Operand identifier(const Syntax &node);
  Operand read(const Variable &variable);
  Operand dot(const Syntax &node);
  Operand curly(const Syntax &node);
  Operand tuple(const Syntax &node);
  Operand block(const Syntax &node);
  Operand kept_macro(const Syntax &node);
  Result<Value> known_type(const Syntax &node); ///< a type whose parameters are constants
  Operand constant_type(const Syntax &node);
  Operand type_expression(const Syntax &node, std::vector<Symbol> &declared);
  const Module *module_path(const Syntax &node);
  const Module &module_of(const Syntax &node) const { return shared_.module_of(node.scope, *source_.module); }

  // ---- call.cpp
  Operand call(const Syntax &node);
  Operand call_with(Operand callee, std::span<Syntax *const> args);
  Operand keyword_call(const Syntax &node);
  Operand foreign_call(const Syntax &node);
  Operand new_call(const Syntax &node, Operand type);
  Operand new_type(const Syntax &callee);
  Operand literal_power(const Syntax &node);
  Operand named_tuple(const Syntax &at, std::span<Syntax *const> entries);
  std::vector<Operand> arguments(std::span<Syntax *const> args);
  Operand apply(Operand callee, std::vector<Operand> first, std::span<Syntax *const> args);
  Operand splatted(Operand items);
  bool is_plain_name(const Syntax &node, std::string_view name);

  Operand jump_mark(bool is_label, const Syntax &name);
  void place_missing_marks();

  // ---- assign.cpp
  Operand assign(const Syntax &node);
  Operand op_assign(const Syntax &node);
  void assign_to(const Syntax &lhs, Operand value);
  void destructure(const Syntax &lhs, Operand value);
  Operand set_variable(const Syntax &name, Operand value);
  std::vector<Operand> indices(const Syntax &ref, Operand array, std::vector<bool> &is_splat);
  Operand call_at(std::string_view function, std::vector<Operand> args, const std::vector<Operand> &index,
                  const std::vector<bool> &is_splat);
  Operand index_call(std::string_view function, Operand array, std::vector<Operand> first, const Syntax &ref);
  Operand end_of(const Indexing &at, bool begin);

  // ---- control.cpp
  void condition(const Syntax &node, Label if_false);
  Operand if_value(const Syntax &node);
  void if_effect(const Syntax &node);
  Operand and_or(const Syntax &node);
  Operand comparison(const Syntax &node);
  void comparison_condition(const Syntax &node, Label if_false);
  void while_loop(const Syntax &node);
  void for_loop(const Syntax &node);
  void for_iteration(std::span<const Syntax *const> iterations, const Syntax &body, Label exit);
  void let(const Syntax &node);
  Operand try_value(const Syntax &node);
  void guarded(const Syntax &node, uint32_t result);
  void leave_guards(size_t down_to);
  void finally(const Syntax &block);
  void fresh_variables(const Syntax &node);
  Operand return_statement(const Syntax &node);
  void return_value(Operand value);
  Operand jump(const Syntax &node);

  // ---- closure.cpp
  Operand closure(const Syntax &node);
  void unpack_captures();

  // ---- helpers
  Operand missing(const Syntax &at, std::string_view feature); ///< emits compile_error
  void host_only(const Syntax &at, std::string_view feature);  ///< compiled code ends here
  void set_global(const Syntax &at, const Module &module, Symbol name, Operand value);
  Operand intrinsic(Intrinsic i) { return b_.constant(shared_.intrinsic(i)); }
  Operand base(std::string_view name) { return b_.global(shared_.world.base(), shared_.symbol(name)); }
  Operand integer(int64_t n) { return b_.constant(shared_.types.int64(n)); }
  Operand symbol(Symbol name) { return b_.constant(Value::symbol(shared_.types, name)); }
  Operand nothing() { return b_.constant(shared_.types.nothing()); }
  uint32_t temporary() { return b_.add_slot(shared_.symbol("")); }
  uint32_t slot_of(const Variable &variable);
  /// Copies the value if the operand is a slot, since a later assignment could change it.
  Operand fixed(Operand operand) { return operand.kind == Operand::Kind::Slot ? b_.copy(operand) : operand; }
  static bool assigns(const Syntax &node);
  /// True if evaluating the expression may run code that assigns variables, or throws.
  static bool has_effects(const Syntax &node);
  /// Reads a variable now. Julia evaluates arguments from left to right. A variable is therefore read, and
  /// checked for being defined, before later arguments run.
  Operand read_now(Operand operand) {
    return operand.kind == Operand::Kind::Slot || operand.kind == Operand::Kind::Global ? b_.copy(operand)
                                                                                        : operand;
  }
  /// Finds the last expression with effects in a list, when first asked.
  class LastEffect {
  public:
    explicit LastEffect(std::span<Syntax *const> nodes) : nodes_(nodes) {}
    bool is_after(size_t index) {
      for (; !found_ && end_ > 0 && !has_effects(*nodes_[end_ - 1]); --end_);
      found_ = true;
      return end_ > index + 1;
    }

  private:
    std::span<Syntax *const> nodes_;
    size_t end_ = nodes_.size(); ///< index after it, once found
    bool found_ = false;
  };

  Body &body_;
  MethodSource &source_;
  FunctionScope &function_;
  Shared &shared_;
  CodeBuilder b_;
  std::unordered_map<const Variable *, uint32_t> slots_;
  std::vector<Loop> loops_;
  std::vector<Guard> guards_;
  uint32_t catch_blocks_ = 0; ///< enclosing catch blocks
  std::vector<Mark> marks_;   ///< labels named by @goto and @label, in order of appearance
  std::vector<Indexing> indexing_;
};

} // namespace kiln::julia
