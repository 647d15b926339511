// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From Python's syntax tree and objects to Function (syntax.h). Everything here holds the GIL.
#pragma once

#include "source.h"

namespace kiln::python {

/// The function that a Python function is in kernels, with all that it calls: made once for each object.
/// Errors: Input, with the place: syntax that kernels do not have, values that cannot be frozen, no source.
Result<std::shared_ptr<Function>> convert_function(Engine &engine, nb::handle function, bool is_kernel,
                                                   MethodHints hints = {});

/// Says what a Python object is in kernels: "function", "property" or "namespace", with the name in the
/// library and, for keywords, of its parameters.
void register_object(nb::handle object, std::string kind, std::string name,
                     std::vector<std::string> parameters);
/// Says that a Python object is a type in kernels.
void register_type(nb::handle object, const ValueType *type);

/// A value of Python's as kernels freeze it: numbers, None, text, tuples. Empty where it is none.
Result<std::optional<Value>> value_of(Engine &engine, nb::handle object);

/// For a session that was left in a parent process.
void forget_functions();

} // namespace kiln::python
