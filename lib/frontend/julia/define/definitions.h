// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a frontend has defined that is not the World's: hosts of nested functions, files of the library that
// wait.
#pragma once

#include <expand/expand.h>

namespace kiln::julia {

/// A function whose body holds functions of its own.
struct HostDefinition {
  Module *module = nullptr;
  const Syntax *node = nullptr;
  std::shared_ptr<Unit> unit;
};

class Definitions final : public Shared {
public:
  using Shared::Shared;

  Result<Value> interpret(const Module &module, const Syntax &node) override;
  Result<void> define_macro(MacroDefinition &macro) override;

  /// Files of the library that are loaded when the text of a program, a job or an argument has one of their
  /// words.
  std::vector<std::pair<std::vector<std::string_view>, std::function<Result<void>()>>> waiting_files;
  Result<void> load_named_in(std::string_view program);

  /// Is this the first time that this unknown package is asked for?
  bool is_first_mention(Symbol package);

  void add_host(const Module &module, Symbol name, HostDefinition host);
  std::vector<HostDefinition> hosts(const Module &module, Symbol name) const; ///< newest first

private:
  mutable std::mutex mutex_;
  std::unordered_set<Symbol> unknown_packages_;
  std::unordered_map<Symbol, std::vector<HostDefinition>> hosts_;
};

} // namespace kiln::julia
