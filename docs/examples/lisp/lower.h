// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From forms to lowered code: statements of a CodeBuilder, each with its place.
#pragma once

#include "names.h"

namespace lisp {

/// The parameters that a definition lists: name, (name Type), and last perhaps (name Type ...), which
/// collects the rest in a tuple.
kiln::Result<std::vector<kiln::Parameter>> parameters(Names &names, kiln::Module &into, const Node &list,
                                                      size_t first, const TypeVariables &variables);

/// What a body is lowered in.
struct Surroundings {
  Names &names;
  kiln::Module &into;
  std::vector<kiln::Symbol> parameters;
  TypeVariables variables = {};            ///< in the order of the method's static parameters
  std::vector<kiln::Symbol> captures = {}; ///< of a closure: fields of the function itself
  std::string identity =
      {}; ///< of the definition, the same in every process: closures inside are named by it
};

/// Appends forms [first, end) of `body`; gives the last one's value. Errors: Input, with the place.
kiln::Result<kiln::Operand> lower(kiln::BodyBuilder &code, const Surroundings &in, const Node &body,
                                  size_t first);

} // namespace lisp
