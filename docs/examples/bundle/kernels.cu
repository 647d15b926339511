// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kernels of kernels.jl in CUDA C, with the same host program, to compare sizes and start times
// (test/system/gpu/bundle.py):
//   nvcc -O2 -gencode arch=compute_80,code=sm_80 -gencode arch=compute_90,code=[sm_90,compute_90] kernels.cu -o kernels
#include <chrono>
#include <cstdio>
#include <vector>

__global__ void saxpy(float *y, const float *x, float a, long long n) {
  long long i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

__global__ void block_sums(float *sums, const float *x, long long n) {
  __shared__ float part[256];
  unsigned t = threadIdx.x;
  long long i = blockIdx.x * blockDim.x + t;
  part[t] = i < n ? x[i] : 0;
  for (unsigned d = blockDim.x / 2; d > 0; d /= 2) {
    __syncthreads();
    if (t < d) part[t] += part[t + d];
  }
  if (t == 0) sums[blockIdx.x] = part[0];
}

struct View {
  float left, lower, step;
};

__global__ void escape(int *image, int width, int height, View view, int limit) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
  if (i >= width || j >= height) return;
  float re = view.left + (i + 1) * view.step, im = view.lower + (j + 1) * view.step, x = 0, y = 0;
  int n = 0;
  while (n < limit && x * x + y * y <= 4) {
    float next = x * x - y * y + re;
    y = 2 * x * y + im;
    x = next;
    n++;
  }
  image[i + width * j] = n;
}

#define MUST(call)                                                                                           \
  if (cudaError_t error = (call); error != cudaSuccess) return std::puts(cudaGetErrorString(error)), 1

int main() {
  using Clock = std::chrono::steady_clock;
  auto milliseconds = [](Clock::time_point from, Clock::time_point to) {
    return std::chrono::duration<double, std::milli>(to - from).count();
  };
  const auto started = Clock::now();
  MUST(cudaFree(nullptr)); // creates the context
  const auto ready = Clock::now();
  const int n = 1000, width = 64, height = 48;
  std::vector<float> ones(n, 1), rising(n);
  for (int i = 0; i < n; i++) rising[i] = float(i);
  float *y, *x, *sums;
  int *image;
  MUST(cudaMalloc(&y, n * sizeof *y));
  MUST(cudaMalloc(&x, n * sizeof *x));
  MUST(cudaMalloc(&sums, 4 * sizeof *sums));
  MUST(cudaMalloc(&image, width * height * sizeof *image));
  MUST(cudaMemcpy(y, ones.data(), n * sizeof *y, cudaMemcpyHostToDevice));
  MUST(cudaMemcpy(x, rising.data(), n * sizeof *x, cudaMemcpyHostToDevice));
  const auto before = Clock::now();
  saxpy<<<4, 256>>>(y, x, 2, n);
  MUST(cudaDeviceSynchronize());
  const auto launched = Clock::now();
  MUST(cudaMemcpy(ones.data(), y, n * sizeof *y, cudaMemcpyDeviceToHost));
  for (int i = 0; i < n; i++)
    if (ones[i] != 2.0f * float(i) + 1.0f) return std::printf("saxpy is wrong at %d\n", i), 1;
  block_sums<<<4, 256>>>(sums, x, n);
  escape<<<dim3(4, 3), dim3(16, 16)>>>(image, width, height, View{-2.0f, -1.2f, 0.05f}, 100);
  MUST(cudaDeviceSynchronize());
  std::printf("three kernels: device %.3f ms, first launch done %.3f ms later\n", milliseconds(started, ready),
              milliseconds(before, launched));
  return 0;
}
