// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Converts host values to the values that a kernel sees, after the model of CUDA.jl's cudaconvert with
// Adapt.jl.
#pragma once

#include <kiln/result.h>
#include <types/types.h>

#include <optional>
#include <span>

namespace kiln {

class World;

/// Lets a library define how kernels see values of its own types.
class ViewPolicy {
public:
  virtual ~ViewPolicy() = default;
  /// Called first for each value, and for each field of a value. Returns the value that a kernel sees.
  /// Returns no value to convert field by field.
  virtual Result<Value> view(const Value &value) = 0;
};

/// Returns the value as a kernel sees it. A host array becomes a CuDeviceArray of its memory. The fields of
/// tuples, named tuples and structs are converted. A type parameter that is the type of a field changes with
/// it. Errors (Input "KernelError"): an array whose elements are not isbits; a struct whose type cannot
/// change with its fields. With a policy, such a struct stays unchanged, and the compiler reports it.
KILN_PROGRAMS_API Result<Value> kernel_view(World &world, const Value &value, ViewPolicy *policy = nullptr);

/// Makes a CuDeviceArray of `dims` dimensions at `address`, in global memory. `type`: the type CuDeviceArray
/// itself. Error: Input "KernelError", if the elements are not isbits.
KILN_PROGRAMS_API Result<Value> device_array_of(TypeContext &types, TypeRef type, TypeRef element,
                                                std::span<const int64_t> dims, uint64_t address);

/// Returns a value of the tuple or struct `type` with new fields, whose types may differ. Empty: the struct's
/// type cannot change with its fields.
KILN_PROGRAMS_API Result<std::optional<Value>> with_fields(TypeContext &types, const DataType &type,
                                                           std::vector<Value> fields);

} // namespace kiln
