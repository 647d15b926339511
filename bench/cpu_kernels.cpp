// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels on the CPU against the same loops in C++, by turns, on the same oneTBB threads and the same memory.
//
//   cpu_kernels [--reps N] [--threads N] [--elements N] [--block N]
#include "cpp_loops.h"
#include "measure.h"

#include <kiln/kiln.h>
#include <session/session.h>

#include <tbb/global_control.h>

#include <cmath>

using namespace kiln;
using namespace bench;

namespace {

void check(Result<void> result) {
  if (!result.ok()) give_up(result.error());
}

Moment timed(auto &&work) {
  Moment start = Moment::now();
  work();
  return Moment::now() - start;
}

void print(const char *name, const Spans &kiln, const Spans &cpp, double goal) {
  auto row = [](const char *what, const Spans &spans) {
    std::printf("  %-8s %10.2f %10.2f %10.2f   %10.2f\n", what, spans.wall.median() / 1e3, spans.wall.percentile(0.1) / 1e3, spans.wall.percentile(0.9) / 1e3, spans.cpu.median() / 1e3);
  };
  std::printf("%s, ms       median        p10        p90   cpu median\n", name);
  row("Kiln", kiln);
  row("C++", cpp);
  std::printf("  speed against C++: %.2f (median), %.2f (p10), %.2f (cpu); goal %.1f\n", cpp.wall.median() / kiln.wall.median(), cpp.wall.percentile(0.1) / kiln.wall.percentile(0.1),
              cpp.cpu.median() / kiln.cpu.median(), goal);
}

void saxpy(Session &session, long reps, int64_t n, uint32_t block) {
  std::vector<float> x(size_t(n), 1.0f), ours(size_t(n), 0.5f), theirs = ours;
  const float a = 0.25f;
  LaunchShape shape{.blocks = {uint32_t((n + block - 1) / block), 1, 1}, .threads = {block, 1, 1}};
  auto run = [&] { check(session.launch("saxpy", shape, {Argument::array(ours.data(), {n}), Argument::array(x.data(), {n}), Argument::scalar(a)})); };
  auto run_cpp = [&] { cpp_saxpy(theirs.data(), x.data(), a, n); };
  Spans kiln, cpp;
  for (long i = 0; i < 3; i++) run(), run_cpp();
  for (long i = 0; i < reps; i++) {
    kiln.add(timed(run));
    cpp.add(timed(run_cpp));
  }
  for (int64_t i = 0; i < n; i++)
    if (std::abs(ours[size_t(i)] - theirs[size_t(i)]) > 1e-4f * std::abs(theirs[size_t(i)])) {
      std::fprintf(stderr, "saxpy: element %ld is %g, in C++ %g\n", long(i), double(ours[size_t(i)]), double(theirs[size_t(i)]));
      std::exit(1);
    }
  print(("saxpy of " + std::to_string(n)).c_str(), kiln, cpp, 0.8);
}

// A reduction in shared memory with a barrier a step, against a plain sum of each block's elements.
void block_sums(Session &session, long reps, int64_t n) {
  const uint32_t block = 256;
  take(session.load("block_sums", R"(
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
  const int64_t blocks = (n + block - 1) / block;
  std::vector<float> x(static_cast<size_t>(n)), ours(static_cast<size_t>(blocks)), theirs = ours;
  for (int64_t i = 0; i < n; i++) x[size_t(i)] = float(i % 17);
  LaunchShape shape{.blocks = {uint32_t(blocks), 1, 1}, .threads = {block, 1, 1}};
  auto run = [&] { check(session.launch("block_sums", shape, {Argument::array(ours.data(), {blocks}), Argument::array(x.data(), {n})})); };
  auto run_cpp = [&] { cpp_block_sums(theirs.data(), x.data(), n, block); };
  Spans kiln, cpp;
  for (long i = 0; i < 3; i++) run(), run_cpp();
  for (long i = 0; i < reps; i++) {
    kiln.add(timed(run));
    cpp.add(timed(run_cpp));
  }
  if (ours != theirs) { // sums of small whole numbers are exact in any order
    std::fprintf(stderr, "block_sums: other sums than in C++\n");
    std::exit(1);
  }
  print("sums of blocks of 256 with barriers", kiln, cpp, 0.3);
}

void mandelbrot(Session &session, long reps) {
  const int64_t width = 1024, height = 768;
  const int32_t limit = 256;
  const float corners[4] = {-2.2f, -1.2f, 1.0f, 1.2f};
  std::vector<int32_t> ours(size_t(width * height)), theirs = ours;
  auto complex = [&](const float *parts) {
    Argument argument{"ComplexF32", std::vector<std::byte>(2 * sizeof(float))};
    std::memcpy(argument.bytes.data(), parts, 2 * sizeof(float));
    return argument;
  };
  LaunchShape shape{.blocks = {uint32_t(width / 16), uint32_t(height / 16), 1}, .threads = {16, 16, 1}};
  auto run = [&] { check(session.launch("mandelbrot", shape, {Argument::array(ours.data(), {width, height}), complex(corners), complex(corners + 2), Argument::scalar(limit)})); };
  auto run_cpp = [&] { cpp_mandelbrot(theirs.data(), width, height, corners[0], corners[1], corners[2], corners[3], limit); };
  Spans kiln, cpp;
  run(), run_cpp();
  for (long i = 0; i < reps; i++) {
    kiln.add(timed(run));
    cpp.add(timed(run_cpp));
  }
  // C++ fuses multiplications into additions here and the language does not: points at the set's edge may differ.
  int64_t different = 0;
  for (size_t i = 0; i < ours.size(); i++) different += ours[i] != theirs[i];
  if (different > width * height / 50) {
    std::fprintf(stderr, "mandelbrot: %ld of %ld points differ from C++\n", long(different), long(width * height));
    std::exit(1);
  }
  print("Mandelbrot of 1024 x 768", kiln, cpp, 0.5);
  std::printf("  %ld of %ld points differ\n", long(different), long(width * height));
}

/// What one launch costs that does nothing: with the call's text to be read and dispatched, and of a prepared kernel.
void launches(Session &session, long reps) {
  take(session.load("empty", "empty() = nothing"));
  Session::State &state = session.state();
  CompilerConfig config;
  config.kernel = true;
  PreparedFunction prepared = take(state.prepare(take(state.job("empty()", config))));
  const LaunchShape one{};
  const long batch = 1000;
  Spans by_name, ready;
  for (long i = 0; i < reps; i++) {
    by_name.add(timed([&] { for (long k = 0; k < batch; k++) check(session.launch("empty", one, {})); }));
    ready.add(timed([&] { for (long k = 0; k < batch; k++) check(state.launch(prepared, one, {})); }));
  }
  for (auto [what, spans] : {std::pair{"by name", &by_name}, {"prepared", &ready}})
    std::printf("launch of one empty block, %s: %.2f us (median), %.2f (p10); goal 5\n", what, spans->wall.median() / batch, spans->wall.percentile(0.1) / batch);
}

} // namespace

int main(int argc, char **argv) {
  long reps = number_option(argc, argv, "--reps", 30), threads = number_option(argc, argv, "--threads", 2);
  tbb::global_control control(tbb::global_control::max_allowed_parallelism, size_t(threads));
  std::printf("%ld threads, Kiln %s build, C++ -O3 -march=native, load average %.1f\n", threads, KILN_BUILD, load_average());
  auto session = take(Session::open());
  take(session->load_file(KILN_EXAMPLES "/saxpy.jl"));
  take(session->load_file(KILN_EXAMPLES "/mandelbrot.jl"));
  saxpy(*session, reps, number_option(argc, argv, "--elements", 10'000'000), uint32_t(number_option(argc, argv, "--block", 256)));
  launches(*session, reps);
  block_sums(*session, reps, 10'000'000);
  mandelbrot(*session, std::max<long>(reps / 3, 5));
  std::printf("load average %.1f at the end\n", load_average());
  return 0;
}
