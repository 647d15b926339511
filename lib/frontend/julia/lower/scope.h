// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds the variable of each identifier in a function by Julia's scope rules, and the captures of nested
// functions. Works on expanded syntax, in which each node occurs once.
#pragma once

#include <expand/expand.h>

#include <deque>

namespace kiln::julia {

struct FunctionScope;
struct LocalFunction;

struct Variable {
  Symbol name;
  FunctionScope *owner = nullptr;
  Span at;
  bool is_argument = false;
  bool assigned_inside = false;          ///< assigned in a nested function
  const Syntax *declared_type = nullptr; ///< T of `x::T = v` or `local x::T`; null: none
  LocalFunction *function = nullptr;     ///< nested function that is the variable's value
};

/// A where-variable that the code uses as a value.
struct StaticParam {
  Symbol name;
  FunctionScope *owner = nullptr;
  const TypeVar *var = nullptr; ///< null: the signature lacks it, so that it has no value
};

/// A nested function. All definitions of one name in a scope are methods of one function. An anonymous
/// function has one method.
struct LocalFunction {
  Variable *variable = nullptr; ///< null: anonymous
  FunctionScope *parent = nullptr;
  std::vector<FunctionScope *> methods;
  std::vector<Variable *> captures; ///< in order of first use
  std::vector<StaticParam *> static_captures;
  uint32_t index = 0;        ///< number among the enclosing definition's functions, from 1
  TypeRef wrapper = nullptr; ///< set by define_closures
  std::string error;         ///< reason why the closure cannot be made; empty: it can
};

struct FunctionScope {
  FunctionScope *parent = nullptr;
  LocalFunction *function = nullptr;  ///< null: the method itself
  const Syntax *definition = nullptr; ///< Arrow, Function or Assign node; null for the method itself
  SignatureSyntax signature;
  const Syntax *body = nullptr;
  Variable *self = nullptr;                ///< the called object in a method (self::T)(x); else null
  std::vector<Variable *> arguments;       ///< one per parameter, even if it is a pattern or has no name
  std::vector<StaticParam *> own_statics;  ///< its own where-variables
  std::vector<StaticParam *> code_statics; ///< by index of Operand::StaticParam: the where-variable
  std::vector<const TypeVar *> code_vars;  ///< matching type variables of the interned signature
};

class ScopeAnalysis {
public:
  explicit ScopeAnalysis(Shared &shared) : shared_(shared) {}

  /// Analyses a method. `statics`: type variables of its evaluated signature, in order.
  Result<FunctionScope *> method(const SignatureSyntax &signature, const Syntax &body,
                                 std::span<const std::pair<Symbol, const TypeVar *>> statics);

  Variable *variable(const Syntax &identifier) const { return find(variables_, &identifier); }
  StaticParam *static_param(const Syntax &identifier) const { return find(statics_, &identifier); }
  LocalFunction *function(const Syntax &definition) const { return find(functions_, &definition); }
  bool is_declared_global(const Syntax &identifier) const { return globals_.count(&identifier) != 0; }
  const std::vector<LocalFunction *> &functions() const { return function_order_; }
  /// Variables that are new whenever control enters a scope. `node`: the scope's node, which is a block, a
  /// let binding, the target of an iteration, or the name after catch.
  std::span<Variable *const> fresh_variables(const Syntax &node) const {
    auto it = fresh_.find(&node);
    return it == fresh_.end() ? std::span<Variable *const>() : it->second;
  }

private:
  using Key = std::pair<Symbol, uint32_t>; // name and expansion scope
  struct KeyHash {
    size_t operator()(const Key &k) const { return std::hash<Symbol>()(k.first) * 31 + k.second; }
  };
  struct Entry {
    Variable *variable = nullptr;
    StaticParam *static_param = nullptr; ///< neither: declared global
  };
  struct Scope {
    Scope *parent;
    FunctionScope *function;
    std::unordered_map<Key, Entry, KeyHash> names;
    enum class Kind : uint8_t {
      Hard,
      Global, ///< a program's top level: assignments define globals
      Soft,   ///< a loop or try at top level; at a prompt, assignments go to existing globals
    } kind = Kind::Hard;
    Kind inner() const { return kind == Kind::Hard ? Kind::Hard : Kind::Soft; }
  };
  struct Collected {
    std::vector<const Syntax *> assigned, locals, globals;
  };

  template <class Map> static typename Map::mapped_type find(const Map &map, const Syntax *node) {
    auto it = map.find(node);
    return it == map.end() ? nullptr : it->second;
  }
  Variable *new_variable(Symbol name, FunctionScope *owner, Span at);
  Entry *look_up(Scope *scope, const Syntax &identifier);
  void collect(const Syntax &node, Collected &into);
  void collect_target(const Syntax &lhs, Collected &into);
  void declare(Scope &scope, const Collected &names);
  /// Declares the variables that an expression assigns in `scope`.
  void declare_assigned(const Syntax &node, Scope &scope) {
    Collected names;
    collect(node, names);
    declare(scope, names);
  }
  void walk(const Syntax &node, Scope &scope);
  void walk_all(const Syntax &node, Scope &scope, size_t from = 0);
  void walk_block(const Syntax &body, Scope &parent, bool is_hard = false);
  /// Records that the variables of `scope` are new whenever control enters `node`.
  void note_fresh(const Syntax &node, const Scope &scope);
  void walk_try(const Syntax &node, Scope &scope);
  bool is_global(const Scope &scope, const Syntax &name) const;
  void walk_target(const Syntax &lhs, Scope &scope);
  void walk_for(const Syntax &node, Scope &scope);
  void walk_let(const Syntax &node, Scope &scope);
  void walk_function(const Syntax &node, Scope &scope);
  void walk_body(FunctionScope &function, Scope *outer);
  void use(const Syntax &identifier, Scope &scope);
  void assign(const Syntax &identifier, Scope &scope);
  void capture(Variable &variable, FunctionScope &from);
  void fail(const Syntax &at, std::string message);

  Shared &shared_;
  std::deque<Variable> variable_store_;
  std::deque<StaticParam> static_store_;
  std::deque<LocalFunction> function_store_;
  std::deque<FunctionScope> scope_store_;
  std::unordered_map<const Syntax *, Variable *> variables_;
  std::unordered_map<const Syntax *, StaticParam *> statics_;
  std::unordered_map<const Syntax *, LocalFunction *> functions_;
  std::unordered_set<const Syntax *> globals_;
  std::unordered_map<const Syntax *, std::vector<Variable *>> fresh_;
  std::vector<LocalFunction *> function_order_;
  std::optional<Error> error_;
};

} // namespace kiln::julia
