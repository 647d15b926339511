// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Command-line options as plain values, and conversions to sessions, jobs and launches.
#pragma once

#include <job/job.h>
#include <kiln/kiln.h>
#include <kiln/packages.h>
#include <support/support.h>

#include <CLI/CLI.hpp>

namespace kiln::tool {

/// The value of --timings=FORM.
struct TimingForm {
  std::string_view form; ///< "table", "short", "json", "trace", "html" or "otlp"; empty: unknown
  std::string_view file; ///< empty: standard error (otlp: the agent); "-": standard output
  bool has_events() const { return form == "trace" || form == "otlp"; } ///< single events, no sums
  bool needs_events() const { return has_events() || form == "html"; }  ///< a page has a timeline
};
TimingForm read_timing_form(std::string_view text);

/// Options of every command.
struct CommonOptions {
  std::string timings; ///< empty, or text for read_timing_form
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

  /// Package folders that replace the environment's. Empty if no option names one.
  std::optional<PackageOptions> packages() const;
  void add_to(CLI::App &command); ///< for commands that compile
  void add_languages_to(CLI::App &command);
  void add_packages_to(CLI::App &command);
  void add_workers_to(CLI::App &command);
  void add_cache_to(CLI::App &command);
  void add_folder_to(CLI::App &command); ///< for commands that use only the cache's folder
  Result<void> check_cache_options() const;
  void set_cache(SessionOptions &options) const;
  /// True if --timings includes advice: always for a page, on request for the table and JSON. Advice compiles
  /// each job again.
  bool wants_advice() const;
  Result<void> check() const;
  /// Checks --timings for commands with several sessions, which share a clock. Error: Usage, for forms of a
  /// single session.
  Result<void> check_shared_timings(std::string_view command) const;
  SessionOptions session() const;
};

/// Options of compile, run and bench.
struct CompileOptions {
  std::vector<std::string> inputs; ///< files, then the call or function
  /// Options of the config (kiln/config.def), as read_options takes them.
  JsonValue config_options = {.kind = JsonValue::Kind::Object};
  std::string emit, output, workgroup_size, ndrange;
  std::vector<std::string> captures, linked;

  void add_inputs_to(CLI::App &command, const char *about);
  void add_to(CLI::App &command); ///< all but the inputs
  std::string call() const { return inputs.empty() ? std::string() : inputs.back(); }
  bool takes_calls = false; ///< the command takes several calls
  /// The last input, and inputs before it that are written as calls, "f(...", and are not files.
  std::vector<std::string> calls() const { return {inputs.begin() + long(file_count()), inputs.end()}; }
  std::vector<std::string> files() const { return {inputs.begin(), inputs.begin() + long(file_count())}; }
  bool is_nested() const; ///< the entry is written as host/kernel
  size_t file_count() const;
  Result<void> check_calls() const;
  /// Is the path one of the input files?
  bool is_input(const std::string &path) const;

  /// Sets a config option, replacing an earlier value.
  void set_option(std::string name, JsonValue value);
  void set_option(std::string name, std::string text);
  /// The value of an option as text. Empty if not given.
  std::string_view option(std::string_view name) const;

  /// Error: Usage.
  Result<CompilerConfig> config(bool kernel_by_default) const;
  /// Configs, one for each architecture of --arch. Error: Usage.
  Result<std::vector<CompilerConfig>> configs(bool kernel_by_default) const;
  /// The config for a launch on the device. Uses the GPU's architecture unless the options name one. Error:
  /// Usage.
  Result<CompilerConfig> config_on(Session &session, const Device &device) const;
  Result<ArtifactKind> artifact(const TargetSpec &target) const;

private:
  Result<std::vector<CompilerConfig>> read_configs(const CompilerConfig &base, bool each_arch) const;
};

/// Checks that the config's code runs on this kind of device. Error: Usage.
Result<void> check_device(const CompilerConfig &config, bool is_gpu);
/// Capabilities of one of Kiln's built-in targets.
TargetCapabilities capabilities_of(const TargetSpec &spec);

/// Options of run and bench.
struct RunOptions {
  std::vector<std::string> arguments, outputs;
  std::string threads, blocks, device;
  uint64_t shared_bytes = 0;
  bool check_accesses = false;
  bool quick_tier = false;
  bool no_coarsen = false;
  double time_limit = 0; ///< seconds; 0: none
  uint64_t seed = 0;
  CLI::Option *seed_option = nullptr; ///< count() is 0 if --seed is absent

  struct Output {
    size_t argument = 0; ///< 1-based
    std::string path;
  };
  void add_to(CLI::App &command);
  void add_run_to(CLI::App &command); ///< for run only: they would distort bench's times
  Result<LaunchShape> shape() const;
  Result<std::vector<Output>> output_files() const;
  /// The GPU to run on; empty: the CPU. Without --device: the first GPU if there is one, else the CPU. Error:
  /// Usage, for an unknown device.
  Result<std::optional<int>> gpu() const;
};

/// Loads the files of a command, in order.
Result<void> load_files(Session &session, const std::vector<std::string> &files);

} // namespace kiln::tool
