// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Class Lowerer: lowers the body of one function. Private to lower*.cpp.
#pragma once

#include "lower.h"

namespace kiln::python {

class Lowerer {
public:
  Lowerer(Engine &engine, const Function &function, BodyBuilder &code);
  Result<Operand> body();

private:
  using Label = CodeBuilder::Label;
  struct Loop {
    Label next, end;
  };

  // lower.cpp: statements
  Result<void> block(const Node &node);
  Result<void> statement(const Node &node);
  Result<void> assign(const Node &target, Operand value);
  Result<void> unpack(const Node &target, Operand value);
  Result<void> augmented(const Node &node);
  Result<void> if_(const Node &node);
  Result<void> while_(const Node &node);
  Result<void> for_(const Node &node);
  Result<void> for_literal(const Node &node);
  Result<void> loop_body(const Node &node, Label next, Label end, Label otherwise);
  Result<void> return_(const Node &node);
  Result<void> raise(const Node &node, std::string_view type);
  Result<void> match(const Node &node);

  // lower_expression.cpp
  Result<Operand> expression(const Node &node);
  Result<std::vector<Operand>> expressions(const Node &node, size_t first);
  /// Lowers a condition `node`, with a branch to `otherwise` if it is false.
  Result<void> condition(const Node &node, Label otherwise);
  Result<Operand> truth(const Node &node);
  Result<Operand> compare(const Node &node);
  Result<Operand> and_or(const Node &node);
  Result<Operand> if_else(const Node &node);
  Result<Operand> local(const Node &node);
  Result<Operand> closure(const Node &node);

  // lower_call.cpp
  Result<Operand> call(const Node &node);
  Result<Operand> call_known(const Node &node, const Function &callee);
  Result<Operand> call_spread(const Node &node, Operand callee);

  Result<Operand> library(std::string_view name, const Operands &arguments);
  Result<Operand> library_function(std::string_view name);
  Operand constant(const Value &value) { return code_.constant(value); }
  Result<Operand> text(std::string_view symbol);
  uint32_t slot(Symbol name);
  uint32_t fresh(std::string_view name) { return code_.add_slot(engine_.symbol(name)); }
  Error error(const Node &at, ErrorCode code, std::string message, std::string hint = {}) const;

  Engine &engine_;
  const Function &function_;
  BodyBuilder &code_;
  std::unordered_map<Symbol, uint32_t> slots_;
  std::unordered_map<Symbol, Operand> captured_;
  std::vector<Loop> loops_;
  uint32_t result_ = 0;
  bool has_result_ = false;
  std::optional<Label> end_;
};

} // namespace kiln::python
