// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The subtype relation's engine. Question: for all values of the left side's variables, do values of the
// right side's variables exist such that x <: y? Unions are split by two stacks of decisions: every choice on
// the left must succeed, some choice on the right must.
#pragma once

#include <kiln/extension/language/type_context.h>

namespace kiln::subtyping {

enum class Position : uint8_t { None, Covariant, Invariant };

struct Binding {
  const TypeVar *var;
  TypeRef lower, upper;
  bool right;                       ///< existential
  bool concrete = false;            ///< a diagonal variable rests on it
  int covariant = 0, invariant = 0; ///< occurrences, saturating at 2
  int depth = 0;                    ///< invariant nesting where it was bound
};

/// The choices made at each union met so far, in order; `more` is the last one that can still be advanced.
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
  /// Right-hand variables that stay bound after run(): their bounds are the answer of match_signature.
  void bind_right(const TypeVar *var) { env_.push_back({var, var->lower(), var->upper(), true}); }
  const std::vector<Binding> &bindings() const { return env_; }
  bool run(TypeRef x, TypeRef y);
  /// x against the body of a where-type whose variables were given to bind_right: the diagonal rule holds for
  /// them.
  bool run_body(TypeRef x, TypeRef body);

private:
  bool forall_exists(TypeRef x, TypeRef y, Position position);
  bool exists(TypeRef x, TypeRef y, Position position);
  bool check(TypeRef x, TypeRef y); ///< x <: y with union decisions of its own on the left
  bool equal(TypeRef x, TypeRef y); ///< invariant position
  bool subtype(TypeRef x, TypeRef y, Position position);
  bool decide_alone(TypeRef x, TypeRef y); ///< both without free variables: with decisions of its own
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
  TypeRef body_ = nullptr; ///< of run_body
  Decisions left_, right_;
  std::pair<TypeRef, TypeRef> alone_; ///< the pair that decide_alone() gave to this engine
  int invariant_depth_ = 0;
  int depth_ = 0;
};

} // namespace kiln::subtyping
