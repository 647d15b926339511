// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Opens the OpenCL loader at run time, so that one binary also runs on machines without OpenCL.
#pragma once

#include "opencl_facts.h"

#include <support/support.h>

#include <memory>

namespace kiln {

/// Constants of cl.h and cl_ext_intel.h that Kiln uses.
namespace cl {
enum Status : int {
  Success = 0,
  OutOfDeviceMemory = -4,
  OutOfResources = -5,
  OutOfHostMemory = -6,
  NoProfilingInfo = -7,
  InvalidKernelName = -46,
  NoPlatform = -1001
};
enum Question : uint32_t {
  BuildLog = 0x1183,
  KernelArguments = 0x1191,
  KernelBlockThreads = 0x11B0,
  KernelLocalBytes = 0x11B2,
  KernelThreadMultiple = 0x11B3,
  KernelPointers = 0x11B6,
  KernelHostMemory = 0x11B7,
  KernelHostUsm = 0x4200,
  KernelDeviceUsm = 0x4201,
  KernelSharedUsm = 0x4202,
  QueueContext = 0x1090,
  QueueDevice = 0x1091,
  QueueProperties = 0x1093,
  EventStatus = 0x11D3,
  EventStart = 0x1282,
  EventEnd = 0x1283,
  AllocationType = 0x419A
};
enum QueueProperty : uint64_t { OutOfOrder = 1, Profiling = 2 };
} // namespace cl

/// Functions of the loaded library.
struct OpenClFunctions {
#define KILN_OPENCL_FUNCTION(result, name, ...) result (*name)(__VA_ARGS__) = nullptr;
#include "opencl_functions.def"
};
/// Functions of one platform for unified shared memory. Null: the platform lacks the function.
struct OpenClUsmFunctions {
#define KILN_OPENCL_EXTENSION(result, name, ...) result (*name)(__VA_ARGS__) = nullptr;
#include "opencl_functions.def"
};

/// The loaded library and the devices that it reports. Immutable and thread-safe.
class OpenClDriver : public OpenClFunctions {
public:
  /// Opens the library named by KILN_OPENCL_DRIVER, else libOpenCL.so.1, and lists the devices. The library
  /// stays loaded until the process ends. Error: Machine (no library, no platform, no device that accepts
  /// SPIR-V).
  KILN_PROGRAMS_API static Result<std::shared_ptr<OpenClDriver>> open();
  static std::string library_name(); ///< file that open() loads

  /// Devices of all platforms that accept SPIR-V, in the order of the loader.
  const std::vector<OpenClFacts> &devices() const { return devices_; }
  /// Finds a device by its number. Error: Machine.
  Result<const OpenClFacts *> device(int number) const;
  OpenClUsmFunctions usm_functions(void *platform) const;

  /// Makes the error for a status: the failed action, the call, the status' name, and what to do.
  Error error(int status, std::string_view action, std::string_view call) const;
  Result<void> check(int status, std::string_view action, std::string_view call) const {
    if (status == cl::Success) [[likely]]
      return {};
    return error(status, action, call);
  }

private:
  explicit OpenClDriver(DynamicLibrary library) : library_(std::move(library)) {}
  Result<void> list_devices();
  DynamicLibrary library_;
  std::vector<OpenClFacts> devices_;
};

/// Returns the name of a status, such as "CL_OUT_OF_RESOURCES"; "CL_(-9999)" for an unknown one.
std::string opencl_status_name(int status);

} // namespace kiln
