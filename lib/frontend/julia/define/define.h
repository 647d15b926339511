// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Component define (layer 7): evaluates the top level of files. Definitions go into a World. All other
// statements are listed in the load report, except in programs, which run them.
//   definitions      state of a frontend outside the World; how an expression is run
//   definer          statements, globals, conditions;
//                    include, import, function, keywords, struct: definitions of each kind
//   program          the top level of a program, whose statements run
//   indexed          packages whose definitions are evaluated when they are needed
//   preferences      preferences of packages
//   eval             @eval and loops of it, by substitution or by running them
//   nested           kernels inside host functions
//   generated        @generated methods
#pragma once

#include "definitions.h"

#include <kiln/extension/language/define.h>
#include <kiln/extension/language/frontend.h>
#include <lower/lower.h>

namespace kiln::julia {

class Definer {
public:
  Definer(std::shared_ptr<Definitions> shared, std::shared_ptr<Unit> unit, LoadReport &report, Symbol overlay)
      : shared_(std::move(shared)), unit_(std::move(unit)), report_(report), overlay_(overlay) {}

  /// Evaluates the file of package `name`. The package's module becomes a root module, or a member of
  /// `parent`.
  Result<Module *> package(Symbol name, Module *parent, const Syntax &tree);
  /// Evaluates a file of definitions. Errors: all faults. A definition that names something unknown is not a
  /// fault, and is listed in the report (unresolved).
  Result<void> file(Module &into, const Syntax &tree);
  /// Reads and evaluates the unit's file, like file(). If its only statement is a new module with much text,
  /// the session keeps an index of the module, as of a package.
  Result<void> whole_file(Module &into);
  /// Runs a program. Returns the value of its last statement, or the error of the first statement that fails.
  Result<Value> run(Module &into, const Syntax &tree, const Frontend::Run &how);

private:
  /// Evaluates one statement. Its faults are collected (note_error), so that later statements are evaluated,
  /// too.
  void statement(Module &module, const Syntax &node);
  void define(Module &module, const Syntax &node);
  void define_node(Module &module, const Syntax &node);
  void note_skipped(const Syntax &node, std::string_view why = {});
  /// Handles a statement that is not a definition. It runs if it is in a package and a host exists, else it
  /// is listed in the report.
  void other_statement(Module &module, const Syntax &node);
  bool runs_statements(const Module &module) const;
  void note_error(Error error, const Syntax &node);
  void check(Result<void> result, const Syntax &node) {
    if (!result.ok()) note_error(result.take_error(), node);
  }

  // ---- definer.cpp
  void module(Module &parent, const Syntax &node);
  void top_function(Module &module, const Syntax &node, MethodHints hints);
  Result<void> assignment(Module &module, const Syntax &node, bool is_const);
  Result<void> set_global(Module &module, const Syntax &name, const Syntax &value, bool is_const);
  void conditional(Module &module, const Syntax &node);
  void macro_call(Module &module, const Syntax &node, MethodHints hints);
  void device_override(Module &module, const Syntax &node, const Syntax &definition, MethodHints hints);
  void within_macro(Module &module, const Syntax &node, const Syntax &of, MethodHints hints);

  /// Postpones a definition of a library file: calls `define` when methods of `callee` are first looked up.
  /// `define` gets a definer with an arena of its own.
  void postpone(TypeRef callee, std::function<Result<void>(Definer &)> define);

  // ---- program.cpp
  Shared::Eval eval_at(Span at);
  bool program_statement(Module &module, const Syntax &node);
  void program_statements(Module &module, const Syntax &block, bool goes_on = true);
  Value value_of_definition(const Module &module, const Syntax &node);
  void note_doc(const Module &module, const Syntax &node);
  bool program_macro(Module &module, const Syntax &node);
  bool const_statement(Module &module, const Syntax &node);
  void program_attempt(Module &module, const Syntax &node);
  void fail(Error error, const Syntax &node);
  void settle(const Syntax &node);
  void note_and_go_on(const Syntax &node);
  void evaluate(Module &module, const Syntax &node);
  Result<Value> thunk(Module &module, const Syntax &node);

  // ---- include.cpp
  struct Included {
    Module *into;
    std::optional<Value> map = {};
  };
  void include(Module &into, const Syntax &node);
  void include_program(Module &here, const Syntax &node);
  Result<Included> included(Module &here, const Syntax &node);
  Result<void> map_statements(Unit &unit, Syntax &tree, const std::optional<Value> &map);

  // ---- import.cpp
  void import(Module &module, const Syntax &node);
  Module *find_module(Module &from, std::span<const Syntax *const> path);
  void import_path(Module &module, const Syntax &path, Symbol as, bool is_using);
  void import_names(Module &module, const Syntax &node);
  /// Reports a package that was not found. `names`: the names that the program imports from it; empty: all
  /// exported names.
  void unknown_package(Module &module, const Syntax &path, std::span<const Symbol> names);
  void attempt(Module &module, const Syntax &node);

  // ---- package.cpp
  /// Loads the package that `name` means in `from`, unless it is loaded. Null: it was not found or cannot be
  /// loaded. If there is a load path, `package_missing_` then has the reason.
  Module *load_package(Module &from, Symbol name, const Syntax &at);
  void need_host(Diagnostic no_host, const std::string &name, Module *made, const Syntax &at);
  Module *load_package_file(const std::shared_ptr<const Package> &package, bool is_extension,
                            const Syntax &at);
  void load_extensions(const Syntax &at);
  void share_functions(Module &package);
  void export_name(Module &module, Symbol name);
  void reexport(Module &module, const Syntax &node);
  void initialise(Module &module, const std::string &package);
  void note_package(const std::string &name, LoadReport report, std::vector<Diagnostic> faults,
                    const Syntax &at);

  // ---- indexed.cpp
  void statements(Module &module, const Syntax &node);
  void postponed(Module &module, const Syntax &node);
  /// Opens the index of a package. If the package's files have not changed, the index tells which statements
  /// to postpone. Otherwise it is made while the package is loaded. Null: the session keeps no indexes.
  /// `is_nested`: Kiln has a module of its own with the package's name.
  std::unique_ptr<IndexedPackage> open_index(const std::string &name, const std::string &path,
                                             std::string_view text, bool is_nested);
  void keep_index(IndexedPackage &package, bool is_whole);
  /// Returns the text of a file, from the package's index if the index has read it.
  Result<std::string> package_text(const std::string &path) const;
  /// Parses a file. If it belongs to the package that is being loaded, the package's index is used.
  Result<Syntax *> parse_indexed(Unit &unit, const std::string &path);

  // ---- function.cpp
  struct Callee {
    TypeRef self = nullptr;
    Symbol name;
    /// Defined in this file: its methods go to the common table, even in an overlay's file.
    bool is_new = false;
  };
  Result<Callee> callee(Module &module, const Syntax &node, TypeEvaluator &evaluator);
  Result<void> function(Module &module, const Syntax &node, MethodHints hints, TypeRef constructed = nullptr,
                        Symbol constructed_name = {});
  Result<void> method(Module &module, SignatureSyntax signature, const Syntax &body, MethodHints hints,
                      const Callee &callee, TypeRef constructed, Symbol constructed_name);
  Result<void> keyword_methods(Module &module, const SignatureSyntax &signature, const Syntax &body,
                               MethodHints hints, const Callee &callee, TypeRef constructed,
                               Symbol constructed_name);
  Result<void> default_methods(Module &module, const SignatureSyntax &signature, MethodHints hints,
                               const Callee &callee, TypeRef constructed, Symbol constructed_name,
                               bool keyword_sorter);
  Result<void> macro(Module &module, const Syntax &node);

  // ---- struct.cpp
  Result<void> structure(Module &module, const Syntax &node, bool with_keywords = false);
  Result<void> abstract(Module &module, const Syntax &node);
  Result<void> primitive(Module &module, const Syntax &node);
  struct Head1 {
    Symbol name;
    std::vector<const Syntax *> params;
    const Syntax *super = nullptr;
  };
  Result<Head1> type_head(const Syntax &node);
  /// Makes a type name from the head of its definition: parameters and supertype. Binds the name and the
  /// parameters in `evaluator`.
  Result<TypeName *> new_type(Module &module, const Head1 &head, TypeEvaluator &evaluator);
  Result<void> bind_type(Module &module, TypeName &type, const Syntax &node, TypeRef &bound);
  struct Constructors;
  Result<void> define_constructors(const Constructors &all, const Syntax &node);
  Result<void> default_constructors(Module &module, const Head1 &head, const TypeName &type, TypeRef wrapper,
                                    std::span<const Parameter> fields, const Syntax &node);

  // ---- eval.cpp
  void eval_loop(Module &module, const Syntax &node);
  bool define_with_constants(Module &module, const Syntax &node);
  void run_top_level(Module &module, const Syntax &node);
  void unroll(Module &module, const Syntax &node, Substitution names);
  void eval_statement(Module &module, const Syntax &node, Substitution &names);
  void eval(Module &module, const Syntax &quoted, const Substitution &names);
  Result<std::vector<const Syntax *>> loop_elements(Module &module, const Syntax &node,
                                                    const Substitution &names);
  const Syntax *plain(const Syntax &element);
  const Syntax *name_as_value(Symbol name, Span at);
  Result<std::vector<Value>> iterated(const Value &items, const Syntax &node);
  Syntax *literal_of(const Value &value, Span at);
  Syntax *with_values(const Syntax &node, const Substitution &names);
  bool needs_running(const Syntax &quoted, const Substitution &names);
  Syntax *with_computed(Module &module, const Syntax &quoted, const Substitution &names);
  std::vector<const Syntax *> parts(const Syntax &element);

  std::shared_ptr<Definitions> shared_;
  std::shared_ptr<Unit> unit_;
  LoadReport &report_;
  Symbol overlay_;
  Symbol override_; ///< overlay for methods inside @device_override; else empty
  std::vector<Diagnostic> faults_;
  const Frontend::Run *program_ = nullptr; ///< null: a file of definitions
  Value value_;                            ///< value of a program's last statement
  std::optional<Error> failure_;           ///< error that ended the program
  int include_depth_ = 0;
  size_t indexed_file_ = 0;      ///< index of this file in the package's index, plus 1; 0: the index lacks it
  bool notes_statements_ = true; ///< true while each statement is in the file's text and is evaluated once
  /// Number of missing files and packages, for which Julia would throw; Kiln goes on.
  size_t failures_ = 0;
  std::string package_missing_; ///< reason why the last package is missing: where the search looked, ...
  bool in_try_ = false;         ///< a catch block handles failures
  /// Statements that a loop of @eval makes by substitution, in order.
  struct Collected {
    bool simple = true;
    std::vector<std::pair<Module *, const Syntax *>> statements;
  };
  Collected *collected_ = nullptr;
  std::unordered_set<TypeRef> created_functions_;
  std::unordered_set<const Syntax *> names_as_values_;
  std::unordered_set<const TypeName *> created_types_;
};

/// The macro that `M.var"@m"` or `var"@m"` names; empty: the value is something else.
Symbol named_macro(const Syntax &value);

/// Reason why a call of this macro has no effect at top level; empty: it has an effect.
std::string_view skipped_macro(std::string_view name);

/// True for macros whose last argument is a definition that they leave as it is.
bool is_transparent(std::string_view macro);

/// True for packages that serve only Julia's compiler, documentation or package manager. Kiln provides their
/// names and nothing else.
bool is_empty_package(std::string_view name);

/// Returns an error if the report has unresolved definitions, which library files must not have.
Result<void> all_resolved(LoadReport report);
/// Adds a function to Base that returns the preferences of a package.
Result<void> add_preferences(const std::shared_ptr<Definitions> &shared);
/// Returns the function that makes the code of a @generated method for given argument types.
GenerateFunction generator_of(MethodSource source);

/// Evaluates the signature of `source` and defines its method. `bindings`: names of types that the signature
/// may use.
Result<const Method *> define_method(MethodSource source, TypeRef self, Symbol overlay,
                                     std::span<const std::pair<Symbol, TypeRef>> bindings);

/// Calls `define` when methods of `callee`, the type of a function or a type with constructors, are first
/// looked up.
void postpone(CompilerWorld &world, TypeRef callee, std::function<Result<void>()> define);

/// Makes the function `name`, which is defined inside of the function `host`, a function of its own
/// (`host/name`). `captures` give values for the variables that it captures.
Result<Value> nested_function(const std::shared_ptr<Definitions> &shared, const Module &module,
                              const Syntax &host, const Syntax &name, std::span<const Capture> captures);

} // namespace kiln::julia
