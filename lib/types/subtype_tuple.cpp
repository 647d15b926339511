// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Subtyping of tuples: elements are covariant, and the last one may be a Vararg.
#include "subtype_engine.h"

#include <algorithm>
#include <optional>

namespace kiln::subtyping {

bool Engine::subtype_tuple(const DataType *x, const DataType *y) {
  auto xp = x->params(), yp = y->params();
  const VarargType *xrest = !xp.empty() ? xp.back()->as<VarargType>() : nullptr;
  const VarargType *yrest = !yp.empty() ? yp.back()->as<VarargType>() : nullptr;
  // Count of a Vararg{T, N}, if N is a constant or bound to one.
  auto known_count = [&](const VarargType *rest) -> std::optional<int64_t> {
    TypeRef count = rest->count();
    if (const auto *var = count ? count->as<TypeVar>() : nullptr)
      if (Binding *b = find(var)) count = b->lower->is<ConstType>() ? b->lower : count;
    const auto *value = count ? count->as<ConstType>() : nullptr;
    return value && value->value().is_primitive() ? std::optional(int64_t(value->value().low_bits()))
                                                  : std::nullopt;
  };
  size_t xfixed = xp.size() - (xrest ? 1 : 0), yfixed = yp.size() - (yrest ? 1 : 0);
  if (!xrest && !yrest && xfixed != yfixed) return false;
  if (xrest && !yrest) {
    auto n = known_count(xrest);
    if (!n || xfixed + size_t(*n) != yfixed) return false;
  }
  if (!xrest && yrest && xfixed < yfixed) return false;
  if (xrest && yrest && xfixed < yfixed) {
    auto n = known_count(xrest);
    if (!n || xfixed + size_t(*n) < yfixed) return false;
  }
  size_t compare = std::max(xfixed, yfixed);
  for (size_t i = 0; i < compare; i++) {
    TypeRef xi = i < xfixed ? xp[i] : xrest->element();
    TypeRef yi = i < yfixed ? yp[i] : yrest->element();
    if (!subtype(xi, yi, Position::Covariant)) return false;
  }
  if (!yrest) return true;
  if (!xrest) {
    // x has a fixed length: its remaining elements determine the count of y's Vararg.
    if (!yrest->count()) return true;
    TypeRef n = types_.constant(int64_t(xfixed) - int64_t(yfixed));
    invariant_depth_++;
    bool same = equal(n, yrest->count());
    invariant_depth_--;
    return same;
  }
  if (!subtype(xrest->element(), yrest->element(), Position::Covariant)) return false;
  // The Vararg of x stands for many elements: compare twice, so that its variables count as occurring more
  // than once.
  if (!subtype(xrest->element(), yrest->element(), Position::Covariant)) return false;
  if (!yrest->count()) return true;
  if (!xrest->count()) {
    // x has any number of elements. Only a count variable of y that is still free matches all numbers; bind
    // it. One number of a variable outside of an invariant parameter is not all of them: Ref{Tuple} is no
    // Ref{NTuple{N,Any}} where N.
    const auto *count = yrest->count()->as<TypeVar>();
    Binding *b = count ? find(count) : nullptr;
    if (!b || !b->right || b->lower->kind() != TypeKind::Bottom || b->upper != types_.builtins().Any ||
        xfixed != yfixed || invariant_depth_ > b->depth)
      return false;
    b->lower = types_.new_var(count->name(), types_.bottom(), types_.builtins().Any);
    return true;
  }
  if (xfixed != yfixed) {
    auto n = known_count(xrest);
    if (!n) return false;
    return equal(types_.constant(*n + int64_t(xfixed) - int64_t(yfixed)), yrest->count());
  }
  invariant_depth_++;
  bool same = equal(xrest->count(), yrest->count());
  invariant_depth_--;
  return same;
}

} // namespace kiln::subtyping
