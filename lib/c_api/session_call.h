// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Helpers for C API functions that take a session.
#pragma once

#include <c_base/c_base.h>
#include <kiln/kiln.h>

#include <atomic>

namespace kiln::c {

struct SessionObject : Object {
  static constexpr HandleKind kind = HandleKind::Session;
  SessionObject();
  ~SessionObject() override;
  std::shared_ptr<Session> session; ///< not owned, in a language's own handle
  bool is_of_caller = false;        ///< created by give_session
  /// Table of values with handles, defined in language.h; null before the first use.
  std::unique_ptr<struct ValueTable> values;
  std::mutex values_mutex; ///< guards its creation
};
/// The session whose language implemented in C runs on this thread. The session holds its lock of definitions
/// then. Null: none. The TLS model initial-exec avoids a call of the dynamic linker
/// (lib/c_base/user_places.h).
[[gnu::tls_model("initial-exec")]] extern constinit thread_local const SessionObject *language_of_thread;
Error called_by_language();
/// Checks the process of a session for API functions that a language may call. Sessions check it before they
/// take a lock. Error: Usage in a forked child.
inline Result<void> check_definer(const SessionObject &object) { return object.session->check_process(); }
/// For all other functions.
inline Result<void> check_process(const SessionObject &object) {
  if (&object == language_of_thread) [[unlikely]]
    return called_by_language();
  return check_definer(object);
}
/// Returns a use of a session for an object that outlives the API call. Error: Usage for an invalid handle.
KILN_PROGRAMS_API Result<Kept<SessionObject>> keep_session(const kiln_session *session);
using JobObject = Holder<HandleKind::Job, Job>;
using ObservationObject = Holder<HandleKind::Observation, Observation>;
using ArtifactObject = Holder<HandleKind::Artifact, std::shared_ptr<const Artifact>>;
using ScopeObject = Holder<HandleKind::Scope, JobScope>;
using JobListObject = Holder<HandleKind::JobList, PrecompileList>;

/// Callback that stores the text that embedder code returns. `context` points to a
/// std::optional<std::string>.
void take_text(void *context, const char *data, size_t size);

inline std::string text_or_empty(const char *text) { return text ? text : ""; }
/// Reads compiler options from JSON. Null and "" give the session's default config. Errors: Input with the
/// place in the text; Usage.
Result<CompilerConfig> read_config(const Session &session, const char *options_json);
/// Reads compiler options from JSON, with the target of `device` (kiln/read_config.h).
Result<CompilerConfig> read_config(Session &session, const char *options_json, const Device &device);
Result<SessionOptions> read_session_options(const kiln_session_options *options);
/// Stores a handle of an opened session in *out. Error: Machine if no handle is left.
Result<void> give_session(kiln_session **out, std::unique_ptr<Session> session);
/// Returns the handle that give_session() made for a session; null if it did not make one. Thread-safe.
kiln_session *handle_of(const Session &session);
/// Returns element `i` of a C array of structures. The array's stride is the struct_size of its first
/// element.
template <class T> const T &element(const T *all, size_t i) {
  return *reinterpret_cast<const T *>(reinterpret_cast<const std::byte *>(all) + i * all->struct_size);
}
/// Collects the errors of an API call that continues after the failure of one of its parts. Each failed part
/// gets an error handle, and the call's own error has all diagnostics. Not thread-safe.
class PartErrors {
public:
  /// `each`: caller's array of `count` error handles, which are set to null; a null pointer if the caller
  /// does not want them.
  PartErrors(kiln_error **each, size_t count);
  void add(size_t part, Error error);
  /// Returns the result of the whole call: an error if any part failed.
  Result<void> finish();

private:
  kiln_error **each_;
  std::vector<Diagnostic> all_;
};
/// Returns the device with a name such as "cpu", "cuda" or "cuda:1"; the CPU for a null name.
Result<Device> device_named(Session &session, const char *name);

} // namespace kiln::c
