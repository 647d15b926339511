// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "call.h"

#include <kiln/version.h>

#include <cstdlib>

namespace kiln::c {

namespace {

std::string_view name_of(HandleKind kind) {
  switch (kind) {
  case HandleKind::Session: return "kiln_session";
  case HandleKind::Error: return "kiln_error";
  case HandleKind::Artifact: return "kiln_artifact";
  case HandleKind::Device: return "kiln_device";
  case HandleKind::Kernel: return "kiln_kernel";
  case HandleKind::Stream: return "kiln_stream";
  case HandleKind::Event: return "kiln_event";
  case HandleKind::Buffer: return "kiln_buffer";
  case HandleKind::Graph: return "kiln_graph";
  case HandleKind::Value: return "kiln_value";
  case HandleKind::Code: return "kiln_code";
  case HandleKind::Scope: return "kiln_scope";
  case HandleKind::Job: return "kiln_job";
  case HandleKind::Function: return "kiln_function";
  case HandleKind::Observation: return "kiln_observation";
  case HandleKind::Runtime: return "kiln_runtime";
  case HandleKind::Bundle: return "kiln_bundle";
  case HandleKind::TimingScope: return "kiln_timing_scope";
  case HandleKind::Future: return "kiln_future";
  case HandleKind::JobList: return "kiln_job_list";
  case HandleKind::Cache: return "kiln_cache";
  case HandleKind::Program: return "kiln_program";
  case HandleKind::StopSource: return "kiln_stop_source";
  }
  return "handle";
}

} // namespace

int report(kiln_error **error, Error what) noexcept {
  int status = int(what.kind());
  if (!error) return status;
  try {
    *error = static_cast<kiln_error *>(
        make_handle(HandleKind::Error, std::make_unique<ErrorObject>(std::move(what))));
  } catch (...) {
    *error = nullptr; // Without memory for an error object, only the status is returned.
  }
  return status;
}

Error bad_handle(HandleKind wanted, const void *handle) {
  std::string_view name = name_of(wanted);
  if (!handle) return usage_error(fmt::format("the {} is null", name));
  if (HandleKind kind = kind_of(handle); kind != HandleKind(0))
    return usage_error(fmt::format("a {} where a {} is wanted", name_of(kind), name));
  return usage_error(fmt::format("the {} was freed, or never came from Kiln", name));
}

Error null_argument(std::string_view function, std::string_view parameter) {
  return usage_error(fmt::format("{}: `{}` is a null pointer", function, parameter));
}

Result<void> give_text(char **out, const std::string &text) {
  *out = static_cast<char *>(std::malloc(text.size() + 1));
  if (!*out) return Error(ErrorCode::OutOfMemory, "out of memory");
  std::memcpy(*out, text.c_str(), text.size() + 1);
  return {};
}

} // namespace kiln::c

extern "C" {

const char *kiln_version(void) { return KILN_VERSION; }

void kiln_text_free(char *text) { std::free(text); }
}
