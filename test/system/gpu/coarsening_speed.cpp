// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "coarsening.h"

#include <chrono>

namespace kiln::gpu_test {

namespace {

double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + ptrdiff_t(values.size() / 2), values.end());
  return values[values.size() / 2];
}

struct Kernels {
  const char *name, *kernel;
  std::vector<const char *> arrays; ///< types
  std::vector<Argument> scalars;
  int64_t n;
  double bytes; ///< an element
};

constexpr int rounds = 9, batch = 20;

/// A kernel as it is measured.
struct Measured {
  Kernel kernel;
  std::vector<const void *> arguments;
  LaunchShape shape;
  LaunchOptions options;
  std::vector<double> times = {}; ///< microseconds a launch
};

void measure(Test &t, Stream &stream, Measured &measured) {
  Event begin, end;
  t.done(stream.record(begin));
  for (int i = 0; i < batch; i++)
    t.done(stream.launch(measured.kernel, measured.shape, measured.arguments, measured.options));
  t.done(stream.record(end));
  t.done(stream.synchronize());
  measured.times.push_back(double(t.take(Event::between(begin, end)).count()) / 1000 / batch);
}

/// GB/s read and written, the best of copies of 2 GiB by the driver and by threads of 16 bytes.
double copy_ceiling(Test &t, Stream &stream) {
  constexpr uint64_t bytes = uint64_t(1) << 31;
  Buffer from = t.take(stream.allocate(bytes)), to = t.take(stream.allocate(bytes));
  t.done(stream.fill(from.data(), 1, bytes));
  t.done(stream.fill(to.data(), 2, bytes));
  CompilerConfig config;
  config.coarsen = true;
  Kernel wide = t.take(
      t.session->prepare("copy(CuDeviceVector{Float32,1}, CuDeviceVector{Float32,1})", config, t.device));
  constexpr int64_t n = bytes / 4;
  const Argument a = Argument::array(to.as<float>(), {n}), b = Argument::array(from.as<float>(), {n});
  Measured kernel{
      wide, {a.bytes.data(), b.bytes.data()}, {.blocks = {n / 256, 1, 1}, .threads = {256, 1, 1}}, {}};
  std::vector<double> copies;
  Event begin, end;
  for (int round = 0; round < 5; round++) {
    t.done(stream.record(begin));
    for (int i = 0; i < 4; i++) t.done(stream.copy(to.data(), from.data(), bytes));
    t.done(stream.record(end));
    t.done(stream.synchronize());
    copies.push_back(2.0 * bytes * 4 / double(t.take(Event::between(begin, end)).count()));
    measure(t, stream, kernel);
  }
  kernel.times.erase(kernel.times.begin());
  const double by_driver = median(copies), by_kernel = 2.0 * bytes / median(kernel.times) / 1000;
  std::printf("copies of 2 GiB: cuMemcpyAsync %.0f GB/s, 16 bytes a thread %.0f GB/s\n", by_driver,
              by_kernel);
  return by_driver;
}

} // namespace

namespace {

/// As written and coarse, by turns.
void compare(Test &t, Stream &stream, const Kernels &each, const std::vector<void *> &memory,
             double ceiling) {
  std::vector<Argument> arguments;
  std::string call = std::string(each.kernel) + "(";
  for (size_t i = 0; i < each.arrays.size(); i++) {
    const std::string type = each.arrays[i];
    arguments.push_back(Argument::array_of(type, memory[i], {each.n}, 4));
    call += (i ? ", CuDeviceVector{" : "CuDeviceVector{") + type + ",1}";
  }
  for (const Argument &scalar : each.scalars) {
    arguments.push_back(scalar);
    call += ", " + scalar.type;
  }
  CompilerConfig config;
  config.coarsen = true;
  Measured coarse{t.take(t.session->prepare(call + ")", config, t.device)),
                  {},
                  {.blocks = {uint32_t((each.n + 255) / 256), 1, 1}, .threads = {256, 1, 1}},
                  {}};
  for (const Argument &argument : arguments) coarse.arguments.push_back(argument.bytes.data());
  Measured plain = coarse;
  plain.options.coarsen = false;
  for (int round = 0; round < rounds + 1; round++) {
    measure(t, stream, plain);
    measure(t, stream, coarse);
  }
  plain.times.erase(plain.times.begin()); // warms up
  coarse.times.erase(coarse.times.begin());
  const double a = median(plain.times), b = median(coarse.times),
               rate = each.bytes * double(each.n) / b / 1000;
  const auto [least, most] = std::minmax_element(coarse.times.begin(), coarse.times.end());
  std::printf("%-16s %9lld %8.2fus %8.2fus %10.0f %9.3f %9.3f  (coarse %.2f to %.2f us)\n", each.name,
              static_cast<long long>(each.n), a, b, rate, a / b, rate / ceiling, *least, *most);
  std::fflush(stdout);
}

/// Int32 from 1 to n: all in order, or anywhere.
Buffer indices(Test &t, Stream &stream, int64_t n, bool in_order) {
  std::vector<int32_t> host(static_cast<size_t>(n));
  uint64_t state = 88172645463325252;
  for (int64_t i = 0; i < n; i++) {
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    host[size_t(i)] = int32_t(in_order ? i : int64_t(state % uint64_t(n))) + 1;
  }
  Buffer buffer = t.take(stream.allocate(uint64_t(n) * 4));
  t.done(stream.copy(buffer.data(), host.data(), buffer.bytes()));
  t.done(stream.synchronize());
  return buffer;
}

} // namespace

void coarse_speed(Test &t) {
  Stream stream = t.stream();
  const double ceiling = copy_ceiling(t, stream);
  constexpr int64_t n = 1 << 26, big = 1 << 27;
  constexpr const char *single = "Float32";
  auto scalar = [](float value) { return Argument::scalar(value); };
  std::vector<Buffer> buffers;
  std::vector<void *> memory;
  for (int i = 0; i < 3; i++) {
    buffers.push_back(t.take(stream.allocate(4 * big)));
    t.done(stream.fill(buffers.back().data(), 0x3d, buffers.back().bytes()));
    memory.push_back(buffers.back().data());
  }
  std::printf("%-16s %9s %10s %10s %10s %9s %9s\n", "kernel", "elements", "as written", "coarse", "GB/s",
              "speed-up", "ceiling");
  auto run = [&](const Kernels &each) { compare(t, stream, each, memory, ceiling); };
  run({"copy", "copy", {single, single}, {}, n, 8});
  run({"mul", "mul", {single, single}, {scalar(3)}, n, 8});
  run({"add", "add", {single, single, single}, {}, n, 12});
  run({"triad", "triad", {single, single, single}, {scalar(3)}, n, 12});
  run({"nstream", "nstream", {single, single, single}, {scalar(3)}, n, 16});
  run({"saxpy", "saxpy", {single, single}, {scalar(2)}, n, 12});
  run({"adam",
       "adam",
       {single, single, single},
       {scalar(0.9f), scalar(0.999f), scalar(1e-3f), scalar(1e-8f)},
       big,
       24});
  // Kernels that gain less, or could lose: loads that stay one for each element, and arithmetic.
  run({"around", "around", {single, single}, {Argument::scalar(int32_t(n))}, n, 8});
  run({"branches", "branches", {single, single}, {}, n, 8});
  // Not coarsened: its second entry is for arrays that are apart.
  run({"sums", "sums", {single, single}, {Argument::scalar(int32_t(n))}, n, 8});
  for (const bool in_order : {true, false}) {
    const Buffer index = indices(t, stream, n, in_order);
    compare(
        t, stream,
        {in_order ? "gather, in order" : "gather, anywhere", "gather", {single, single, "Int32"}, {}, n, 12},
        {memory[0], memory[1], index.data()}, ceiling);
  }
  // Small launches: from where on the coarse entry is no slower.
  for (int log = 16; log <= 24; log++)
    run({"saxpy", "saxpy", {single, single}, {scalar(2)}, int64_t(1) << log, 12});
}

void coarse_overhead(Test &t) {
  Stream stream = t.stream();
  Buffer memory = t.take(stream.allocate(3 * 1024));
  const Argument y = Argument::array(memory.as<float>(), {256}),
                 x = Argument::array(memory.as<float>() + 256, {256}),
                 z = Argument::array(memory.as<float>() + 512, {256});
  const void *arguments[] = {y.bytes.data(), x.bytes.data(), z.bytes.data()};
  const char *call = "add(CuDeviceVector{Float32,1}, CuDeviceVector{Float32,1}, CuDeviceVector{Float32,1})";
  auto without = open_coarsening(t, false);
  without->stop_timings();
  const Device device = t.take(without->gpu());
  Kernel none = t.take(without->prepare(call, {}, device));
  Stream own = t.take(without->stream(device));
  CompilerConfig config;
  config.coarsen = true;
  auto with = open_coarsening(t, true);
  with->stop_timings();
  const Device same = t.take(with->gpu());
  Kernel planned = t.take(with->prepare(call, config, same));
  Stream other = t.take(with->stream(same));
  constexpr int launches = 200, rounds = 300;
  auto timed = [&](Stream &in, const Kernel &kernel, const LaunchOptions &options) {
    const auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < launches; i++)
      t.done(in.launch(kernel, {.blocks = {1, 1, 1}, .threads = {256, 1, 1}}, arguments, options));
    const double time =
        std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - start).count() / launches;
    t.done(in.synchronize());
    return time;
  };
  std::vector<double> plain, looked, coarse;
  for (int round = 0; round < rounds; round++) {
    plain.push_back(timed(own, none, {}));
    coarse.push_back(timed(other, planned, {}));
    looked.push_back(timed(other, planned, {.coarsen = false}));
  }
  std::printf(
      "host time of a launch: without a plan %.1f ns, refused by the plan %.1f ns, coarse %.1f ns (three arrays)\n",
      median(plain), median(looked), median(coarse));
}

} // namespace kiln::gpu_test
