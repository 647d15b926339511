// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Converts between NumPy's arrays and host arrays of the language: element types, and structs by field.
#pragma once

#include <host/host.h>
#include <kiln/extension/language.h>

namespace kiln::tool {

/// Converts to a value of type Array{T, N}. `element`: type chosen by the caller; null: the dtype's number
/// type. `name`: the file, for messages.
/// Error: Input, if the struct does not fit the dtype.
Result<Value> array_from_npy(World &world, NpyArray array, TypeRef element, const std::string &name);

/// Converts to C order with the same shape. Error: Input, if NumPy has no such element type.
Result<NpyArray> npy_from_array(TypeContext &types, const HostArray &array);

} // namespace kiln::tool
