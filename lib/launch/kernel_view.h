// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Host values as kernels see them. The model is CUDA.jl's cudaconvert with Adapt.jl.
#pragma once

#include <kiln/result.h>
#include <types/types.h>

#include <optional>
#include <span>

namespace kiln {

class World;

/// A library's own views of values.
class ViewPolicy {
public:
  virtual ~ViewPolicy() = default;
  /// Called first, for each value and each field. Returns the library's view of the value, or no value to
  /// view it by its fields.
  virtual Result<Value> view(const Value &value) = 0;
};

/// Returns the value as a kernel sees it. A host array becomes a CuDeviceArray of its memory. A tuple, named
/// tuple or struct gets the views of its fields. A type parameter that is a field's type becomes the view's
/// type. Errors (Input "KernelError"): an array whose elements are no plain data; a struct whose type cannot
/// change with its fields. With a policy, such a struct stays as it is, and the compiler reports it.
KILN_PROGRAMS_API Result<Value> kernel_view(World &world, const Value &value, ViewPolicy *policy = nullptr);

/// A CuDeviceArray{element, length of dims, 1} of this memory. `type` is CuDeviceArray itself.
/// Errors: Input "KernelError", for elements that are no plain data.
KILN_PROGRAMS_API Result<Value> device_array_of(TypeContext &types, TypeRef type, TypeRef element,
                                                std::span<const int64_t> dims, uint64_t address);

/// Returns a value of the tuple or struct `type` with new fields. Empty: its type cannot change with them.
KILN_PROGRAMS_API Result<std::optional<Value>> with_fields(TypeContext &types, const DataType &type,
                                                           std::vector<Value> fields);

} // namespace kiln
