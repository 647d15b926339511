// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Implements kiln/c_compile.h: compiles in the background, batches of compiles, and further functions of
// jobs.
#include "session_call.h"

#include <kiln/c_compile.h>
#include <kiln/interrupt.h>

#include <cmath>

using namespace kiln;
using namespace kiln::c;

namespace {

using FutureObject = Holder<HandleKind::Future, CompileFuture>;

constexpr double max_seconds = 1e9;

/// Converts a compile request to C++. `name` is the request's name in error messages. `device` completes the
/// config; null: none.
Result<CompileRequest> read_request(Session &session, const kiln_compile_request &given,
                                    std::string_view name, const Device *device = nullptr) {
  KILN_TRY(const kiln_compile_request read, read_struct(&given, "kiln_compile_request"));
  CompileRequest request;
  KILN_TRY(request.kind, read_stage(read.product ? read.product : "asm"));
  if (!read.job) {
    if (!read.call) return usage_error(fmt::format("{}: `call` and `job` are null pointers", name));
    request.call = read.call;
    KILN_TRY(request.config, device ? read_config(session, read.options_json, *device)
                                    : read_config(session, read.options_json));
    return request;
  }
  if (read.call || read.options_json)
    return usage_error(fmt::format("{}: a job has its own call and options", name));
  KILN_PIN(JobObject, job, read.job);
  request.job = job->value;
  return request;
}

Result<SubmitOptions> read_options(const kiln_submit_options *given) {
  SubmitOptions options;
  if (!given) return options;
  KILN_TRY(const kiln_submit_options read, read_struct(given, "kiln_submit_options"));
  options.priority = read.priority;
  if (read.deadline == 0) return options;
  if (!(read.deadline > 0) || read.deadline > max_seconds)
    return usage_error(fmt::format("a deadline of {} seconds: it is above 0 and at most 1e9", read.deadline));
  options.deadline = std::chrono::milliseconds(int64_t(std::ceil(read.deadline * 1e3)));
  return options;
}

Result<std::vector<CompileRequest>> read_requests(Session &session, const kiln_compile_request *given,
                                                  size_t count, std::string_view function,
                                                  const Device *device = nullptr) {
  std::vector<CompileRequest> requests;
  if (!count) return requests;
  if (!given) return null_argument(function, "requests");
  // The first element is checked here, since its struct_size is the stride of the array.
  KILN_CHECK(read_struct(given, "kiln_compile_request"));
  for (size_t i = 0; i < count; i++) {
    KILN_TRY(CompileRequest request,
             read_request(session, element(given, i), fmt::format("requests[{}]", i), device));
    requests.push_back(std::move(request));
  }
  return requests;
}

/// Stores each result as a handle in the array `out`, or its error in the array `each`. Returns an error if
/// any result is one.
template <class Object, class Handle, class Values>
Result<void> give_all(Values results, Handle **out, kiln_error **each) {
  PartErrors errors(each, results.size());
  for (size_t i = 0; i < results.size(); i++) {
    Result<void> given =
        results[i].ok() ? give<Object>(&out[i], std::move(*results[i])) : results[i].take_error();
    if (!given.ok()) errors.add(i, given.take_error());
  }
  return errors.finish();
}

template <class Handle> void clear(Handle **out, kiln_error **each, size_t count) {
  if (out) std::fill_n(out, count, nullptr);
  if (each) std::fill_n(each, count, nullptr);
}

/// Calls the listener `told` with the outcome of a compile. The handles that it gets are valid only during
/// the call.
void tell(const CompileFuture::Outcome &outcome,
          void (*told)(const kiln_artifact *, const kiln_error *, void *), void *user) {
  kiln_artifact *artifact = nullptr;
  kiln_error *error = nullptr;
  if (!outcome.ok())
    (void)report(&error, outcome.error());
  else if (!give<ArtifactObject>(&artifact, *outcome).ok())
    artifact = nullptr;
  try {
    told(artifact, error, user);
    // The listener may be C++ code that throws. CompileFuture::then also ignores such exceptions.
  } catch (...) {
  }
  free_handle(HandleKind::Artifact, artifact);
  free_handle(HandleKind::Error, error);
}

} // namespace

extern "C" {

int kiln_submit(kiln_session *session, const kiln_compile_request *request,
                const kiln_submit_options *options, kiln_future **out, kiln_error **error) {
  return call(error, [&]() -> Result<void> {
    KILN_OUT("kiln_submit", out);
    KILN_PIN(SessionObject, object, session);
    KILN_NOT_NULL("kiln_submit", request);
    KILN_TRY(CompileRequest wanted, read_request(*object->session, *request, "kiln_submit"));
    KILN_TRY(const SubmitOptions how, read_options(options));
    return give<FutureObject>(out, object->session->submit(std::move(wanted), how));
  });
}

int kiln_future_ready(const kiln_future *future) {
  Pinned<FutureObject> object(future);
  return object && object->value.ready();
}

int kiln_future_wait(const kiln_future *future, double seconds) {
  Pinned<FutureObject> object(future);
  if (!object) return 0;
  const double bounded = seconds > 0 ? std::min(seconds, max_seconds) : 0; // NaN counts as 0
  return object->value.wait_for(std::chrono::nanoseconds(int64_t(bounded * 1e9)));
}

int kiln_future_get(const kiln_future *future, kiln_artifact **out, kiln_error **error) {
  return call(error, [&]() -> Result<void> {
    KILN_OUT("kiln_future_get", out);
    KILN_PIN(FutureObject, object, future);
    KILN_TRY(std::shared_ptr<const Artifact> artifact, object->value.get());
    return give<ArtifactObject>(out, std::move(artifact));
  });
}

int kiln_future_then(const kiln_future *future,
                     void (*told)(const kiln_artifact *artifact, const kiln_error *failure, void *user),
                     void *user, kiln_error **error) {
  return call(error, [&]() -> Result<void> {
    KILN_PIN(FutureObject, object, future);
    KILN_NOT_NULL("kiln_future_then", told);
    object->value.then([told, user](const CompileFuture::Outcome &outcome) { tell(outcome, told, user); });
    return {};
  });
}

int kiln_future_cancel(const kiln_future *future, kiln_error **error) {
  return call(error, [&]() -> Result<void> {
    KILN_PIN(FutureObject, object, future);
    object->value.cancel();
    return {};
  });
}

void kiln_future_free(kiln_future *future) { free_handle(HandleKind::Future, future); }

int kiln_compile_many(kiln_session *session, const kiln_compile_request *requests, size_t count,
                      const kiln_submit_options *options, kiln_artifact **out, kiln_error **each,
                      kiln_error **error) {
  return call(error, [&]() -> Result<void> {
    clear(out, each, count);
    KILN_PIN(SessionObject, object, session);
    if (count) KILN_NOT_NULL("kiln_compile_many", out);
    KILN_TRY(const auto wanted, read_requests(*object->session, requests, count, "kiln_compile_many"));
    KILN_TRY(const SubmitOptions how, read_options(options));
    return give_all<ArtifactObject>(object->session->compile_many(wanted, how), out, each);
  });
}

int kiln_prepare_many(kiln_session *session, const kiln_compile_request *requests, size_t count,
                      const kiln_device *device, const kiln_submit_options *options, kiln_kernel **out,
                      kiln_error **each, kiln_error **error) {
  return call(error, [&]() -> Result<void> {
    clear(out, each, count);
    KILN_PIN(SessionObject, object, session);
    KILN_PIN(DeviceObject, on, device);
    if (count) KILN_NOT_NULL("kiln_prepare_many", out);
    KILN_TRY(const auto wanted,
             read_requests(*object->session, requests, count, "kiln_prepare_many", &on->value));
    KILN_TRY(const SubmitOptions how, read_options(options));
    return give_all<KernelObject>(object->session->prepare_many(wanted, on->value, how), out, each);
  });
}

int kiln_job_label(const kiln_job *job, char **name, char **target, kiln_error **error) {
  return call(error, [&]() -> Result<void> {
    if (name) *name = nullptr;
    if (target) *target = nullptr;
    KILN_PIN(JobObject, object, job);
    KILN_TRY(const JobLabel label, object->value.label());
    if (name) KILN_CHECK(give_text(name, label.name));
    Result<void> given = target ? give_text(target, label.target) : Result<void>();
    if (!given.ok() && name) kiln_text_free(std::exchange(*name, nullptr));
    return given;
  });
}

int kiln_job_digest(const kiln_job *job, char **text, kiln_error **error) {
  return call(error, [&]() -> Result<void> {
    KILN_OUT("kiln_job_digest", text);
    KILN_PIN(JobObject, object, job);
    KILN_TRY(const std::string digest, object->value.digest());
    return give_text(text, digest);
  });
}

int kiln_job_gpu_code(const kiln_job *job, kiln_gpu_code *out, kiln_error **error) {
  return call(error, [&]() -> Result<void> {
    KILN_NOT_NULL("kiln_job_gpu_code", out);
    KILN_PIN(JobObject, object, job);
    KILN_TRY(const std::optional<GpuCode> code, object->value.gpu_code());
    if (!code) return write_struct(out, {}, "kiln_gpu_code");
    return write_struct(
        out,
        {.struct_size = 0,
         .sm = code->sm,
         .arch_specific = code->arch_specific,
         .family_specific = code->family_specific,
         .ptx_isa = code->ptx_isa,
         .block_threads = {code->block_threads[0], code->block_threads[1], code->block_threads[2]},
         .coarse_bytes = code->coarse_bytes},
        "kiln_gpu_code");
  });
}

int kiln_interrupt_kernels(kiln_session *session, kiln_error **error) {
  return call(error, [&]() -> Result<void> {
    KILN_PIN(SessionObject, object, session);
    interrupt_kernels(*object->session);
    return {};
  });
}
}
