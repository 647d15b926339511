// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cuda_driver.h"

#include <architectures/architectures.h>
#include <kiln/extension/language/internal/hint.h>

#include <fmt/format.h>

#include <atomic>

namespace kiln {

namespace {

std::string cpu_hint() { return device_hint("cpu") + " runs the same kernel on the CPU"; }
constexpr int oldest = 12000;

} // namespace

std::string CudaDriver::library_name() {
  const std::string named = environment_text("KILN_CUDA_DRIVER");
  return named.empty() ? "libcuda.so.1" : named;
}

std::string CudaDriver::version_text() const {
  return fmt::format("CUDA {}.{}", version_ / 1000, version_ % 1000 / 10);
}

static std::string identity_of(const CudaDriver &driver) {
  // Format: "NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  580.65.06  Release Build ..."
  std::string release;
  if (auto text = read_file("/proc/driver/nvidia/version"); text.ok())
    for (size_t at = 0; at < text->size() && (*text)[at] != '\n' && release.empty();) {
      size_t end = std::min(text->find_first_of(" \n", at), text->size());
      std::string_view word = std::string_view(*text).substr(at, end - at);
      if (word.find('.') != word.npos && word.find_first_not_of("0123456789.") == word.npos)
        release = " " + std::string(word);
      at = end + ((*text)[std::min(end, text->size() - 1)] == ' ');
    }
  return fmt::format("driver{}, {}", release, driver.version_text());
}

/// Process that initialised the driver; 0: none yet.
static std::atomic<uint64_t> process_of_driver{0};

Result<std::shared_ptr<CudaDriver>> CudaDriver::open() {
  if (uint64_t started = process_of_driver.load(); started && started != process_token())
    return machine_error(
        "this process was forked from one that had started the CUDA driver, which works in no child of it",
        "fork before the first GPU is asked for, or call exec in the child; the CPU can be used here");
  std::string name = library_name();
  auto library = DynamicLibrary::open({name});
  if (!library.ok()) {
    bool named = name.find('/') != std::string::npos;
    return machine_error(
        named
            ? fmt::format("there is no CUDA driver: {}, which KILN_CUDA_DRIVER names, cannot be opened", name)
            : fmt::format("there is no CUDA driver: {} is not where the dynamic linker looks", name),
        cpu_hint());
  }
  std::shared_ptr<CudaDriver> driver(new CudaDriver(std::move(*library)));
  const char *missing = nullptr;
#define KILN_CUDA_FUNCTION(name, exported, ...)                                                              \
  driver->name = reinterpret_cast<int (*)(__VA_ARGS__)>(driver->library_.symbol(exported));                  \
  if (!driver->name && !missing) missing = exported;
#define KILN_CUDA_OPTIONAL(name, exported, ...)                                                              \
  driver->name = reinterpret_cast<int (*)(__VA_ARGS__)>(driver->library_.symbol(exported));
#include "cuda_functions.def"
#undef KILN_CUDA_FUNCTION
  if (driver->DriverGetVersion) driver->DriverGetVersion(&driver->version_);
  if (missing || driver->version_ < oldest)
    return machine_error(fmt::format("the CUDA driver ({}, for {}){}: Kiln needs one for CUDA 12.0 or newer",
                                     driver->library_.path(), driver->version_text(),
                                     missing ? fmt::format(" has no {}", missing) : " is too old"),
                         "update the driver, or use " + device_hint("cpu"));
  process_of_driver = process_token();
  if (int status = driver->Init(0)) return driver->error(status, "starting the CUDA driver");
  driver->identity_ = identity_of(*driver);
  driver->DeviceGetCount(&driver->devices_);
  if (driver->devices_ == 0)
    return machine_error("the CUDA driver sees no GPU", "CUDA_VISIBLE_DEVICES may hide them");
  return driver;
}

bool CudaDriver::is_sticky(int status) {
  switch (status) {
  case 214:
  case 220: // ECC_UNCORRECTABLE, NVLINK_UNCORRECTABLE
  case 700:
  case 702:
  case 710:
  case 714:
  case 715:
  case 716:
  case 717:
  case 718:
  case 719: // ILLEGAL_ADDRESS ... LAUNCH_FAILED
    return true;
  default: return false;
  }
}

Error CudaDriver::error(int status, const std::string &what) const {
  const char *name = nullptr, *text = nullptr;
  GetErrorName(status, &name);
  GetErrorString(status, &text);
  std::string message =
      fmt::format("{}: {} ({}, {})", what, text ? text : "an unknown error", name ? name : "no name", status);
  if (is_sticky(status))
    return make_error(
        ErrorCode::DeviceError, message, {},
        fmt::format(
            "the CUDA context is lost with it, for the whole process: what the CPU has stays right, but the GPU "
            "needs a new process; {} finds a wrong access, and compute-sanitizer does on the GPU",
            by_door("kiln run --device cpu --check", "a launch on the CPU device with \"check\": true",
                    "a launch on the CPU with check=True")));
  switch (status) {
  case 2: // OUT_OF_MEMORY
    return make_error(ErrorCode::OutOfMemory, message, {}, "free device memory, or use smaller arrays");
  case 34:
    return machine_error(
        message,
        "a stub for linking was found in place of the driver: LD_LIBRARY_PATH or KILN_CUDA_DRIVER leads to it"); // STUB_LIBRARY
  case 46:
    return machine_error(message, "another process has the GPU for itself (compute mode); " +
                                      cpu_hint()); // DEVICE_UNAVAILABLE
  case 100:
  case 802:
  case 999: return machine_error(message, cpu_hint()); // NO_DEVICE, SYSTEM_NOT_READY, UNKNOWN
  case 200:
    return machine_error(message,
                         "these bytes are neither a cubin nor PTX that this driver reads"); // INVALID_IMAGE
  case 209:
    return machine_error(message,
                         "the cubin is for another architecture than this GPU: " + option_hint("arch") +
                             " names it, Device::target() has it"); // NO_BINARY_FOR_GPU
  case 218: return machine_error(message, "the driver's assembler does not take this PTX"); // INVALID_PTX
  case 221:
    return machine_error(
        message,
        "the driver has no assembler (libnvidia-ptxjitcompiler.so.1): install the CUDA toolkit's, or the whole driver"); // JIT_COMPILER_NOT_FOUND
  case 222:
    return machine_error(message,
                         fmt::format("the driver, for {}, reads {}: {} lowers it, or install a newer driver",
                                     version_text(), isa_limit(driver_reader(version_)),
                                     option_hint("ptx-isa"))); // UNSUPPORTED_PTX_VERSION
  case 701:
    return make_error(
        ErrorCode::LaunchError, message, {},
        "the block needs more registers than a multiprocessor has: launch fewer threads a block, or compile with " +
            option_hint("maxregs")); // LAUNCH_OUT_OF_RESOURCES
  case 803:
  case 804:
    return machine_error(
        message,
        "the driver's library and its kernel module are of different versions: reboot, or reinstall the driver"); // SYSTEM_DRIVER_MISMATCH
  case 900:
  case 901:
  case 902:
  case 903:
  case 904:
  case 905:
  case 906:
  case 907:
  case 908: { // STREAM_CAPTURE_...
    Error capture = usage_error(message);
    capture.diagnostics()[0].hint =
        "a stream that is captured takes launches, copies and events; all streams that it forked to have to be joined before its end, on the thread that began it";
    return capture;
  }
  case 912:
    return usage_error(message +
                       ": the cluster is too large, or does not divide the grid"); // INVALID_CLUSTER_SIZE
  default: return machine_error(message);
  }
}

} // namespace kiln
