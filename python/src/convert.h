// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Converts Python functions and the objects that they name to Function trees (syntax.h). Requires the GIL.
#pragma once

#include "source.h"

namespace kiln::python {

/// Converts a Python function and all functions that it calls. Each function object is converted once. Error
/// Input, with the source location: unsupported syntax, values that cannot be frozen, missing source text.
Result<std::shared_ptr<Function>> convert_function(Engine &engine, nb::handle function, bool is_kernel,
                                                   MethodHints hints = {});

/// Registers the meaning of a Python object in kernels. `kind`: "function", "property" or "namespace".
/// `name`: its name in python/library. `parameters`: names for keyword arguments.
void register_object(nb::handle object, std::string kind, std::string name,
                     std::vector<std::string> parameters);
/// Registers a Python object that denotes the type `type` in kernels.
void register_type(nb::handle object, const ValueType *type);

/// Converts a Python number, None, text or tuple of these to a constant. Empty for other objects.
Result<std::optional<Value>> value_of(Engine &engine, nb::handle object);

/// Drops the cached functions in a child after fork: they belong to the session of the parent process.
void forget_functions();

} // namespace kiln::python
