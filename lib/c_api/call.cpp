// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "call.h"

#include "supplied.h"

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
    *error = nullptr; // no memory for the text: the status is all there is
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
  if (!*out) return machine_error("out of memory");
  std::memcpy(*out, text.c_str(), text.size() + 1);
  return {};
}

Result<CompilerConfig> read_config(const Session &session, const char *options_json) {
  return session.read_config(options_json ? options_json : "");
}

Result<SessionOptions> read_session_options(const kiln_session_options *given) {
  SessionOptions options;
  if (!given) return options;
  KILN_TRY(kiln_session_options read, read_struct(given, "kiln_session_options"));
  auto optional = [](const char *text) { return text ? std::optional<std::string>(text) : std::nullopt; };
  options.timings = read.timings != 0;
  options.trace_events = read.trace_events != 0;
  if (read.dump_dir) options.dump_dir = read.dump_dir;
  options.trace_jobs = optional(read.trace_jobs);
  if (read.warm_up) {
    KILN_TRY(options.warm_up, kiln::read_config(read.warm_up));
  }
  if (read.inference_budget) options.inference_budget = read.inference_budget;
  if (read.artifact_budget) options.artifact_budget = read.artifact_budget;
  options.cpu_threads = read.cpu_threads;
  options.cpu_order = read.cpu_order;
  options.cache_dir = optional(read.cache_dir);
  options.shared_cache_dir = optional(read.shared_cache_dir);
  options.cache_budget = read.cache_budget;
  options.check_cache = read.check_cache != 0;
  if (read.verbosity < 0 || read.verbosity > 4)
    return usage_error(
        fmt::format("kiln_session_options.verbosity is 0 (default) to 4 (debug), not {}", read.verbosity));
  options.verbosity = read.verbosity - 1;
  if (read.cpu_arena)
    options.cpu_arena = [arena = read.cpu_arena,
                         user = read.cpu_arena_user](const std::function<void()> &work) {
      arena([](void *argument) { (*static_cast<const std::function<void()> *>(argument))(); },
            const_cast<std::function<void()> *>(&work), user);
    };
  if (read.log)
    options.log = [log = read.log, user = read.log_user](LogLevel level, std::string_view message) {
      const std::string text(message);
      log(int(level) + 1, text.c_str(), text.size(), user);
    };
  options.use_environment = !read.ignore_environment;
  if (read.executor) {
    KILN_TRY(options.executor, read_executor(*read.executor));
  }
  if (read.device_allocator) {
    KILN_TRY(options.device_allocator, read_device_allocator(*read.device_allocator));
  }
  if (read.store) {
    KILN_TRY(options.store, read_store(*read.store));
  }
  options.compile_threads = read.compile_threads;
  options.gdb = read.gdb != 0;
  if (read.perf_dir) options.perf_dir = read.perf_dir;
  options.nvtx = read.nvtx != 0;
  return options;
}

Result<Device> device_named(Session &session, const char *name) {
  std::string_view text = name ? name : "cpu";
  if (text == "cpu") return session.cpu();
  std::string_view number = text;
  int gpu = 0;
  if (text == "cuda") return session.gpu();
  if (number.starts_with("cuda:") && number.size() > 5 && number.size() <= 9 &&
      number.find_first_not_of("0123456789", 5) == std::string_view::npos) {
    for (char c : number.substr(5)) gpu = gpu * 10 + (c - '0');
    return session.gpu(gpu);
  }
  return usage_error(fmt::format("a device is cpu, cuda or cuda:N, not `{}`", text));
}

} // namespace kiln::c

extern "C" {

const char *kiln_version(void) { return KILN_VERSION; }

int kiln_has_feature(const char *name) { return name && kiln::has_feature(name) ? 1 : 0; }

void kiln_text_free(char *text) { std::free(text); }
}
