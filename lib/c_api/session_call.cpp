// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "session_call.h"

#include "supplied.h"

#include <kiln/read_config.h>

#include <sstream>

namespace kiln::c {

static_assert(int(LogLevel::Error) == KILN_LOG_ERROR && int(LogLevel::Debug) == KILN_LOG_DEBUG);

Result<CompilerConfig> read_config(const Session &session, const char *options_json) {
  if (!options_json || !*options_json) return session.default_config(); // most launches use the default
  return session.read_config(options_json);
}

Result<CompilerConfig> read_config(Session &session, const char *options_json, const Device &device) {
  if (!options_json || !*options_json) return session.default_config();
  return kiln::read_config(session, options_json, device);
}

/// Calls the callback `show` with device code. The job handle that it gets is valid only during the call.
static void show_device_code(const DeviceCode &code, kiln_device_code_function show, void *user) {
  kiln_job *job = nullptr;
  // If no handle is available, the callback gets the text and the macro only.
  if (!give<JobObject>(&job, code.job).ok()) job = nullptr;
  const std::string macro(code.macro), text(code.text);
  const kiln_device_code shown{.struct_size = sizeof(kiln_device_code),
                               .macro = macro.c_str(),
                               .job = job,
                               .text = text.c_str(),
                               .size = text.size()};
  try {
    show(&shown, user);
  } catch (...) {
    free_handle(HandleKind::Job, job);
    throw; // the evaluation reports it
  }
  free_handle(HandleKind::Job, job);
}

/// Callback that stores the text that embedder code returns. `context` points to a
/// std::optional<std::string>.
void take_text(void *context, const char *data, size_t size) {
  *static_cast<std::optional<std::string> *>(context) = data ? std::string(data, size) : std::string();
}

static Result<void> call_job_hook(const JobRequest &request, kiln_job_hook hook, void *user) {
  const std::string call(request.call), target(request.config.target.name());
  const kiln_job_request shown{.struct_size = sizeof(kiln_job_request),
                               .call = call.c_str(),
                               .target = target.c_str(),
                               .is_kernel = request.config.kernel};
  std::optional<std::string> given;
  if (const int status = hook(&shown, take_text, &given, user))
    return usage_error(
        given ? *given
              : fmt::format("kiln_session_options.on_job refused {}: it returned {}", request.call, status));
  return {};
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
  if (read.default_options) {
    KILN_TRY(options.default_config, kiln::read_config(read.default_options));
  }
  if (read.on_job)
    options.on_job = [hook = read.on_job, user = read.on_job_user](const JobRequest &request) {
      return call_job_hook(request, hook, user);
    };
  if (read.inference_budget) options.inference_budget = read.inference_budget;
  if (read.artifact_budget) options.artifact_budget = read.artifact_budget;
  options.cpu_threads = read.cpu_threads;
  options.cpu_order = read.cpu_order;
  options.cache_dir = optional(read.cache_dir);
  options.shared_cache_dir = optional(read.shared_cache_dir);
  options.cache_budget = read.cache_budget;
  if (read.compile) options.compile = SessionOptions::CompileMode(read.compile);
  if (read.remote) {
    std::istringstream words(read.remote);
    options.remote.emplace();
    for (std::string url; words >> url;) options.remote->push_back(std::move(url));
  }
  options.check_cache = read.check_cache != 0;
  if (read.verbosity < 0 || read.verbosity > KILN_LOG_DEBUG)
    return usage_error(fmt::format("kiln_session_options.verbosity is 0 (default) to {} (debug), not {}",
                                   int(KILN_LOG_DEBUG), read.verbosity));
  if (read.verbosity) options.verbosity = LogLevel(read.verbosity);
  if (read.cpu_arena)
    options.cpu_arena = [arena = read.cpu_arena,
                         user = read.cpu_arena_user](const std::function<void()> &work) {
      arena([](void *argument) { (*static_cast<const std::function<void()> *>(argument))(); },
            const_cast<std::function<void()> *>(&work), user);
    };
  if (read.log)
    options.log = [log = read.log, user = read.log_user](LogLevel level, std::string_view message) {
      const std::string text(message);
      log(int(level), text.c_str(), text.size(), user);
    };
  if (read.device_code)
    options.device_code = [show = read.device_code, user = read.device_code_user](const DeviceCode &code) {
      show_device_code(code, show, user);
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
  options.store_expiry = std::chrono::seconds(int64_t(std::min<uint64_t>(read.store_expiry, INT64_MAX)));
  if (read.cpu_tier < 0 || read.cpu_tier > int(SessionOptions::CpuTier::First))
    return usage_error(
        fmt::format("kiln_session_options.cpu_tier is 0 (default) to 3 (first only), not {}", read.cpu_tier));
  if (read.cpu_tier) options.cpu_tier = SessionOptions::CpuTier(read.cpu_tier);
  options.compile_threads = read.compile_threads;
  options.gdb = read.gdb != 0;
  if (read.perf_dir) options.perf_dir = read.perf_dir;
  options.nvtx = read.nvtx != 0;
  options.worker_processes = read.worker_processes;
  if (read.worker_program) options.worker_program = read.worker_program;
  options.worker_memory = read.worker_memory;
  if (read.assemble_limit != 0) options.assemble_limit = std::max(read.assemble_limit, 0.0);
  options.quick_tier = read.quick_tier != 0;
  options.coarsen = !read.no_coarsening;
  if (read.language_count && !read.languages)
    return usage_error("kiln_session_options.languages is a null pointer");
  for (size_t i = 0; i < read.language_count; i++) {
    if (!read.languages[i])
      return usage_error(fmt::format("kiln_session_options.languages[{}] is a null pointer", i));
    KILN_TRY(FrontendFactory language, read_language(*read.languages[i]));
    options.languages.push_back(std::move(language));
  }
  if (read.language_file_count && !read.language_files)
    return usage_error("kiln_session_options.language_files is a null pointer");
  for (size_t i = 0; i < read.language_file_count; i++) {
    if (!read.language_files[i])
      return usage_error(fmt::format("kiln_session_options.language_files[{}] is a null pointer", i));
    options.language_files.emplace_back(read.language_files[i]);
  }
  if (read.language) options.language = read.language;
  options.host_library = reinterpret_cast<HostLibrary *>(read.host_library);
  KILN_CHECK(read_symbols(read.symbols, options.symbols, options.find_symbol));
  return options;
}

PartErrors::PartErrors(kiln_error **each, size_t count) : each_(each) {
  if (each_) std::fill_n(each_, count, nullptr);
}

void PartErrors::add(size_t part, Error error) {
  const std::vector<Diagnostic> &diagnostics = error.diagnostics();
  all_.insert(all_.end(), diagnostics.begin(), diagnostics.end());
  if (each_) (void)report(&each_[part], std::move(error));
}

Result<void> PartErrors::finish() { return all_.empty() ? Result<void>() : Error(std::move(all_)); }

Result<Device> device_named(Session &session, const char *name) {
  return session.device(device_or_cpu(name));
}

} // namespace kiln::c

extern "C" {

int kiln_has_feature(const char *name) { return name && kiln::has_feature(name) ? 1 : 0; }
}
