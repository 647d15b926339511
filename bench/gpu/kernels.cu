// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What Kiln's kernels on a GPU are measured against: the same work as a CUDA C programmer writes it, with the same index
// widths, one element a thread where Kiln's has one, and the same blocks. run.py builds it with nvcc -O3.
//
//   kernels KERNEL N [REPS BATCH]        "KERNEL median min max", microseconds a launch by events
#include <cuda_fp16.h>
#include <cuda_pipeline.h>
#include <curand_kernel.h>
#include <mma.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <vector>

#define CHECK(call)                                                                                                            \
  do {                                                                                                                         \
    cudaError_t status = (call);                                                                                               \
    if (status != cudaSuccess) {                                                                                               \
      std::fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(status));                                                     \
      std::exit(3);                                                                                                            \
    }                                                                                                                          \
  } while (0)

// Kiln's kernels compute the index in 32 bits and compare it with a length of 64.
__device__ int index_of_thread() { return int(blockIdx.x) * int(blockDim.x) + int(threadIdx.x); }

__global__ void copy(float *c, const float *a, long long n) {
  int i = index_of_thread();
  if (i < n) c[i] = a[i];
}
__global__ void mul(float *b, const float *c, float scalar, long long n) {
  int i = index_of_thread();
  if (i < n) b[i] = scalar * c[i];
}
__global__ void add(float *c, const float *a, const float *b, long long n) {
  int i = index_of_thread();
  if (i < n) c[i] = a[i] + b[i];
}
__global__ void triad(float *a, const float *b, const float *c, float scalar, long long n) {
  int i = index_of_thread();
  if (i < n) a[i] = b[i] + scalar * c[i];
}
__global__ void nstream(float *a, const float *b, const float *c, float scalar, long long n) {
  int i = index_of_thread();
  if (i < n) a[i] += b[i] + scalar * c[i];
}
__global__ void saxpy(float *y, const float *x, float a, long long n) {
  int i = index_of_thread();
  if (i < n) y[i] = a * x[i] + y[i];
}

__device__ void update(float &g, float &m, float &v, float b1, float b2, float eta, float eps) {
  m = b1 * m + (1 - b1) * g;
  v = b2 * v + (1 - b2) * (g * g);
  g = m / (1 - b1) / (sqrtf(v / (1 - b2)) + eps) * eta;
}
__global__ void adam(float *g, float *m, float *v, float b1, float b2, float eta, float eps, long long n) {
  int i = index_of_thread();
  if (i < n) update(g[i], m[i], v[i], b1, b2, eta, eps);
}
__global__ void adam4(float *g, float *m, float *v, float b1, float b2, float eta, float eps, long long n) {
  int i = index_of_thread();
  if (i < n / 4) {
    float4 a = reinterpret_cast<float4 *>(g)[i], b = reinterpret_cast<float4 *>(m)[i], c = reinterpret_cast<float4 *>(v)[i];
    update(a.x, b.x, c.x, b1, b2, eta, eps);
    update(a.y, b.y, c.y, b1, b2, eta, eps);
    update(a.z, b.z, c.z, b1, b2, eta, eps);
    update(a.w, b.w, c.w, b1, b2, eta, eps);
    reinterpret_cast<float4 *>(m)[i] = b;
    reinterpret_cast<float4 *>(v)[i] = c;
    reinterpret_cast<float4 *>(g)[i] = a;
  } else if (i + 3 * (n / 4) < n) {
    long long rest = i + 3 * (n / 4);
    update(g[rest], m[rest], v[rest], b1, b2, eta, eps);
  }
}

// The algorithm of docs/examples/wmma_matmul.jl: 128 x 128 elements a block of 8 warps, 64 x 32 each; tiles 32 deep, two of
// them in shared memory, copied asynchronously by 16 bytes.
namespace tiles {
constexpr int length_a = 136, length_b = 40;

__device__ void copy_tiles(half *a_tile, half *b_tile, const half *a, const half *b, int n, int row, int column, int depth) {
  for (int chunk = threadIdx.x; chunk < 512; chunk += 256) {
    int i = (chunk & 15) * 8, k = chunk >> 4;
    __pipeline_memcpy_async(a_tile + k * length_a + i, a + (long long)(depth + k) * n + row + i, 16);
    int kb = (chunk & 3) * 8, j = chunk >> 2;
    __pipeline_memcpy_async(b_tile + j * length_b + kb, b + (long long)(column + j) * n + depth + kb, 16);
  }
  __pipeline_commit();
}
} // namespace tiles

__global__ void wmma_matmul(float *c, const half *a, const half *b, int n) {
  using namespace nvcuda;
  __shared__ __align__(32) half a_tiles[2][tiles::length_a * 32];
  __shared__ __align__(32) half b_tiles[2][tiles::length_b * 128];
  int row = blockIdx.x * 128, column = blockIdx.y * 128, warp = threadIdx.x >> 5;
  int own_row = (warp & 1) * 64, own_column = (warp >> 1) * 32;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sums[8];
  for (auto &sum : sums) wmma::fill_fragment(sum, 0.0f);
  tiles::copy_tiles(a_tiles[0], b_tiles[0], a, b, n, row, column, 0);
  int stage = 0;
  for (int depth = 0; depth < n; depth += 32, stage = 1 - stage) {
    if (depth + 32 < n) {
      tiles::copy_tiles(a_tiles[1 - stage], b_tiles[1 - stage], a, b, n, row, column, depth + 32);
      __pipeline_wait_prior(1);
    } else {
      __pipeline_wait_prior(0);
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < 32; k += 16) {
      wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::col_major> as[4];
      wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> bs[2];
#pragma unroll
      for (int i = 0; i < 4; i++) wmma::load_matrix_sync(as[i], a_tiles[stage] + k * tiles::length_a + own_row + 16 * i, tiles::length_a);
#pragma unroll
      for (int j = 0; j < 2; j++) wmma::load_matrix_sync(bs[j], b_tiles[stage] + (own_column + 16 * j) * tiles::length_b + k, tiles::length_b);
#pragma unroll
      for (int s = 0; s < 8; s++) wmma::mma_sync(sums[s], as[s & 3], bs[s >> 2], sums[s]);
    }
    __syncthreads();
  }
#pragma unroll
  for (int s = 0; s < 8; s++)
    wmma::store_matrix_sync(c + (long long)(column + own_column + 16 * (s >> 2)) * n + row + own_row + 16 * (s & 3), sums[s], n, wmma::mem_col_major);
}

// What the memory gives at most: 16 bytes a thread, once or four times.
__global__ void copy4(float4 *y, const float4 *x, long long n) {
  long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i];
}
__global__ void copy16(float4 *y, const float4 *x, long long n) {
  long long i = blockIdx.x * 4ll * blockDim.x + threadIdx.x;
  float4 v[4];
  for (int k = 0; k < 4; k++)
    if (i + k * blockDim.x < n) v[k] = x[i + k * blockDim.x];
  for (int k = 0; k < 4; k++)
    if (i + k * blockDim.x < n) y[i + k * blockDim.x] = v[k];
}

__global__ void randomize(float *x, long long n, unsigned seed) {
  curandStatePhilox4_32_10_t state;
  curand_init(seed, blockIdx.x * blockDim.x + threadIdx.x, 0, &state);
  for (long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x; i < n; i += (long long)gridDim.x * blockDim.x) x[i] = curand_uniform(&state);
}
__global__ void to_half(half *y, const float *x, long long n) {
  for (long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x; i < n; i += (long long)gridDim.x * blockDim.x) y[i] = __float2half(x[i]);
}

int main(int argc, char **argv) {
  if (argc < 3) {
    std::fprintf(stderr, "usage: kernels KERNEL N [REPS BATCH]\n");
    return 2;
  }
  const char *name = argv[1];
  long long n = std::atoll(argv[2]);
  int reps = argc > 3 ? std::atoi(argv[3]) : 30, batch = argc > 4 ? std::atoi(argv[4]) : 20;
  bool matmul = !std::strcmp(name, "wmma_matmul");
  long long elements = matmul ? n * n : n;
  std::vector<float *> arrays(3);
  for (unsigned k = 0; k < 3; k++) {
    CHECK(cudaMalloc(&arrays[k], elements * sizeof(float)));
    randomize<<<1024, 256>>>(arrays[k], elements, k + 1);
  }
  half *ha = nullptr, *hb = nullptr;
  if (matmul) {
    CHECK(cudaMalloc(&ha, elements * sizeof(half)));
    CHECK(cudaMalloc(&hb, elements * sizeof(half)));
    to_half<<<1024, 256>>>(ha, arrays[0], elements);
    to_half<<<1024, 256>>>(hb, arrays[1], elements);
  }
  auto [x, y, z] = std::tuple(arrays[0], arrays[1], arrays[2]);
  unsigned blocks = unsigned((n + 255) / 256);
  std::function<void()> launch;
  if (!std::strcmp(name, "copy")) launch = [=] { copy<<<blocks, 256>>>(x, y, n); };
  if (!std::strcmp(name, "mul")) launch = [=] { mul<<<blocks, 256>>>(x, y, 3.0f, n); };
  if (!std::strcmp(name, "add")) launch = [=] { add<<<blocks, 256>>>(x, y, z, n); };
  if (!std::strcmp(name, "triad")) launch = [=] { triad<<<blocks, 256>>>(x, y, z, 3.0f, n); };
  if (!std::strcmp(name, "nstream")) launch = [=] { nstream<<<blocks, 256>>>(x, y, z, 3.0f, n); };
  if (!std::strcmp(name, "saxpy")) launch = [=] { saxpy<<<blocks, 256>>>(x, y, 2.0f, n); };
  if (!std::strcmp(name, "adam")) launch = [=] { adam<<<blocks, 256>>>(x, y, z, 0.9f, 0.999f, 1e-3f, 1e-8f, n); };
  if (!std::strcmp(name, "adam4")) launch = [=] { adam4<<<(blocks + 3) / 4, 256>>>(x, y, z, 0.9f, 0.999f, 1e-3f, 1e-8f, n); };
  float4 *to = reinterpret_cast<float4 *>(x), *from = reinterpret_cast<float4 *>(y);
  if (!std::strcmp(name, "copy4")) launch = [=] { copy4<<<unsigned((n / 4 + 255) / 256), 256>>>(to, from, n / 4); };
  if (!std::strcmp(name, "copy16")) launch = [=] { copy16<<<unsigned((n / 4 + 1023) / 1024), 256>>>(to, from, n / 4); };
  if (!std::strcmp(name, "memcpy")) launch = [=] { CHECK(cudaMemcpyAsync(x, y, size_t(n) * sizeof(float), cudaMemcpyDeviceToDevice)); };
  if (matmul) launch = [=] { wmma_matmul<<<dim3(unsigned(n / 128), unsigned(n / 128)), 256>>>(x, ha, hb, int(n)); };
  if (!launch) {
    std::fprintf(stderr, "no kernel %s\n", name);
    return 2;
  }
  cudaEvent_t begin, end;
  CHECK(cudaEventCreate(&begin));
  CHECK(cudaEventCreate(&end));
  std::vector<float> times;
  for (int r = -3; r < reps; r++) {
    CHECK(cudaEventRecord(begin));
    for (int b = 0; b < batch; b++) launch();
    CHECK(cudaEventRecord(end));
    CHECK(cudaEventSynchronize(end));
    float ms = 0;
    CHECK(cudaEventElapsedTime(&ms, begin, end));
    if (r >= 0) times.push_back(ms * 1000 / float(batch));
  }
  CHECK(cudaGetLastError());
  std::sort(times.begin(), times.end());
  std::printf("%s %.3f %.3f %.3f\n", name, times[times.size() / 2], times.front(), times.back());
  return 0;
}
