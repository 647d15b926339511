// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Properties of OpenCL devices.
#pragma once

#include <kiln/device.h>

#include <string>
#include <vector>

namespace kiln {

struct OpenClFunctions;

/// Kind of memory that host and kernels address alike.
enum class OpenClMemory : uint8_t {
  None, ///< buffer objects only, or memory that the host must map: Kiln cannot use the device
  Svm,  ///< fine-grained shared virtual memory
  Usm,  ///< unified shared memory (cl_intel_unified_shared_memory)
};

/// Properties of a device, read once. Sizes are in bytes.
struct OpenClFacts {
  void *platform = nullptr, *device = nullptr; ///< cl_platform_id, cl_device_id
  GpuInfo info;                                ///< `number` is set by the driver's list
  DeviceLimits limits;
  std::string features;          ///< DeviceFacts::features
  int spirv_version = 0;         ///< newest version x 10 that the device accepts; 0: it accepts none
  uint64_t parameter_bytes = 0;  ///< maximum of all arguments of a kernel
  uint64_t allocation_bytes = 0; ///< maximum of one allocation
  OpenClMemory memory = OpenClMemory::None;
  bool has_svm = false;             ///< fine-grained shared virtual memory, also beside USM
  bool reaches_host_memory = false; ///< kernels can access all memory of the process
};

/// Reads the properties. Properties that the driver does not report stay 0 or empty.
OpenClFacts read_opencl_facts(const OpenClFunctions &functions, void *platform, void *device);

/// True if `list`, words separated by commas, contains `word`.
bool has_feature_word(std::string_view list, std::string_view word);

} // namespace kiln
