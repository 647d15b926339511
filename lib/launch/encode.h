// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Values as the bytes of a kernel's parameters.
#pragma once

#include <kiln/result.h>
#include <types/types.h>

#include <cstddef>
#include <span>
#include <vector>

namespace kiln {

/// The bytes of each value that has some, in order. Types and singletons have none.
using ParameterBytes = std::vector<std::vector<std::byte>>;

/// Encodes values as a kernel sees them (kernel_view): the function first, then its arguments.
/// Errors: those of to_bytes, for a value that is no plain data.
Result<ParameterBytes> encode(TypeContext &types, std::span<const Value> values);

/// Encodes one value; empty for one without bytes.
Result<std::vector<std::byte>> encode(TypeContext &types, const Value &value);

} // namespace kiln
