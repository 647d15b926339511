// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compares types up to the names of their bound variables (alpha equivalence), to intern where-types.
#pragma once

#include <kiln/extension/language/type.h>

#include <array>

namespace kiln {

/// Stack of the variables of enclosing where-types, outermost first. Allocates memory only for many
/// variables.
class Binders {
public:
  void push_back(const TypeVar *var) {
    if (size_ < inline_size)
      inline_[size_] = var;
    else
      more_.push_back(var);
    ++size_;
  }
  void pop_back() {
    if (size_ > inline_size) more_.pop_back();
    --size_;
  }
  void clear() {
    more_.clear();
    size_ = 0;
  }
  size_t size() const { return size_; }
  const TypeVar *operator[](size_t i) const { return i < inline_size ? inline_[i] : more_[i - inline_size]; }
  bool contains(TypeRef var) const {
    for (size_t i = 0; i < size_; i++)
      if ((*this)[i] == var) return true;
    return false;
  }

private:
  static constexpr size_t inline_size = 6;
  const TypeVar *inline_[inline_size];
  size_t size_ = 0;
  std::vector<const TypeVar *> more_;
};

/// Structural hash of a type. Bound variables count by position, so that renaming does not change the hash.
/// Free variables count by name and bounds, or by address with `by_identity`.
uint64_t alpha_hash(TypeRef type, Binders &bound, bool by_identity = false);
/// True if the types are equal up to renaming of bound variables. `va`, `vb`: the bound variables of `a` and
/// `b`, in pairs.
bool alpha_equal(TypeRef a, TypeRef b, Binders &va, Binders &vb);
bool occurs(const TypeVar *var, TypeRef type);
/// True if the type contains a variable that is not in `bound`. Computes has_free_vars of a where-type.
bool has_free_beyond(TypeRef type, Binders &bound);

} // namespace kiln
