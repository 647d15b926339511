// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// State shared by expansion, lowering and definitions: the World for names, the user's macros, and the module
// of each expansion's identifiers.
#pragma once

#include <kiln/extension/language/code_builder.h>
#include <kiln/extension/language/frontend.h>
#include <kiln/extension/language/internal/stage_timer.h>
#include <kiln/extension/language/interpreter.h>
#include <kiln/extension/language/print.h>
#include <kiln/extension/language/subtype.h>
#include <syntax/syntax.h>

namespace kiln::julia {

/// Scopes of identifiers made by the front end. They refer to bindings of Base or Core, whatever names the
/// user defines.
inline constexpr uint32_t BaseScope = 0xffffffff;
inline constexpr uint32_t CoreScope = 0xfffffffe;

/// A macro of the user.
struct MacroDefinition {
  Module *module = nullptr;
  const Syntax *node = nullptr; ///< Head::Macro
  std::shared_ptr<Unit> unit;
  Value function;                         ///< generic function "@name"; its methods run the macro
  bool defined = false;                   ///< the macro is a method of it already
  std::shared_ptr<MacroDefinition> other; ///< earlier macro of the same name, for another number of arguments
};

/// Shared state of a frontend, as seen by expansion and lowering. Component define derives from it: expanding
/// a macro may define and run code.
struct Shared : std::enable_shared_from_this<Shared> {
  CompilerWorld &world;
  Interpreter &interpreter;
  TypeContext &types;
  Timer *timer;
  std::function<void(std::string_view)> debug;                      ///< LanguageHost::debug
  std::function<std::optional<std::string>(Fingerprint)> find_kept; ///< LanguageHost::find_kept
  std::function<void(Fingerprint, std::string)> keep;               ///< LanguageHost::keep
  std::function<Result<void>()> bind_host;                          ///< LanguageHost::bind_host
  /// Static{T}: carries the value of an enclosing method's where-variable into a closure type.
  TypeRef static_wrapper = nullptr;
  Value kwcall; ///< Core.kwcall
  /// First arguments of a nested function's methods: keyword values in order, or a named tuple of them.
  TypeRef keyword_values = nullptr, keyword_sorter = nullptr;
  /// Meaning of eval(module, code) while top-level code with @eval runs; empty otherwise.
  using Eval = std::function<Result<Value>(Module &, const Value &)>;
  Eval run_eval;
  const Module *eval_module = nullptr; ///< module of eval(code); null: Main
  bool has_macro_library = false;      ///< see add_macro_library
  /// True while expanding a top-level expression, which the interpreter runs once; false in a function's
  /// body.
  bool is_top_level = false;
  /// Kind of the program whose top level runs, which decides the scope of assignments in loops.
  enum class ProgramMode : uint8_t { None, Script, Interactive } program = ProgramMode::None;
  const Module *program_module = nullptr; ///< module of the program
  /// Counter of gensym. It restarts in each body, so that names do not depend on earlier lowering.
  struct Gensyms {
    bool in_body = false;
    uint64_t count = 0;
  } gensyms;

  /// Size of macro expansions in one body or top-level statement.
  struct Expansions {
    uint32_t levels = 0; ///< nesting depth of expansions
    uint64_t nodes = 0;  ///< syntax nodes, including nested expansions
  } expansions;
  static constexpr uint32_t max_expansion_levels = 100;
  static constexpr uint64_t max_expansion_nodes = 400'000; ///< about 400 bytes each, until they are lowered

  /// Triggers of postponed library files.
  virtual const WatchedNames &watched_names() const = 0;
  /// Loads library files triggered by `seen`. Called for every source of names: parsed text, code made from
  /// values, computed members of modules.
  virtual Result<void> load_named(const NameWatch &seen) = 0;

  explicit Shared(const LanguageHost &host);
  virtual ~Shared() = default;
  Shared(const Shared &) = delete;

  /// Lowers an expression as a function without arguments and runs it.
  virtual Result<Value> interpret(const Module &module, const Syntax &node) = 0;
  /// Evaluates definitions (import, struct, function, ...) that a macro passes to eval(module, code) outside
  /// of programs.
  virtual Result<void> define(Module &into, std::shared_ptr<Unit> unit, const Syntax &code) = 0;
  /// Defines the method of the function "@name" that runs a macro, unless it is a template.
  virtual Result<void> define_macro(MacroDefinition &macro) = 0;

  Symbol symbol(std::string_view text) { return types.symbol(text); }
  Location locate(Span at) const { return world.sources().locate(at); }
  Error error(ErrorCode code, std::string message, Span at, std::string hint = {}) const {
    return make_error(code, std::move(message), locate(at), std::move(hint));
  }
  Result<SignatureSyntax> signature(const Syntax &node) const {
    return parse_signature(types, world.sources(), node);
  }
  /// UndefVarError with similar names.
  Error undefined(const Module &module, Symbol name, Span at);

  /// The World hands out const modules, so that only definitions change them. This removes the const.
  static Module &writable(const Module &module) { return const_cast<Module &>(module); }
  /// Module in which an identifier of this expansion scope is looked up.
  const Module &module_of(uint32_t scope, const Module &otherwise) const;
  uint32_t new_expansion(const Module &module);

  std::shared_ptr<MacroDefinition> find_macro(const Module &module, Symbol name);
  /// Records `import M: @macro as @alias` of a built-in macro.
  void alias_macro(const Module &module, Symbol alias, Symbol macro);
  /// resolves an alias; other names are returned unchanged
  Symbol built_in_macro(const Module &module, Symbol name) const;
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

/// Separate expansion counters for a body, or for top-level code.
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

/// Lives while a macro's expansion is expanded itself.
class ExpansionLevel {
public:
  explicit ExpansionLevel(Shared &shared) : levels_(shared.expansions.levels) { ++levels_; }
  ~ExpansionLevel() { --levels_; }
  ExpansionLevel(const ExpansionLevel &) = delete;

private:
  uint32_t &levels_;
};

/// Isolates a library file, loaded on demand by a name in code, from the state of that code.
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

/// Lives while a body is expanded.
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
