// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Values of the host as kernels see them. The model is CUDA.jl's cudaconvert with Adapt.jl.
#pragma once

#include <kiln/result.h>
#include <types/types.h>

#include <optional>
#include <span>

namespace kiln {

class World;

/// What a library adds to the view of values.
class ViewPolicy {
public:
  virtual ~ViewPolicy() = default;
  /// Called first, for each value and each field. Returns the view of a value that the library knows; no
  /// value, for one that is viewed by its fields.
  virtual Result<Value> view(const Value &value) = 0;
};

/// Returns the value as a kernel sees it: a host array as a CuDeviceArray of its memory, a tuple, named tuple
/// or struct with the views of its fields. A type parameter that is a field's type follows the field. Errors:
/// Input "KernelError", for an array of elements that are no plain data, and for a struct whose type cannot
/// follow; with a policy such a struct stays as it is, and the compiler reports it.
KILN_PROGRAMS_API Result<Value> kernel_view(World &world, const Value &value, ViewPolicy *policy = nullptr);

/// A CuDeviceArray{element, length of dims, 1} of this memory. `type` is CuDeviceArray itself.
/// Errors: Input "KernelError", for elements that are no plain data.
KILN_PROGRAMS_API Result<Value> device_array_of(TypeContext &types, TypeRef type, TypeRef element,
                                                std::span<const int64_t> dims, uint64_t address);

/// A value of the tuple or struct `type` with other fields. Nothing: its type cannot follow them.
KILN_PROGRAMS_API Result<std::optional<Value>> with_fields(TypeContext &types, const DataType &type,
                                                           std::vector<Value> fields);

} // namespace kiln
