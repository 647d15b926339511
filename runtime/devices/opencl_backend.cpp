// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "opencl_backend.h"

#include "opencl_queue.h"

namespace kiln {

namespace {

class OpenClBackend final : public DeviceBackend {
public:
  OpenClBackend(std::shared_ptr<SessionRuntime> runtime, std::shared_ptr<OpenClDevice> device)
      : DeviceBackend(opencl_api, std::move(runtime)), device_(std::move(device)) {
    info_ = device_->facts().info;
    limits_ = device_->facts().limits;
  }
  std::string place() const override { return fmt::format("OpenCL device {}", info().number); }
  void *native_context() const override { return device_->context(); }

  TargetSpec target() const override {
    SpirvOptions options;
    options.features = device_->facts().features;
    return options;
  }
  DeviceFacts facts() const override {
    return {.name = info().name, .kind = DeviceKind::OpenCl, .features = device_->facts().features};
  }

  Result<void *> allocate_pinned(uint64_t bytes) override { return device_->allocate_pinned(bytes); }
  void release_pinned(void *data) override { device_->release_pinned(data); }
  MemoryCounters memory() override { return device_->counters(); }
  Result<uint64_t> free_memory() override { return device_->free_bytes(); }
  Result<void> trim(uint64_t keep) override {
    device_->trim(keep);
    return {};
  }
  Result<void> set_kept_memory(uint64_t bytes) override {
    device_->set_kept_memory(bytes);
    return {};
  }
  Result<void> check_pointer(uint64_t address) override { return device_->check_pointer(address); }
  bool reaches(const dlpack::Device &memory) const override {
    // DLPack's OpenCL arrays are cl_mem objects, not addresses.
    enum : int32_t { Cpu = 1, CudaHost = 3 };
    return device_->facts().reaches_host_memory && (memory.type == Cpu || memory.type == CudaHost);
  }

  Result<void> encode(const TensorMapOptions &, const TensorMapShape &, uint64_t *) override {
    return machine_error(
        fmt::format("{} has no tensor maps: they are for NVIDIA GPUs from sm_90 on", info().name));
  }

  Result<LoadedKernel> prepare(CodeSource &source) override {
    KILN_TRY(std::shared_ptr<const Artifact> code, source.object_code(facts()));
    return source.loaded(code, *this, [&] { return load_code(code, source.name()); });
  }
  Result<LoadedKernel> load(std::shared_ptr<const Artifact> artifact) override {
    if (!artifact || artifact->kind != ArtifactKind::Object)
      return usage_error("load_kernel on an OpenCL device takes an artifact that is a SPIR-V module");
    return load_code(artifact, function_of_entry(artifact->entry));
  }
  Result<void> run(const LoadedKernel &kernel, const LaunchShape &shape,
                   std::span<const void *const> arguments, const LaunchOptions &) override {
    StageScope scope(&runtime().timer, Stage::Launch);
    KILN_TRY(auto stream, take_stream());
    Result<void> launched = launch_in(*stream, runtime(), kernel, shape, arguments);
    // Wait after a failed launch too: it reports the errors of earlier launches.
    Result<void> done = wait_for(*stream, runtime());
    {
      std::lock_guard lock(mutex_);
      idle_streams_.push_back(std::move(stream));
    }
    KILN_CHECK(std::move(launched));
    return done;
  }

  Result<std::shared_ptr<StreamBackend>> make_stream() override {
    KILN_TRY(auto stream, OpenClStream::make(device_));
    return add(std::move(stream));
  }
  Result<std::shared_ptr<StreamBackend>> adopt_stream(void *native) override {
    KILN_TRY(auto stream, OpenClStream::adopt(device_, native));
    return add(std::move(stream));
  }
  /// Waits for all streams: OpenCL cannot wait for a context.
  Result<void> synchronize() override {
    for (const auto &stream : streams())
      KILN_CHECK(device_->driver().check(device_->driver().Finish(stream->handle()), "waiting for the device",
                                         "clFinish"));
    return {};
  }
  void finish() override {} // nothing to wait for: queues own all that their launches use

private:
  Result<LoadedKernel> load_code(const std::shared_ptr<const Artifact> &artifact, const std::string &name) {
    StageScope scope(&runtime().timer, Stage::Load);
    KILN_TRY(auto program, programs_.get(device_, artifact));
    KILN_TRY(auto kernel, OpenClKernel::make(device_, std::move(program), artifact, name));
    return LoadedKernel{.artifact = artifact,
                        .backend = std::make_shared<OpenClKernelBackend>(std::move(kernel)),
                        .memory = {},
                        .name = name};
  }

  std::shared_ptr<StreamBackend> add(std::shared_ptr<OpenClStream> stream) {
    std::lock_guard lock(mutex_);
    std::erase_if(streams_, [](const auto &each) { return each.expired(); });
    streams_.push_back(stream);
    return opencl_stream_backend(shared_runtime(), std::move(stream));
  }
  std::vector<std::shared_ptr<OpenClStream>> streams() {
    std::lock_guard lock(mutex_);
    std::vector<std::shared_ptr<OpenClStream>> all;
    for (const auto &each : streams_)
      if (auto stream = each.lock()) all.push_back(std::move(stream));
    return all;
  }
  /// Takes a stream for a synchronous launch. The stream has no other user until it is given back.
  Result<std::shared_ptr<OpenClStream>> take_stream() {
    {
      std::lock_guard lock(mutex_);
      if (!idle_streams_.empty()) {
        auto stream = std::move(idle_streams_.back());
        idle_streams_.pop_back();
        return stream;
      }
    }
    return OpenClStream::make(device_);
  }

  const std::shared_ptr<OpenClDevice> device_;
  OpenClPrograms programs_;
  std::mutex mutex_;                                        ///< protects the members below
  std::vector<std::shared_ptr<OpenClStream>> idle_streams_; ///< for launches that wait
  std::vector<std::weak_ptr<OpenClStream>> streams_;        ///< of handles; expired ones may remain
};

} // namespace

Result<std::shared_ptr<OpenClDriver>> OpenClDevices::driver() {
  if (!driver_) {
    StageScope scope(&runtime_->timer, "open the device");
    KILN_TRY(driver_, OpenClDriver::open());
  }
  return driver_;
}

Result<std::vector<GpuInfo>> OpenClDevices::list() {
  std::lock_guard lock(mutex_);
  KILN_TRY(auto driver, this->driver());
  std::vector<GpuInfo> all;
  for (const OpenClFacts &facts : driver->devices()) all.push_back(facts.info);
  return all;
}

Result<std::shared_ptr<DeviceBackend>> OpenClDevices::open(int number) {
  std::lock_guard lock(mutex_);
  KILN_TRY(auto driver, this->driver());
  for (const auto &each : opened_)
    if (each->info().number == number) return each;
  StageScope scope(&runtime_->timer, "open the device");
  KILN_TRY(auto device, OpenClDevice::open(driver, number));
  opened_.push_back(make_of_process<OpenClBackend>(runtime_, std::move(device)));
  return opened_.back();
}

} // namespace kiln
