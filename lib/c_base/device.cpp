// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Devices and their memory.
#include "call.h"

using namespace kiln;
using namespace kiln::c;

static_assert(int(DeviceKind::Cpu) == KILN_DEVICE_CPU && int(DeviceKind::Cuda) == KILN_DEVICE_CUDA &&
              int(DeviceKind::OpenCl) == KILN_DEVICE_OPENCL);

Result<DeviceKind> kiln::c::read_device_kind(int kind) {
  if (kind >= KILN_DEVICE_CPU && kind <= KILN_DEVICE_OPENCL) return DeviceKind(kind);
  return usage_error(fmt::format("{} is no kind of devices: take KILN_DEVICE_CPU, _CUDA or _OPENCL", kind));
}

extern "C" {

const char *kiln_device_name(const kiln_device *device) {
  Pinned<DeviceObject> object(device);
  return object ? object->value.info().name.c_str() : "";
}

int kiln_device_is_gpu(const kiln_device *device) {
  Pinned<DeviceObject> object(device);
  return object && object->value.is_gpu() ? 1 : 0;
}

int kiln_device_compute_capability(const kiln_device *device) {
  Pinned<DeviceObject> object(device);
  return object ? object->value.info().sm : 0;
}

uint64_t kiln_device_memory_bytes(const kiln_device *device) {
  Pinned<DeviceObject> object(device);
  return object ? object->value.info().memory_bytes : 0;
}

void *kiln_device_context(const kiln_device *device) {
  Pinned<DeviceObject> object(device);
  return object ? object->value.native_context() : nullptr;
}

int kiln_device_synchronize(kiln_device *device, kiln_error **error) {
  return call(error, [&]() -> Result<void> {
    KILN_PIN(DeviceObject, object, device);
    return object->value.synchronize();
  });
}

int kiln_device_free_memory(kiln_device *device, uint64_t *out, kiln_error **error) {
  return call(error, [&]() -> Result<void> {
    KILN_OUT("kiln_device_free_memory", out);
    KILN_PIN(DeviceObject, object, device);
    KILN_TRY(*out, object->value.free_memory());
    return {};
  });
}

int kiln_device_trim(kiln_device *device, uint64_t keep, kiln_error **error) {
  return call(error, [&]() -> Result<void> {
    KILN_PIN(DeviceObject, object, device);
    return object->value.trim(keep);
  });
}

int kiln_device_allocate_pinned(kiln_device *device, uint64_t bytes, kiln_buffer **out, kiln_error **error) {
  return call(error, [&]() -> Result<void> {
    KILN_OUT("kiln_device_allocate_pinned", out);
    KILN_PIN(DeviceObject, object, device);
    KILN_TRY(Buffer buffer, object->value.allocate_pinned(bytes));
    return give<BufferObject>(out, std::move(buffer));
  });
}

void kiln_device_free(kiln_device *device) { free_handle(HandleKind::Device, device); }

void *kiln_buffer_data(const kiln_buffer *buffer) {
  Pinned<BufferObject> object(buffer);
  return object ? object->value.data() : nullptr;
}

uint64_t kiln_buffer_bytes(const kiln_buffer *buffer) {
  Pinned<BufferObject> object(buffer);
  return object ? object->value.bytes() : 0;
}

void kiln_buffer_free(kiln_buffer *buffer) { free_handle(HandleKind::Buffer, buffer); }
}
