// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kernels of cpu_kernels whose threads work together: in shared memory, or by strides of the whole grid.
#include "comparison.h"
#include "cpp_loops.h"
#include "opencl_kernels.h"

namespace bench {

// A reduction in shared memory with a barrier a step.
void Comparison::block_sums() {
  if (!wanted("sums")) return;
  take(session_.load("block_sums", R"(
function block_sums(o, x)
    s = CuStaticSharedArray(Float32, 256)
    t = threadIdx().x
    i = (blockIdx().x - 1) * blockDim().x + t
    @inbounds s[t] = i <= length(x) ? x[i] : 0f0
    d = blockDim().x >> 1
    while d > 0
        sync_threads()
        t <= d && (@inbounds s[t] += s[t+d])
        d >>= 1
    end
    t == 1 && (@inbounds o[blockIdx().x] = s[1])
    return
end
)"));
  const int64_t n = 10'000'000, block = 256, blocks = (n + block - 1) / block;
  std::vector<float> x(static_cast<size_t>(n)), ours(static_cast<size_t>(blocks)), theirs = ours,
                                                                                   others = ours;
  for (int64_t i = 0; i < n; i++) x[size_t(i)] = float(i % 17);
  compare(
      "sums of blocks of 256 with barriers", 0.95, reps_,
      launch("block_sums", {uint32_t(blocks), 1}, {block, 1},
             {Argument::array(ours.data(), {blocks}), Argument::array(x.data(), {n})}),
      [&] { cpp_block_sums(theirs.data(), x.data(), n, block); },
      opencl(opencl_block_sums, "block_sums", {size_t(blocks), 1}, {block, 1},
             {OpenCl::Argument::array(others.data(), others.size() * 4),
              OpenCl::Argument::array(x.data(), x.size() * 4), OpenCl::Argument::scalar(n)}));
  same("block_sums", "C++", ours, theirs, 0); // sums of small whole numbers are exact in any order
  if (opencl_) same("block_sums", "OpenCL", ours, others, 0);
}

void Comparison::tiled() {
  if (!wanted("tiled")) return;
  take(session_.load("tiled", R"(
function tiled(C, A, B)
    a = CuStaticSharedArray(Float32, (16, 16))
    b = CuStaticSharedArray(Float32, (16, 16))
    (x, y) = (threadIdx().x, threadIdx().y)
    row = (blockIdx().x - 1i32) * 16i32 + x
    col = (blockIdx().y - 1i32) * 16i32 + y
    sum = 0f0
    for m in 0:16:size(A, 2)-1
        @inbounds a[x, y] = A[row, m+y]
        @inbounds b[x, y] = B[m+x, col]
        sync_threads()
        for k in 1:16
            @inbounds sum += a[x, k] * b[k, y]
        end
        sync_threads()
    end
    @inbounds C[row, col] = sum
    return
end
)"));
  const int64_t n = 512;
  const size_t size = size_t(n * n);
  std::vector<float> a(size), b(size), ours(size), theirs(size), others(size);
  for (size_t i = 0; i < size; i++) a[i] = float(i % 13), b[i] = float(i % 7) - 2;
  auto matrix = [&](std::vector<float> &items) { return Argument::array(items.data(), {n, n}); };
  auto memory = [](std::vector<float> &items) {
    return OpenCl::Argument::array(items.data(), items.size() * 4);
  };
  compare(
      "matrix product of 512 in tiles of 16", 0.8, reps_,
      launch("tiled", {n / 16, n / 16}, {16, 16}, {matrix(ours), matrix(a), matrix(b)}),
      [&] { cpp_tiled(theirs.data(), a.data(), b.data(), n); },
      opencl(opencl_tiled, "tiled", {n / 16, n / 16}, {16, 16},
             {memory(others), memory(a), memory(b), OpenCl::Argument::scalar(n)}));
  same("tiled", "C++", ours, theirs, 0); // whole numbers
  if (opencl_) same("tiled", "OpenCL", ours, others, 0);
}

namespace {

/// The forms in which kernels go through an array by strides of the whole grid: what stands in front of and
/// behind the work.
struct StrideForm {
  const char *name, *begin, *end;
};
constexpr StrideForm stride_forms[] = {
    {"for",
     "for i in (blockIdx().x - 1) * blockDim().x + threadIdx().x : blockDim().x * gridDim().x : length(x)\n",
     "end\n"},
    {"while", "i = (blockIdx().x - 1) * blockDim().x + threadIdx().x\nwhile i <= length(x)\n",
     "i += blockDim().x * gridDim().x\nend\n"}};
constexpr int64_t stride_blocks = 64, stride_threads = 256;

} // namespace

void Comparison::strided_saxpy() {
  if (!wanted("strided_saxpy")) return;
  const int64_t n = 10'000'000;
  const float a = 0.25f;
  const std::vector<float> x(size_t(n), 1.0f), before(size_t(n), 0.5f);
  for (const StrideForm &form : stride_forms)
    for (bool checked : {false, true}) {
      std::string name = std::string("stride_saxpy_") + form.name + (checked ? "_checked" : "");
      take(session_.load(name, "function " + name + "(y, x, a)\n" + form.begin +
                                   (checked ? "" : "@inbounds ") + "y[i] = a * x[i] + y[i]\n" + form.end +
                                   "return\nend\n"));
      std::vector<float> ours = before, theirs = before;
      compare(std::string("saxpy of 10^7 by grid strides, ") + form.name +
                  (checked ? ", bounds checked" : ""),
              0.9, reps_,
              launch(name, {stride_blocks, 1}, {stride_threads, 1},
                     {Argument::array(ours.data(), {n}), Argument::array(const_cast<float *>(x.data()), {n}),
                      Argument::scalar(a)}),
              [&] { cpp_strided_saxpy(theirs.data(), x.data(), a, n, stride_blocks, stride_threads); }, {});
      same(name.c_str(), "C++", ours, theirs, 1e-4);
    }
}

/// A part of a dot product a thread.
void Comparison::strided_dot() {
  if (!wanted("strided_dot")) return;
  const int64_t n = 10'000'000, threads = stride_blocks * stride_threads;
  std::vector<float> x(static_cast<size_t>(n)), y(x);
  for (size_t i = 0; i < x.size(); i++) x[i] = float(i % 17), y[i] = float(i % 5) - 2;
  for (const StrideForm &form : stride_forms)
    for (bool checked : {false, true}) {
      std::string name = std::string("stride_dot_") + form.name + (checked ? "_checked" : "");
      take(session_.load(name,
                         "function " + name + "(o, x, y)\nsum = 0f0\n" + form.begin +
                             (checked ? "" : "@inbounds ") + "sum += x[i] * y[i]\n" + form.end +
                             "o[(blockIdx().x - 1) * blockDim().x + threadIdx().x] = sum\nreturn\nend\n"));
      std::vector<float> ours(static_cast<size_t>(threads)), theirs = ours;
      compare(std::string("dot product of 10^7 by grid strides, ") + form.name +
                  (checked ? ", bounds checked" : ""),
              0.9, reps_,
              launch(name, {stride_blocks, 1}, {stride_threads, 1},
                     {Argument::array(ours.data(), {threads}), Argument::array(x.data(), {n}),
                      Argument::array(y.data(), {n})}),
              [&] { cpp_strided_dot(theirs.data(), x.data(), y.data(), n, stride_blocks, stride_threads); },
              {});
      same(name.c_str(), "C++", ours, theirs, 0); // whole numbers
    }
}

} // namespace bench
