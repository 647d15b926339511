// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Types up to the names of their bound variables: what interning of where-types compares by.
#pragma once

#include <kiln/extension/language/type.h>

#include <array>

namespace kiln {

/// The variables of enclosing where-types, outermost first. Rarely more than a few: those need no allocation.
class Binders {
public:
  void push_back(const TypeVar *var) {
    if (size_ < inline_size)
      few_[size_] = var;
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
  const TypeVar *operator[](size_t i) const { return i < inline_size ? few_[i] : more_[i - inline_size]; }
  bool contains(TypeRef var) const {
    for (size_t i = 0; i < size_; i++)
      if ((*this)[i] == var) return true;
    return false;
  }

private:
  static constexpr size_t inline_size = 6;
  const TypeVar *few_[inline_size];
  size_t size_ = 0;
  std::vector<const TypeVar *> more_;
};

/// Structural hash in which bound variables count by position, so that renaming changes nothing.
/// Free variables count by name and bounds, or with `by_identity` by their address.
uint64_t alpha_hash(TypeRef type, Binders &bound, bool by_identity = false);
/// Equality up to renaming of bound variables; `va` and `vb` are those of each side, pairwise.
bool alpha_equal(TypeRef a, TypeRef b, Binders &va, Binders &vb);
bool occurs(const TypeVar *var, TypeRef type);
/// Whether a variable outside `bound` occurs: decides has_free_vars of a where-type.
bool has_free_beyond(TypeRef type, Binders &bound);

} // namespace kiln
