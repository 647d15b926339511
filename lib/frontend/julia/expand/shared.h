// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What expansion, lowering and definitions share: the World that names are looked up in, the user's macros,
// and which module the identifiers of an expansion belong to.
#pragma once

#include <kiln/extension/language/code_builder.h>
#include <kiln/extension/language/frontend.h>
#include <kiln/extension/language/internal/stage_timer.h>
#include <kiln/extension/language/interpreter.h>
#include <kiln/extension/language/print.h>
#include <kiln/extension/language/subtype.h>
#include <syntax/syntax.h>

namespace kiln::julia {

/// Scopes of identifiers that the front-end itself makes: they mean Base's or Core's binding whatever the
/// user calls so.
inline constexpr uint32_t BaseScope = 0xffffffff;
inline constexpr uint32_t CoreScope = 0xfffffffe;

/// A macro of the user's.
struct MacroDefinition {
  Module *module = nullptr;
  const Syntax *node = nullptr; ///< Head::Macro
  std::shared_ptr<Unit> unit;
  Value function;                         ///< the generic function "@name", whose methods run the macro
  bool defined = false;                   ///< is it a method of that already?
  std::shared_ptr<MacroDefinition> other; ///< an earlier one of the name, for another number of arguments
};

/// One for each frontend. Expansion and lowering see this much of it; what defines (component define) derives
/// from it, for a macro is code of the program: to expand one is to define and run it.
struct Shared : std::enable_shared_from_this<Shared> {
  CompilerWorld &world;
  Interpreter &interpreter;
  TypeContext &types;
  Timer *timer;
  std::function<void(std::string_view)> debug;                      ///< LanguageHost::debug
  std::function<std::optional<std::string>(Fingerprint)> find_kept; ///< LanguageHost::find_kept
  std::function<void(Fingerprint, std::string)> keep;               ///< LanguageHost::keep
  std::function<Result<void>()> bind_host;                          ///< LanguageHost::bind_host
  /// Static{T}: carries the value of an enclosing method's where-variable into a closure's type.
  TypeRef static_wrapper = nullptr;
  Value kwcall; ///< Core.kwcall
  /// First arguments of a nested function's methods: that with the keywords' values in a row, and that which
  /// takes them from a named tuple.
  TypeRef keyword_values = nullptr, keyword_sorter = nullptr;
  /// What eval(module, code) does while top-level code that holds @eval runs; empty otherwise.
  using Eval = std::function<Result<Value>(Module &, const Value &)>;
  Eval run_eval;
  const Module *eval_module = nullptr; ///< what eval(code) means in it; null: Main
  bool has_macro_library = false;      ///< see add_macro_library
  /// What is expanded is an expression at top level, which the interpreter runs once, and no function's body.
  bool is_top_level = false;
  /// Whether top-level code is a program's, which runs, and what loops there assign to.
  enum class ProgramMode : uint8_t { None, Script, Interactive } program = ProgramMode::None;
  const Module *program_module = nullptr; ///< that it runs in
  /// gensym's names: those of a body count from 1, so that they do not depend on what was lowered before.
  struct Gensyms {
    bool in_body = false;
    uint64_t count = 0;
  } gensyms;

  /// What macros have expanded to, in one body or one statement at top level.
  struct Expansions {
    uint32_t levels = 0; ///< macros inside the expansions of others
    uint64_t nodes = 0;  ///< of syntax, those inside expansions included
  } expansions;
  static constexpr uint32_t max_expansion_levels = 100;
  static constexpr uint64_t max_expansion_nodes = 400'000; ///< about 400 bytes each, until they are lowered

  /// Triggers of library files that wait.
  virtual const WatchedNames &watched_names() const = 0;
  /// Loads the library files that wait for the triggers in `seen`. Every way in for names passes here: text
  /// that is parsed, code that is made from values, members of modules that are computed.
  virtual Result<void> load_named(const NameWatch &seen) = 0;

  explicit Shared(const LanguageHost &host);
  virtual ~Shared() = default;
  Shared(const Shared &) = delete;

  /// Lowers an expression as a function without arguments and runs it.
  virtual Result<Value> interpret(const Module &module, const Syntax &node) = 0;
  /// Code that eval(module, code) in a macro defines where no program runs: import, struct, function, ...
  virtual Result<void> define(Module &into, std::shared_ptr<Unit> unit, const Syntax &code) = 0;
  /// Defines what runs a macro that is no template: a method of the function "@name".
  virtual Result<void> define_macro(MacroDefinition &macro) = 0;

  Symbol symbol(std::string_view text) { return types.symbol(text); }
  Location locate(Span at) const { return world.sources().locate(at); }
  Error error(ErrorCode code, std::string message, Span at, std::string hint = {}) const {
    return make_error(code, std::move(message), locate(at), std::move(hint));
  }
  Result<SignatureSyntax> signature(const Syntax &node) const {
    return parse_signature(types, world.sources(), node);
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
};

/// Counts the expansions of a body, or of code at top level, by themselves.
class ExpansionScope {
public:
  explicit ExpansionScope(Shared &shared)
      : expansions_(shared.expansions), before_(std::exchange(expansions_, {})) {}
  ~ExpansionScope() { expansions_ = before_; }
  ExpansionScope(const ExpansionScope &) = delete;

private:
  Shared::Expansions &expansions_;
  Shared::Expansions before_;
};

/// While the expansion of a macro is expanded itself.
class ExpansionLevel {
public:
  explicit ExpansionLevel(Shared &shared) : levels_(shared.expansions.levels) { ++levels_; }
  ~ExpansionLevel() { --levels_; }
  ExpansionLevel(const ExpansionLevel &) = delete;

private:
  uint32_t &levels_;
};

/// While a file of the library is loaded that code has named: nothing of that code's state reaches the file.
class OutsideScope {
public:
  explicit OutsideScope(Shared &shared)
      : shared_(shared), run_eval_(std::exchange(shared.run_eval, {})),
        eval_module_(std::exchange(shared.eval_module, nullptr)),
        is_top_level_(std::exchange(shared.is_top_level, false)),
        program_(std::exchange(shared.program, Shared::ProgramMode::None)),
        program_module_(std::exchange(shared.program_module, nullptr)),
        gensyms_(std::exchange(shared.gensyms, {})), expansions_(std::exchange(shared.expansions, {})) {}
  ~OutsideScope() {
    shared_.run_eval = std::move(run_eval_);
    shared_.eval_module = eval_module_;
    shared_.is_top_level = is_top_level_;
    shared_.program = program_;
    shared_.program_module = program_module_;
    shared_.gensyms = gensyms_;
    shared_.expansions = expansions_;
  }
  OutsideScope(const OutsideScope &) = delete;

private:
  Shared &shared_;
  Shared::Eval run_eval_;
  const Module *eval_module_;
  bool is_top_level_;
  Shared::ProgramMode program_;
  const Module *program_module_;
  Shared::Gensyms gensyms_;
  Shared::Expansions expansions_;
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

} // namespace kiln::julia
