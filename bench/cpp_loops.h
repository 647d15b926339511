// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the kernels of cpu_kernels compute, as loops in C++ on oneTBB. Matrices are column-major.
#pragma once

#include <cstdint>

namespace bench {

void cpp_saxpy(float *y, const float *x, float a, int64_t n);

/// A grid of blocks of at most 1024 threads goes through the arrays by strides of all its threads, the loop
/// over the threads of a block inside that over the strides. The second leaves each thread's part of the dot
/// product.
void cpp_strided_saxpy(float *y, const float *x, float a, int64_t n, int64_t blocks, int64_t threads);
void cpp_strided_dot(float *sums, const float *x, const float *y, int64_t n, int64_t blocks, int64_t threads);

/// Each block of at most 1024 elements is added up by halves.
void cpp_block_sums(float *sums, const float *x, int64_t n, int64_t block);

/// The inside of a grid; the border stays.
void cpp_stencil(float *fresh, const float *old, float weight, int64_t rows, int64_t cols);

struct Body {
  float x, y, z, mass;
};
struct Velocity {
  float x, y, z;
};
void cpp_nbody(Body *moved, Velocity *velocities, const Body *bodies, float dt, int64_t n);

/// c = a * b of n x n, in tiles of 16 x 16 that are copied as a GPU's block copies them; n is a multiple
/// of 16.
void cpp_tiled(float *c, const float *a, const float *b, int64_t n);

/// The rectangle's corners are (lower_re, lower_im) and (upper_re, upper_im); the image is column-major.
void cpp_mandelbrot(int32_t *image, int64_t width, int64_t height, float lower_re, float lower_im,
                    float upper_re, float upper_im, int32_t limit);

} // namespace bench
