// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Between NumPy's arrays and host arrays of the language: element types, and structs field by field.
#pragma once

#include <host/host.h>
#include <kiln/extension/language.h>

namespace kiln::tool {

/// The array as a value of type Array{T, N}. `element` is the type that the caller named, or null: the number
/// type that the dtype stands for. `name` is the file's, for messages. Error: Input (a struct that does not
/// fit the dtype).
Result<Value> array_from_npy(World &world, NpyArray array, TypeRef element, const std::string &name);

/// In C order, with the array's own shape. Error: Input (elements that NumPy has no type for).
Result<NpyArray> npy_from_array(TypeContext &types, const HostArray &array);

} // namespace kiln::tool
