// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the functions of the C API that take a session share.
#pragma once

#include <c_base/c_base.h>
#include <kiln/kiln.h>

#include <atomic>

namespace kiln::c {

struct SessionObject : Object {
  static constexpr HandleKind kind = HandleKind::Session;
  SessionObject();
  ~SessionObject() override;
  std::shared_ptr<Session> session;          ///< of a language's own handle, owned by nobody
  bool is_of_caller = false;                 ///< of give_session
  std::unique_ptr<struct ValueTable> values; ///< language.h; null: none was asked for
  std::mutex values_mutex;                   ///< of making it
};
/// The session whose language runs on this thread, which has the session's lock of definitions; null: none.
/// Reached without a call of the dynamic linker (lib/c_base/user_places.cpp).
[[gnu::tls_model("initial-exec")]] extern constinit thread_local const SessionObject *language_of_thread;
Error called_by_language();
/// For functions that a language may call. Sessions tell before anything of them is locked. Error: Usage.
inline Result<void> check_definer(const SessionObject &object) { return object.session->check_process(); }
/// For all others.
inline Result<void> check_process(const SessionObject &object) {
  if (&object == language_of_thread) [[unlikely]]
    return called_by_language();
  return check_definer(object);
}
/// A session for an object that outlives the call. Errors: Usage.
KILN_PROGRAMS_API Result<Kept<SessionObject>> keep_session(const kiln_session *session);
using JobObject = Holder<HandleKind::Job, Job>;
using ObservationObject = Holder<HandleKind::Observation, Observation>;
using ArtifactObject = Holder<HandleKind::Artifact, std::shared_ptr<const Artifact>>;
using ScopeObject = Holder<HandleKind::Scope, JobScope>;
using JobListObject = Holder<HandleKind::JobList, PrecompileList>;

/// Takes a text that a callback gives; `context` is a std::optional<std::string>.
void take_text(void *context, const char *data, size_t size);

inline std::string text_or_empty(const char *text) { return text ? text : ""; }
/// "" is an object without fields. Errors: Input with the place in the text, Usage.
Result<CompilerConfig> read_config(const Session &session, const char *options_json);
/// For a device: kiln/read_config.h.
Result<CompilerConfig> read_config(Session &session, const char *options_json, const Device &device);
Result<SessionOptions> read_session_options(const kiln_session_options *options);
/// Gives the caller a session that was opened. Error: Machine, if there are no handles left.
Result<void> give_session(kiln_session **out, std::unique_ptr<Session> session);
/// The handle by which give_session gave the session; null: it was opened otherwise. Any thread.
kiln_session *handle_of(const Session &session);
/// The i-th of an array of structures, all of which have the first one's struct_size.
template <class T> const T &element(const T *all, size_t i) {
  return *reinterpret_cast<const T *>(reinterpret_cast<const std::byte *>(all) + i * all->struct_size);
}
/// Errors of single parts of a call that goes on without them: each one's own handle, and all their
/// diagnostics as the call's error. Not thread-safe.
class PartErrors {
public:
  /// `each` may be null; else it has `count` places, which become null.
  PartErrors(kiln_error **each, size_t count);
  void add(size_t part, Error error);
  /// The call's result: an error if there was one.
  Result<void> finish();

private:
  kiln_error **each_;
  std::vector<Diagnostic> all_;
};
/// "cpu", "cuda", "cuda:1"; null: the CPU.
Result<Device> device_named(Session &session, const char *name);

} // namespace kiln::c
