// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cpp_loops.h"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

namespace bench {

void cpp_saxpy(float *y, const float *x, float a, int64_t n) {
  tbb::parallel_for(tbb::blocked_range<int64_t>(0, n), [=](const tbb::blocked_range<int64_t> &range) {
    for (int64_t i = range.begin(); i < range.end(); i++) y[i] = a * x[i] + y[i];
  });
}

void cpp_block_sums(float *sums, const float *x, int64_t n, int64_t block) {
  tbb::parallel_for(tbb::blocked_range<int64_t>(0, (n + block - 1) / block), [=](const tbb::blocked_range<int64_t> &range) {
    for (int64_t b = range.begin(); b < range.end(); b++) {
      float s[1024];
      for (int64_t t = 0; t < block; t++) s[t] = b * block + t < n ? x[b * block + t] : 0.0f;
      for (int64_t d = block / 2; d > 0; d /= 2)
        for (int64_t t = 0; t < d; t++) s[t] += s[t + d];
      sums[b] = s[0];
    }
  });
}

namespace {

int32_t steps_to_leave(float re, float im, int32_t limit) {
  float z_re = 0, z_im = 0;
  int32_t n = 0;
  while (n < limit && z_re * z_re + z_im * z_im <= 4) {
    float next = z_re * z_re - z_im * z_im + re;
    z_im = z_re * z_im + z_im * z_re + im;
    z_re = next;
    n++;
  }
  return n;
}

} // namespace

void cpp_mandelbrot(int32_t *image, int64_t width, int64_t height, float lower_re, float lower_im, float upper_re, float upper_im, int32_t limit) {
  tbb::parallel_for(tbb::blocked_range<int64_t>(0, height), [=](const tbb::blocked_range<int64_t> &range) {
    for (int64_t j = range.begin(); j < range.end(); j++)
      for (int64_t i = 0; i < width; i++) {
        float re = lower_re + (float(i + 1) - 0.5f) / float(width) * (upper_re - lower_re);
        float im = lower_im + (float(j + 1) - 0.5f) / float(height) * (upper_im - lower_im);
        image[i + j * width] = steps_to_leave(re, im, limit);
      }
  });
}

} // namespace bench
