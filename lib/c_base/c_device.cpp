// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Implements kiln/c_device.h: further functions of devices, kernels, streams and bundles.
#include "call.h"

#include <kiln/c_device.h>
#include <kiln/opencl.h>

using namespace kiln;
using namespace kiln::c;

namespace {

Result<BundleKernel> kernel_at(const Bundle &bundle, size_t kernel) {
  if (kernel < bundle.size()) return bundle.kernel(kernel);
  return usage_error(fmt::format("the bundle has {} kernel{}, and the one with the index {} is asked for",
                                 bundle.size(), bundle.size() == 1 ? "" : "s", kernel));
}

Error no_part(const char *what, size_t index, size_t count) {
  return usage_error(fmt::format("there is no {} with the index {}: the kernel has {}", what, index, count));
}

/// Returns text of a bundle as a C string. Strings in a bundle's file end with a NUL.
const char *c_str(std::string_view text) { return text.empty() ? "" : text.data(); }

} // namespace

extern "C" {

int kiln_device_kind(const kiln_device *device) {
  Pinned<DeviceObject> object(device);
  return object ? int(object->value.kind()) : KILN_DEVICE_CPU;
}

void kiln_avoid_opencl_driver_faults(void) { kiln::avoid_opencl_driver_faults(); }

const char *kiln_device_driver(const kiln_device *device) {
  Pinned<DeviceObject> object(device);
  return object ? object->value.info().driver.c_str() : "";
}

int kiln_device_number(const kiln_device *device) {
  Pinned<DeviceObject> object(device);
  return object ? object->value.info().number : -1;
}

unsigned kiln_device_multiprocessors(const kiln_device *device) {
  Pinned<DeviceObject> object(device);
  return object ? object->value.info().multiprocessors : 0;
}

int kiln_device_read_limits(const kiln_device *device, kiln_device_limits *out, kiln_error **error) {
  return call(error, [&]() -> Result<void> {
    KILN_NOT_NULL("kiln_device_read_limits", out);
    KILN_PIN(DeviceObject, object, device);
    const DeviceLimits &l = object->value.limits();
    return write_struct(out,
                        {.struct_size = 0,
                         .threads_of_block = l.threads_of_block,
                         .block = {l.block[0], l.block[1], l.block[2]},
                         .grid = {l.grid[0], l.grid[1], l.grid[2]},
                         .shared_bytes = l.shared_bytes,
                         .shared_bytes_of_multiprocessor = l.shared_bytes_of_multiprocessor,
                         .registers_of_block = l.registers_of_block,
                         .warp = l.warp,
                         .threads_of_multiprocessor = l.threads_of_multiprocessor,
                         .l2_bytes = l.l2_bytes,
                         .cooperative = l.cooperative,
                         .clusters = l.clusters},
                        "kiln_device_limits");
  });
}

int kiln_device_memory(const kiln_device *device, kiln_memory_counters *out, kiln_error **error) {
  return call(error, [&]() -> Result<void> {
    KILN_NOT_NULL("kiln_device_memory", out);
    KILN_PIN(DeviceObject, object, device);
    const MemoryCounters c = object->value.memory();
    return write_struct(out,
                        {.struct_size = 0,
                         .current_bytes = c.current_bytes,
                         .peak_bytes = c.peak_bytes,
                         .allocations = c.allocations,
                         .reserved_bytes = c.reserved_bytes},
                        "kiln_memory_counters");
  });
}

int kiln_device_set_kept_memory(const kiln_device *device, uint64_t bytes, kiln_error **error) {
  return call(error, [&]() -> Result<void> {
    KILN_PIN(DeviceObject, object, device);
    return object->value.set_kept_memory(bytes);
  });
}

int kiln_kernel_device(const kiln_kernel *kernel, kiln_device **out, kiln_error **error) {
  return call(error, [&]() -> Result<void> {
    KILN_OUT("kiln_kernel_device", out);
    KILN_PIN(KernelObject, object, kernel);
    return give<DeviceObject>(out, object->value.device());
  });
}

int kiln_stream_device(const kiln_stream *stream, kiln_device **out, kiln_error **error) {
  return call(error, [&]() -> Result<void> {
    KILN_OUT("kiln_stream_device", out);
    KILN_PIN(StreamObject, object, stream);
    return give<DeviceObject>(out, object->value.device());
  });
}

int kiln_kernel_global(const kiln_kernel *kernel, const char *name, void **address, uint64_t *bytes,
                       kiln_error **error) {
  return call(error, [&]() -> Result<void> {
    if (bytes) *bytes = 0;
    KILN_OUT("kiln_kernel_global", address);
    KILN_PIN(KernelObject, object, kernel);
    KILN_NOT_NULL("kiln_kernel_global", name);
    KILN_TRY(const GlobalVariable variable, object->value.global(name));
    *address = variable.address;
    if (bytes) *bytes = variable.bytes;
    return {};
  });
}

size_t kiln_bundle_parameter_count(const kiln_bundle *bundle, size_t kernel) {
  Pinned<BundleObject> object(bundle);
  return object ? object->value.kernel(kernel).parameters().size() : 0;
}

int kiln_bundle_read_parameter(const kiln_bundle *bundle, size_t kernel, size_t parameter,
                               kiln_bundle_parameter *out, kiln_error **error) {
  return call(error, [&]() -> Result<void> {
    KILN_NOT_NULL("kiln_bundle_read_parameter", out);
    KILN_PIN(BundleObject, object, bundle);
    KILN_TRY(const BundleKernel of, kernel_at(object->value, kernel));
    const std::vector<BundleParameter> all = of.parameters();
    if (parameter >= all.size()) return no_part("parameter", parameter, all.size());
    const BundleParameter &p = all[parameter];
    return write_struct(out,
                        {.struct_size = 0,
                         .name = c_str(p.name),
                         .type = c_str(p.type),
                         .argument = p.argument,
                         .align = p.align,
                         .size = p.size},
                        "kiln_bundle_parameter");
  });
}

size_t kiln_bundle_code_count(const kiln_bundle *bundle, size_t kernel) {
  Pinned<BundleObject> object(bundle);
  return object ? object->value.kernel(kernel).codes().size() : 0;
}

int kiln_bundle_read_code(const kiln_bundle *bundle, size_t kernel, size_t code, kiln_bundle_code *out,
                          kiln_error **error) {
  return call(error, [&]() -> Result<void> {
    KILN_NOT_NULL("kiln_bundle_read_code", out);
    KILN_PIN(BundleObject, object, bundle);
    KILN_TRY(const BundleKernel of, kernel_at(object->value, kernel));
    const std::vector<BundleCode> all = of.codes();
    if (code >= all.size()) return no_part("code", code, all.size());
    kiln_bundle_code written{};
    written.kind = int(all[code].kind);
    written.ptx_isa = all[code].ptx_isa;
    written.bytes = all[code].bytes;
    all[code].architecture.copy(written.architecture, sizeof written.architecture - 1);
    return write_struct(out, written, "kiln_bundle_code");
  });
}
}
