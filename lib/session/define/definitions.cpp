// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "definitions.h"

#include <session/build_digest.h>
#include <session/jobs/trace.h>

#include <cache/cache.h>
#include <kiln/extension/language/internal/host_library.h>
#include <support/exceptions.h>
#include <support/stack.h>
#include <support/timed_lock.h>

#include <filesystem>

namespace kiln {

HostLibrary::~HostLibrary() = default;

Definitions::Definitions(SessionLog &log, SourceMap &sources, PersistentCache *persistent,
                         size_t inference_budget, HostLibrary *host)
    : log_(log), sources_(sources), persistent_(persistent), host_(host), world_(types_, sources),
      interpreter_(world_),
      languages_(language_host(), host ? host->files() : std::span<const LibraryFile>()),
      code_(world_, inference_budget) {
  if (host_) world_.set_host_overlay(types_.symbol(host_->overlay()));
  mutex_.on_release(
      [this] {
        // While a thread waits for a device, definitions of other threads must not wait for its Use.
        code_.pause_uses();
        return suspend_evaluation(interpreter_);
      },
      [this](std::shared_ptr<void> state) {
        code_.resume_uses();
        resume_evaluation(interpreter_, std::move(state));
      });
  interpreter_.set_array_adapter([this](const Value &array) { return kernel_value(array); });
}

LanguageHost Definitions::language_host() {
  auto key_of = [](Fingerprint key) {
    return Fingerprinter().add("of a language").add(build_digest()).add(key).finish();
  };
  return {.world = world_,
          .interpreter = interpreter_,
          .timer = log_.timer_owner,
          .debug = [this](std::string_view line) { log_.log.debug("{}", line); },
          .find_kept = [this, key_of](Fingerprint key) -> std::optional<std::string> {
            std::optional<std::string> content =
                persistent_ ? persistent_->find_content(key_of(key)) : std::nullopt;
            if (!content) return std::nullopt;
            auto text = read_text(*content);
            if (text.ok()) return std::move(*text);
            persistent_->drop_damaged(key_of(key), text.error());
            return std::nullopt;
          },
          .keep =
              [this, key_of](Fingerprint key, std::string bytes) {
                if (persistent_) persistent_->publish_content(key_of(key), text_content(bytes));
              },
          .bind_host = [this] { return bind_host(); }};
}

static Error no_host_library() {
  return usage_error(
      "the session has no host library: link Kiln's programs library, and open the session with "
      "SessionOptions::host_library = &programs_library() (kiln/program.h)");
}

Result<void> Definitions::bind_host() {
  if (!host_) return no_host_library();
  if (host_is_bound_) return {};
  world_.set_array_policy(host_->array_policy());
  KILN_TRY(host_objects_, call_embedder("HostLibrary::bind of SessionOptions::host_library",
                                        [&] { return host_->bind(*session_); }));
  host_is_bound_ = true;
  return {};
}

Result<void> Definitions::begin_program(const HostLibrary &library) {
  if (host_ != &library) return no_host_library();
  if (std::exchange(had_program_, true))
    return usage_error("the session runs a program already: open another session for a second one");
  host_is_bound_ = true;
  world_.set_array_policy(host_->array_policy());
  return {};
}

Result<TypeRef> Definitions::read_type(const std::string &what, const std::string &text) {
  const auto in_use = use();
  std::lock_guard lock(mutex_);
  KILN_TRY(Value value, with_stack(stack_for_limits, [&] {
             return languages_.of_file("types.jl").evaluate(world_, *world_.main(), what, text);
           }));
  if (TypeRef type = value.as_type()) return type;
  return make_error(ErrorCode::TypeError, fmt::format("{}: `{}` is no type", what, text));
}

Result<LoadSummary> Definitions::load(const std::string &name, std::string text, std::string base,
                                      std::string_view by) {
  return load(sources_.add(name, std::move(text), false, std::move(base)), by, trace_ != nullptr);
}

Result<LoadSummary> Definitions::load_library(const std::string &name, std::string text) {
  return load(sources_.add(name, std::move(text), /*is_library=*/true), {}, /*is_traced=*/false);
}

Result<LoadSummary> Definitions::load(const std::shared_ptr<const SourceFile> &file, std::string_view by,
                                      bool is_traced) {
  const std::string &name = file->name();
  auto read = [&]() -> Result<LoadReport> {
    auto use = code_.use();
    std::unique_lock lock(mutex_, std::defer_lock);
    lock_timed(lock, &log_.timer, Stage::WaitForLoad);
    const size_t before = world_.method_count(),
                 load = is_traced && by.empty() ? trace_->loading(name, file->text(), file->base()) : 0;
    Result<LoadReport> report = languages_.of_file(name).load(world_, *world_.main(), file);
    if (is_traced && by.empty() && !report.ok()) trace_->failed(load);
    if (is_traced && !by.empty()) trace_->defined(world_.methods_from(before), by);
    return report;
  };
  // In builds with sanitizers another thread runs `read`, so `read` takes the lock itself.
  Result<LoadReport> loaded = with_stack(stack_for_limits, read);
  changed(); // also after an error, since definitions before the error remain
  KILN_TRY(LoadReport report, std::move(loaded));
  LoadSummary summary{report.methods, report.types, {}, {}};
  for (const auto &skipped : report.skipped) {
    LineColumn at = skipped.at ? skipped.at.file->position(skipped.at.begin) : LineColumn{};
    summary.notes.push_back(fmt::format("{}:{}: not run: {}", skipped.at ? skipped.at.file->name() : name,
                                        at.line, skipped.what));
  }
  for (const Diagnostic &d : report.unresolved) summary.notes.push_back(render(d));
  for (const std::string &note : summary.notes) log_.log.info("{}", note);
  for (const Diagnostic &warning : report.warnings) {
    LineColumn at = warning.at ? warning.at.file->position(warning.at.begin) : LineColumn{};
    summary.warnings.push_back(fmt::format("{}:{}:{}: {}", warning.at ? warning.at.file->name() : name,
                                           at.line, at.column, warning.message));
    log_.log.warn("{}", summary.warnings.back());
  }
  return summary;
}

Result<void> Definitions::load_files(std::span<const PrecompileFile> files) {
  for (const PrecompileFile &file : files) {
    KILN_TRY(std::string text,
             read_file((std::filesystem::path(file.folder) / file.name).string(), uint64_t(1) << 28));
    KILN_CHECK(load(file.name, std::move(text), file.folder));
  }
  return {};
}

Result<void> Definitions::define(const std::function<Result<void>(World &)> &definitions) {
  if (!definitions) return usage_error("Session::define: the function is empty");
  Result<void> done;
  {
    auto use = code_.use();
    std::lock_guard lock(mutex_);
    const KeptLocks kept;              // excludes other definitions in between
    CallbackScope callback(&log_.log); // refuses calls of the session, which would wait for the mutex
    const size_t before = world_.method_count();
    done = with_stack(stack_for_limits, [&] {
      return call_embedder("the function given to Session::define", [&] { return definitions(world_); });
    });
    if (trace_) trace_->defined(world_.methods_from(before), "Session::define or a kiln_define function");
  }
  changed();
  return done;
}

Result<Value> Definitions::evaluate(std::string_view name, std::string_view text) {
  return with_stack(stack_for_limits, [&] {
    const auto in_use = use();
    std::lock_guard lock(mutex_);
    return frontend().evaluate(world_, *world_.main(), name, text);
  });
}

Result<ResolvedCall> Definitions::resolve_call(std::string_view call, std::span<const Capture> captures) {
  return with_stack(stack_for_limits, [&] {
    std::lock_guard lock(mutex_);
    return frontend().resolve_call(world_, *world_.main(), "job", call, captures);
  });
}

Result<ResolvedCall> Definitions::resolve_launch(std::string_view function,
                                                 std::span<const std::string_view> types) {
  return with_stack(stack_for_limits, [&] {
    std::lock_guard lock(mutex_);
    return frontend().resolve_launch(world_, *world_.main(), function, types);
  });
}

Result<Value> Definitions::argument_value(const Value &value) {
  std::lock_guard lock(mutex_);
  return frontend().argument_value(world_, value);
}

} // namespace kiln
