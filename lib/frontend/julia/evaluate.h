// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What all parts of the front-end share.
#pragma once

#include "julia.h"
#include "syntax.h"

namespace kiln::julia {

/// Scopes of identifiers that the front-end itself makes: they mean Base's or Core's binding whatever the
/// user calls so.
inline constexpr uint32_t BaseScope = 0xffffffff;
inline constexpr uint32_t CoreScope = 0xfffffffe;

/// A parsed text and its syntax; kept alive by the methods that are lowered from it later.
struct Unit {
  SyntaxArena arena;
  std::shared_ptr<const SourceFile> file;
  std::shared_ptr<const Unit> outer = nullptr; ///< whose syntax this one's refers to
};

/// A macro of the user's.
struct MacroDefinition {
  Module *module = nullptr;
  const Syntax *node = nullptr; ///< Head::Macro
  std::shared_ptr<Unit> unit;
  Value function;                         ///< the generic function "@name", whose methods run the macro
  bool defined = false;                   ///< is it a method of that already?
  std::shared_ptr<MacroDefinition> other; ///< an earlier one of the name, for another number of arguments
};

/// A function whose body holds functions of its own.
struct HostDefinition {
  Module *module = nullptr;
  const Syntax *node = nullptr;
  std::shared_ptr<Unit> unit;
};

struct Shared {
  World &world;
  Interpreter &interpreter;
  TypeContext &types;
  Timer *timer;
  Log *log;
  /// Static{T}: carries the value of an enclosing method's where-variable into a closure's type.
  TypeRef static_wrapper = nullptr;
  Value kwcall; ///< Core.kwcall
  /// First arguments of a nested function's methods: that with the keywords' values in a row, and that which
  /// takes them from a named tuple.
  TypeRef keyword_values = nullptr, keyword_sorter = nullptr;
  /// What eval(module, code) does while top-level code that holds @eval runs; empty otherwise.
  std::function<Result<void>(Module &, const Value &)> run_eval;
  bool has_macro_library = false; ///< see add_macro_library
  /// gensym's names: those of a body count from 1, so that they do not depend on what was lowered before.
  struct Gensyms {
    bool in_body = false;
    uint64_t count = 0;
  } gensyms;

  /// Files of the library that are loaded when the text of a program, a job or an argument has one of their
  /// words.
  std::vector<std::pair<std::vector<std::string_view>, std::function<Result<void>()>>> waiting_files;
  Result<void> load_named_in(std::string_view program);

  Shared(World &world, Interpreter &interpreter, Timer *timer, Log *log);

  Symbol symbol(std::string_view text) { return types.symbol(text); }
  Location locate(Span at) const { return world.sources().locate(at); }
  Error error(std::string name, std::string message, Span at, std::string hint = {}) const {
    return input_error(std::move(name), std::move(message), locate(at), std::move(hint));
  }
  /// UndefVarError with near names.
  Error undefined(const Module &module, Symbol name, Span at);

  /// Modules own nothing const: the World hands them out so that only definitions change them.
  static Module &writable(const Module &module) { return const_cast<Module &>(module); }
  /// Where an identifier of an expansion's scope is looked up.
  const Module &module_of(uint32_t scope, const Module &otherwise) const;
  uint32_t new_expansion(const Module &module);

  std::shared_ptr<MacroDefinition> find_macro(const Module &module, Symbol name);
  /// `import M: @macro as @alias` of a built-in macro.
  void alias_macro(const Module &module, Symbol alias, Symbol macro);
  Symbol built_in_macro(const Module &module, Symbol name) const; ///< what an alias means; else the name
  void add_macro(const Value &function, std::shared_ptr<MacroDefinition> macro);

  /// Is this the first time that this unknown package is asked for?
  bool is_first_mention(Symbol package);

  void add_host(const Module &module, Symbol name, HostDefinition host);
  std::vector<HostDefinition> hosts(const Module &module, Symbol name) const; ///< newest first

  Value string(std::string text) { return Value::string(types, std::move(text)); }
  Value intrinsic(Intrinsic i) const { return world.intrinsic_value(i); }

private:
  mutable std::mutex mutex_;
  std::vector<const Module *> expansions_;
  std::unordered_map<TypeRef, std::shared_ptr<MacroDefinition>> macros_;
  struct MacroAlias {
    const Module *module;
    Symbol alias, macro;
  };
  std::vector<MacroAlias> macro_aliases_;
  std::unordered_set<Symbol> unknown_packages_;
  std::unordered_map<Symbol, std::vector<HostDefinition>> hosts_;
};

/// While a body is expanded.
class GensymScope {
public:
  explicit GensymScope(Shared &shared) : shared_(shared), before_(std::exchange(shared.gensyms, {})) {
    shared.gensyms = {true, before_.in_body ? before_.count : 0};
  }
  ~GensymScope() { shared_.gensyms = before_; }
  GensymScope(const GensymScope &) = delete;

private:
  Shared &shared_;
  Shared::Gensyms before_;
};

/// The name a macro call names: "@inbounds" of `Base.@inbounds x` too.
Symbol macro_name(const Syntax &node);
/// The text of a node on one line, for messages.
std::string brief(const Syntax &node, size_t limit = 60);
/// A deep copy.
Syntax *copy_tree(SyntaxArena &arena, const Syntax &node);

/// The function `name` inside the host function that `host` names (`host/name`), made a function of its own
/// with `captures` in the place of what it captures.
Result<Value> nested_function(const std::shared_ptr<Shared> &shared, const Module &module, const Syntax &host,
                              const Syntax &name, std::span<const Capture> captures);

/// Lowers an expression as a function without arguments and runs it.
Result<Value> interpret(const std::shared_ptr<Shared> &shared, const Module &module, const Syntax &node);

} // namespace kiln::julia
