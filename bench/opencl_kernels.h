// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kernels of cpu_kernels in OpenCL C, thread for thread.
#pragma once

namespace bench {

inline constexpr const char *opencl_saxpy = R"(
kernel void saxpy(global float *y, global const float *x, float a, long n) {
  long i = get_global_id(0);
  if (i < n) y[i] = a * x[i] + y[i];
})";

inline constexpr const char *opencl_stencil = R"(
kernel void stencil2d(global float *fresh, global const float *old, float weight, long rows, long cols) {
  long i = get_global_id(0), j = get_global_id(1);
  if (i > 0 && i < rows - 1 && j > 0 && j < cols - 1) {
    long at = i + j * rows;
    float centre = old[at];
    float around = old[at - 1] + old[at + 1] + old[at - rows] + old[at + rows];
    fresh[at] = centre + weight * (around - 4 * centre);
  }
})";

inline constexpr const char *opencl_mandelbrot = R"(
kernel void mandelbrot(global int *image, long width, long height, float lower_re, float lower_im, float upper_re, float upper_im, int limit) {
  long i = get_global_id(0), j = get_global_id(1);
  if (i < width && j < height) {
    float re = lower_re + ((float)(i + 1) - 0.5f) / (float)width * (upper_re - lower_re);
    float im = lower_im + ((float)(j + 1) - 0.5f) / (float)height * (upper_im - lower_im);
    float z_re = 0, z_im = 0;
    int n = 0;
    while (n < limit && z_re * z_re + z_im * z_im <= 4) {
      float next = z_re * z_re - z_im * z_im + re;
      z_im = z_re * z_im + z_im * z_re + im;
      z_re = next;
      n++;
    }
    image[i + j * width] = n;
  }
})";

inline constexpr const char *opencl_nbody = R"(
typedef struct { float x, y, z, mass; } Body;
typedef struct { float x, y, z; } Velocity;
kernel void nbody(global Body *moved, global Velocity *velocities, global const Body *bodies, float dt, long n) {
  long i = get_global_id(0);
  if (i < n) {
    Body me = bodies[i];
    float ax = 0, ay = 0, az = 0;
    for (long j = 0; j < n; j++) {
      Body other = bodies[j];
      float dx = other.x - me.x, dy = other.y - me.y, dz = other.z - me.z;
      float near = dx * dx + dy * dy + dz * dz + 1e-3f;
      float pull = other.mass / (near * sqrt(near));
      ax += pull * dx;
      ay += pull * dy;
      az += pull * dz;
    }
    Velocity v = velocities[i];
    v.x += dt * ax;
    v.y += dt * ay;
    v.z += dt * az;
    velocities[i] = v;
    Body to = {me.x + dt * v.x, me.y + dt * v.y, me.z + dt * v.z, me.mass};
    moved[i] = to;
  }
})";

inline constexpr const char *opencl_block_sums = R"(
kernel void block_sums(global float *sums, global const float *x, long n) {
  local float s[256];
  int t = get_local_id(0);
  long i = get_global_id(0);
  s[t] = i < n ? x[i] : 0;
  for (int d = get_local_size(0) / 2; d > 0; d /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (t < d) s[t] += s[t + d];
  }
  if (t == 0) sums[get_group_id(0)] = s[0];
})";

inline constexpr const char *opencl_tiled = R"(
kernel void tiled(global float *c, global const float *a, global const float *b, long n) {
  local float a_tile[16][16], b_tile[16][16];
  int x = get_local_id(0), y = get_local_id(1);
  long row = get_global_id(0), col = get_global_id(1);
  float sum = 0;
  for (long m = 0; m < n; m += 16) {
    a_tile[y][x] = a[row + (m + y) * n];
    b_tile[y][x] = b[m + x + col * n];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < 16; k++) sum += a_tile[k][x] * b_tile[y][k];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  c[row + col * n] = sum;
})";

} // namespace bench
