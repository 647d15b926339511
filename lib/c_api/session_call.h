// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Helpers of C API functions that take a session.
#pragma once

#include <c_base/c_base.h>
#include <kiln/kiln.h>

#include <atomic>

namespace kiln::c {

struct SessionObject : Object {
  static constexpr HandleKind kind = HandleKind::Session;
  SessionObject();
  ~SessionObject() override;
  std::shared_ptr<Session> session;          ///< not owned, in a language's own handle
  bool is_of_caller = false;                 ///< created by give_session
  std::unique_ptr<struct ValueTable> values; ///< defined in language.h; null before the first use
  std::mutex values_mutex;                   ///< guards its creation
};
/// The session whose language runs on this thread and holds the lock of definitions; may be null.
/// initial-exec avoids a call of the dynamic linker (lib/c_base/user_places.cpp).
[[gnu::tls_model("initial-exec")]] extern constinit thread_local const SessionObject *language_of_thread;
Error called_by_language();
/// For functions that a language may call. Sessions check the process before they take a lock. Error: Usage.
inline Result<void> check_definer(const SessionObject &object) { return object.session->check_process(); }
/// For all other functions.
inline Result<void> check_process(const SessionObject &object) {
  if (&object == language_of_thread) [[unlikely]]
    return called_by_language();
  return check_definer(object);
}
/// Pins a session for an object that outlives the call. Errors: Usage.
KILN_PROGRAMS_API Result<Kept<SessionObject>> keep_session(const kiln_session *session);
using JobObject = Holder<HandleKind::Job, Job>;
using ObservationObject = Holder<HandleKind::Observation, Observation>;
using ArtifactObject = Holder<HandleKind::Artifact, std::shared_ptr<const Artifact>>;
using ScopeObject = Holder<HandleKind::Scope, JobScope>;
using JobListObject = Holder<HandleKind::JobList, PrecompileList>;

/// Stores the text that a callback returns. `context`: a std::optional<std::string>.
void take_text(void *context, const char *data, size_t size);

inline std::string text_or_empty(const char *text) { return text ? text : ""; }
/// "" counts as an empty object. Errors: Input, with the place in the text; Usage.
Result<CompilerConfig> read_config(const Session &session, const char *options_json);
/// Reads the config for a device (kiln/read_config.h).
Result<CompilerConfig> read_config(Session &session, const char *options_json, const Device &device);
Result<SessionOptions> read_session_options(const kiln_session_options *options);
/// Gives an opened session to the caller. Error: Machine, if no handles are left.
Result<void> give_session(kiln_session **out, std::unique_ptr<Session> session);
/// The handle from give_session; null if the session was opened otherwise. Thread-safe.
kiln_session *handle_of(const Session &session);
/// Element i of an array of structures. The first element's struct_size is the stride.
template <class T> const T &element(const T *all, size_t i) {
  return *reinterpret_cast<const T *>(reinterpret_cast<const std::byte *>(all) + i * all->struct_size);
}
/// Errors of parts of a call that continues without them. Each part has a handle of its own; the call's error
/// has all diagnostics. Not thread-safe.
class PartErrors {
public:
  /// `each`: array of `count` outputs, which become null; may be null itself.
  PartErrors(kiln_error **each, size_t count);
  void add(size_t part, Error error);
  /// The call's result: an error if any part failed.
  Result<void> finish();

private:
  kiln_error **each_;
  std::vector<Diagnostic> all_;
};
/// "cpu", "cuda", "cuda:1"; null: the CPU.
Result<Device> device_named(Session &session, const char *name);

} // namespace kiln::c
