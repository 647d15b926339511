// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Implements the C functions that open a runtime: devices and streams without a session.
#include "call.h"

using namespace kiln;
using namespace kiln::c;

extern "C" {

int kiln_runtime_open(const kiln_runtime_options *options, kiln_runtime **out, kiln_error **error) {
  return call(error, [&]() -> Result<void> {
    KILN_OUT("kiln_runtime_open", out);
    RuntimeOptions wanted;
    if (options) {
      KILN_TRY(kiln_runtime_options given, read_struct(options, "kiln_runtime_options"));
      wanted.cpu_threads = given.cpu_threads;
      if (given.cpu_arena)
        wanted.cpu_arena = [arena = given.cpu_arena,
                            user = given.cpu_arena_user](const std::function<void()> &work) {
          arena([](void *argument) { (*static_cast<const std::function<void()> *>(argument))(); },
                const_cast<std::function<void()> *>(&work), user);
        };
    }
    KILN_TRY(std::unique_ptr<Runtime> runtime, Runtime::open(wanted));
    return give<RuntimeObject>(out, std::move(runtime));
  });
}

void kiln_runtime_close(kiln_runtime *runtime) { free_handle(HandleKind::Runtime, runtime); }

int kiln_runtime_device(kiln_runtime *runtime, const char *device, kiln_device **out, kiln_error **error) {
  return call(error, [&]() -> Result<void> {
    KILN_OUT("kiln_runtime_device", out);
    KILN_PIN(RuntimeObject, object, runtime);
    KILN_TRY(Device opened, object->value->device(device_or_cpu(device)));
    return give<DeviceObject>(out, std::move(opened));
  });
}

int kiln_runtime_device_in_context(kiln_runtime *runtime, void *cuda_context, kiln_device **out,
                                   kiln_error **error) {
  return call(error, [&]() -> Result<void> {
    KILN_OUT("kiln_runtime_device_in_context", out);
    KILN_PIN(RuntimeObject, object, runtime);
    KILN_NOT_NULL("kiln_runtime_device_in_context", cuda_context);
    KILN_TRY(Device gpu, object->value->gpu_in_context(cuda_context));
    return give<DeviceObject>(out, std::move(gpu));
  });
}

int kiln_runtime_gpu_count(kiln_runtime *runtime, size_t *out, kiln_error **error) {
  return call(error, [&]() -> Result<void> {
    KILN_OUT("kiln_runtime_gpu_count", out);
    KILN_PIN(RuntimeObject, object, runtime);
    KILN_TRY(std::vector<GpuInfo> gpus, object->value->gpus());
    *out = gpus.size();
    return {};
  });
}

int kiln_runtime_device_count(kiln_runtime *runtime, int kind, size_t *out, kiln_error **error) {
  return call(error, [&]() -> Result<void> {
    KILN_OUT("kiln_runtime_device_count", out);
    KILN_PIN(RuntimeObject, object, runtime);
    KILN_TRY(const DeviceKind wanted, read_device_kind(kind));
    KILN_TRY(std::vector<GpuInfo> devices, object->value->devices(wanted));
    *out = devices.size();
    return {};
  });
}

int kiln_runtime_stream(kiln_runtime *runtime, const kiln_device *device, kiln_stream **out,
                        kiln_error **error) {
  return call(error, [&]() -> Result<void> {
    KILN_OUT("kiln_runtime_stream", out);
    KILN_PIN(RuntimeObject, object, runtime);
    KILN_PIN(DeviceObject, on, device);
    KILN_TRY(Stream stream, object->value->stream(on->value));
    return give<StreamObject>(out, std::move(stream));
  });
}

int kiln_runtime_stream_of(kiln_runtime *runtime, const kiln_device *device, void *cuda_stream,
                           kiln_stream **out, kiln_error **error) {
  return call(error, [&]() -> Result<void> {
    KILN_OUT("kiln_runtime_stream_of", out);
    KILN_PIN(RuntimeObject, object, runtime);
    KILN_PIN(DeviceObject, on, device);
    KILN_TRY(Stream stream, object->value->stream(on->value, cuda_stream));
    return give<StreamObject>(out, std::move(stream));
  });
}
}
