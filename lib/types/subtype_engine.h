// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Engine of the subtype relation. It decides whether, for all values of the left side's variables, the right
// side's variables have values such that x <: y. Two stacks of decisions split unions: every choice on the
// left must succeed, but only one choice on the right.
#pragma once

#include <kiln/extension/language/type_context.h>

namespace kiln::subtyping {

enum class Position : uint8_t { None, Covariant, Invariant };

struct Binding {
  const TypeVar *var;
  TypeRef lower, upper;
  bool right;            ///< existential variable
  bool concrete = false; ///< a diagonal variable depends on this variable, which must become concrete
  int covariant = 0, invariant = 0; ///< number of covariant and invariant occurrences, counted up to 2
  int depth = 0; ///< number of invariant parameters around the where-type that binds the variable
};

/// Choices made so far at each union, in order. `more`: index of the last choice that can still change.
struct Decisions {
  std::vector<bool> taken;
  size_t depth = 0, used = 0, more = 0;
  bool pick();
  bool next();
  void rewind() { depth = more = 0; }
};

class Engine {
public:
  explicit Engine(TypeContext &types) : types_(types) {}
  /// Binds a right-hand variable that stays bound after run_body(): its bounds are the result of
  /// match_signature.
  void bind_right(const TypeVar *var) { env_.push_back({var, var->lower(), var->upper(), true}); }
  const std::vector<Binding> &bindings() const { return env_; }
  bool run(TypeRef x, TypeRef y);
  /// Tests x against the body of a where-type whose variables bind_right() has bound. Applies the diagonal
  /// rule to these variables.
  bool run_body(TypeRef x, TypeRef body);

private:
  bool forall_exists(TypeRef x, TypeRef y, Position position);
  bool exists(TypeRef x, TypeRef y, Position position);
  bool check(TypeRef x, TypeRef y); ///< x <: y, with its own stack of decisions for unions on the left
  bool equal(TypeRef x, TypeRef y); ///< in invariant position
  bool subtype(TypeRef x, TypeRef y, Position position);
  bool decide_alone(TypeRef x, TypeRef y); ///< x <: y with its own decisions; neither has free variables
  bool subtype_data(const DataType *x, const DataType *y, Position position);
  bool subtype_tuple(const DataType *x, const DataType *y);
  bool subtype_where(TypeRef other, const UnionAllType *where, bool right, Position position);
  bool var_below(const TypeVar *var, TypeRef y, Position position);
  bool var_above(const TypeVar *var, TypeRef x, Position position);
  bool diagonal(Binding &binding, TypeRef body);
  bool diagonal_holds(TypeRef body);
  Binding *find(const TypeVar *var);
  void record(Binding *binding, Position position);
  TypeRef pick_member(const UnionType *type, Decisions &decisions);
  bool is_leaf(TypeRef bound);
  TypeRef simple_join(TypeRef a, TypeRef b);
  TypeRef simple_meet(TypeRef a, TypeRef b);

  TypeContext &types_;
  std::vector<Binding> env_;
  TypeRef body_ = nullptr; ///< body of run_body
  Decisions left_, right_;
  std::pair<TypeRef, TypeRef> alone_; ///< pair that decide_alone() passed to this engine; null: none
  int invariant_depth_ = 0;
  int depth_ = 0;
};

} // namespace kiln::subtyping
