// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gpu.h"

#include "alloc_counter.h"
#include "cubin.h"

#include <chrono>

namespace kiln::tool {

Result<void> GpuRun::prepare(const Job &job, Arguments &arguments, const Value &function) {
  KILN_TRY(kernel_, job.prepare(device_));
  KILN_TRY(stream_, session_.stream(device_));
  warn_of_spills(kernel_.artifact());
  KILN_TRY(bytes_, arguments.encode(function));
  KILN_CHECK(parameters_.read(kernel_.artifact(), bytes_));
  const TimingScope scope = session_.time("copy to the device");
  arrays_ = arguments.arrays();
  for (const auto &array : arrays_) mirror_.add({array->bytes.data(), array->bytes.size()});
  KILN_CHECK(mirror_.upload());
  TypeContext &types = session_.world().types();
  const std::vector<TypeRef> arguments_and_function = arguments.types_with(function);
  const auto &parameters = kernel_.artifact().parameters;
  for (size_t i = 0; i < bytes_.size(); i++)
    redirect(mirror_, types, arguments_and_function[parameters[i].argument], bytes_[i].data());
  return stream_.synchronize();
}

Result<void> GpuRun::launch(const LaunchShape &shape) {
  const TimingScope scope = session_.time(stage_name(Stage::Launch));
  KILN_CHECK(put(shape));
  return stream_.synchronize();
}

/// Measures one batch of consecutive launches. Sets `host` and `device` to the times per launch, in
/// microseconds.
Result<void> GpuRun::measure_batch(const BenchOptions &options, const LaunchShape &shape, double &host,
                                   double &device) {
  KILN_CHECK(stream_.record(begins_[0]));
  auto start = std::chrono::steady_clock::now();
  for (uint32_t i = 0; i < options.batch; i++) KILN_CHECK(put(shape));
  host = std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count() /
         options.batch;
  KILN_CHECK(stream_.record(ends_[0]));
  KILN_CHECK(stream_.synchronize());
  KILN_TRY(auto time, Event::between(begins_[0], ends_[0]));
  device = double(time.count()) / 1000.0 / options.batch;
  return {};
}

/// Measures a batch with a cold L2 cache: before each launch, a write to another buffer evicts the kernel's
/// data. Sets `host` and `device` to the times per launch, in microseconds.
Result<void> GpuRun::measure_flushed(const BenchOptions &options, const LaunchShape &shape, double &host,
                                     double &device) {
  std::chrono::steady_clock::duration launching{0};
  for (uint32_t i = 0; i < options.batch; i++) {
    KILN_CHECK(stream_.fill(flushed_.data(), uint8_t(i), flushed_.bytes()));
    KILN_CHECK(stream_.record(begins_[i]));
    auto start = std::chrono::steady_clock::now();
    KILN_CHECK(put(shape));
    launching += std::chrono::steady_clock::now() - start;
    KILN_CHECK(stream_.record(ends_[i]));
  }
  KILN_CHECK(stream_.synchronize());
  host = std::chrono::duration<double, std::micro>(launching).count() / options.batch;
  double all = 0;
  for (uint32_t i = 0; i < options.batch; i++) {
    KILN_TRY(auto time, Event::between(begins_[i], ends_[i]));
    all += double(time.count());
  }
  device = all / 1000.0 / options.batch;
  return {};
}

Result<Measurement> GpuRun::measure(const BenchOptions &options, const LaunchShape &shape) {
  ProgressLine progress("measuring");
  begins_.resize(options.flush_l2 ? options.batch : 1);
  ends_.resize(begins_.size());
  if (options.flush_l2) {
    uint64_t l2 = std::max<uint64_t>(device_.limits().l2_bytes, uint64_t(1) << 20);
    KILN_TRY(flushed_, stream_.allocate(2 * l2));
  }
  auto batch = [&](double &host, double &device) {
    return options.flush_l2 ? measure_flushed(options, shape, host, device)
                            : measure_batch(options, shape, host, device);
  };
  for (uint32_t i = 0; i < options.warmup; i++) KILN_CHECK(launch(shape));
  session_.wait_for_background(); // measure the final code, also where it is compiled in the background
  double once_host = 0, once_device = 0;
  KILN_CHECK(batch(once_host, once_device)); // creates all events
  Measurement measured{.device = device_.info().sm
                                     ? fmt::format("{} (sm_{})", device_.info().name, device_.info().sm)
                                     : fmt::format("{} ({})", device_.info().name, device_.info().driver),
                       .warmup = options.warmup + options.batch};
  if (options.flush_l2) measured.flushed_bytes = flushed_.bytes();
  measured.kernel.resize(options.reps);
  measured.host.resize(options.reps);
  AllocationCounter allocations = allocation_counter();
  uint64_t device_before = device_.memory().allocations, before = allocations ? allocations().count : 0;
  for (uint32_t rep = 0; rep < options.reps; rep++) {
    progress.count(rep, options.reps);
    KILN_CHECK(batch(measured.host[rep], measured.kernel[rep]));
  }
  if (allocations) measured.allocations = allocations().count - before;
  measured.device_allocations = device_.memory().allocations - device_before;
  return measured;
}

Result<void> GpuRun::download() {
  const TimingScope scope = session_.time("copy from the device");
  KILN_CHECK(mirror_.download());
  return stream_.synchronize();
}

} // namespace kiln::tool
