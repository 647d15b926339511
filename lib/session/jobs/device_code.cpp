// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "device_code.h"

#include <ptx/ptx.h>
#include <support/exceptions.h>

#include <filesystem>
#include <map>

namespace kiln {
namespace {

/// Product of a job that a macro such as @device_code_llvm shows.
enum class Shown : uint8_t { Lowered, Typed, Warntype, Llvm, LlvmOpt, Assembly, Sass };

struct Macro {
  std::string_view name;
  Shown shown;
};
constexpr Macro macros[] = {
    {"@device_code_lowered", Shown::Lowered},   {"@device_code_typed", Shown::Typed},
    {"@device_code_warntype", Shown::Warntype}, {"@device_code_llvm", Shown::LlvmOpt},
    {"@device_code_ptx", Shown::Assembly},      {"@device_code_native", Shown::Assembly},
    {"@device_code_sass", Shown::Sass}};

/// Files that @device_code writes, by suffix. The suffixes are GPUCompiler.jl's.
constexpr std::pair<std::string_view, Shown> files[] = {{"lowered.jl", Shown::Lowered},
                                                        {"typed.jl", Shown::Typed},
                                                        {"unopt.ll", Shown::Llvm},
                                                        {"opt.ll", Shown::LlvmOpt},
                                                        {"asm", Shown::Assembly}};

struct Asked {
  std::string_view macro;
  Shown shown = Shown::LlvmOpt;
  std::string folder; ///< of @device_code; otherwise empty
  Value io;           ///< stream that receives the text; empty: SessionOptions::device_code receives it
};

Result<Asked> read(std::span<const Value> args) {
  Asked asked{.macro = args[0].as_symbol().text(), .folder = {}};
  for (const Macro &macro : macros)
    if (macro.name == asked.macro) asked.shown = macro.shown;
  const bool writes = asked.macro == "@device_code", is_llvm = asked.macro == "@device_code_llvm";
  for (size_t i = 1; i + 1 < args.size(); i += 2) {
    const std::string_view keyword = args[i].as_symbol().text();
    const Value &value = args[i + 1];
    if (const std::string *folder = value.as_string(); folder && writes && keyword == "dir")
      asked.folder = *folder;
    else if (is_llvm && keyword == "optimize" && value.is_primitive())
      asked.shown = value.low_bits() & 1 ? Shown::LlvmOpt : Shown::Llvm;
    else if (!writes && keyword == "io")
      asked.io = value;
    else
      return input_error(fmt::format("{} has no keyword {} with such a value", asked.macro, keyword), {},
                         writes    ? "it takes dir = \"folder\""
                         : is_llvm ? "it takes optimize = true or false, and io"
                                   : "it takes io");
  }
  if (writes && asked.folder.empty())
    return input_error("@device_code writes files: it takes dir = \"folder\"");
  return asked;
}

class Show {
public:
  Show(JobService &jobs, const Asked &asked) : jobs_(jobs), definitions_(jobs.definitions()), asked_(asked) {}

  Result<void> show(const HeldJobs::StatePtr &state) {
    const Job job = HeldJobs::as_job(state);
    if (asked_.folder.empty()) {
      KILN_TRY(std::string text, text_of(job, *state, asked_.shown));
      return tell(job, text);
    }
    std::error_code failed;
    std::filesystem::create_directories(asked_.folder, failed);
    std::string name(state->job.source->method->name.text());
    for (char &c : name)
      if (c == '/' || uint8_t(c) < 0x20) c = '_';
    const int number = ++count_[name];
    for (const auto &[ending, shown] : files) {
      KILN_TRY(std::string text, text_of(job, *state, shown));
      const std::string path =
          (std::filesystem::path(asked_.folder) / fmt::format("{}_{}.{}", name, number, ending)).string();
      KILN_CHECK(write_file_atomically(path, text));
      KILN_CHECK(tell(job, path));
    }
    return {};
  }

private:
  Result<std::string> text_of(const Job &job, const Job::State &state, Shown shown) {
    switch (shown) {
    case Shown::Lowered: return product(job, ArtifactKind::Lowered);
    case Shown::Typed: return product(job, ArtifactKind::Typed);
    case Shown::Llvm: return product(job, ArtifactKind::Llvm);
    case Shown::LlvmOpt: return product(job, ArtifactKind::LlvmOpt);
    case Shown::Assembly: return product(job, ArtifactKind::Assembly);
    case Shown::Warntype: {
      auto use = jobs_.use();
      KILN_TRY(const CodeInstance *code,
               definitions_.code().get(*state.job.source, state.facts, state.job.world));
      return to_string(definitions_.types(), *code, &definitions_.sources(), true);
    }
    case Shown::Sass: {
      KILN_TRY(std::string cubin, product(job, ArtifactKind::Cubin));
      return disassemble_cubin(cubin);
    }
    }
    return std::string();
  }
  static Result<std::string> product(const Job &job, ArtifactKind kind) {
    KILN_TRY(auto artifact, job.compile(kind));
    return artifact->bytes;
  }
  Result<void> tell(const Job &job, const std::string &text) {
    if (asked_.io.type()) {
      CompilerWorld &world = definitions_.world();
      KILN_TRY(auto write, world.lookup(*world.base(), definitions_.types().symbol("write"), world.age()));
      if (!write) return internal_error("Base has no function write");
      const Value args[] = {asked_.io, Value::string(definitions_.types(), text)};
      KILN_TRY(Value done, definitions_.interpreter().call(*write, args));
      (void)done;
      return {};
    }
    if (!jobs_.device_code) {
      jobs_.log().log.info("{} {}\n{}", asked_.macro, job.call(), text);
      return {};
    }
    return call_embedder("SessionOptions::device_code", [&]() -> Result<void> {
      jobs_.device_code({asked_.macro, job, text});
      return {};
    });
  }

  JobService &jobs_;
  Definitions &definitions_;
  const Asked &asked_;
  std::map<std::string, int> count_; ///< number of jobs by name
};

/// Collects the jobs that are requested while it lives.
class Collection {
public:
  explicit Collection(std::shared_ptr<HeldJobs> held) : held_(std::move(held)) {
    jobs_->jobs = held_;
    held_->open(jobs_);
  }
  ~Collection() { held_->close(jobs_); }
  Collection(const Collection &) = delete;
  Collection &operator=(const Collection &) = delete;
  std::shared_ptr<JobScope::State> jobs() const { return jobs_; }

private:
  const std::shared_ptr<HeldJobs> held_;
  const std::shared_ptr<JobScope::State> jobs_ = std::make_shared<JobScope::State>();
};

Result<Value> run(JobService &jobs, Interpreter &interpreter, std::span<const Value> args) {
  if (args.size() < 2 || args.size() % 2 != 0 || !args[0].as_symbol())
    return input_error("#device_code is what @device_code_llvm and its kin call");
  KILN_TRY(const Asked asked, read(args));
  std::shared_ptr<JobScope::State> scope;
  Result<Value> value = [&] {
    const Collection collection(jobs.held());
    scope = collection.jobs();
    return interpreter.call(args.back(), {});
  }();
  if (scope->collected.empty() && value.ok())
    return input_error(fmt::format("{}: no kernel was compiled or launched by the expression", asked.macro));
  Show show(jobs, asked);
  for (const HeldJobs::StatePtr &job : scope->collected)
    if (auto shown = show.show(job); !shown.ok() && value.ok()) return shown.take_error();
  return value;
}

} // namespace

Result<void> add_device_code(JobService &jobs) {
  return jobs.definitions().interpreter().add_host_function(
      *jobs.definitions().world().core(), "#device_code",
      [&jobs](Interpreter &interpreter, std::span<const Value> args) {
        return run(jobs, interpreter, args);
      });
}

} // namespace kiln
