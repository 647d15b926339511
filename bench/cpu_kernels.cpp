// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels on the CPU against the same loops in C++ and, where there is an OpenCL CPU device, the same kernels
// in OpenCL C: by turns, on as many threads and on the same memory.
//
// Every round runs all of them once; what is reported is the median of the rounds' ratios, with the tenth and
// ninetieth percentile, as a table in Markdown or, with --json, as one JSON object a line.
//
//   cpu_kernels [--reps N] [--threads N] [--only NAME] [--json] [--contract]   (products and sums may fuse)
#include "comparison.h"
#include "cpp_loops.h"
#include "opencl_kernels.h"

#include <session/session.h>

#include <tbb/global_control.h>

namespace bench {

void Comparison::saxpy() {
  if (!wanted("saxpy")) return;
  const int64_t n = 10'000'000;
  const uint32_t block = 1024, blocks = uint32_t((n + block - 1) / block);
  const float a = 0.25f;
  std::vector<float> x(size_t(n), 1.0f), ours(size_t(n), 0.5f), theirs = ours, others = ours;
  compare(
      "saxpy of 10^7", 0.95, reps_,
      launch("saxpy", {blocks, 1}, {block, 1},
             {Argument::array(ours.data(), {n}), Argument::array(x.data(), {n}), Argument::scalar(a)}),
      [&] { cpp_saxpy(theirs.data(), x.data(), a, n); },
      opencl(opencl_saxpy, "saxpy", {blocks, 1}, {block, 1},
             {OpenCl::Argument::array(others.data(), size_t(n) * 4),
              OpenCl::Argument::array(x.data(), size_t(n) * 4), OpenCl::Argument::scalar(a),
              OpenCl::Argument::scalar(n)}));
  same("saxpy", "C++", ours, theirs, 1e-4);
  if (opencl_) same("saxpy", "OpenCL", ours, others, 1e-4);
}

void Comparison::stencil() {
  if (!wanted("stencil")) return;
  const int64_t side = 4096;
  const float weight = 0.2f;
  const size_t size = size_t(side * side);
  std::vector<float> old(size), ours(size, 0.0f), theirs = ours, others = ours;
  for (size_t i = 0; i < size; i++) old[i] = float(i % 1013) / 1013;
  Argument source = Argument::array(old.data(), {side, side});
  source.type = "Const{Float32,2,1}";
  compare(
      "stencil of 4096 x 4096", 0.95, reps_,
      launch("stencil2d", {side / 1024, side / 1}, {1024, 1},
             {Argument::array(ours.data(), {side, side}), source, Argument::scalar(weight)}),
      [&] { cpp_stencil(theirs.data(), old.data(), weight, side, side); },
      opencl(opencl_stencil, "stencil2d", {side / 1024, side / 1}, {1024, 1},
             {OpenCl::Argument::array(others.data(), size * 4), OpenCl::Argument::array(old.data(), size * 4),
              OpenCl::Argument::scalar(weight), OpenCl::Argument::scalar(side),
              OpenCl::Argument::scalar(side)}));
  same("stencil", "C++", ours, theirs, 1e-4);
  if (opencl_) same("stencil", "OpenCL", ours, others, 1e-4);
}

void Comparison::mandelbrot() {
  if (!wanted("mandelbrot")) return;
  const int64_t width = 1024, height = 768;
  const int32_t limit = 256;
  const float corners[4] = {-2.2f, -1.2f, 1.0f, 1.2f};
  const size_t size = size_t(width * height);
  std::vector<int32_t> ours(size), theirs = ours, others = ours;
  auto complex = [&](const float *parts) {
    Argument argument{"ComplexF32", std::vector<std::byte>(2 * sizeof(float))};
    std::memcpy(argument.bytes.data(), parts, 2 * sizeof(float));
    return argument;
  };
  auto number = [](auto value) { return OpenCl::Argument::scalar(value); };
  compare(
      "Mandelbrot of 1024 x 768", 0.95, std::max(reps_ / 3, fewest_rounds),
      launch("mandelbrot", {width / 16, height / 16}, {16, 16},
             {Argument::array(ours.data(), {width, height}), complex(corners), complex(corners + 2),
              Argument::scalar(limit)}),
      [&] {
        cpp_mandelbrot(theirs.data(), width, height, corners[0], corners[1], corners[2], corners[3], limit);
      },
      opencl(opencl_mandelbrot, "mandelbrot", {width / 16, height / 16}, {16, 16},
             {OpenCl::Argument::array(others.data(), size * 4), number(width), number(height),
              number(corners[0]), number(corners[1]), number(corners[2]), number(corners[3]),
              number(limit)}));
  // Others fuse multiplications into additions where the language does not: points at the set's edge may
  // differ.
  same("mandelbrot", "C++", ours, theirs, 0, size / 50);
  if (opencl_) same("mandelbrot", "OpenCL", ours, others, 0, size / 50);
}

void Comparison::nbody() {
  if (!wanted("nbody")) return;
  const int64_t n = 4096;
  const float dt = 0.01f;
  std::vector<Body> bodies(static_cast<size_t>(n)), ours(bodies), theirs(bodies), others(bodies);
  std::vector<Velocity> speeds[3];
  for (size_t i = 0; i < bodies.size(); i++)
    bodies[i] = {float(i % 61) / 61, float(i % 67) / 67, float(i % 71) / 71, 1.0f / float(n)};
  for (auto &speed : speeds) speed.assign(bodies.size(), {});
  auto bodies_of = [&](std::vector<Body> &items) {
    return Argument::array_of("Body", items.data(), {n}, sizeof(Body));
  };
  Argument velocities = Argument::array_of("Velocity", speeds[0].data(), {n}, sizeof(Velocity));
  auto memory = [](auto &items) {
    return OpenCl::Argument::array(items.data(), items.size() * sizeof(items[0]));
  };
  compare(
      "n-body of 4096", 0.95, std::max(reps_ / 3, fewest_rounds),
      launch("nbody", {n / 128, 1}, {128, 1},
             {bodies_of(ours), velocities, bodies_of(bodies), Argument::scalar(dt)}),
      [&] { cpp_nbody(theirs.data(), speeds[1].data(), bodies.data(), dt, n); },
      opencl(opencl_nbody, "nbody", {n / 128, 1}, {128, 1},
             {memory(others), memory(speeds[2]), memory(bodies), OpenCl::Argument::scalar(dt),
              OpenCl::Argument::scalar(n)}));
  auto xs = [](const std::vector<Body> &items) {
    std::vector<float> found;
    for (const Body &body : items) found.push_back(body.x + 2);
    return found;
  };
  same("nbody", "C++", xs(ours), xs(theirs), 1e-3);
  if (opencl_) same("nbody", "OpenCL", xs(ours), xs(others), 1e-3);
}

/// What one launch costs that does nothing: with the call's text to be read and dispatched, and of a prepared
/// kernel.
void Comparison::launches() {
  if (!wanted("launches")) return;
  take(session_.load("empty", "empty() = nothing"));
  const Kernel prepared = take(session_.prepare("empty()"));
  const LaunchShape one{};
  const long batch = 1000;
  Spans by_name, ready;
  for (long i = 0; i < reps_; i++) {
    by_name.add(timed([&] {
      for (long k = 0; k < batch; k++) check(session_.launch("empty", one, {}));
    }));
    ready.add(timed([&] {
      for (long k = 0; k < batch; k++) check(session_.launch(prepared, one, std::span<const void *const>()));
    }));
  }
  for (auto [what, spans] : {std::pair{"by name", &by_name}, {"prepared", &ready}})
    std::fprintf(stderr, "launch of one empty block, %s: %.2f us (median), %.2f (p10); goal 5\n", what,
                 spans->wall.median() / batch, spans->wall.percentile(0.1) / batch);
}

} // namespace bench

int main(int argc, char **argv) {
  using namespace bench;
  long reps = number_option(argc, argv, "--reps", 30), threads = number_option(argc, argv, "--threads", 2);
  tbb::global_control control(tbb::global_control::max_allowed_parallelism, size_t(threads));
  setenv("POCL_MAX_PTHREAD_COUNT", std::to_string(threads).c_str(), 1);
  std::unique_ptr<OpenCl> opencl = OpenCl::open();
  std::fprintf(
      stderr,
      "%ld threads, Kiln %s build, C++ -O3 -march=" KILN_BENCH_MARCH ", OpenCL: %s; load average %.1f\n",
      threads, KILN_BUILD, opencl ? opencl->device().c_str() : "SKIPPED, no CPU device", load_average());
  auto session = take(Session::open({.cache_dir = ""}));
  for (const char *example : {"/saxpy.jl", "/stencil2d.jl", "/mandelbrot.jl", "/nbody.jl"})
    take(session->load_file(std::string(KILN_EXAMPLES) + example));
  Comparison comparison(*session, opencl.get(), reps, text_option(argc, argv, "--only"),
                        has_option(argc, argv, "--json"));
  if (has_option(argc, argv, "--contract")) comparison.config.target.contract = Contraction::On;
  comparison.heading();
  comparison.saxpy();
  comparison.stencil();
  comparison.mandelbrot();
  comparison.nbody();
  comparison.block_sums();
  comparison.tiled();
  comparison.strided_saxpy();
  comparison.strided_dot();
  comparison.launches();
  std::fprintf(stderr, "load average %.1f at the end\n", load_average());
  return 0;
}
