// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// State that expansion, lowering and definitions share: the World, the user's macros, and the module of each
// macro expansion.
#pragma once

#include <kiln/extension/language/code_builder.h>
#include <kiln/extension/language/frontend.h>
#include <kiln/extension/language/internal/stage_timer.h>
#include <kiln/extension/language/interpreter.h>
#include <kiln/extension/language/print.h>
#include <kiln/extension/language/subtype.h>
#include <syntax/syntax.h>

namespace kiln::julia {

/// Scope values of identifiers that the front end makes. They refer to names of Base or Core, even if the
/// user defines the same names.
inline constexpr uint32_t BaseScope = 0xffffffff;
inline constexpr uint32_t CoreScope = 0xfffffffe;

/// A macro of the user.
struct MacroDefinition {
  Module *module = nullptr;
  const Syntax *node = nullptr; ///< Head::Macro
  std::shared_ptr<Unit> unit;
  Value function;                         ///< generic function "@name"; its methods run the macro
  bool defined = false;                   ///< true once `function` has a method that runs the macro
  std::shared_ptr<MacroDefinition> other; ///< earlier definition of the same name, with other parameters
};

/// State of a frontend that expansion and lowering use. Component define derives from it and implements its
/// virtual functions: expanding a macro may define and run code.
struct Shared : std::enable_shared_from_this<Shared> {
  CompilerWorld &world;
  Interpreter &interpreter;
  TypeContext &types;
  Timer *timer;
  std::function<void(std::string_view)> debug;                      ///< LanguageHost::debug
  std::function<std::optional<std::string>(Fingerprint)> find_kept; ///< LanguageHost::find_kept
  std::function<void(Fingerprint, std::string)> keep;               ///< LanguageHost::keep
  std::function<Result<void>()> bind_host;                          ///< LanguageHost::bind_host
  /// Type Static{T}. A closure's type contains the value T of an enclosing method's where-variable in this
  /// form.
  TypeRef static_wrapper = nullptr;
  Value kwcall; ///< Core.kwcall
  /// Types of the first argument of a nested function's methods: for keyword values in order, and for a named
  /// tuple of keywords.
  TypeRef keyword_values = nullptr, keyword_sorter = nullptr;
  /// Function that eval(module, code) calls. Set while top-level code with @eval runs; otherwise empty.
  using Eval = std::function<Result<Value>(Module &, const Value &)>;
  Eval run_eval;
  const Module *eval_module = nullptr; ///< module of eval(code); null: Main
  bool has_macro_library = false;      ///< see add_macro_library
  /// True while a top-level expression is expanded, which the interpreter runs once. False in a function's
  /// body.
  bool is_top_level = false;
  /// Kind of program whose top level runs. It determines whether an assignment in a loop is to a global
  /// variable.
  enum class ProgramMode : uint8_t { None, Script, Interactive } program = ProgramMode::None;
  const Module *program_module = nullptr; ///< module of the program
  /// Counter of gensym(). It restarts in each body, so that names do not depend on what was lowered before.
  struct Gensyms {
    bool in_body = false;
    uint64_t count = 0;
  } gensyms;

  /// Size of all macro expansions in one body or top-level statement, to limit it.
  struct Expansions {
    uint32_t levels = 0; ///< nesting depth of expansions
    uint64_t nodes = 0;  ///< syntax nodes, including nested expansions
  } expansions;
  static constexpr uint32_t max_expansion_levels = 100;
  /// A node takes about 400 bytes until it is lowered.
  static constexpr uint64_t max_expansion_nodes = 400'000;

  /// Triggers of postponed library files.
  virtual const WatchedNames &watched_names() const = 0;
  /// Loads the library files that names in `seen` trigger. Called for every source of names: parsed text,
  /// code made from values, names of module members that are computed.
  virtual Result<void> load_named(const NameWatch &seen) = 0;

  explicit Shared(const LanguageHost &host);
  virtual ~Shared() = default;
  Shared(const Shared &) = delete;

  /// Lowers an expression like a function without arguments, and runs it in the interpreter.
  virtual Result<Value> interpret(const Module &module, const Syntax &node) = 0;
  /// Evaluates definitions (import, struct, function, ...) that a macro passes to eval(module, code), outside
  /// of programs.
  virtual Result<void> define(Module &into, std::shared_ptr<Unit> unit, const Syntax &code) = 0;
  /// Defines the method of function "@name" that runs a macro. Does nothing for a macro that is used as a
  /// template.
  virtual Result<void> define_macro(MacroDefinition &macro) = 0;
  /// Returns Method::generator_inputs for a @generated method of `module` that is defined at `at`.
  virtual std::optional<Fingerprint> generator_inputs(const Module &module, Span at, TypeRef arguments) = 0;

  Symbol symbol(std::string_view text) { return types.symbol(text); }
  Location locate(Span at) const { return world.sources().locate(at); }
  Error error(ErrorCode code, std::string message, Span at, std::string hint = {}) const {
    return make_error(code, std::move(message), locate(at), std::move(hint));
  }
  Result<SignatureSyntax> signature(const Syntax &node) const {
    return parse_signature(types, world.sources(), node);
  }
  /// Makes an UndefVarError. `has_hint`: its hint lists similar names, which costs 0.5 ms.
  Error undefined(const Module &module, Symbol name, Span at, bool has_hint = true);

  /// Removes const from a module. The World returns const modules, so that only definitions can change them.
  static Module &writable(const Module &module) { return const_cast<Module &>(module); }
  /// Returns the module in which an identifier with this expansion scope is looked up. `otherwise`: the
  /// module for scope 0, the user's own text.
  const Module &module_of(uint32_t scope, const Module &otherwise) const;
  uint32_t new_expansion(const Module &module, uint32_t caller);
  /// Returns the scope of the text that called an expansion's macro.
  uint32_t caller_of(uint32_t scope) const;
  /// Returns how many expansions lie between a scope and one around it. 0: the scope is not inside it.
  size_t levels_between(uint32_t inner, uint32_t outer) const;

  std::shared_ptr<MacroDefinition> find_macro(const Module &module, Symbol name);
  /// Records that `import M: @macro as @alias` gave a built-in macro another name.
  void alias_macro(const Module &module, Symbol alias, Symbol macro);
  /// Returns the macro for an alias. Other names are returned unchanged.
  Symbol built_in_macro(const Module &module, Symbol name) const;
  void add_macro(const Value &function, std::shared_ptr<MacroDefinition> macro);

  Value string(std::string text) { return Value::string(types, std::move(text)); }
  Value intrinsic(Intrinsic i) const { return world.intrinsic_value(i); }

private:
  mutable std::mutex mutex_;
  struct Expansion {
    const Module *module;
    uint32_t caller; ///< scope of the text that called the macro
  };
  std::vector<Expansion> expansions_;
  std::unordered_map<TypeRef, std::shared_ptr<MacroDefinition>> macros_;
  struct MacroAlias {
    const Module *module;
    Symbol alias, macro;
  };
  std::vector<MacroAlias> macro_aliases_;
};

/// Counts the expansions of a body, or of top-level code, on their own while it lives.
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

/// Counts one level of nesting while the result of a macro is expanded itself.
class ExpansionLevel {
public:
  explicit ExpansionLevel(Shared &shared) : levels_(shared.expansions.levels) { ++levels_; }
  ~ExpansionLevel() { --levels_; }
  ExpansionLevel(const ExpansionLevel &) = delete;

private:
  uint32_t &levels_;
};

/// Hides the state of the code that is being expanded while a library file is loaded, which a name in that
/// code triggered.
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

/// Restarts the counter of gensym() while a body is expanded.
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
