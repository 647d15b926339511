// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Top-level forms: functions, kernels, constants, types, overlays; and expressions, which are evaluated.
#pragma once

#include "lower.h"

#include <functional>

namespace lisp {

class Definer {
public:
  Definer(Names &names, kiln::Interpreter &interpreter, kiln::Module &into,
          std::span<const std::string> overlays, bool is_library, kiln::LoadReport &report)
      : names_(names), interpreter_(interpreter), into_(into), overlays_(overlays), is_library_(is_library),
        report_(report) {}

  kiln::Result<void> form(const Node &node, kiln::Symbol overlay = {});
  kiln::Result<kiln::Value> evaluate(const Node &expression);
  std::function<void(const kiln::Value &)> on_value;

private:
  kiln::Error error(const Node &at, std::string message) {
    return fault(names_.world.sources(), at, kiln::ErrorCode::SyntaxError, std::move(message));
  }
  kiln::Result<void> function(const Node &node, kiln::Symbol overlay);
  kiln::Result<void> constant(const Node &node);
  kiln::Result<void> type(const Node &node);
  kiln::Result<void> overlay(const Node &node);
  kiln::Result<TypeVariables> variables(const Node &list, size_t first);
  kiln::Module &home(kiln::Symbol name);

  Names &names_;
  kiln::Interpreter &interpreter_;
  kiln::Module &into_;
  std::span<const std::string> overlays_;
  bool is_library_;
  kiln::LoadReport &report_;
};

} // namespace lisp
