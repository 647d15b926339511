// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cuda_backend.h"

#include "cuda_stream.h"
#include "outcome.h"

#include <architectures/architectures.h>

#include <bit>

namespace kiln {

namespace {

/// Makes an artifact with the parameters and resources of the coarse entry in the kernel's module.
std::shared_ptr<const Artifact> coarse_entry_of(const Artifact &kernel) {
  auto entry = std::make_shared<Artifact>();
  entry->kind = kernel.kind;
  entry->entry = kernel.coarsening.entry;
  entry->parameters = kernel.parameters;
  entry->parameters.push_back({.argument = 0, .size = sizeof(uint32_t), .align = alignof(uint32_t)});
  entry->has_kernel_state = kernel.has_kernel_state;
  entry->needs_cooperative_launch = kernel.needs_cooperative_launch;
  entry->resources = kernel.resources;
  return entry;
}

class CudaBackend final : public DeviceBackend {
public:
  CudaBackend(std::shared_ptr<SessionRuntime> runtime, std::shared_ptr<CudaDriver> driver,
              std::shared_ptr<CudaModules> modules, std::shared_ptr<CudaDevice> device)
      : DeviceBackend(cuda_api, std::move(runtime)), driver_(std::move(driver)), modules_(std::move(modules)),
        device_(std::move(device)) {
    info_ = device_->info();
    limits_ = device_->limits();
  }
  std::string place() const override { return fmt::format("GPU {}", info().number); }
  void *native_context() const override { return device_->context(); }

  TargetSpec target() const override {
    // The GPU's architecture, or the newest known one for a GPU newer than the table.
    const GpuArch arch{architecture_up_to(info().sm).sm, ArchVariant::Plain};
    return nvidia_gpu_spec(arch.sm, default_isa_for(arch, driver_->version()));
  }
  DeviceFacts facts() const override {
    return {.name = info().name,
            .compute_capability = info().sm,
            .cuda = driver_->version(),
            .kind = DeviceKind::Cuda};
  }

  Result<void *> allocate_pinned(uint64_t bytes) override { return device_->allocate_pinned(bytes); }
  void release_pinned(void *data) override { device_->release_pinned(data); }
  MemoryCounters memory() override { return device_->memory_counters(); }
  Result<uint64_t> free_memory() override {
    KILN_TRY(auto bytes, device_->free_and_total());
    return bytes.first;
  }
  Result<void> trim(uint64_t keep) override { return device_->trim(keep); }
  Result<void> set_kept_memory(uint64_t bytes) override { return device_->set_kept_memory(bytes); }
  Result<void> check_pointer(uint64_t address) override { return device_->check_pointer(address); }
  bool reaches(const dlpack::Device &memory) const override {
    enum : int32_t { Cuda = 2, CudaHost = 3, CudaManaged = 13 };
    return memory.type == CudaHost || memory.type == CudaManaged ||
           (memory.type == Cuda && memory.id == info().number);
  }

  Result<void> encode(const TensorMapOptions &options, const TensorMapShape &shape,
                      uint64_t *words) override {
    const CudaDriver &cu = device_->driver();
    if (info().sm < 90 || !cu.TensorMapEncodeTiled)
      return machine_error(fmt::format("{}, sm_{}, with a driver for CUDA {} has no tensor maps: they need "
                                       "sm_90 and CUDA 12",
                                       info().name, info().sm, cu.version_text()));
    KILN_CHECK(device_->enter());
    constexpr uint32_t steps[5] = {1, 1, 1, 1, 1}; // contiguous elements of the box
    enum { NoInterleave = 0, Promote128 = 2 };     // fetch L2 sectors of 128 bytes
    const int swizzle = options.swizzle_bytes ? std::countr_zero(options.swizzle_bytes) - 4 : 0;
    return device_->check(cu.TensorMapEncodeTiled(words, shape.cuda_type, unsigned(options.lengths.size()),
                                                  shape.address, options.lengths.data(), shape.strides.data(),
                                                  options.box.data(), steps, NoInterleave, swizzle,
                                                  Promote128, options.nan_outside),
                          "making a tensor map");
  }

  Result<LoadedKernel> prepare(CodeSource &source) override {
    const std::string name = source.name(), range_name = runtime().nvtx ? "kiln compile " + name : "";
    const NvtxRange range(runtime().nvtx, range_name.c_str());
    KILN_TRY(std::shared_ptr<const Artifact> code, source.gpu_code(device_));
    return source.loaded(code, *this, [&] { return load_code(code, name); });
  }
  Result<LoadedKernel> load(std::shared_ptr<const Artifact> artifact) override {
    if (!artifact || (artifact->kind != ArtifactKind::Cubin && artifact->kind != ArtifactKind::Assembly))
      return usage_error("load_kernel takes an artifact that is a cubin or PTX");
    return load_code(artifact, {});
  }
  Result<void> run(const LoadedKernel &kernel, const LaunchShape &shape,
                   std::span<const void *const> arguments, const LaunchOptions &options) override {
    StageScope scope(&runtime().timer, Stage::Launch);
    const NvtxRange range(runtime().nvtx, kernel.artifact->entry.c_str());
    KILN_TRY(auto stream, take_stream());
    Result<void> launched = launch_in(*stream, runtime(), kernel, shape, arguments, options);
    // Synchronize after a failed launch too: it reports the errors of earlier launches.
    Result<std::optional<CudaException>> done = stream->synchronize();
    {
      std::lock_guard lock(mutex_);
      idle_streams_.push_back(std::move(stream));
    }
    KILN_CHECK(std::move(launched));
    KILN_TRY(std::optional<CudaException> exception, std::move(done));
    if (exception) return exception_error(*exception, runtime().sources);
    return {};
  }

  Result<std::shared_ptr<StreamBackend>> make_stream() override {
    KILN_TRY(auto stream, CudaStream::make(device_));
    return cuda_stream_backend(shared_runtime(), std::move(stream));
  }
  Result<std::shared_ptr<StreamBackend>> adopt_stream(void *native) override {
    KILN_TRY(auto stream, CudaStream::adopt(device_, native));
    return cuda_stream_backend(shared_runtime(), std::move(stream));
  }
  Result<void> synchronize() override { return device_->synchronize(); }
  void finish() override {} // nothing to wait for: streams own all that their launches use

private:
  Result<LoadedKernel> load_code(const std::shared_ptr<const Artifact> &artifact, const std::string &name) {
    StageScope scope(&runtime().timer, Stage::Load);
    KILN_TRY(auto module, modules_->get(*device_, driver_, artifact));
    KILN_TRY(auto kernel, CudaKernel::make(device_, module, artifact, name));
    std::string of_function = kernel->name();
    auto backend = std::make_shared<CudaKernelBackend>(std::move(kernel));
    if (!artifact->coarsening.entry.empty()) {
      KILN_TRY(auto entry, CudaKernel::make(device_, module, coarse_entry_of(*artifact), of_function));
      backend->set_coarse(std::move(entry));
    }
    return LoadedKernel{
        .artifact = artifact, .backend = std::move(backend), .memory = {}, .name = std::move(of_function)};
  }

  /// Takes a stream for a synchronous launch. The stream has no other user until it is given back.
  Result<std::shared_ptr<CudaStream>> take_stream() {
    {
      std::lock_guard lock(mutex_);
      if (!idle_streams_.empty()) {
        auto stream = std::move(idle_streams_.back());
        idle_streams_.pop_back();
        return stream;
      }
    }
    return CudaStream::make(device_);
  }

  const std::shared_ptr<CudaDriver> driver_;
  const std::shared_ptr<CudaModules> modules_;
  const std::shared_ptr<CudaDevice> device_;
  std::mutex mutex_;
  std::vector<std::shared_ptr<CudaStream>> idle_streams_; ///< for launches that wait
};

} // namespace

Result<std::shared_ptr<CudaDriver>> CudaGpus::driver() {
  if (!driver_) {
    StageScope scope(&runtime_->timer, "open the device"); // the driver probes all devices
    KILN_TRY(driver_, CudaDriver::open());
  }
  return driver_;
}

std::shared_ptr<DeviceBackend> CudaGpus::add(std::shared_ptr<CudaDevice> device) {
  device->set_allocator(runtime_->device_allocator);
  auto backend = make_of_process<CudaBackend>(runtime_, driver_, modules_, device);
  opened_.push_back({std::move(device), backend});
  return backend;
}

Result<std::vector<GpuInfo>> CudaGpus::list() {
  std::lock_guard lock(mutex_);
  KILN_TRY(auto driver, this->driver());
  std::vector<GpuInfo> all;
  for (int n = 0; n < driver->device_count(); n++) {
    KILN_TRY(GpuInfo info, CudaDevice::describe(*driver, n));
    all.push_back(std::move(info));
  }
  return all;
}

Result<std::shared_ptr<DeviceBackend>> CudaGpus::open(int number) {
  std::lock_guard lock(mutex_);
  KILN_TRY(auto driver, this->driver());
  for (const Opened &each : opened_)
    if (each.device->info().number == number && each.device->is_primary()) return each.backend;
  StageScope scope(&runtime_->timer, "open the device");
  KILN_TRY(auto device, CudaDevice::open(driver, number));
  return add(std::move(device));
}

Result<std::shared_ptr<DeviceBackend>> CudaGpus::open_context(void *context) {
  std::lock_guard lock(mutex_);
  KILN_TRY(auto driver, this->driver());
  for (const Opened &each : opened_)
    if (each.device->context() == context) return each.backend;
  KILN_TRY(auto device, CudaDevice::open_context(driver, context));
  return add(std::move(device));
}

void CudaGpus::finish() {
  std::lock_guard lock(mutex_);
  for (const Opened &each : opened_) each.backend->finish();
}

} // namespace kiln
