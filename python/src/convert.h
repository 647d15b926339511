// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Converts Python's syntax trees and objects to Function (syntax.h). Requires the GIL.
#pragma once

#include "source.h"

namespace kiln::python {

/// Converts a Python function and all functions that it calls, once per object.
/// Errors: Input, with the place: unsupported syntax, values that cannot be frozen, missing source.
Result<std::shared_ptr<Function>> convert_function(Engine &engine, nb::handle function, bool is_kernel,
                                                   MethodHints hints = {});

/// Registers what a Python object means in kernels: "function", "property" or "namespace", with its name in
/// the library and its parameter names (for keywords).
void register_object(nb::handle object, std::string kind, std::string name,
                     std::vector<std::string> parameters);
/// Registers a Python object as a type in kernels.
void register_type(nb::handle object, const ValueType *type);

/// Freezes a Python value: numbers, None, text, tuples. Empty for other values.
Result<std::optional<Value>> value_of(Engine &engine, nb::handle object);

/// Forgets functions of a parent process's session after a fork.
void forget_functions();

} // namespace kiln::python
