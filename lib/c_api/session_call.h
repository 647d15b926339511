// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the functions of the C API that take a session share.
#pragma once

#include <c_base/c_base.h>
#include <kiln/kiln.h>

namespace kiln::c {

struct SessionObject : Object {
  static constexpr HandleKind kind = HandleKind::Session;
  SessionObject();
  ~SessionObject() override;
  std::unique_ptr<Session> session;
  std::unique_ptr<struct ValueTable> values; ///< language.h; null: none was asked for
  std::mutex values_mutex;                   ///< of making it
};
/// Sessions tell before anything of them is locked. Error: Usage.
inline Result<void> check_process(const SessionObject &object) { return object.session->check_process(); }
using JobObject = Holder<HandleKind::Job, Job>;
using ObservationObject = Holder<HandleKind::Observation, Observation>;
using ArtifactObject = Holder<HandleKind::Artifact, std::shared_ptr<const Artifact>>;

inline std::string text_or_empty(const char *text) { return text ? text : ""; }
/// "" is an object without fields. Errors: Input with the place in the text, Usage.
Result<CompilerConfig> read_config(const Session &session, const char *options_json);
/// For a device: kiln/read_config.h.
Result<CompilerConfig> read_config(Session &session, const char *options_json, const Device &device);
Result<SessionOptions> read_session_options(const kiln_session_options *options);
/// "cpu", "cuda", "cuda:1"; null: the CPU.
Result<Device> device_named(Session &session, const char *name);

} // namespace kiln::c
