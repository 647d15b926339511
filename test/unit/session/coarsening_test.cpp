// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// When sessions make coarse entries, and which launches take them: on the fake driver, which runs nothing.
#include "gpu_fixture.h"

#include "scratch.h"

#include <algorithm>

namespace coarsening_test {

using namespace kiln;
using namespace kiln::test;

namespace {

constexpr const char *program = R"(using CUDA
function scale(y, x, a)
  i = (blockIdx().x - 1i32) * blockDim().x + threadIdx().x
  if i <= length(y)
    @inbounds y[i] = a * x[i]
  end
  return
end
function checked(y, x, a)
  i = (blockIdx().x - 1i32) * blockDim().x + threadIdx().x
  y[i] = a * x[i]
  return
end
function strided(y, x, a)
  i = (blockIdx().x - 1i32) * blockDim().x + threadIdx().x
  while i <= length(y)
    @inbounds y[i] = a * x[i]
    @inbounds y[i + 1i32] = a * x[i + 1i32]
    i += gridDim().x * blockDim().x
  end
  return
end
)";
constexpr const char *scale = "scale(CuDeviceVector{Float32,1}, CuDeviceVector{Float32,1}, Float32)";
/// The fake GPU has 132 multiprocessors, of which each wants 2,048 threads of four elements.
constexpr uint32_t enough = 132 * 2048 * 4 / 256;

struct Launches {
  Fake fake;
  std::mutex mutex;
  std::string said; ///< by the session's log
  std::unique_ptr<Session> session;
  Device device;
  Stream stream;
  Buffer memory;
  static constexpr int64_t n = int64_t(enough) * 256;

  explicit Launches(bool coarsen = true, const std::string &folder = {}) {
    SessionOptions options;
    options.cache_dir = folder;
    options.coarsen = coarsen;
    options.timings = true;
    options.log = [this](LogLevel, std::string_view message) {
      std::lock_guard lock(mutex);
      said += message;
    };
    session = take(Session::open(options));
    take(session->load("scale.jl", program));
    device = take(session->gpu());
    stream = take(session->stream(device));
    memory = take(stream.allocate(8 * n + 256));
  }
  float *aligned(int64_t element) const {
    return reinterpret_cast<float *>((reinterpret_cast<uintptr_t>(memory.data()) + 127) & ~uintptr_t(127)) +
           element;
  }
  std::vector<Argument> arguments(int64_t y = 0, int64_t x = n) const {
    return {Argument::array(aligned(y), {n}), Argument::array(aligned(x), {n}), Argument::scalar(2.0f)};
  }
  /// By name; gives the driver's view of it.
  FakeLaunch by_name(const std::vector<Argument> &arguments, uint32_t blocks = enough,
                     const LaunchOptions &options = {}, const char *name = "scale") {
    done(session->launch(stream, name, {.blocks = {blocks, 1, 1}, .threads = {256, 1, 1}}, arguments, {},
                         options));
    return fake.last_launch();
  }
  FakeLaunch with(const Kernel &kernel, uint32_t blocks = enough) {
    const std::vector<Argument> all = arguments();
    std::vector<const void *> pointers;
    for (const Argument &argument : all) pointers.push_back(argument.bytes.data());
    done(stream.launch(kernel, {.blocks = {blocks, 1, 1}, .threads = {256, 1, 1}}, pointers));
    return fake.last_launch();
  }
  uint64_t coarsened() {
    session->wait_for_background();
    return session->counters().coarsened;
  }
  uint64_t coarse_launches() const {
    uint64_t count = 0;
    for (const TimingKernel &kernel : session->timings().kernels) count += kernel.coarse_launches;
    return count;
  }
};

} // namespace

TEST_CASE("the second large launch has a second entry made, and those behind it take that") {
  Launches launches;
  const FakeLaunch first = launches.by_name(launches.arguments());
  CHECK(first.blocks[0] == enough);
  CHECK(launches.coarsened() == 0);
  CHECK(launches.by_name(launches.arguments()).function == first.function);
  CHECK(launches.coarsened() == 1);
  launches.fake.record_parameters(5); // the kernel state, three arguments, the number of threads
  const FakeLaunch second = launches.by_name(launches.arguments());
  CHECK(second.function != first.function);
  CHECK(second.blocks[0] == enough / 4);
  CHECK(second.threads[0] == 256);
  CHECK(uint32_t(second.parameters[4]) == enough * 256); // threads of the launch as written
  launches.fake.record_parameters(0);
  CHECK(launches.by_name(launches.arguments(), enough + 1).blocks[0] == enough / 4 + 1);
  CHECK(launches.coarse_launches() == 2);
  CHECK(launches.coarsened() == 1);
  done(launches.stream.synchronize());
}

TEST_CASE("other launches run the kernel as it was written, and have nothing made") {
  Launches launches;
  auto as_written = [&](const FakeLaunch &launch, uint32_t blocks = enough) {
    CHECK(launch.blocks[0] == blocks);
  };
  for (int made = 0; made < 2; made++) {
    as_written(launches.by_name(launches.arguments(), 4), 4);
    as_written(launches.by_name(launches.arguments(), enough - 1), enough - 1);
    as_written(launches.by_name(launches.arguments(1, launches.n)));
    as_written(launches.by_name(launches.arguments(0, 4)));
    as_written(launches.by_name(launches.arguments(), enough, {.coarsen = false}));
    as_written(launches.by_name(launches.arguments(), enough, {.cooperative = true}));
    CHECK(launches.coarsened() == uint64_t(made));
    if (made == 0) {
      for (int i = 0; i < 2; i++) launches.by_name(launches.arguments());
      CHECK(launches.coarsened() == 1);
    }
  }
  CHECK(launches.by_name(launches.arguments(0, 0)).blocks[0] == enough / 4); // y and x are the same
  done(launches.stream.synchronize());
}

TEST_CASE("a kernel with a loop has an entry for arrays that are apart, as many threads as were launched") {
  Launches launches;
  auto launch = [&](int64_t y, int64_t x, uint32_t blocks = 132) {
    return launches.by_name(launches.arguments(y, x), blocks, {}, "strided");
  };
  const void *plain = launch(0, launches.n).function;
  CHECK(launches.coarsened() == 0);
  CHECK(launch(0, 0).function == plain); // the same array: stores are what later loads read
  CHECK(launch(0, 1).function == plain);
  CHECK(launch(0, launches.n, 2).function == plain); // too small
  CHECK(launches.coarsened() == 0);
  CHECK(launch(0, launches.n).function == plain);
  CHECK(launches.coarsened() == 1);
  const FakeLaunch apart = launch(0, launches.n);
  CHECK(apart.function != plain);
  CHECK(apart.blocks[0] == 132);
  CHECK(launch(launches.n, 0).function == apart.function);
  for (int64_t x : {int64_t(0), int64_t(1), launches.n - 1}) CHECK(launch(0, x).function == plain);
  CHECK(launches.by_name(launches.arguments(), 132, {.coarsen = false}, "strided").function == plain);
  done(launches.stream.synchronize());
  CHECK(launches.said == ""); // nobody asked for it
}

TEST_CASE("a kernel that may throw, and a session without coarsening, have one entry") {
  Launches launches;
  for (int i = 0; i < 2; i++) {
    CHECK(launches.by_name(launches.arguments(), enough, {}, "checked").blocks[0] == enough);
    CHECK(launches.coarsened() == 0);
  }
  CHECK(launches.said == "");
  Launches off(false);
  for (int i = 0; i < 2; i++) {
    CHECK(off.by_name(off.arguments()).blocks[0] == enough);
    CHECK(off.coarsened() == 0);
  }
}

TEST_CASE("handles, their copies and many at once get their entries too") {
  Launches launches;
  Kernel kernel = take(launches.session->prepare(scale, {}, launches.device)), copy = kernel;
  CHECK(launches.with(kernel).blocks[0] == enough);
  CHECK(launches.with(copy).blocks[0] == enough);
  CHECK(launches.coarsened() == 1);
  CHECK(launches.with(copy).blocks[0] == enough / 4);
  CompileRequest request{.call = scale, .config = {}};
  std::vector<Result<Kernel>> many = launches.session->prepare_many(std::span(&request, 1), launches.device);
  Kernel one = take(std::move(many[0]));
  for (int i = 0; i < 2; i++) CHECK(launches.with(one).blocks[0] == enough);
  CHECK(launches.coarsened() == 2);
  CHECK(launches.with(one).blocks[0] == enough / 4);
  done(launches.stream.synchronize());
}

TEST_CASE("a config that asks for it has the entry at once, for launches of any size") {
  Launches launches;
  CompilerConfig config;
  config.coarsen = true;
  Kernel kernel = take(launches.session->prepare(scale, config, launches.device));
  CHECK(kernel.artifact().coarsening.factor == 4);
  CHECK(kernel.artifact().coarsening.entry == kernel.artifact().entry + "_coarse");
  CHECK(launches.with(kernel, 10).blocks[0] == 3);
  CHECK(launches.coarsened() == 0); // nothing was made in the background
  done(launches.stream.synchronize());
}

TEST_CASE("what a session hands out holds the kernel as it was written") {
  Launches launches;
  std::vector<std::string> seen;
  Observation observation = launches.session->observe(
      [&](const ObservedProduct &product) { seen.push_back(std::string(product.bytes)); });
  launches.by_name(launches.arguments());
  const size_t before = seen.size();
  launches.by_name(launches.arguments());
  CHECK(launches.coarsened() == 1);
  CHECK(seen.size() == before);
  CompilerConfig config;
  config.target = launches.device.target();
  const auto text = take(launches.session->compile(scale, config, ArtifactKind::Assembly));
  CHECK(text->bytes.find("_coarse") == std::string::npos);
  CHECK(text->coarsening.factor == 4); // what it could have
  CHECK(text->coarsening.entry.empty());
  CHECK(
      std::ranges::none_of(seen, [](const std::string &each) { return each.find("_coarse") != each.npos; }));
  config.coarsen = true;
  CHECK(take(launches.session->compile(scale, config, ArtifactKind::Assembly))->bytes.find("_coarse") !=
        std::string::npos);
}

TEST_CASE("a folder keeps what is known of a kernel, and its second entry") {
  const Scratch folder;
  for (int i = 0; i < 2; i++) {
    Launches launches(true, folder.path.string());
    for (int each = 0; each < 2; each++) launches.by_name(launches.arguments());
    CHECK(launches.coarsened() == 1);
    CHECK(launches.by_name(launches.arguments()).blocks[0] == enough / 4);
    if (i == 1) CHECK(launches.session->counters().compiled == 0);
    done(launches.stream.synchronize());
    launches.session->flush_cache();
  }
}

TEST_CASE("a definition in between leaves the old kernel as it was, and closing waits for nothing") {
  {
    Launches launches;
    Kernel kernel = take(launches.session->prepare(scale, {}, launches.device));
    take(launches.session->load("again.jl", "function scale(y, x, a)\n  return\nend\n"));
    for (int i = 0; i < 2; i++) CHECK(launches.with(kernel).blocks[0] == enough); // the handle is of before
    (void)launches.coarsened();
    (void)launches.with(kernel); // either entry: its world may have been swept
    done(launches.stream.synchronize());
  }
  // Handles and launches behind the session's end.
  Launches launches;
  Kernel kernel = take(launches.session->prepare(scale, {}, launches.device));
  launches.session.reset();
  for (int i = 0; i < 3; i++) CHECK(launches.with(kernel).blocks[0] == enough);
  done(launches.stream.synchronize());
  for (int i = 0; i < 20; i++) { // its making is under way, or has not begun
    Launches short_one;
    for (int each = 0; each < 2; each++) short_one.by_name(short_one.arguments());
    short_one.session.reset();
  }
}

} // namespace coarsening_test
