// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "trace.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <support/descriptor.h>
#include <unistd.h>

namespace kiln {

namespace {

/// Maximum size, in bytes, of a trace file that is searched for lines of other processes. Lines found there
/// are not written again.
constexpr uint64_t max_read = uint64_t(64) << 20;

/// Returns the language's name for a record; empty for Julia, the default.
std::string language_field(const Frontend &language) {
  return language.name() == "julia" ? std::string()
                                    : fmt::format("\"language\":{},", json_string(language.name()));
}

std::string_view product_name(ArtifactKind product) {
  return product == ArtifactKind::Cubin ? "cubin" : product == ArtifactKind::Object ? "obj" : "asm";
}

} // namespace

TraceRecorder::TraceRecorder(std::string path, Definitions &definitions, Log &log)
    : path_(std::move(path)), definitions_(definitions), log_(log) {}

TraceRecorder::~TraceRecorder() {
  if (file_ >= 0) ::close(file_);
}

size_t TraceRecorder::loading(const std::string &name, std::string_view text, const std::string &base) {
  std::error_code unknown;
  std::filesystem::path folder =
      base.empty() ? std::filesystem::current_path(unknown) : std::filesystem::path(base);
  auto content = read_file((folder / name).string(), uint64_t(1) << 28);
  const bool is_file = content.ok() && *content == text;
  std::string json = fmt::format(
      "{{\"name\":{},{}{}\"digest\":\"{}\"}}", json_string(name),
      is_file ? fmt::format("\"folder\":{},", json_string(folder.string())) : "\"is_file\":false,",
      language_field(definitions_.languages().of_file(name)), fingerprint_of(text).hex());
  std::lock_guard lock(mutex_);
  loads_.push_back({std::move(json), is_file ? std::string() : name});
  join_loads();
  return loads_.size() - 1;
}

void TraceRecorder::failed(size_t load) {
  std::lock_guard lock(mutex_);
  loads_[load] = {};
  join_loads();
}

void TraceRecorder::join_loads() {
  files_.clear();
  without_file_.clear();
  for (const Load &load : loads_) {
    if (load.json.empty()) continue;
    files_ += (files_.empty() ? "" : ",") + load.json;
    if (without_file_.empty()) without_file_ = load.without_file;
  }
}

void TraceRecorder::defined(std::span<const Method *const> methods, std::string_view by) {
  std::lock_guard lock(mutex_);
  for (const Method *method : methods)
    if (!method->is_library) of_api_[{method->signature, method->begin}] = by;
}

std::string_view TraceRecorder::definer_of(const Method &method) const {
  auto found = of_api_.find({method.signature, method.begin});
  return found == of_api_.end() ? std::string_view() : found->second;
}

/// Returns the reason why another process cannot compile the same job: it lacks a text, or a method that the
/// job reaches. Empty: it can.
std::string TraceRecorder::why_not_repeatable(const CompilerJob &job,
                                              const std::function<Result<const CodeInstance *>()> &typed) {
  {
    std::lock_guard lock(mutex_);
    if (!without_file_.empty())
      return fmt::format("the program loads {} from memory: it lies in no file", without_file_);
    if (of_api_.empty()) return {};
  }
  auto reason = [](const Method &method, std::string_view by) {
    return fmt::format("method `{}` was defined through the API by {}", method.name.text(), by);
  };
  // If inference fails, the check below considers only the job's own method. The mutex is not held here,
  // because typed() may run inference.
  const Result<const CodeInstance *> code = typed();
  std::lock_guard lock(mutex_);
  if (const std::string_view by = definer_of(*job.source->method); !by.empty())
    return reason(*job.source->method, by);
  std::vector<const CodeInstance *> reached;
  if (code.ok()) reached.push_back(*code);
  std::unordered_set<const CodeInstance *> seen(reached.begin(), reached.end());
  for (size_t i = 0; i < reached.size(); i++) {
    const Method &method = *reached[i]->instance->method;
    if (const std::string_view by = definer_of(method); !by.empty()) return reason(method, by);
    for (const CodeInstance *callee : reached[i]->callees)
      if (seen.insert(callee).second) reached.push_back(callee);
  }
  return {};
}

/// Returns the call of a job as text. Verifies that the text resolves to the same job; else sets `why_not`.
std::string TraceRecorder::call_of(const CompilerJob &job, std::string &why_not) {
  const std::string call = definitions_.frontend().call_text(job.source->arguments);
  const std::string_view function = job.source->method->name.text();
  // This thread may hold the recursive mutex already, if it evaluates code.
  std::lock_guard lock(definitions_.mutex());
  CompilerWorld &world = definitions_.world();
  auto read = definitions_.frontend().resolve_call(world, *world.main(), "trace", call);
  if (!read.ok())
    why_not = fmt::format("{} cannot be named in another process, or a type among its arguments: {}",
                          function, read.error().diagnostics()[0].message);
  else if (read->tuple != job.source->arguments)
    why_not = fmt::format("{} is read as another job: a closure or a type without a name of its own is in it",
                          call);
  return call;
}

void TraceRecorder::record(const CompilerJob &job, ArtifactKind product,
                           const std::function<Result<const CodeInstance *>()> &typed) {
  if (product < ArtifactKind::Assembly) return; // the cache's folder does not keep earlier products
  Fingerprinter digest;
  definitions_.types().digest(digest, job.source->arguments);
  visit_fields(job.config, [&](std::string_view name, const auto &value) { digest.add(name).add(value); });
  digest.add(product);
  std::string files;
  {
    std::lock_guard lock(mutex_);
    digest.add(files_);
    if (is_given_up_ || !seen_.insert(digest.finish()).second) return;
    files = files_;
  }
  std::string why_not = why_not_repeatable(job, typed);
  std::string why_no_call, call = call_of(job, why_no_call);
  if (why_not.empty()) why_not = std::move(why_no_call);
  if (const JobHooks *hooks = any_hooks(job.config); hooks && why_not.empty())
    why_not = fmt::format("its config has hooks of the program that compiled it: {}", hooks->name());
  append(fmt::format("{}{},{}\"call\":{},\"product\":\"{}\",\"config\":{},\"files\":[{}]{}}}\n", trace_mark,
                     trace_version, language_field(definitions_.frontend()), json_string(call),
                     product_name(product), config_json(job.config), files,
                     why_not.empty() ? "" : fmt::format(",\"cannot_repeat\":{}", json_string(why_not))));
}

void TraceRecorder::append(const std::string &line) {
  std::lock_guard lock(mutex_);
  if (is_given_up_) return;
  auto give_up = [&](std::string_view doing) {
    log_.warn("the trace of jobs cannot be {} {}: {}; nothing more is recorded", doing, path_,
              std::strerror(errno));
    is_given_up_ = true;
  };
  if (file_ < 0) {
    if (auto there = read_file(path_, max_read); there.ok()) {
      for (size_t begin = 0, end; (end = there->find('\n', begin)) != std::string::npos; begin = end + 1)
        seen_.insert(fingerprint_of(std::string_view(*there).substr(begin, end + 1 - begin)));
    }
    file_ = open_descriptor(path_.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_NOCTTY | O_NONBLOCK,
                            0666); // does not wait for a pipe's reader
    if (file_ < 0) return give_up("written to");
  }
  if (!seen_.insert(fingerprint_of(line)).second) return;
  // Each line is one write(), so that O_APPEND keeps lines of several processes apart.
  ssize_t written;
  do written = ::write(file_, line.data(), line.size());
  while (written < 0 && errno == EINTR);
  if (written == ssize_t(line.size())) return;
  if (written >= 0) errno = ENOSPC;
  give_up("appended to");
}

} // namespace kiln
