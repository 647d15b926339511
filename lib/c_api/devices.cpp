// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A session's devices and streams.
#include "session_call.h"

using namespace kiln;
using namespace kiln::c;

extern "C" {

int kiln_device_open(kiln_session *session, const char *device, kiln_device **out, kiln_error **error) {
  return call(error, [&]() -> Result<void> {
    KILN_OUT("kiln_device_open", out);
    KILN_PIN(SessionObject, object, session);
    KILN_TRY(Device opened, device_named(*object->session, device));
    return give<DeviceObject>(out, std::move(opened));
  });
}

int kiln_device_in_context(kiln_session *session, void *cuda_context, kiln_device **out, kiln_error **error) {
  return call(error, [&]() -> Result<void> {
    KILN_OUT("kiln_device_in_context", out);
    KILN_PIN(SessionObject, object, session);
    KILN_NOT_NULL("kiln_device_in_context", cuda_context);
    KILN_TRY(Device opened, object->session->gpu_in_context(cuda_context));
    return give<DeviceObject>(out, std::move(opened));
  });
}

int kiln_device_count(kiln_session *session, int kind, size_t *out, kiln_error **error) {
  return call(error, [&]() -> Result<void> {
    KILN_OUT("kiln_device_count", out);
    KILN_PIN(SessionObject, object, session);
    KILN_TRY(const DeviceKind wanted, read_device_kind(kind));
    KILN_TRY(std::vector<GpuInfo> devices, object->session->devices(wanted));
    *out = devices.size();
    return {};
  });
}

int kiln_gpu_count(kiln_session *session, size_t *out, kiln_error **error) {
  return call(error, [&]() -> Result<void> {
    KILN_OUT("kiln_gpu_count", out);
    KILN_PIN(SessionObject, object, session);
    KILN_TRY(std::vector<GpuInfo> gpus, object->session->gpus());
    *out = gpus.size();
    return {};
  });
}

int kiln_stream_open(kiln_session *session, const kiln_device *device, kiln_stream **out,
                     kiln_error **error) {
  return call(error, [&]() -> Result<void> {
    KILN_OUT("kiln_stream_open", out);
    KILN_PIN(SessionObject, object, session);
    KILN_PIN(DeviceObject, on, device);
    KILN_TRY(Stream stream, object->session->stream(on->value));
    return give<StreamObject>(out, std::move(stream));
  });
}

int kiln_stream_of(kiln_session *session, const kiln_device *device, void *cuda_stream, kiln_stream **out,
                   kiln_error **error) {
  return call(error, [&]() -> Result<void> {
    KILN_OUT("kiln_stream_of", out);
    KILN_PIN(SessionObject, object, session);
    KILN_PIN(DeviceObject, on, device);
    KILN_TRY(Stream stream, object->session->stream(on->value, cuda_stream));
    return give<StreamObject>(out, std::move(stream));
  });
}
}
