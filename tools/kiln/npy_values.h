// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Converts between NumPy arrays and Julia arrays on the host. Structured dtypes become structs, field by
// field.
#pragma once

#include <host/host.h>
#include <kiln/extension/language.h>

namespace kiln::tool {

/// Converts a NumPy array to a Julia Array. `element`: element type of the Array; null: the number type of
/// the dtype. `name`: the file's name, for messages. Error: Input, if `element` does not fit the dtype.
Result<Value> array_from_npy(World &world, NpyArray array, TypeRef element, const std::string &name);

/// Converts a Julia array to a NumPy array in C order with the same shape. Error: Input, if NumPy has no such
/// element type.
Result<NpyArray> npy_from_array(TypeContext &types, const HostArray &array);

} // namespace kiln::tool
