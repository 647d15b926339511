// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The loops of docs/examples/{saxpy,mandelbrot}.jl in C++ on oneTBB.
#pragma once

#include <cstdint>

namespace bench {

void cpp_saxpy(float *y, const float *x, float a, int64_t n);

/// Each block of at most 1024 elements is added up by halves.
void cpp_block_sums(float *sums, const float *x, int64_t n, int64_t block);

/// The rectangle's corners are (lower_re, lower_im) and (upper_re, upper_im); the image is column-major.
void cpp_mandelbrot(int32_t *image, int64_t width, int64_t height, float lower_re, float lower_im, float upper_re, float upper_im, int32_t limit);

} // namespace bench
