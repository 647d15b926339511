// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "options.h"

#include "alloc_counter.h"
#include "output.h"
#include "process_clock.h"

#include <host/host.h>
#include <kiln/program.h>
#include <support/count.h>
#include <support/read_number.h>
#include <targets/targets.h>

#include <filesystem>
#include <set>

namespace kiln::tool {

void CommonOptions::add_to(CLI::App &command) {
  command
      .add_option(
          "--timings", timings,
          "where the time went: table (the default), short or json on standard error; json:FILE, html:FILE, "
          "trace:FILE, otlp:FILE (-: standard output); otlp: spans for the cache agent, which posts them")
      ->type_name("FORM");
  command.add_flag("--timing-passes", timing_passes, "with --timings: a row for each of LLVM's passes");
  command.add_flag("--timing-kernels", timing_kernels, "with --timings: how long kernels run");
  command.add_flag("--timing-advice", timing_advice,
                   "with --timings: what makes the kernels slow, too (html:FILE always has it)");
  command
      .add_option("--assemble-limit", assemble_limit,
                  "time limit for assembling a GPU kernel, which is then assembled at -O1; 0: none")
      ->type_name("SECONDS")
      ->check(CLI::Range(0.0, 1e6));
  add_cache_to(command);
  add_manner_to(command);
}

void CommonOptions::add_workers_to(CLI::App &command) {
  command
      .add_option("--worker-processes", worker_processes,
                  "processes that do the work in LLVM and the assembling; 0: this one does")
      ->check(CLI::Range(0, 1024))
      ->type_name("N");
}

void CommonOptions::add_languages_to(CLI::App &command) {
  command
      .add_option(
          "--language", languages,
          "a shared library with a language, the first one's for calls and expressions; may be repeated")
      ->type_name("LIBRARY")
      ->allow_extra_args(false);
}

Result<void> CommonOptions::check() const {
  KILN_CHECK(check_cache_options());
  for (const auto &[is_given, name] :
       {std::pair(timing_passes, "passes"), {timing_kernels, "kernels"}, {timing_advice, "advice"}})
    if (is_given && timings.empty())
      return usage_error(fmt::format("--timing-{} adds to --timings, which is missing", name));
  if (timing_advice && read_timing_form(timings).has_events())
    return usage_error(
        "--timing-advice is for table, short, json and html: a trace and spans have single events alone");
  if (timings.empty() || !read_timing_form(timings).form.empty()) return {};
  return usage_error(fmt::format(
      "--timings takes table, short, json, json:FILE, trace:FILE, html:FILE, otlp or otlp:FILE, not `{}`",
      timings));
}

Result<void> CommonOptions::check_shared_timings(std::string_view command) const {
  if (const TimingForm wanted = read_timing_form(timings); wanted.form == "otlp" && wanted.file.empty())
    return usage_error(fmt::format("--timings=otlp is for a single session, and {} has one for each set of "
                                   "files: name a file, --timings=otlp:FILE",
                                   command));
  if (!timing_advice) return {};
  return usage_error(fmt::format("--timing-advice is for a single session, and {0} has one for each set of "
                                 "files: kiln advise tells what makes a kernel slow",
                                 command));
}

bool CommonOptions::wants_advice() const { return timing_advice || read_timing_form(timings).form == "html"; }

SessionOptions CommonOptions::session() const {
  SessionOptions options;
  options.log = log_to_standard_error;
  options.timings = !timings.empty();
  options.trace_events = read_timing_form(timings).needs_events();
  options.timing_passes = timing_passes;
  options.timing_kernels = timing_kernels;
  if (options.timings) {
    options.allocations = allocation_counter();
    options.timings_since = process_began();
  }
  if (verbose) options.verbosity = verbose == 1 ? LogLevel::Info : LogLevel::Debug;
  if (manner().quiet) options.verbosity = LogLevel::Error;
  set_cache(options);
  options.language_files = languages;
  if (!languages.empty()) options.language = ""; // use the first library's language
  options.packages = packages();
#ifdef KILN_BUILD_PROGRAMS
  if (options.packages) options.host_library = &programs_library(); // packages run code while they load
#endif
  options.worker_processes = worker_processes;
  options.assemble_limit = assemble_limit;
  return options;
}

void CompileOptions::add_inputs_to(CLI::App &command, const char *about) {
  command.add_option("inputs", inputs, about)->type_name("FILE.jl...");
}

/// "native|ptx"
static std::string target_names() {
  std::string names;
  for (const Target *target : all_targets())
    names += fmt::format("{}{}", names.empty() ? "" : "|", target->name());
  return names;
}

/// Adds a flag for each name of a CompilerConfig option. Options of several targets may share a name.
static void add_config_options(CompileOptions &options, CLI::App &command) {
  std::set<std::string_view> names;
  for (const ConfigOption &row : named_options()) {
    if (!row.has_flag() || !names.insert(row.name).second) continue;
    const std::string name(row.name), flag = spelled(name, OptionDoor::CommandLine);
    std::string help;
    for (const ConfigOption &other : named_options())
      if (other.name == row.name)
        help += fmt::format("{}{}{}", help.empty() ? "" : "; ",
                            other.target().empty() ? "" : fmt::format("{}: ", other.target()), other.meaning);
    if (row.values.form == OptionForm::Files) {
      command.add_option(flag, options.linked, help)
          ->type_name(std::string(row.values.placeholder))
          ->allow_extra_args(false);
    } else if (row.is_flag()) {
      const auto set = [&options](const std::string &given) {
        return [&options, given] {
          options.set_option(given, {.kind = JsonValue::Kind::Boolean, .boolean = true});
        };
      };
      command.add_flag_callback(flag, set(name), help);
      if (const std::string negation(row.values.negation); !negation.empty())
        command.add_flag_callback(spelled(negation, OptionDoor::CommandLine), set(negation),
                                  std::string(row.values.negation_meaning));
    } else {
      command
          .add_option_function<std::string>(
              flag, [&options, name](const std::string &text) { options.set_option(name, text); }, help)
          ->type_name(row.values.form == OptionForm::Target ? target_names()
                      : row.values.choices.empty() ? std::string(row.values.placeholder)
                                                   : fmt::format("{}", fmt::join(row.values.choices, "|")));
    }
  }
}

void CompileOptions::add_to(CLI::App &command) {
  command.add_option("--emit", emit, "the product to print (default asm); the last three for ptx")
      ->type_name("lowered|typed|warntype|llvm|llvm-opt|asm|obj|cubin|sass|resources");
  command.add_option("-o", output, "file for the artifact; - or none: standard output")->type_name("FILE");
  add_config_options(*this, command);
  command
      .add_option("--workgroupsize", workgroup_size, "size of a group of a @kernel, known to the compiler")
      ->type_name("X[,Y...]");
  command
      .add_option("--ndrange", ndrange, "iteration space of a @kernel; run launches the groups that cover it")
      ->type_name("X[,Y...]");
  command
      .add_option("--capture", captures,
                  "a captured value or static parameter of a kernel inside a host function")
      ->type_name("NAME=EXPR")
      ->allow_extra_args(false);
}

void CompileOptions::set_option(std::string name, JsonValue value) {
  for (size_t i = 0; i < config_options.names.size(); i++)
    if (config_options.names[i].text == name) {
      config_options.items[i] = std::move(value);
      return;
    }
  const Location at = value.at;
  config_options.names.push_back({std::move(name), at});
  config_options.items.push_back(std::move(value));
}

void CompileOptions::set_option(std::string name, std::string text) {
  set_option(std::move(name), {.kind = JsonValue::Kind::String, .text = std::move(text)});
}

std::string_view CompileOptions::option(std::string_view name) const {
  const JsonValue *value = config_options.find(name);
  return value ? std::string_view(value->text) : std::string_view();
}

size_t CompileOptions::file_count() const {
  size_t count = inputs.empty() ? 0 : inputs.size() - 1;
  auto is_call = [](const std::string &input) {
    std::error_code none;
    return input.find('(') != 0 && input.find('(') != input.npos && !std::filesystem::exists(input, none);
  };
  while (count > 1 && is_call(inputs[count - 1])) count--;
  return count;
}

Result<void> CompileOptions::check_calls() const {
  const std::vector<std::string> all = calls();
  if (all.size() < 2) return {};
  if (!takes_calls)
    return usage_error(
        fmt::format("{} calls, `{}` and others, where one is taken: kiln compile takes several, "
                    "with -o DIR/, and kiln advise",
                    all.size(), all[0]));
  if (call().find('(') == std::string::npos)
    return usage_error(
        fmt::format("`{}` stands behind calls and is none itself: calls are written f(T1, T2), "
                    "and a form of --timings behind an equals sign",
                    call()));
  return {};
}

bool CompileOptions::is_input(const std::string &path) const {
  auto is_path = [&](const std::string &input) {
    std::error_code none; // ignored: a missing file is never equivalent
    return std::filesystem::equivalent(input, path, none);
  };
  const std::vector<std::string> read = files();
  return std::any_of(read.begin(), read.end(), is_path) || std::any_of(linked.begin(), linked.end(), is_path);
}

bool CompileOptions::is_nested() const {
  // The name after a slash outside of brackets is a kernel, except in the function names `/` and `Base./`.
  const std::string text = call();
  size_t depth = 0;
  for (size_t i = 0; i < text.size(); i++) {
    depth += text[i] == '(' || text[i] == '{';
    if ((text[i] == ')' || text[i] == '}') && depth > 0) depth--;
    if (text[i] == '/' && depth == 0) return i > 0 && text[i - 1] != '.'; // host/kernel, host(Int64)/kernel
  }
  return false;
}

Result<std::vector<CompilerConfig>> CompileOptions::read_configs(const CompilerConfig &base,
                                                                 bool each_arch) const {
  if (!captures.empty() && !is_nested())
    return usage_error(
        "--capture is for a kernel inside a host function, which is written host/kernel, or host(A, B)/kernel where several methods of host have one");
  KILN_CHECK(check_calls());
  if (is_input(output)) return usage_error(fmt::format("-o {} would overwrite an input", output));
  const OptionContext context{.targets = own_targets(), .door = OptionDoor::CommandLine};
  std::vector<CompilerConfig> all;
  Result<void> read = [&]() -> Result<void> {
    if (each_arch) {
      KILN_TRY(all, read_options_each(config_options, context, base));
    } else {
      KILN_TRY(CompilerConfig one, read_options(config_options, context, base));
      all.push_back(std::move(one));
    }
    return {};
  }();
  if (!read.ok()) {
    Diagnostic first = read.error().diagnostics()[0];
    first.code = ErrorCode::Usage;
    first.at = {};
    const std::string_view target = option("target");
    if (first.hint.empty() && (target == "cuda" || target == "gpu" || target == "nvptx"))
      first.hint = "code for NVIDIA's GPUs is --target ptx";
    return Error(std::move(first));
  }
  for (const std::string &path : linked) {
    KILN_TRY(LinkedFile file, read_linked_file(path));
    for (CompilerConfig &config : all) config.linked.push_back(file);
  }
  return all;
}

Result<std::vector<CompilerConfig>> CompileOptions::configs(bool kernel_by_default) const {
  return read_configs({.kernel = kernel_by_default}, true);
}

Result<CompilerConfig> CompileOptions::config(bool kernel_by_default) const {
  KILN_TRY(std::vector<CompilerConfig> all, read_configs({.kernel = kernel_by_default}, false));
  return std::move(all[0]);
}

Result<ArtifactKind> CompileOptions::artifact(const TargetSpec &spec) const {
  std::string_view wanted = emit.empty() ? "asm" : std::string_view(emit);
  const bool is_view = wanted == "sass" || wanted == "resources"; // shows the cubin
  Result<ArtifactKind> kind = is_view                ? ArtifactKind::Cubin
                              : wanted == "warntype" ? ArtifactKind::Typed
                                                     : read_stage(wanted);
  if (!kind.ok())
    return make_error(
        ErrorCode::Usage,
        fmt::format(
            "--emit takes lowered, typed, warntype, llvm, llvm-opt, asm, obj, cubin, sass or resources, not `{}`",
            wanted),
        {}, wanted == "ptx" ? "PTX is --target ptx --emit asm, and asm is the default" : "");
  const TargetCapabilities capabilities = capabilities_of(spec);
  if (*kind == ArtifactKind::Object && !capabilities.makes_objects)
    return usage_error("--emit obj is for --target native: the product for a GPU is --emit cubin");
  if (*kind == ArtifactKind::Cubin && !capabilities.makes_cubins)
    return usage_error(fmt::format("--emit {} is for --target ptx", wanted));
  return kind;
}

void RunOptions::add_to(CLI::App &command) {
  command
      .add_option(
          "--arg", arguments,
          "an argument: an expression of the language, @x.npy or @x.npy:Struct; once for each, in order")
      ->type_name("EXPR")
      ->allow_extra_args(false);
  command.add_option("--threads", threads, "threads of a block (default 1)")->type_name("X[,Y[,Z]]");
  command.add_option("--blocks", blocks, "blocks of the grid (default 1)")->type_name("X[,Y[,Z]]");
  command.add_option("--shmem", shared_bytes, "dynamic shared memory of a block")
      ->type_name("BYTES")
      ->check(CLI::Validator(
          [](std::string &text) {
            return std::string(text.starts_with('-') ? "takes a number of bytes from 0 on" : "");
          },
          ""));
  command.add_option("--out", outputs, "writes argument N (1, 2, ...) to a NumPy file after the launch")
      ->type_name("N=FILE.npy")
      ->allow_extra_args(false);
  command.add_option("--device", device, "where to run (default: a GPU where there is one, else cpu)")
      ->type_name("cpu|cuda[:i]|opencl[:i]");
  command.add_option("--time-limit", time_limit, "ends a kernel that runs longer, with an error")
      ->type_name("SECONDS")
      ->check(CLI::Range(1e-6, 1e9));
  command.add_flag("--no-coarsen", no_coarsen,
                   "on a GPU, launches run the kernel as it was written: one element a thread");
  seed_option = command.add_option("--seed", seed, "seed of rand")->type_name("N");
}

void RunOptions::add_run_to(CLI::App &command) {
  command.add_flag(
      "--check", check_accesses,
      "checks every access: out of bounds, misaligned, uninitialised shared memory, races in shared memory");
  command.add_flag("--quick-tier", quick_tier,
                   "a kernel for a GPU whose assembly takes long runs code that was assembled fast");
}

Result<LaunchShape> RunOptions::shape() const {
  LaunchShape shape;
  if (!threads.empty()) {
    KILN_TRY(shape.threads, read_extents("--threads", threads));
  }
  if (!blocks.empty()) {
    KILN_TRY(shape.blocks, read_extents("--blocks", blocks));
  }
  shape.shared_bytes = shared_bytes;
  return shape;
}

Result<std::vector<RunOptions::Output>> RunOptions::output_files() const {
  std::vector<Output> files;
  for (const std::string &text : outputs) {
    size_t equals = text.find('=');
    auto n = equals == std::string::npos ? std::nullopt
                                         : read_number<size_t>(std::string_view(text).substr(0, equals));
    if (!n || equals + 1 == text.size())
      return usage_error(fmt::format("--out takes N=FILE.npy, not `{}`", text));
    if (*n < 1 || *n > arguments.size())
      return usage_error(fmt::format("--out {}: there {} {}, counted from 1", text,
                                     arguments.size() == 1 ? "is" : "are",
                                     counted(arguments.size(), "argument")));
    files.push_back({*n, text.substr(equals + 1)});
  }
  return files;
}

} // namespace kiln::tool
