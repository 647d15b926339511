// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiles expressions in x, such as "2 * x + smooth(x) / (1 + x * x)", to LLVM IR text. They may call
// functions of the language that Kiln compiles, with a Float32.
#pragma once

#include <string>

/// Returns `define internal float @value(float %x)` with its declarations. Throws std::runtime_error for a
/// syntax error.
std::string value_function(const std::string &expression);

/// A module with the kernel `map`: out[i] = value(in[i]).
std::string map_kernel(const std::string &expression);

/// A module with the kernel `sum`: total[1] += the sum of value(in[i]). Blocks have 256 threads and add in
/// shared memory; then one thread of each block adds to the total.
std::string sum_kernel(const std::string &expression);
