// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "opencl_program.h"

#include "spirv_module.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace kiln {

namespace {

constexpr uint64_t min_local_bytes = 16;
constexpr uint64_t header_bytes = 16; ///< of argument 0
/// Bytes of SPIR-V from which the driver compiles without optimisation. Intel's CPU driver 2026.22 takes more
/// than 300 s to optimise a kernel of 630 kB, and 5 s to compile it without.
constexpr size_t large_module_bytes = 256 << 10;
/// Maximum of log bytes in an error.
constexpr size_t max_log_bytes = 4000;

} // namespace

Result<std::shared_ptr<OpenClProgram>> OpenClProgram::build(std::shared_ptr<OpenClDevice> device,
                                                            const Artifact &artifact) {
  if (artifact.bytes.empty()) return usage_error("the artifact to be loaded is empty");
  const OpenClFacts &facts = device->facts();
  const std::string action = fmt::format("loading {} on {}", artifact.entry, facts.info.name);
  auto with_action = [&](Error error) {
    error.diagnostics()[0].message = action + ": " + error.diagnostics()[0].message;
    return error;
  };
  auto read = read_spirv(artifact.bytes);
  if (!read.ok()) return with_action(read.take_error());
  if (read->version > facts.spirv_version)
    return with_action(machine_error(
        fmt::format("the code is SPIR-V {}.{}, and the device accepts up to {}.{}", read->version / 10,
                    read->version % 10, facts.spirv_version / 10, facts.spirv_version % 10),
        "compile for the device's target (Device::target)"));
  if (const std::string missing = missing_features(*read, facts.features); !missing.empty())
    return with_action(
        machine_error(fmt::format("the code uses {}, which the device lacks", missing),
                      "compile for the device's target (Device::target), or take another device"));
  std::shared_ptr<OpenClProgram> program(new OpenClProgram());
  OpenClProgram &p = *program;
  const OpenClDriver &driver = device->driver();
  p.device_ = std::move(device);
  int status = 0;
  p.handle_ =
      driver.CreateProgramWithIL(p.device_->context(), artifact.bytes.data(), artifact.bytes.size(), &status);
  KILN_CHECK(driver.check(status, action, "clCreateProgramWithIL"));
  const char *options = artifact.bytes.size() < large_module_bytes ? "" : "-cl-opt-disable";
  status = driver.BuildProgram(p.handle_, 1, &facts.device, options, nullptr, nullptr);
  if (status == cl::Success) return program;
  Error error = driver.error(status, action, "clBuildProgram");
  if (const std::string log = p.build_log(); !log.empty())
    error.diagnostics()[0].notes.push_back({"the driver's compiler: " + log, {}});
  return error;
}

std::string OpenClProgram::build_log() const {
  const OpenClDriver &driver = device_->driver();
  void *const on = device_->facts().device;
  size_t bytes = 0;
  if (driver.GetProgramBuildInfo(handle_, on, cl::BuildLog, 0, nullptr, &bytes) != cl::Success || !bytes)
    return {};
  std::string log(bytes, '\0');
  if (driver.GetProgramBuildInfo(handle_, on, cl::BuildLog, bytes, log.data(), nullptr) != cl::Success)
    return {};
  log.resize(std::min({log.find('\0'), log.size(), max_log_bytes}));
  while (!log.empty() && (log.back() == '\n' || log.back() == ' ')) log.pop_back();
  return log;
}

OpenClProgram::~OpenClProgram() {
  if (handle_) device_->driver().ReleaseProgram(handle_);
}

Result<std::shared_ptr<OpenClProgram>> OpenClPrograms::get(const std::shared_ptr<OpenClDevice> &device,
                                                           const std::shared_ptr<const Artifact> &artifact) {
  std::lock_guard lock(mutex_); // held during the build, so that concurrent callers build a program only once
  if (auto at = built_.find(artifact.get()); at != built_.end())
    if (auto program = at->second.program.lock(); program && at->second.artifact.lock() == artifact)
      return program;
  KILN_TRY(auto program, OpenClProgram::build(device, *artifact));
  if (built_.size() >= prune_at_) {
    std::erase_if(built_, [](const auto &each) { return each.second.program.expired(); });
    prune_at_ = std::max<size_t>(64, 2 * built_.size());
  }
  built_[artifact.get()] = {artifact, program};
  return program;
}

Result<std::shared_ptr<OpenClKernel>> OpenClKernel::make(std::shared_ptr<OpenClDevice> device,
                                                         std::shared_ptr<OpenClProgram> program,
                                                         std::shared_ptr<const Artifact> artifact,
                                                         std::string name) {
  std::shared_ptr<OpenClKernel> kernel(new OpenClKernel());
  OpenClKernel &k = *kernel;
  k.device_ = std::move(device);
  k.program_ = std::move(program);
  k.artifact_ = std::move(artifact);
  k.name_ = std::move(name);
  const OpenClDriver &driver = k.device_->driver();
  int status = 0;
  k.handle_ = driver.CreateKernel(k.program_->handle(), k.artifact_->entry.c_str(), &status);
  if (status == cl::InvalidKernelName)
    return usage_error(fmt::format("the SPIR-V module has no kernel {}", k.artifact_->entry));
  KILN_CHECK(driver.check(status, fmt::format("loading {}", k.name_), "clCreateKernel"));
  uint32_t arguments = 0;
  KILN_CHECK(driver.check(
      driver.GetKernelInfo(k.handle_, cl::KernelArguments, sizeof arguments, &arguments, nullptr),
      fmt::format("loading {}", k.name_), "clGetKernelInfo"));
  if (arguments != 2)
    return usage_error(
        fmt::format("{} takes {} OpenCL arguments, and an entry of Kiln's takes 2: the parameters "
                    "in one struct, and local memory",
                    k.artifact_->entry, arguments));
  auto limit = [&]<class T>(uint32_t what, T value) -> Result<T> {
    KILN_CHECK(driver.check(driver.GetKernelWorkGroupInfo(k.handle_, k.device_->facts().device, what,
                                                          sizeof value, &value, nullptr),
                            fmt::format("reading the limits of {}", k.name_), "clGetKernelWorkGroupInfo"));
    return value;
  };
  KILN_TRY(k.max_threads_, limit(cl::KernelBlockThreads, size_t()));
  KILN_TRY(k.static_shared_bytes_, limit(cl::KernelLocalBytes, uint64_t()));
  KILN_TRY(k.thread_multiple_, limit(cl::KernelThreadMultiple, size_t()));
  KILN_TRY(const uint32_t sub_group, sub_group_size_of(k.artifact_->bytes, k.artifact_->entry));
  k.is_linear_ = sub_group != 0;
  KILN_CHECK(k.lay_out());
  return kernel;
}

OpenClKernel::~OpenClKernel() {
  if (handle_) device_->driver().ReleaseKernel(handle_);
}

Result<void> OpenClKernel::lay_out() {
  uint64_t end = header_bytes;
  const uint64_t reserved = sizeof(uint64_t); // argument 1
  const uint64_t most = device_->facts().parameter_bytes;
  auto check_size = [&](uint64_t bytes) -> Result<void> {
    if (bytes < most && bytes + reserved <= most) return {};
    return usage_error(
        fmt::format("the parameters of {} have {} bytes, and a kernel on {} takes at most {}: pass "
                    "them in an array",
                    name_, bytes, device_->facts().info.name, most - std::min(most, reserved)));
  };
  for (const Artifact::Parameter &parameter : artifact_->parameters) {
    const uint64_t align = std::max<uint32_t>(parameter.align, 1);
    const uint64_t begin = (end + align - 1) / align * align;
    KILN_CHECK(check_size(parameter.size)); // also bounds the sum below
    end = begin + parameter.size;
    KILN_CHECK(check_size(end));
    places_.push_back({uint32_t(begin), uint32_t(parameter.size)});
  }
  block_.resize((end + 7) / 8 * 8);
  return check_size(block_.size());
}

Error OpenClKernel::failed(int status, std::string_view call) const {
  return device_->driver().error(status, fmt::format("launching {} on {}", name_, device_->facts().info.name),
                                 call);
}

Result<void> OpenClKernel::launch(void *queue, const LaunchShape &shape,
                                  const abi::ExceptionRecord *exceptions,
                                  std::span<const void *const> arguments, void **event) {
  const OpenClDriver &driver = device_->driver();
  size_t threads[3], all[3], extents[3];
  for (size_t i = 0; i < 3; i++) extents[i] = threads[i] = shape.threads[i];
  if (is_linear_) {
    threads[0] = extents[0] * extents[1] * extents[2];
    threads[1] = threads[2] = 1;
  }
  for (size_t i = 0; i < 3; i++) all[i] = size_t(shape.blocks[i]) * threads[i];
  const uint64_t local = std::max(shape.shared_bytes, min_local_bytes);
  std::lock_guard lock(mutex_);
  KILN_CHECK(device_->grant_memory(handle_, memory_stamp_));
  const uint64_t header[] = {artifact_->has_kernel_state ? uint64_t(reinterpret_cast<uintptr_t>(exceptions))
                                                         : 0,
                             shape.shared_bytes};
  static_assert(sizeof header == header_bytes);
  std::memcpy(block_.data(), header, sizeof header);
  for (size_t i = 0; i < places_.size(); i++)
    std::memcpy(block_.data() + places_[i].offset, arguments[i], places_[i].bytes);
  if (const int status = driver.SetKernelArg(handle_, 0, block_.size(), block_.data())) [[unlikely]]
    return failed(status, "clSetKernelArg");
  if (local != local_bytes_) [[unlikely]] {
    if (const int status = driver.SetKernelArg(handle_, 1, local, nullptr))
      return failed(status, "clSetKernelArg");
    local_bytes_ = local;
  }
  constexpr uint32_t dimensions = 3;
  const size_t *const offset = is_linear_ ? extents : nullptr;
  if (const int status = driver.EnqueueNDRangeKernel(queue, handle_, dimensions, offset, all, threads, 0,
                                                     nullptr, event)) [[unlikely]]
    return failed(status, "clEnqueueNDRangeKernel");
  // Without a flush, a driver may hold the launch back until the host waits for it.
  if (const int status = driver.Flush(queue)) [[unlikely]]
    return failed(status, "clFlush");
  return {};
}

} // namespace kiln
