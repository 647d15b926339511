// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels on the CPU against the same loops in C++ and, where there is an OpenCL CPU device, the same kernels
// in OpenCL C: by turns, on as many threads and on the same memory.
//
// Every round runs all of them once; what is reported is the median of the rounds' ratios, with the tenth and
// ninetieth percentile, as a table in Markdown or, with --json, as one JSON object a line.
//
//   cpu_kernels [--reps N] [--threads N] [--only NAME] [--json]
#include "cpp_loops.h"
#include "measure.h"
#include "opencl.h"
#include "opencl_kernels.h"

#include <kiln/kiln.h>
#include <session/session.h>

#include <tbb/global_control.h>

#include <cmath>
#include <functional>

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

class Comparison {
public:
  Comparison(Session &session, OpenCl *opencl, long reps, std::string only, bool json)
      : session_(session), opencl_(opencl), reps_(std::max(reps, fewest_rounds)), only_(std::move(only)),
        json_(json) {}

  static constexpr long fewest_rounds = 10;
  void heading() const;

  void saxpy();
  void stencil();
  void mandelbrot();
  void nbody();
  void block_sums();
  void tiled();
  void strided_saxpy();
  void strided_dot();
  void launches();

private:
  using Work = std::function<void()>;
  using Pair = std::array<size_t, 2>;
  bool wanted(const char *name) const { return only_.empty() || only_ == name; }

  Work launch(std::string kernel, std::array<uint32_t, 2> blocks, std::array<uint32_t, 2> threads,
              std::vector<Argument> arguments) {
    LaunchShape shape{.blocks = {blocks[0], blocks[1], 1}, .threads = {threads[0], threads[1], 1}};
    return [this, kernel = std::move(kernel), shape, arguments = std::move(arguments)] {
      check(session_.launch(kernel, shape, arguments));
    };
  }
  /// Nothing without a device.
  Work opencl(const char *source, const char *name, Pair blocks, Pair threads,
              const std::vector<OpenCl::Argument> &arguments) {
    if (!opencl_) return {};
    size_t kernel = opencl_->load(source, name, arguments);
    return [this, kernel, blocks, threads] {
      opencl_->run(kernel, {blocks[0] * threads[0], blocks[1] * threads[1]}, threads);
    };
  }

  void compare(const std::string &name, double goal, long reps, const Work &ours, const Work &cpp,
               const Work &opencl) {
    // Each comes before and behind each other equally often: who comes behind a device that lets its threads
    // sleep has to wake them.
    std::array<const Work *, 3> order{&ours, &cpp, &opencl};
    std::sort(order.begin(), order.end());
    Spans kiln, loops, items, to_loops,
        to_items; // the last two: ratios of a round, above 1 where Kiln is faster
    for (long i = -2; i < reps; i++) {
      Moment of_kiln, of_loops, of_items;
      for (const Work *work : order) {
        if (!*work) continue;
        (work == &ours ? of_kiln : work == &cpp ? of_loops : of_items) = timed(*work);
      }
      std::next_permutation(order.begin(), order.end());
      if (i < 0) continue;
      kiln.add(of_kiln);
      loops.add(of_loops);
      items.add(of_items);
      to_loops.add({of_loops.wall_us / of_kiln.wall_us, of_loops.cpu_us / of_kiln.cpu_us});
      to_items.add({of_items.wall_us / of_kiln.wall_us, of_items.cpu_us / of_kiln.cpu_us});
    }
    if (json_) {
      std::printf(
          R"({"kernel": "%s", "rounds": %ld, "goal": %g, "kiln_ms": %.4f, "cpp_ms": %.4f, "ratio": %.3f, "p10": %.3f, "p90": %.3f, "cpu_ratio": %.3f, "cpu_p10": %.3f, "cpu_p90": %.3f)",
          name.c_str(), reps, goal, kiln.wall.median() / 1e3, loops.wall.median() / 1e3,
          to_loops.wall.median(), to_loops.wall.percentile(0.1), to_loops.wall.percentile(0.9),
          to_loops.cpu.median(), to_loops.cpu.percentile(0.1), to_loops.cpu.percentile(0.9));
      if (opencl)
        std::printf(R"(, "opencl_ms": %.4f, "opencl_ratio": %.3f)", items.wall.median() / 1e3,
                    to_items.wall.median());
      std::printf("}\n");
    } else {
      std::printf("| %s | %.2f | %.2f | %.2f (%.2f to %.2f) | %.2f (%.2f to %.2f) | %.2f | ", name.c_str(),
                  kiln.wall.median() / 1e3, loops.wall.median() / 1e3, to_loops.wall.median(),
                  to_loops.wall.percentile(0.1), to_loops.wall.percentile(0.9), to_loops.cpu.median(),
                  to_loops.cpu.percentile(0.1), to_loops.cpu.percentile(0.9), goal);
      if (opencl)
        std::printf("%.2f (%.2f to %.2f) |\n", to_items.wall.median(), to_items.wall.percentile(0.1),
                    to_items.wall.percentile(0.9));
      else
        std::printf("- |\n");
    }
    std::fflush(stdout);
  }

  /// `tolerance` is relative.
  template <class T>
  static void same(const char *name, const char *whose, const std::vector<T> &ours,
                   const std::vector<T> &theirs, double tolerance, size_t may_differ = 0) {
    size_t different = 0, first = 0;
    for (size_t i = 0; i < ours.size(); i++)
      if (!(std::abs(double(ours[i]) - double(theirs[i])) <= tolerance * std::abs(double(theirs[i])))) {
        if (!different) first = i;
        different++;
      }
    if (different <= may_differ) return;
    std::fprintf(stderr, "%s: %zu elements are not as in %s; the first, %zu, is %g instead of %g\n", name,
                 different, whose, first, double(ours[first]), double(theirs[first]));
    std::exit(1);
  }

  Session &session_;
  OpenCl *opencl_;
  long reps_;
  std::string only_;
  bool json_;
};

void Comparison::heading() const {
  if (!json_)
    std::printf(
        "| kernel | Kiln, ms | C++, ms | speed against C++ (p10 to p90) | the same in CPU time | goal | against OpenCL |\n|---|---|---|---|---|---|---|\n");
}

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

/// What one launch costs that does nothing: with the call's text to be read and dispatched, and of a prepared
/// kernel.
void Comparison::launches() {
  if (!wanted("launches")) return;
  take(session_.load("empty", "empty() = nothing"));
  Session::State &state = session_.state();
  CompilerConfig config;
  config.kernel = true;
  PreparedFunction prepared = take(state.prepare(take(state.job("empty()", config))));
  const LaunchShape one{};
  const long batch = 1000;
  Spans by_name, ready;
  for (long i = 0; i < reps_; i++) {
    by_name.add(timed([&] {
      for (long k = 0; k < batch; k++) check(session_.launch("empty", one, {}));
    }));
    ready.add(timed([&] {
      for (long k = 0; k < batch; k++) check(state.launch(prepared, one, {}));
    }));
  }
  for (auto [what, spans] : {std::pair{"by name", &by_name}, {"prepared", &ready}})
    std::fprintf(stderr, "launch of one empty block, %s: %.2f us (median), %.2f (p10); goal 5\n", what,
                 spans->wall.median() / batch, spans->wall.percentile(0.1) / batch);
}

} // namespace

int main(int argc, char **argv) {
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
