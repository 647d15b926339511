// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lowers forms to statements of a CodeBuilder, each with its place.
#pragma once

#include "names.h"

namespace lisp {

/// Reads the parameters of a definition: name, (name Type), and optionally last (name Type ...), which
/// collects the remaining arguments in a tuple.
kiln::Result<std::vector<kiln::Parameter>> parameters(Names &names, kiln::Module &into, const Node &list,
                                                      size_t first, const TypeVariables &variables);

/// Context of a body that is lowered.
struct Surroundings {
  Names &names;
  kiln::Module &into;
  std::vector<kiln::Symbol> parameters;
  TypeVariables variables = {};            ///< in the order of the method's static parameters
  std::vector<kiln::Symbol> captures = {}; ///< of a closure: its fields
  std::string identity = {}; ///< identity of the definition, equal in every process: names closures inside it
};

/// Appends forms [first, end) of `body`, and returns the last value. Errors: Input, with the place.
kiln::Result<kiln::Operand> lower(kiln::BodyBuilder &code, const Surroundings &in, const Node &body,
                                  size_t first);

} // namespace lisp
