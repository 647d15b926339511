// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes the lazy Broadcasted object of a dotted call in C++, if all arguments are tuples, numbers and arrays
// without a style of their own. The interpreter then runs no Julia code for it.
#include "library.h"

#include <unordered_map>

namespace kiln {
namespace {

/// Caches by type: arguments that a dotted call takes unchanged, and the types of Broadcasted objects.
struct Known {
  std::unordered_map<TypeRef, bool> is_plain;
  std::unordered_map<TypeRef, std::unordered_map<TypeRef, TypeRef>> made; ///< by function and arguments
};

Result<Value> lazy_call(Library &l, Known &known, Args a) {
  const std::vector<Value> *arguments = a[1].fields();
  if (a[0].as_type() || !arguments) return Value();
  for (const Value &argument : *arguments) {
    if (argument.as_type() || !argument.type()) return Value();
    auto [found, is_new] = known.is_plain.try_emplace(argument.type(), false);
    if (is_new)
      if (TypeRef plain = l.type("__Unstyled")) found->second = is_subtype(l.types, argument.type(), plain);
    if (!found->second) return Value(); // the method calls broadcastable and BroadcastStyle
  }
  TypeRef &type = known.made[a[0].type()][a[1].type()];
  if (!type) {
    const TypeRef nothing = l.types.builtins().Nothing;
    TypeRef params[] = {nothing, nothing, a[0].type(), a[1].type()};
    KILN_TRY(type, l.types.apply(l.type("Broadcasted"), params));
  }
  return Value::structure(type, {l.nothing(), a[0], a[1], l.nothing()});
}

} // namespace

void add_broadcasting(Library &l) {
  l.add("lazy_call", 2,
        [&l, known = std::make_shared<Known>()](Interpreter &, Args a) { return lazy_call(l, *known, a); });
}

} // namespace kiln
