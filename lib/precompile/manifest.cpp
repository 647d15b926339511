// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "manifest.h"

#include "candidates.h"
#include "precompile.h"

#include <architectures/architectures.h>
#include <job/job.h>
#include <kiln/extension/language/internal/hint.h>
#include <targets/targets.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

namespace kiln {

namespace {

using Kind = JsonValue::Kind;

constexpr size_t max_jobs = 1'000'000;

/// An option of a job as the manifest gives it. Options are named as for `kiln compile`.
struct OptionText {
  std::string name;
  std::vector<std::string> values; ///< "" for a set flag
  bool is_flag = false;
  Location at;
};
using Options = std::vector<OptionText>;

/// Options of one job: one value for each option that the manifest lists.
struct Choice {
  JsonValue config = {.kind = Kind::Object}; ///< as for read_options
  std::string product, group, range;
  std::vector<std::string> captures, linked;

  void set(const std::string &name, JsonValue value) {
    for (size_t i = 0; i < config.names.size(); i++)
      if (config.names[i].text == name) {
        config.items[i] = std::move(value);
        return;
      }
    config.names.push_back({name, value.at});
    config.items.push_back(std::move(value));
  }
};

/// True for a kernel inside a host function: "host/kernel" or "host(Int64)/kernel". "/" and "Base./" alone
/// are functions.
bool is_nested(std::string_view call) {
  size_t depth = 0;
  for (size_t i = 0; i < call.size(); i++) {
    depth += call[i] == '(' || call[i] == '{';
    if ((call[i] == ')' || call[i] == '}') && depth > 0) depth--;
    if (call[i] == '/' && depth == 0) return i > 0 && call[i - 1] != '.';
  }
  return false;
}

/// Settings that a manifest makes for all of its jobs. Each job may override them.
struct Scope {
  std::vector<PrecompileFile> files;
  std::string language; ///< language of calls, and of files not named *.jl; empty: Julia
  std::vector<Options> targets, configs;
  Candidates candidates;
};

class Reader {
public:
  explicit Reader(std::shared_ptr<const SourceFile> file) : file_(std::move(file)) {
    for (const ConfigOption &row : named_options()) {
      if (row.values.form == OptionForm::Hooks || row.values.form == OptionForm::Configs) continue;
      options_.emplace(row.name, row.is_flag());
      if (!row.values.negation.empty()) options_.emplace(row.values.negation, true);
    }
    for (const char *of_jobs : {"emit", "workgroupsize", "ndrange", "capture"})
      options_.emplace(of_jobs, false);
  }

  Result<PrecompileList> read() {
    KILN_TRY(JsonValue root, parse_json(file_));
    if (!root.is(Kind::Object))
      return make_error(ErrorCode::ManifestError,
                        fmt::format("a manifest is an object of JSON, not {}", root.kind_name()), root.at);
    std::error_code unknown;
    folder_ = std::filesystem::absolute(file_->name(), unknown).parent_path().lexically_normal();
    Scope all;
    read_scope(root, {"folder", "jobs"}, all);
    if (all.targets.empty()) all.targets.emplace_back();
    if (all.configs.empty()) all.configs.emplace_back();
    const JsonValue *jobs = root.find("jobs");
    if (!jobs)
      fault(root.at, "a manifest has \"jobs\", a list of calls: \"jobs\": [\"f(Float32)\"]");
    else if (expect(*jobs, Kind::Array, "jobs"))
      for (const JsonValue &job : jobs->items) read_job(job, all);
    if (!faults_.empty()) return Error(std::move(faults_));
    return std::move(list_);
  }

private:
  std::shared_ptr<const SourceFile> file_;
  std::filesystem::path folder_;
  /// Names of all job options; true: the option is a flag without value.
  std::map<std::string, bool, std::less<>> options_;
  PrecompileList list_;
  std::set<Fingerprint> seen_;
  std::vector<Diagnostic> faults_;

  void fault(const Location &at, std::string message, std::string hint = {}) {
    faults_.push_back({ErrorCode::ManifestError, std::move(message), at, {}, {}, std::move(hint)});
  }
  bool expect(const JsonValue &value, Kind kind, std::string_view name) {
    if (value.is(kind)) return true;
    JsonValue wanted;
    wanted.kind = kind;
    fault(value.at, fmt::format("\"{}\" is {}, not {}", name, wanted.kind_name(), value.kind_name()));
    return false;
  }

  /// Reads members that both a manifest and a job may have. A member replaces the earlier one of that name.
  /// "candidates" replaces only the lists that it names.
  void read_scope(const JsonValue &object, std::initializer_list<std::string_view> more, Scope &scope) {
    if (const JsonValue *folder = object.find("folder");
        folder && std::ranges::find(more, "folder") != more.end() && expect(*folder, Kind::String, "folder"))
      folder_ = (folder_ / folder->text).lexically_normal();
    for (size_t i = 0; i < object.names.size(); i++) {
      const std::string &name = object.names[i].text;
      const JsonValue &value = object.items[i];
      if (name == "files")
        read_files(value, scope);
      else if (name == "language")
        read_language(value, scope);
      else if (name == "targets")
        read_option_lists(value, name, scope.targets);
      else if (name == "configs")
        read_option_lists(value, name, scope.configs);
      else if (name == "candidates")
        read_candidates(value, scope.candidates, faults_);
      else if (std::ranges::find(more, name) == more.end()) {
        std::string known = "files, language, targets, configs, candidates";
        for (std::string_view each : more) known += fmt::format(", {}", each);
        fault(object.names[i].at, fmt::format("there is no field \"{}\" here", name), "there are " + known);
      }
    }
  }

  void read_files(const JsonValue &value, Scope &scope) {
    if (!expect(value, Kind::Array, "files")) return;
    scope.files.clear();
    for (const JsonValue &file : value.items) {
      if (!expect(file, Kind::String, "files")) continue;
      std::error_code unknown;
      if (!std::filesystem::is_regular_file(folder_ / file.text, unknown))
        fault(file.at, fmt::format("there is no file {}", (folder_ / file.text).string()),
              "paths are relative to \"folder\", and that to the manifest");
      scope.files.push_back({file.text, folder_.string(), {}});
    }
  }

  /// Reads a language's name. Only a session can check that the language exists.
  void read_language(const JsonValue &value, Scope &scope) {
    if (!expect(value, Kind::String, "language")) return;
    if (value.text.empty())
      fault(value.at, "\"language\" is empty", "name a language, as \"language\": \"julia\"");
    scope.language = value.text == "julia" ? "" : value.text;
  }

  void read_option_lists(const JsonValue &value, const std::string &field, std::vector<Options> &into) {
    if (!expect(value, Kind::Array, field)) return;
    into.clear();
    if (value.items.empty())
      fault(value.at,
            fmt::format("\"{}\" is empty, so there are no jobs: leave it out for the default", field));
    for (const JsonValue &item : value.items) {
      Options options;
      if (field == "targets" && item.is(Kind::String)) {
        options.push_back({"target", {item.text}, false, item.at});
      } else if (expect(item, Kind::Object, field)) {
        for (size_t i = 0; i < item.names.size(); i++)
          read_option(item.names[i], item.items[i], field, options);
      }
      into.push_back(std::move(options));
    }
  }

  /// Reads nested configs by name, as options in JSON: {"ad": {"O": 3}}. A list of such objects makes one job
  /// for each.
  void read_nested(const JsonValue::Name &name, const JsonValue &value, Options &into) {
    OptionText option{name.text, {}, false, value.at};
    auto add = [&](const JsonValue &one) {
      if (expect(one, Kind::Object, "nested"))
        option.values.emplace_back(one.at.file->text().substr(one.at.begin, one.at.end - one.at.begin));
    };
    if (value.is(Kind::Array))
      for (const JsonValue &one : value.items) add(one);
    else
      add(value);
    if (!option.values.empty()) into.push_back(std::move(option));
  }

  void read_option(const JsonValue::Name &name, const JsonValue &value, const std::string &field,
                   Options &into) {
    if (name.text == "nested" && field == "configs") return read_nested(name, value, into);
    const bool is_of_target = name.text == "target" || name.text == "arch" || name.text == "ptx-isa";
    auto known = options_.find(name.text);
    if (known == options_.end()) {
      std::vector<std::string> names;
      for (const auto &[each, is_flag] : options_) names.push_back(each);
      return fault(name.at, unknown_option(name.text, OptionDoor::Json, names),
                   "docs/guide/options.md lists the options");
    }
    if (is_of_target != (field == "targets"))
      return fault(name.at, fmt::format("\"{}\" is no option of {}", name.text, field),
                   field == "targets" ? "there are target, arch, ptx-isa; others stand in configs"
                                      : "the options of the target stand in targets");
    OptionText option{name.text, {}, known->second, value.at};
    auto add = [&](const JsonValue &one) {
      if (name.text == "arch" && one.is(Kind::String) &&
          one.text.starts_with("sm_")) { // one job for each architecture
        auto archs = parse_archs("\"arch\"", one.text);
        if (!archs.ok()) return fault(one.at, archs.error().diagnostics()[0].message);
        for (GpuArch arch : *archs) option.values.push_back(arch_name(arch));
      } else if (option.is_flag ? one.is(Kind::Boolean) : one.is(Kind::String) || one.is(Kind::Number))
        option.values.push_back(one.is(Kind::Boolean) ? one.boolean ? "true" : "false" : one.text);
      else
        fault(one.at,
              fmt::format("\"{}\" takes {}, or a list of them, not {}", name.text,
                          option.is_flag ? "true or false" : "a string or a number", one.kind_name()));
    };
    if (value.is(Kind::Array)) {
      if (value.items.empty())
        fault(value.at, fmt::format("\"{}\" has no value", name.text), "leave it out for the default");
      for (const JsonValue &one : value.items) add(one);
    } else {
      add(value);
    }
    into.push_back(std::move(option));
  }

  void read_job(const JsonValue &value, const Scope &all) {
    Scope scope = all;
    const JsonValue *call = &value;
    if (value.is(Kind::Object)) {
      read_scope(value, {"call"}, scope);
      call = value.find("call");
      if (!call) return fault(value.at, "a job has \"call\": \"f(T1, T2)\"");
    }
    if (!expect(*call, Kind::String, "call")) return;
    if (scope.files.empty())
      return fault(value.at, "no files for this job",
                   "name them in \"files\", of the job or of the manifest");
    if (!faults_.empty()) return; // an earlier fault may be about this job
    for (const Options &target : scope.targets)
      for (const Options &config : scope.configs) {
        Options options = target;
        options.insert(options.end(), config.begin(), config.end());
        std::vector<std::string_view> texts{call->text};
        for (const OptionText &option : options)
          for (const std::string &text : option.values) texts.push_back(text);
        auto used = scope.candidates.used_in(texts);
        if (!used.ok())
          return fault(call->at, used.error().diagnostics()[0].message, used.error().diagnostics()[0].hint);
        Candidates::Choice choice(*used);
        do {
          if (!add_jobs(choice.filled(call->text), call->at, options, choice, scope)) return;
        } while (choice.next());
      }
    if (!value.is(Kind::Object)) return;
    if (const JsonValue *own = value.find("candidates"))
      for (const JsonValue::Name &name : own->names)
        if (!scope.candidates.was_used(name.text))
          fault(name.at, fmt::format("nothing in this job uses ${}", name.text));
  }

  /// Adds one job for each combination of the options' values.
  bool add_jobs(const std::string &call, const Location &at, const Options &options,
                const Candidates::Choice &choice, const Scope &scope) {
    std::vector<size_t> turn(options.size(), 0);
    auto is_list = [](const OptionText &option) {
      return option.name == "link" || option.name == "capture";
    }; // a job uses all values of these options
    for (;;) {
      Choice given;
      Result<void> is_read;
      for (size_t i = 0; i < options.size(); i++)
        for (size_t n = 0; n < options[i].values.size(); n++)
          if ((n == turn[i] || is_list(options[i])) && is_read.ok())
            is_read = set_option(given, options[i], choice.filled(options[i].values[n]));
      Result<PrecompileJob> job =
          is_read.ok() ? make_job(call, at, given) : Result<PrecompileJob>(is_read.take_error());
      if (!job.ok()) {
        const Diagnostic &d = job.error().diagnostics()[0];
        fault(options.empty() ? at : options[0].at, d.message, d.hint);
        return false;
      }
      job->files = scope.files;
      job->language = scope.language;
      for (PrecompileFile &file : job->files)
        if (!file.name.ends_with(".jl")) file.language = scope.language;
      if (seen_.insert(identity_of(*job)).second) list_.jobs.push_back(std::move(*job));
      if (list_.jobs.size() > max_jobs) {
        fault(at, fmt::format("more than {} jobs", max_jobs), "leave out candidates");
        return false;
      }
      size_t i = 0;
      for (; i < options.size(); i++) {
        if (!is_list(options[i]) && ++turn[i] < options[i].values.size()) break;
        turn[i] = 0;
      }
      if (i == options.size()) return true;
    }
  }

  /// Sets an option of a job. `text`: its value, in which candidates are replaced by their values.
  Result<void> set_option(Choice &given, const OptionText &option, std::string text) const {
    const std::string &name = option.name;
    if (name == "link")
      given.linked.push_back((folder_ / text).string());
    else if (name == "capture")
      given.captures.push_back(std::move(text));
    else if (name == "emit")
      given.product = std::move(text);
    else if (name == "workgroupsize")
      given.group = std::move(text);
    else if (name == "ndrange")
      given.range = std::move(text);
    else if (name == "nested") {
      KILN_TRY(JsonValue configs, parse_options(text));
      given.set(name, std::move(configs));
    } else if (option.is_flag)
      given.set(name, {.kind = Kind::Boolean, .boolean = text == "true"});
    else
      given.set(name, {.kind = Kind::String, .text = std::move(text)});
    return {};
  }

  static Result<CompilerConfig> config_of(const std::string &call, const Choice &given) {
    if (!given.captures.empty() && !is_nested(call))
      return usage_error(
          std::string(by_door("--capture", "\"capture\"", "capture")) +
          " is for a kernel inside a host function, which is written host/kernel, or host(A, B)/kernel where several methods of host have one");
    auto config =
        read_options(given.config, {.targets = own_targets(), .door = OptionDoor::Json}, {.kernel = true});
    if (!config.ok()) return config.take_error();
    for (const std::string &path : given.linked) {
      KILN_TRY(LinkedFile file, read_linked_file(path));
      config->linked.push_back(std::move(file));
    }
    return config;
  }

  static Result<ArtifactKind> product_of(std::string_view name, const TargetSpec &spec) {
    const TargetCapabilities target = find_target(spec).capabilities(spec);
    if (name.empty()) return target.makes_cubins ? ArtifactKind::Cubin : ArtifactKind::Object;
    const bool is_view = name == "sass" || name == "resources"; // shows the cubin
    KILN_TRY(const ArtifactKind kind, read_stage(is_view ? "cubin" : name));
    if (kind == ArtifactKind::Object && !target.makes_objects)
      return usage_error(fmt::format("{} is for {}: the product for a GPU is {}", product_hint("obj"),
                                     option_hint("target", "native"), product_hint("cubin")));
    if (kind == ArtifactKind::Cubin && !target.makes_cubins)
      return usage_error(fmt::format("{} is for {}", product_hint(name), option_hint("target", "ptx")));
    if (kind < ArtifactKind::Assembly)
      return usage_error(fmt::format("\"emit\" is asm, obj or cubin: {} is not kept", name));
    return kind;
  }

  static Result<PrecompileJob> make_job(const std::string &call, const Location &at, Choice &given) {
    PrecompileJob job;
    job.call = call;
    job.at = at;
    KILN_TRY(job.config, config_of(call, given));
    if (job.config.check && job.config.interruptible)
      return usage_error("check and interruptible are two jobs: a list of configs has both");
    KILN_TRY(job.product, product_of(given.product, job.config.target));
    if (!job.config.kernel && job.product == ArtifactKind::Object)
      job.config.entry_abi = EntryAbi::Packed; // the ABI of kiln run
    for (const std::string &capture : given.captures) {
      size_t equals = capture.find('=');
      if (equals == std::string::npos || equals == 0 || equals + 1 == capture.size())
        return usage_error(fmt::format("\"capture\" takes NAME=EXPR, not `{}`", capture));
      job.captures.emplace_back(capture.substr(0, equals), capture.substr(equals + 1));
    }
    KILN_TRY(job.hidden_argument, iteration_space(given.group, given.range));
    return job;
  }
};

} // namespace

Result<PrecompileList> read_manifest_text(const std::string &path, std::string text) {
  return Reader(std::make_shared<const SourceFile>(0, path, std::move(text))).read();
}

} // namespace kiln
