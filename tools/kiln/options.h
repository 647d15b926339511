// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The command line as plain values, and what it says about sessions, jobs and launches.
#pragma once

#include <job/job.h>
#include <kiln/kiln.h>
#include <kiln/packages.h>
#include <support/support.h>

#include <CLI/CLI.hpp>

namespace kiln::tool {

/// What --timings=FORM asks for.
struct TimingForm {
  std::string_view form; ///< "table", "json", "trace", "html" or "otlp"; empty: it is none of these
  std::string_view file; ///< empty: standard error, for otlp the agent; "-": standard output
  bool has_events() const { return form == "trace" || form == "otlp"; } ///< single events, not sums
};
TimingForm read_timing_form(std::string_view text);

/// Of every command.
struct CommonOptions {
  std::string timings; ///< empty, or as read_timing_form takes it
  bool timing_passes = false, timing_kernels = false, timing_advice = false;
  std::string cache_dir;
  std::vector<std::string> remotes; ///< URLs
  std::string compile;              ///< "auto", "never" or empty
  bool no_cache = false, check_cache = false;
  unsigned worker_processes = 0;
  std::optional<double> assemble_limit; ///< seconds
  int verbose = 0;
  std::vector<std::string> languages; ///< shared libraries
  std::vector<std::string> load_path, depots, from_source;
  std::string project;

  /// Where packages are looked for: these, in place of the environment's. None: neither names a place.
  std::optional<PackageOptions> packages() const;
  void add_to(CLI::App &command); ///< of commands that compile, as the next one
  void add_languages_to(CLI::App &command);
  void add_packages_to(CLI::App &command);
  void add_workers_to(CLI::App &command);
  void add_cache_to(CLI::App &command);
  void add_folder_to(CLI::App &command); ///< of those that only look at the cache's folder
  Result<void> check_cache_options() const;
  void set_cache(SessionOptions &options) const;
  /// The report of --timings has advice: a page always, the table and the JSON where it was asked for, since
  /// it takes another compile of each job.
  bool wants_advice() const;
  Result<void> check() const;
  /// Of commands with a session for each set of files, which share a clock. Error: Usage, for what of
  /// --timings is a single session's.
  Result<void> check_shared_timings(std::string_view command) const;
  SessionOptions session() const;
};

/// Of compile, run and bench.
struct CompileOptions {
  std::vector<std::string> inputs; ///< files, then the call or function
  /// Options of the config (kiln/config.def), as read_options takes them.
  JsonValue config_options = {.kind = JsonValue::Kind::Object};
  std::string emit, output, workgroup_size, ndrange;
  std::vector<std::string> captures, linked;

  void add_inputs_to(CLI::App &command, const char *about);
  void add_to(CLI::App &command); ///< all but the inputs
  std::string call() const { return inputs.empty() ? std::string() : inputs.back(); }
  bool takes_calls = false; ///< the command takes several
  /// The last of the inputs, and those before it that are written as calls, "f(...", and are no files.
  std::vector<std::string> calls() const { return {inputs.begin() + long(file_count()), inputs.end()}; }
  std::vector<std::string> files() const { return {inputs.begin(), inputs.begin() + long(file_count())}; }
  bool is_nested() const; ///< the entry is written host/kernel
  size_t file_count() const;
  Result<void> check_calls() const;
  /// Whether a path is one of the files that are read.
  bool is_input(const std::string &path) const;

  /// Sets an option of the config, in place of an earlier value.
  void set_option(std::string name, JsonValue value);
  void set_option(std::string name, std::string text);
  /// The value of an option as text. Empty: it is not given.
  std::string_view option(std::string_view name) const;

  /// Error: Usage.
  Result<CompilerConfig> config(bool kernel_by_default) const;
  /// One for each architecture of --arch. Error: Usage.
  Result<std::vector<CompilerConfig>> configs(bool kernel_by_default) const;
  /// For a launch on the device: a GPU brings its own architecture, unless the options name another. Error:
  /// Usage.
  Result<CompilerConfig> config_on(Session &session, const Device &device) const;
  Result<ArtifactKind> artifact(const TargetSpec &target) const;

private:
  Result<std::vector<CompilerConfig>> read_configs(const CompilerConfig &base, bool each_arch) const;
};

/// Error, Usage: the config's code does not run on this kind of device.
Result<void> check_device(const CompilerConfig &config, bool is_gpu);
/// Capabilities of one of Kiln's own targets.
TargetCapabilities capabilities_of(const TargetSpec &spec);

/// Of run and bench.
struct RunOptions {
  std::vector<std::string> arguments, outputs;
  std::string threads, blocks, device;
  uint64_t shared_bytes = 0;
  bool check_accesses = false;
  bool quick_tier = false;
  bool no_coarsen = false;
  double time_limit = 0; ///< seconds; 0: none
  uint64_t seed = 0;
  CLI::Option *seed_option = nullptr; ///< tells whether there was a --seed

  struct Output {
    size_t argument = 0; ///< 1-based
    std::string path;
  };
  void add_to(CLI::App &command);
  void add_run_to(CLI::App &command); ///< of run alone: in bench their times would mean nothing
  Result<LaunchShape> shape() const;
  Result<std::vector<Output>> output_files() const;
  /// The number of the GPU to run on; none: the CPU. Without --device a GPU where there is one, else the CPU.
  /// Error: Usage for what is no device.
  Result<std::optional<int>> gpu() const;
};

/// Loads the files of a command, in order.
Result<void> load_files(Session &session, const std::vector<std::string> &files);

} // namespace kiln::tool
