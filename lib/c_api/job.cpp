// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Held jobs, and plain functions.
#include "language.h"

using namespace kiln;
using namespace kiln::c;

namespace {

using FunctionObject = Holder<HandleKind::Function, HostFunction>;

} // namespace

extern "C" {

int kiln_job_open(kiln_session *session, const char *text, const char *options_json, kiln_job **out,
                  kiln_error **error) {
  return call(error, [&]() -> Result<void> {
    KILN_OUT("kiln_job_open", out);
    KILN_PIN(SessionObject, object, session);
    if (!text) return null_argument("kiln_job_open", "call");
    KILN_TRY(CompilerConfig config, read_config(*object->session, options_json));
    KILN_TRY(Job job, object->session->job(text, config));
    return give<JobObject>(out, std::move(job));
  });
}

int kiln_job_of(kiln_session *session, const kiln_value *function, const kiln_value *const *argument_types,
                size_t count, const char *options_json, kiln_job **out, kiln_error **error) {
  return call(error, [&]() -> Result<void> {
    KILN_OUT("kiln_job_of", out);
    KILN_TABLE(table, session);
    KILN_CHECK(check_process(*object_of_table));
    KILN_TRY(Value callee, value_of(table, function, "the function"));
    KILN_TRY(std::vector<TypeRef> types, types_of(table, argument_types, count, "argument_types"));
    KILN_TRY(CompilerConfig config, read_config(*object_of_table->session, options_json));
    KILN_TRY(Job job, object_of_table->session->job(callee, types, config));
    return give<JobObject>(out, std::move(job));
  });
}

const char *kiln_job_call(const kiln_job *job) {
  Pinned<JobObject> object(job);
  return object ? object->value.call().c_str() : "";
}

uint64_t kiln_job_world(const kiln_job *job) {
  Pinned<JobObject> object(job);
  return object ? object->value.world() : 0;
}

int kiln_job_is_current(const kiln_job *job) {
  Pinned<JobObject> object(job);
  return object && object->value.is_current();
}

int kiln_job_on_stale(const kiln_job *job, void (*told)(void *user), void *user, kiln_error **error) {
  return call(error, [&]() -> Result<void> {
    KILN_PIN(JobObject, object, job);
    KILN_NOT_NULL("kiln_job_on_stale", told);
    object->value.on_stale([told, user] { told(user); });
    return {};
  });
}

int kiln_job_compile(const kiln_job *job, const char *product, kiln_artifact **out, kiln_error **error) {
  return call(error, [&]() -> Result<void> {
    KILN_OUT("kiln_job_compile", out);
    KILN_PIN(JobObject, object, job);
    KILN_TRY(ArtifactKind stage, read_stage(product ? product : "asm"));
    KILN_TRY(std::shared_ptr<const Artifact> artifact, object->value.compile(stage));
    return give<ArtifactObject>(out, std::move(artifact));
  });
}

int kiln_job_prepare(const kiln_job *job, const kiln_device *device, kiln_kernel **out, kiln_error **error) {
  return call(error, [&]() -> Result<void> {
    KILN_OUT("kiln_job_prepare", out);
    KILN_PIN(JobObject, object, job);
    KILN_PIN(DeviceObject, on, device);
    KILN_TRY(Kernel kernel, object->value.prepare(on->value));
    return give<KernelObject>(out, std::move(kernel));
  });
}

int kiln_job_return_type(const kiln_job *job, char **text, kiln_error **error) {
  return call(error, [&]() -> Result<void> {
    KILN_OUT("kiln_job_return_type", text);
    KILN_PIN(JobObject, object, job);
    KILN_TRY(std::string type, object->value.return_type());
    return give_text(text, type);
  });
}

int kiln_job_renew(const kiln_job *job, kiln_job **out, kiln_error **error) {
  return call(error, [&]() -> Result<void> {
    KILN_OUT("kiln_job_renew", out);
    KILN_PIN(JobObject, object, job);
    KILN_TRY(Job renewed, object->value.renew());
    return give<JobObject>(out, std::move(renewed));
  });
}

int kiln_job_attach(const kiln_job *job, const void *key, void *data, void (*release)(void *data),
                    kiln_error **error) {
  return call(error, [&]() -> Result<void> {
    std::shared_ptr<void> owned(data, [release](void *p) {
      if (release) release(p);
    });
    KILN_PIN(JobObject, object, job);
    object->value.attach(key, std::move(owned));
    return {};
  });
}

void *kiln_job_attached(const kiln_job *job, const void *key) {
  Pinned<JobObject> object(job);
  return object ? object->value.attached(key).get() : nullptr;
}

void kiln_job_free(kiln_job *job) { free_handle(HandleKind::Job, job); }

int kiln_scope_open(kiln_session *session, kiln_scope **out, kiln_error **error) {
  return call(error, [&]() -> Result<void> {
    KILN_OUT("kiln_scope_open", out);
    KILN_PIN(SessionObject, object, session);
    return give<ScopeObject>(out, object->session->collect_jobs());
  });
}

size_t kiln_scope_job_count(const kiln_scope *scope) {
  Pinned<ScopeObject> object(scope);
  return object ? object->value.jobs().size() : 0;
}

int kiln_scope_job(const kiln_scope *scope, size_t index, kiln_job **out, kiln_error **error) {
  return call(error, [&]() -> Result<void> {
    KILN_OUT("kiln_scope_job", out);
    KILN_PIN(ScopeObject, object, scope);
    std::vector<Job> jobs = object->value.jobs();
    if (index >= jobs.size())
      return usage_error(fmt::format("the scope has {} job{}, and the one with the index {} is asked for",
                                     jobs.size(), jobs.size() == 1 ? "" : "s", index));
    return give<JobObject>(out, std::move(jobs[index]));
  });
}

void kiln_scope_close(kiln_scope *scope) { free_handle(HandleKind::Scope, scope); }

int kiln_prepare_function(kiln_session *session, const char *text, const char *options_json,
                          kiln_function **out, kiln_error **error) {
  return call(error, [&]() -> Result<void> {
    KILN_OUT("kiln_prepare_function", out);
    KILN_PIN(SessionObject, object, session);
    if (!text) return null_argument("kiln_prepare_function", "call");
    KILN_TRY(CompilerConfig config, read_config(*object->session, options_json));
    KILN_TRY(HostFunction function, object->session->prepare_function(text, config));
    return give<FunctionObject>(out, std::move(function));
  });
}

int kiln_job_prepare_function(const kiln_job *job, kiln_function **out, kiln_error **error) {
  return call(error, [&]() -> Result<void> {
    KILN_OUT("kiln_job_prepare_function", out);
    KILN_PIN(JobObject, object, job);
    KILN_TRY(HostFunction function, object->value.prepare_function());
    return give<FunctionObject>(out, std::move(function));
  });
}

int kiln_function_call(const kiln_function *function, const void *const *arguments, size_t count,
                       void *result, kiln_error **error) {
  return call(error, [&]() -> Result<void> {
    KILN_PIN(FunctionObject, object, function);
    if (count) KILN_NOT_NULL("kiln_function_call", arguments);
    return object->value.call({arguments, count}, result);
  });
}

int kiln_function_call_with(const kiln_function *function, const void *const *arguments, size_t count,
                            void *result, const kiln_stop_source *stop, kiln_error **error) {
  return call(error, [&]() -> Result<void> {
    KILN_PIN(FunctionObject, object, function);
    if (count) KILN_NOT_NULL("kiln_function_call_with", arguments);
    KILN_PIN(StopSourceObject, source, stop);
    return object->value.call({arguments, count}, result, source->value);
  });
}

uint64_t kiln_function_result_size(const kiln_function *function) {
  Pinned<FunctionObject> object(function);
  return object ? object->value.artifact().return_size : 0;
}

size_t kiln_function_parameter_count(const kiln_function *function) {
  Pinned<FunctionObject> object(function);
  return object ? object->value.artifact().parameters.size() : 0;
}

uint64_t kiln_function_parameter_size(const kiln_function *function, size_t parameter) {
  Pinned<FunctionObject> object(function);
  if (!object || parameter >= object->value.artifact().parameters.size()) return 0;
  return object->value.artifact().parameters[parameter].size;
}

int kiln_function_address(const kiln_function *function, void **out, kiln_error **error) {
  return call(error, [&]() -> Result<void> {
    KILN_OUT("kiln_function_address", out);
    KILN_PIN(FunctionObject, object, function);
    KILN_TRY(*out, object->value.address());
    return {};
  });
}

int kiln_function_take_error(kiln_error **error) {
  return call(error, [] { return HostFunction::take_error(); });
}

void kiln_function_free(kiln_function *function) { free_handle(HandleKind::Function, function); }
}
