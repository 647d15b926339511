// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What Kiln adds to clSetKernelArg, clEnqueueNDRangeKernel and clFlush on an OpenCL device: launches by
// handle and bare ones by turns, on one queue. A user event holds the kernels back, since a CPU device would
// run them on the cores that enqueue. opencl_launches [--rounds N] [--launches N]
#include "measure.h"

#include <dlfcn.h>
#include <kiln/kiln.h>
#include <opencl/opencl.h>

#include <vector>

using bench::take;

namespace {

constexpr const char *source =
    "function touch(y, a, b, c)\n if a == 12345\n @inbounds y[1] = b + c\n end\n return\nend\n";
constexpr const char *call = "touch(CuDeviceVector{Int64,1}, Int64, Int64, Int64)";

void succeed(int status) {
  if (status == kiln::cl::Success) return;
  std::fprintf(stderr, "%s\n", kiln::opencl_status_name(status).c_str());
  std::exit(1);
}

/// Kiln's SPIR-V, launched without Kiln.
class Bare {
public:
  Bare(const kiln::Kernel &kernel, const kiln::Device &device, const kiln::Stream &stream)
      : context_(device.native_context()), driver_(take(kiln::OpenClDriver::open())),
        queue_(stream.native_handle()) {
    const std::string &code = kernel.artifact().bytes;
    int status = 0;
    void *program = driver_->CreateProgramWithIL(device.native_context(), code.data(), code.size(), &status);
    succeed(status);
    succeed(driver_->BuildProgram(program, 0, nullptr, "", nullptr, nullptr));
    kernel_ = driver_->CreateKernel(program, kernel.artifact().entry.c_str(), &status);
    succeed(status);
    succeed(driver_->SetKernelArg(kernel_, 1, 16, nullptr));
    // The kernel reaches memory through pointers in its structure; the driver has to know.
    const uint32_t yes = 1;
    for (const uint32_t memory : {kiln::cl::KernelHostUsm, kiln::cl::KernelDeviceUsm})
      driver_->SetKernelExecInfo(kernel_, memory, sizeof yes, &yes); // an error: the device has none of it
  }
  void launch(const void *parameters, size_t bytes, size_t threads) const {
    succeed(driver_->SetKernelArg(kernel_, 0, bytes, parameters));
    const size_t size[] = {threads, 1, 1};
    succeed(driver_->EnqueueNDRangeKernel(queue_, kernel_, 3, nullptr, size, size, 0, nullptr, nullptr));
    succeed(driver_->Flush(queue_));
  }
  /// The queue's further work waits for release().
  void hold() {
    int status = 0;
    held_ = create_event_(context_, &status);
    succeed(status);
    succeed(driver_->EnqueueBarrierWithWaitList(queue_, 1, &held_, nullptr));
  }
  void release() {
    succeed(set_status_(held_, 0));
    succeed(driver_->Finish(queue_));
    succeed(driver_->ReleaseEvent(held_));
  }

private:
  template <class F> static F *function(const char *name) {
    const std::string library = kiln::OpenClDriver::library_name();
    auto *found = reinterpret_cast<F *>(::dlsym(::dlopen(library.c_str(), RTLD_NOW), name));
    if (found) return found;
    std::fprintf(stderr, "%s has no %s\n", library.c_str(), name);
    std::exit(1);
  }
  void *(*const create_event_)(void *, int *) = function<void *(void *, int *)>("clCreateUserEvent");
  int (*const set_status_)(void *, int) = function<int(void *, int)>("clSetUserEventStatus");
  void *context_, *held_ = nullptr;
  std::shared_ptr<kiln::OpenClDriver> driver_;
  void *queue_, *kernel_ = nullptr;
};

} // namespace

int main(int argc, char **argv) {
  kiln::avoid_opencl_driver_faults();
  const long rounds = bench::number_option(argc, argv, "--rounds", 601);
  const long launches = bench::number_option(argc, argv, "--launches", 200);
  kiln::SessionOptions options;
  options.cache_dir = "";
  auto session = take(kiln::Session::open(options));
  if (const auto loaded = session->load("touch.jl", source); !loaded.ok()) bench::give_up(loaded.error());
  const kiln::Device device = take(session->device("opencl"));
  const kiln::Kernel kernel = take(session->prepare(call, {}, device));
  kiln::Stream stream = take(session->stream(device));
  const kiln::Buffer memory = take(stream.allocate(1024));
  const kiln::Argument y = kiln::Argument::array(memory.as<int64_t>(), {128});
  const int64_t a = 1, b = 2, c = 3;
  const void *arguments[] = {y.bytes.data(), &a, &b, &c};
  constexpr unsigned threads = 32;
  const kiln::LaunchShape shape{.blocks = {1, 1, 1}, .threads = {threads, 1, 1}};

  // The entry's structure (runtime/opencl/opencl_program.h): no exception record, no dynamic shared memory.
  std::vector<std::byte> parameters(16);
  parameters.insert(parameters.end(), y.bytes.begin(), y.bytes.end());
  for (const int64_t *scalar : {&a, &b, &c}) {
    const auto *bytes = reinterpret_cast<const std::byte *>(scalar);
    parameters.insert(parameters.end(), bytes, bytes + sizeof *scalar);
  }
  Bare bare(kernel, device, stream);

  const auto timed = [&](auto &&launch) {
    bare.hold();
    const bench::Moment start = bench::Moment::now();
    for (long i = 0; i < launches; i++) launch();
    const double took = (bench::Moment::now() - start).wall_us * 1e3 / double(launches);
    bare.release();
    return took;
  };
  const auto launch_bare = [&] { bare.launch(parameters.data(), parameters.size(), threads); };
  const auto launch_kiln = [&] {
    if (const auto launched = stream.launch(kernel, shape, arguments); !launched.ok())
      bench::give_up(launched.error());
  };
  bench::Series of_bare, of_kiln, difference;
  for (long round = -20; round < rounds; round++) {
    const bool bare_first = round % 2 == 0;
    const double first = bare_first ? timed(launch_bare) : timed(launch_kiln);
    const double second = bare_first ? timed(launch_kiln) : timed(launch_bare);
    if (round < 0) continue; // warms up
    of_bare.add(bare_first ? first : second);
    of_kiln.add(bare_first ? second : first);
    difference.add(bare_first ? second - first : first - second);
  }
  std::printf("%s, %ld rounds of %ld launches by turns\n\n", device.info().name.c_str(), rounds, launches);
  std::printf("| | median, ns | 10th to 90th percentile |\n|---|---|---|\n");
  const auto row = [](const char *name, const bench::Series &series) {
    std::printf("| %s | %.0f | %.0f to %.0f |\n", name, series.median(), series.percentile(0.1),
                series.percentile(0.9));
  };
  row("clSetKernelArg, clEnqueueNDRangeKernel, clFlush", of_bare);
  row("Stream::launch", of_kiln);
  row("difference", difference);
  return 0;
}
