// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Command-line options that several commands share, and their conversion to options of sessions, jobs and
// launches.
#pragma once

#include <job/job.h>
#include <kiln/device_name.h>
#include <kiln/kiln.h>
#include <kiln/packages.h>
#include <support/support.h>

#include <CLI/CLI.hpp>

namespace kiln::tool {

/// The parsed value of --timings=FORM or --timings=FORM:FILE.
struct TimingForm {
  std::string_view form; ///< "table", "short", "json", "trace", "html" or "otlp"; empty: unknown
  std::string_view file; ///< empty: standard error (otlp: the agent); "-": standard output
  /// Returns true if the form lists single events instead of sums.
  bool has_events() const { return form == "trace" || form == "otlp"; }
  /// Returns true if the timer must record single events, also for the timeline of the HTML page.
  bool needs_events() const { return has_events() || form == "html"; }
};
TimingForm read_timing_form(std::string_view text);

/// Options of every command.
struct CommonOptions {
  std::string timings; ///< value of --timings; empty: no report
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

  /// Returns the package folders of the options; without an option, those of its environment variable. Empty,
  /// if neither the options nor JULIA_LOAD_PATH and JULIA_PROJECT name packages.
  std::optional<PackageOptions> packages() const;
  void add_to(CLI::App &command); ///< adds the options of commands that compile
  void add_languages_to(CLI::App &command);
  void add_packages_to(CLI::App &command);
  void add_workers_to(CLI::App &command);
  void add_cache_to(CLI::App &command);
  void add_folder_to(CLI::App &command); ///< adds only the options that name the cache folder
  Result<void> check_cache_options() const;
  void set_cache(SessionOptions &options) const;
  /// Returns true if the timing report includes advice on slow kernels. The HTML page always does; other
  /// forms do with --timing-advice. Advice compiles each job again.
  bool wants_advice() const;
  Result<void> check() const;
  /// Checks --timings for a command that opens several sessions and writes one report of them. Error: Usage,
  /// for options that need a single session, such as --timing-advice.
  Result<void> check_shared_timings(std::string_view command) const;
  SessionOptions session() const;
};

/// Options of compile, run and bench.
struct CompileOptions {
  std::vector<std::string> inputs; ///< positional arguments: source files, then calls or a function
  /// JSON object with the CompilerConfig options (kiln/config.def) of the command line, for read_options.
  JsonValue config_options = {.kind = JsonValue::Kind::Object};
  std::string emit, output, workgroup_size, ndrange;
  std::vector<std::string> captures, linked;

  void add_inputs_to(CLI::App &command, const char *about);
  void add_to(CLI::App &command); ///< adds all options, but not the inputs
  std::string call() const { return inputs.empty() ? std::string() : inputs.back(); }
  bool takes_calls = false; ///< true for commands that accept several calls
  /// Returns the inputs that are calls: the last input, and those before it that look like calls, "f(...",
  /// and name no file.
  std::vector<std::string> calls() const { return {inputs.begin() + long(file_count()), inputs.end()}; }
  std::vector<std::string> files() const { return {inputs.begin(), inputs.begin() + long(file_count())}; }
  bool is_nested() const; ///< the call names a kernel inside a host function: host/kernel
  size_t file_count() const;
  Result<void> check_calls() const;
  /// Returns true if `path` is a source file or bitcode file of the command line.
  bool is_input(const std::string &path) const;

  /// Sets a CompilerConfig option, such as "target". Replaces an earlier value.
  void set_option(std::string name, JsonValue value);
  void set_option(std::string name, std::string text);
  /// Returns a CompilerConfig option of the command line as text. Empty, if the option is missing.
  std::string_view option(std::string_view name) const;

  /// Error: Usage.
  Result<CompilerConfig> config(bool kernel_by_default) const;
  /// Returns one config for each architecture of --arch. `kernel_by_default`: the call is a kernel unless an
  /// option says otherwise. Error: Usage.
  Result<std::vector<CompilerConfig>> configs(bool kernel_by_default) const;
  /// Returns the config for a launch on `device`. Without --arch, the architecture is the GPU's. Error:
  /// Usage.
  Result<CompilerConfig> config_on(Session &session, const Device &device) const;
  Result<ArtifactKind> artifact(const TargetSpec &target) const;

private:
  Result<std::vector<CompilerConfig>> read_configs(const CompilerConfig &base, bool each_arch) const;
};

/// Checks that code compiled with `config` can run on devices of this kind. Error: Usage.
Result<void> check_device(const CompilerConfig &config, DeviceKind kind);
/// Returns the capabilities of a built-in target.
TargetCapabilities capabilities_of(const TargetSpec &spec);
/// Returns false for a built-in target whose code only devices load.
bool runs_on_host(std::string_view target_name);
/// Returns the name of the built-in target whose code devices of this kind load. Error: Usage, if this build
/// has none.
Result<std::string> target_for(DeviceKind kind);

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
  CLI::Option *seed_option = nullptr; ///< to see if --seed is present: count() != 0

  struct Output {
    size_t argument = 0; ///< 1-based
    std::string path;
  };
  void add_to(CLI::App &command);
  void add_run_to(CLI::App &command); ///< adds options of kiln run that would distort bench's times
  Result<LaunchShape> shape() const;
  Result<std::vector<Output>> output_files() const;
  /// Returns the device that --device selects. Without --device, this is the first GPU of CUDA if there is
  /// one, else the CPU. Error: Usage, for an unknown device.
  Result<DeviceName> place() const;
};

/// Loads a command's source files into the session, in order.
Result<void> load_files(Session &session, const std::vector<std::string> &files);

} // namespace kiln::tool
