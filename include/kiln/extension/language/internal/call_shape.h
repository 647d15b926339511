// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <kiln/extension/language/type_context.h>

#include <span>
#include <vector>

namespace kiln {

/// The calls that a method may take, by the names of types alone. A postponed definition has the shapes of
/// its methods, so that only calls that they may take run it (CompilerWorld::postpone).
struct CallShape {
  /// A type of one parameter. A parameter of a union has one for each member; one of any type has none.
  struct Head {
    uint32_t parameter = 0; ///< from 0, without the function
    Symbol name;            ///< an argument's type has this name, or a supertype of it has
    Symbol inner;           ///< of `name` Type: the name for the X of Type{X}; empty: any
    bool operator==(const Head &) const = default;
  };
  uint32_t parameters = 0; ///< without the function, and before a Vararg
  bool is_vararg = false;
  std::vector<Head> heads; ///< by parameter
  bool operator==(const CallShape &) const = default;
};

/// Shape of a method's signature, a Tuple inside of where-types.
KILN_API CallShape call_shape(TypeContext &types, TypeRef signature);

/// False only if no method of this shape takes values of these types. `arguments` begins with the function's
/// type. The others may be abstract, and the last one a Vararg.
KILN_API bool may_take(const CallShape &shape, std::span<const TypeRef> arguments);

} // namespace kiln
