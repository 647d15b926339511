// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gpu.h"

#include "alloc_counter.h"
#include "cubin.h"

#include <charconv>
#include <chrono>
#include <cstring>

namespace kiln::tool {

std::optional<int> gpu_number(std::string_view device) {
  if (device == "cuda") return 0;
  if (!device.starts_with("cuda:")) return std::nullopt;
  device.remove_prefix(5);
  int number = 0;
  auto [end, error] = std::from_chars(device.data(), device.data() + device.size(), number);
  if (error != std::errc() || end != device.data() + device.size() || number < 0) return std::nullopt;
  return number;
}

Result<void> GpuRun::prepare(const CompilerJob &job, Arguments &arguments, const Value &function) {
  KILN_TRY(prepared_, state_.prepare(job, *device_));
  warn_of_spills(*prepared_.artifact, state_.log);
  KILN_TRY(parameters_, arguments.pointers(function, *prepared_.artifact));
  StageScope scope(&state_.timer, "copy to the device");
  for (auto &array : arguments.arrays()) {
    KILN_TRY(CudaBuffer buffer, device_->allocate(array->bytes.size()));
    KILN_CHECK(device_->copy_in(buffer, array->bytes));
    copies_.push_back({std::move(array), std::move(buffer)});
  }
  for (size_t i = 0; i < parameters_.size(); i++)
    state_.for_each_pointer(prepared_.parameters[i], static_cast<std::byte *>(parameters_[i]), [&](std::byte *pointer) {
      uint64_t address = 0;
      std::memcpy(&address, pointer, sizeof address);
      address = device_address(address);
      std::memcpy(pointer, &address, sizeof address);
    });
  return {};
}

/// Of a place in one of the arrays; 0 for what leads to none of them.
uint64_t GpuRun::device_address(uint64_t host) const {
  for (const Copy &copy : copies_) {
    uint64_t first = reinterpret_cast<uintptr_t>(copy.host->bytes.data());
    if (host >= first && host - first <= copy.host->bytes.size() && copy.device.address()) return copy.device.address() + (host - first);
  }
  return 0;
}

Result<void> GpuRun::finish() {
  KILN_CHECK(device_->synchronize(*prepared_.kernel));
  KILN_TRY(CudaException exception, device_->take_exception(*prepared_.kernel));
  if (exception.record.status) return exception_error(exception, state_.sources);
  return {};
}

Result<void> GpuRun::launch(const LaunchShape &shape) {
  StageScope scope(&state_.timer, Stage::Launch);
  KILN_CHECK(device_->launch(*prepared_.kernel, shape, parameters_));
  return finish();
}

Result<std::string> GpuRun::measure(const BenchOptions &options, const LaunchShape &shape) {
  for (uint32_t i = 0; i < options.warmup; i++) KILN_CHECK(launch(shape));
  std::vector<double> device(options.reps), host(options.reps); // microseconds a launch
  AllocationCounter allocations = allocation_counter();
  uint64_t before = allocations ? allocations().count : 0;
  for (uint32_t rep = 0; rep < options.reps; rep++) {
    KILN_CHECK(device_->mark(0));
    auto start = std::chrono::steady_clock::now();
    for (uint32_t i = 0; i < options.batch; i++) KILN_CHECK(device_->launch(*prepared_.kernel, shape, parameters_));
    host[rep] = std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count() / options.batch;
    KILN_CHECK(device_->mark(1));
    KILN_CHECK(finish());
    KILN_TRY(float time, device_->milliseconds_between_marks());
    device[rep] = 1000.0 * double(time) / options.batch;
  }
  uint64_t made = allocations ? allocations().count - before : 0;
  std::string text = fmt::format("{} batches of {} launches on {} (sm_{}), after {}\n", options.reps, options.batch, device_->name(), device_->sm(), options.warmup);
  text += time_line("kernel time a launch, by events", device);
  text += time_line("host time a launch", host);
  text += rate_lines(options, median_of(device));
  if (allocations) text += fmt::format("allocations by the launching thread in the measured part: {}\n", made);
  text += "allocations of device memory in the measured part: 0 (it has none: all were made before)\n";
  return text;
}

Result<void> GpuRun::download() {
  StageScope scope(&state_.timer, "copy from the device");
  for (Copy &copy : copies_) KILN_CHECK(device_->copy_out(copy.host->bytes, copy.device));
  return {};
}

} // namespace kiln::tool
