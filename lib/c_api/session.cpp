// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sessions, compiles and their results.
#include "language.h"

#include <kiln/cuda_toolkit.h>

#include <map>
#include <mutex>

using namespace kiln;
using namespace kiln::c;

namespace {

/// Handles of the sessions that C callers opened. Languages implemented in C get these handles.
struct OpenSessions {
  std::mutex mutex;
  std::map<const Session *, kiln_session *> handles; ///< only for look-ups
};
OpenSessions &open_sessions() {
  // The table is never freed, since sessions may close while the process exits.
  static auto *all = new OpenSessions;
  return *all;
}

} // namespace

namespace kiln::c {

Result<Kept<SessionObject>> keep_session(const kiln_session *session) {
  KILN_KEEP(SessionObject, object, session);
  return object;
}

Result<void> give_session(kiln_session **out, std::unique_ptr<Session> session) {
  const Session *given = session.get();
  auto object = std::make_unique<SessionObject>();
  object->session = std::move(session);
  object->is_of_caller = true;
  *out = static_cast<kiln_session *>(make_handle(HandleKind::Session, std::move(object)));
  if (!*out) return machine_error("there are as many handles as there can be");
  OpenSessions &all = open_sessions();
  std::lock_guard lock(all.mutex);
  all.handles[given] = *out;
  return {};
}

kiln_session *handle_of(const Session &session) {
  OpenSessions &all = open_sessions();
  std::lock_guard lock(all.mutex);
  auto found = all.handles.find(&session);
  return found == all.handles.end() ? nullptr : found->second;
}

SessionObject::~SessionObject() {
  values.reset();
  if (is_of_caller) {
    OpenSessions &all = open_sessions();
    std::lock_guard lock(all.mutex);
    all.handles.erase(session.get());
  }
  session.reset();
}

} // namespace kiln::c

extern "C" {

int kiln_session_open(const kiln_session_options *options, kiln_session **out, kiln_error **error) {
  return call(error, [&]() -> Result<void> {
    KILN_OUT("kiln_session_open", out);
    KILN_TRY(const SessionOptions read, read_session_options(options));
    KILN_TRY(std::unique_ptr<Session> session, Session::open(read));
    return give_session(out, std::move(session));
  });
}

void kiln_session_close(kiln_session *session) { free_handle(HandleKind::Session, session); }

int kiln_load(kiln_session *session, const char *name, const char *text, size_t size, kiln_error **error) {
  return call(error, [&]() -> Result<void> {
    KILN_PIN(SessionObject, object, session);
    if (size) KILN_NOT_NULL("kiln_load", text);
    KILN_CHECK(object->session->load(name ? name : "none", std::string(text ? text : "", size)));
    return {};
  });
}

int kiln_load_file(kiln_session *session, const char *path, kiln_error **error) {
  return call(error, [&]() -> Result<void> {
    KILN_PIN(SessionObject, object, session);
    KILN_NOT_NULL("kiln_load_file", path);
    KILN_CHECK(object->session->load_file(path));
    return {};
  });
}

int kiln_flush_cache(kiln_session *session, kiln_error **error) {
  return call(error, [&]() -> Result<void> {
    KILN_PIN(SessionObject, object, session);
    KILN_CHECK(object->session->check());
    object->session->flush_cache();
    return {};
  });
}

void kiln_add_cuda_folder(const char *folder) {
  if (folder) kiln::add_cuda_folder(folder);
}

int kiln_wait_for_background(kiln_session *session, kiln_error **error) {
  return call(error, [&]() -> Result<void> {
    KILN_PIN(SessionObject, object, session);
    KILN_CHECK(object->session->check());
    object->session->wait_for_background();
    return {};
  });
}

int kiln_compile(kiln_session *session, const char *text, const char *options_json, const char *product,
                 kiln_artifact **out, kiln_error **error) {
  return call(error, [&]() -> Result<void> {
    KILN_OUT("kiln_compile", out);
    KILN_PIN(SessionObject, object, session);
    if (!text) return null_argument("kiln_compile", "call");
    KILN_TRY(CompilerConfig config, read_config(*object->session, options_json));
    KILN_TRY(ArtifactKind stage, read_stage(product ? product : "asm"));
    KILN_TRY(std::shared_ptr<const Artifact> artifact, object->session->compile(text, config, stage));
    return give<ArtifactObject>(out, std::move(artifact));
  });
}

int kiln_compile_each(kiln_session *session, const char *text, const char *options_json, const char *product,
                      kiln_artifact **out, size_t capacity, size_t *count, kiln_error **error) {
  return call(error, [&]() -> Result<void> {
    if (count) *count = 0;
    for (size_t i = 0; out && i < capacity; i++) out[i] = nullptr;
    KILN_PIN(SessionObject, object, session);
    if (!text) return null_argument("kiln_compile_each", "call");
    if (!count) return null_argument("kiln_compile_each", "count");
    KILN_TRY(const std::vector<CompilerConfig> configs,
             object->session->read_configs(options_json ? options_json : ""));
    KILN_TRY(ArtifactKind stage, read_stage(product ? product : "asm"));
    *count = configs.size();
    if (configs.size() > capacity || !out)
      return usage_error(fmt::format("kiln_compile_each: {} architectures, and `out` takes {} artifacts",
                                     configs.size(), out ? capacity : 0));
    std::vector<CompileRequest> requests;
    for (const CompilerConfig &config : configs)
      requests.push_back({.call = text, .config = config, .kind = stage});
    std::vector<std::shared_ptr<const Artifact>> made;
    for (auto &result : object->session->compile_many(requests)) {
      KILN_TRY(auto artifact, std::move(result));
      made.push_back(std::move(artifact));
    }
    for (size_t i = 0; i < made.size(); i++)
      if (Result<void> given = give<ArtifactObject>(&out[i], std::move(made[i])); !given.ok()) {
        for (out[i] = nullptr; i-- > 0; out[i] = nullptr) kiln_artifact_free(out[i]);
        return given.take_error();
      }
    return {};
  });
}

const void *kiln_artifact_data(const kiln_artifact *artifact, size_t *size) {
  Pinned<ArtifactObject> object(artifact);
  if (size) *size = object ? object->value->bytes.size() : 0;
  return object ? object->value->bytes.c_str() : nullptr;
}

const char *kiln_artifact_entry(const kiln_artifact *artifact) {
  Pinned<ArtifactObject> object(artifact);
  return object ? object->value->entry.c_str() : "";
}

size_t kiln_artifact_parameter_count(const kiln_artifact *artifact) {
  Pinned<ArtifactObject> object(artifact);
  return object ? object->value->parameters.size() : 0;
}

uint64_t kiln_artifact_parameter_size(const kiln_artifact *artifact, size_t parameter) {
  Pinned<ArtifactObject> object(artifact);
  return object && parameter < object->value->parameters.size() ? object->value->parameters[parameter].size
                                                                : 0;
}

unsigned kiln_artifact_parameter_alignment(const kiln_artifact *artifact, size_t parameter) {
  Pinned<ArtifactObject> object(artifact);
  return object && parameter < object->value->parameters.size() ? object->value->parameters[parameter].align
                                                                : 0;
}

uint64_t kiln_artifact_shared_bytes(const kiln_artifact *artifact) {
  Pinned<ArtifactObject> object(artifact);
  return object ? object->value->shared_bytes : 0;
}

int kiln_artifact_resources(const kiln_artifact *artifact, kiln_resources *out, kiln_error **error) {
  return call(error, [&]() -> Result<void> {
    KILN_NOT_NULL("kiln_artifact_resources", out);
    KILN_PIN(ArtifactObject, object, artifact);
    if (object->value->kind != ArtifactKind::Cubin)
      return usage_error("only a cubin's resources are known: compile the product \"cubin\"");
    const KernelResources &r = object->value->resources;
    return write_struct(out,
                        {.struct_size = 0,
                         .registers = r.registers,
                         .stack_bytes = r.stack_bytes,
                         .spill_store_bytes = r.spill_store_bytes,
                         .spill_load_bytes = r.spill_load_bytes,
                         .constant_bytes = r.constant_bytes,
                         .shared_bytes = r.shared_bytes,
                         .barriers = r.barriers},
                        "kiln_resources");
  });
}

void kiln_artifact_free(kiln_artifact *artifact) { free_handle(HandleKind::Artifact, artifact); }
}
