// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cpp_loops.h"

#include <tbb/blocked_range.h>
#include <tbb/blocked_range2d.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>

namespace bench {

void cpp_saxpy(float *y, const float *x, float a, int64_t n) {
  tbb::parallel_for(tbb::blocked_range<int64_t>(0, n), [=](const tbb::blocked_range<int64_t> &range) {
    for (int64_t i = range.begin(); i < range.end(); i++) y[i] = a * x[i] + y[i];
  });
}

void cpp_strided_saxpy(float *y, const float *x, float a, int64_t n, int64_t blocks, int64_t threads) {
  tbb::parallel_for(tbb::blocked_range<int64_t>(0, blocks), [=](const tbb::blocked_range<int64_t> &range) {
    for (int64_t b = range.begin(); b < range.end(); b++)
      for (int64_t start = b * threads; start < n; start += blocks * threads) {
        int64_t end = std::min(start + threads, n);
        for (int64_t i = start; i < end; i++) y[i] = a * x[i] + y[i];
      }
  });
}

void cpp_strided_dot(float *sums, const float *x, const float *y, int64_t n, int64_t blocks,
                     int64_t threads) {
  tbb::parallel_for(tbb::blocked_range<int64_t>(0, blocks), [=](const tbb::blocked_range<int64_t> &range) {
    for (int64_t b = range.begin(); b < range.end(); b++) {
      float sum[1024] = {};
      for (int64_t start = b * threads; start < n; start += blocks * threads) {
        int64_t count = std::min(threads, n - start);
        for (int64_t t = 0; t < count; t++) sum[t] += x[start + t] * y[start + t];
      }
      for (int64_t t = 0; t < threads; t++) sums[b * threads + t] = sum[t];
    }
  });
}

void cpp_block_sums(float *sums, const float *x, int64_t n, int64_t block) {
  tbb::parallel_for(tbb::blocked_range<int64_t>(0, (n + block - 1) / block),
                    [=](const tbb::blocked_range<int64_t> &range) {
                      for (int64_t b = range.begin(); b < range.end(); b++) {
                        float s[1024];
                        for (int64_t t = 0; t < block; t++)
                          s[t] = b * block + t < n ? x[b * block + t] : 0.0f;
                        for (int64_t d = block / 2; d > 0; d /= 2)
                          for (int64_t t = 0; t < d; t++) s[t] += s[t + d];
                        sums[b] = s[0];
                      }
                    });
}

void cpp_stencil(float *fresh, const float *old, float weight, int64_t rows, int64_t cols) {
  tbb::parallel_for(tbb::blocked_range<int64_t>(1, cols - 1), [=](const tbb::blocked_range<int64_t> &range) {
    for (int64_t j = range.begin(); j < range.end(); j++)
      for (int64_t i = 1; i < rows - 1; i++) {
        int64_t at = i + j * rows;
        float centre = old[at];
        float around = old[at - 1] + old[at + 1] + old[at - rows] + old[at + rows];
        fresh[at] = centre + weight * (around - 4 * centre);
      }
  });
}

void cpp_nbody(Body *moved, Velocity *velocities, const Body *bodies, float dt, int64_t n) {
  tbb::parallel_for(tbb::blocked_range<int64_t>(0, n), [=](const tbb::blocked_range<int64_t> &range) {
    for (int64_t i = range.begin(); i < range.end(); i++) {
      Body me = bodies[i];
      float ax = 0, ay = 0, az = 0;
      for (int64_t j = 0; j < n; j++) {
        float dx = bodies[j].x - me.x, dy = bodies[j].y - me.y, dz = bodies[j].z - me.z;
        float near = dx * dx + dy * dy + dz * dz + 1e-3f;
        float pull = bodies[j].mass / (near * std::sqrt(near));
        ax += pull * dx;
        ay += pull * dy;
        az += pull * dz;
      }
      Velocity &v = velocities[i];
      v = {v.x + dt * ax, v.y + dt * ay, v.z + dt * az};
      moved[i] = {me.x + dt * v.x, me.y + dt * v.y, me.z + dt * v.z, me.mass};
    }
  });
}

void cpp_tiled(float *c, const float *a, const float *b, int64_t n) {
  constexpr int64_t side = 16;
  tbb::parallel_for(
      tbb::blocked_range2d<int64_t>(0, n / side, 0, n / side),
      [=](const tbb::blocked_range2d<int64_t> &range) {
        for (int64_t col = range.rows().begin() * side; col < range.rows().end() * side; col += side)
          for (int64_t row = range.cols().begin() * side; row < range.cols().end() * side; row += side) {
            float a_tile[side][side], b_tile[side][side], sum[side][side] = {};
            for (int64_t m = 0; m < n; m += side) {
              for (int64_t y = 0; y < side; y++)
                for (int64_t x = 0; x < side; x++) {
                  a_tile[y][x] = a[row + x + (m + y) * n];
                  b_tile[y][x] = b[m + x + (col + y) * n];
                }
              for (int64_t y = 0; y < side; y++)
                for (int64_t k = 0; k < side; k++)
                  for (int64_t x = 0; x < side; x++) sum[y][x] += a_tile[k][x] * b_tile[y][k];
            }
            for (int64_t y = 0; y < side; y++)
              for (int64_t x = 0; x < side; x++) c[row + x + (col + y) * n] = sum[y][x];
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

void cpp_mandelbrot(int32_t *image, int64_t width, int64_t height, float lower_re, float lower_im,
                    float upper_re, float upper_im, int32_t limit) {
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
