// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Expressions in x, such as "2 * x + smooth(x) / (1 + x * x)", as LLVM's text. A function's name is one of
// the language's that Kiln compiles, of a Float32.
#pragma once

#include <string>

/// `define internal float @value(float %x)` and what it declares. Throws std::runtime_error for text that is
/// no expression.
std::string value_function(const std::string &expression);

/// A module with the kernel `map`: out[i] = value(in[i]).
std::string map_kernel(const std::string &expression);

/// A module with the kernel `sum`: total[1] += the sum of value(in[i]). Blocks have 256 threads; their sums
/// meet in shared memory, and one thread of each block adds to the total.
std::string sum_kernel(const std::string &expression);
