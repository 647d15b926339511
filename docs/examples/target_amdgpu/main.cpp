// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// target_amdgpu FOLDER: compiles four kernels for two AMD GPUs, and writes FOLDER/KERNEL.GFX.s and .hsaco.
// Needs no GPU.
#include "amdgpu_target.h"

#include <kiln/kiln.h>

#include <cstdio>
#include <fstream>

using namespace kiln;

namespace {

constexpr const char *kernels = R"(
using CUDA
function saxpy(y, x, a)
    i = (blockIdx().x - 1i32) * blockDim().x + threadIdx().x
    if i <= length(y)
        y[i] = a * x[i] + y[i]
    end
    return
end
# A block's sum in shared memory, then one atomic addition a block.
function reduce(total, x)
    part = CuStaticSharedArray(Float32, 256)
    t = threadIdx().x
    i = (blockIdx().x - 1i32) * blockDim().x + t
    @inbounds part[t] = i <= length(x) ? x[i] : 0.0f0
    sync_threads()
    half = 128i32
    while half > 0i32
        if t <= half
            @inbounds part[t] += part[t + half]
        end
        sync_threads()
        half >>= 1
    end
    if t == 1i32
        @inbounds CUDA.@atomic total[1] += part[1]
    end
    return
end
# Local memory: a tuple that is indexed at run time.
function pick(y)
    i = threadIdx().x
    squares = (1.0f0, 4.0f0, 9.0f0, 16.0f0, 25.0f0, 36.0f0)
    @inbounds y[i] = squares[(i - 1i32) % 6i32 + 1i32]
    return
end
function histogram(counts, x)
    i = (blockIdx().x - 1i32) * blockDim().x + threadIdx().x
    while i <= length(x)
        @inbounds bin = unsafe_trunc(Int32, exp(-abs(x[i])) * 63.0f0) + 1i32
        @inbounds CUDA.@atomic counts[bin] += 1i32
        i += blockDim().x * gridDim().x
    end
    return
end
)";

struct Job {
  const char *name, *call;
};
constexpr Job jobs[] = {{"saxpy", "saxpy(CuDeviceVector{Float32,1}, CuDeviceVector{Float32,1}, Float32)"},
                        {"reduce", "reduce(CuDeviceVector{Float32,1}, CuDeviceVector{Float32,1})"},
                        {"histogram", "histogram(CuDeviceVector{Int32,1}, CuDeviceVector{Float32,1})"},
                        {"pick", "pick(CuDeviceVector{Float32,1})"}};

void write(const std::string &path, const std::string &bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

Result<void> compile_all(const std::string &folder) {
  KILN_TRY(auto session, Session::open({.cache_dir = "", .targets = {&amdgpu_target()}}));
  KILN_CHECK(session->load("kernels.jl", kernels));
  for (const char *gfx : {"gfx90a", "gfx1100"})
    for (const Job &job : jobs) {
      const CompilerConfig config{.target = AmdgpuOptions{.gfx = gfx, .max_threads = 256}, .debug_level = 0};
      KILN_TRY(auto text, session->compile(job.call, config, ArtifactKind::Assembly));
      KILN_TRY(auto object, session->compile(job.call, config, ArtifactKind::Object));
      KILN_TRY(std::string code, link_code_object(object->bytes));
      const std::string path = folder + "/" + job.name + "." + gfx;
      write(path + ".s", text->bytes);
      write(path + ".hsaco", code);
      std::printf("%s %s: kernel %s, %zu bytes\n", gfx, job.name, object->entry.c_str(), code.size());
    }
  // The target's options are set by name, like those of any target. An unknown processor is an error.
  KILN_TRY(CompilerConfig config, session->read_config(R"({"target": "amdgpu", "gfx": "gfx1030"})"));
  KILN_CHECK(session->compile(jobs[0].call, config, ArtifactKind::Object));
  auto refused =
      session->compile(jobs[0].call, {.target = AmdgpuOptions{.gfx = "gfx1"}}, ArtifactKind::Object);
  std::printf("%s", refused.ok() ? "gfx1 was not refused\n" : refused.error().what().c_str());
  return {};
}

} // namespace

int main(int count, char **arguments) {
  if (count != 2) return std::fputs("use: target_amdgpu FOLDER\n", stderr), 1;
  auto done = compile_all(arguments[1]);
  if (!done.ok()) std::fputs(done.error().what().c_str(), stderr);
  return done.ok() ? 0 : 1;
}
