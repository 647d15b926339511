// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// kiln bundle: compiles a manifest or trace into one file, for programs without a compiler.
#include "../command.h"
#include "../job_failures.h"
#include "../output.h"
#include "../with_session.h"

#include <kiln/bundle_writer.h>
#include <support/count.h>

#include <filesystem>

namespace kiln::tool {

namespace {

struct BundleArguments {
  CommonOptions common;
  std::string list, output, header, space, archs;
  uint32_t threads = 0;
};

/// Returns the default C++ namespace of a bundle's header: the file name of `bundle` without its extension,
/// as an identifier.
std::string space_of(const std::string &bundle) {
  return cpp_name(std::filesystem::path(bundle).stem().string());
}

std::string pieces(const WrittenBundle &made) {
  const std::string spirv = made.spirv_modules ? fmt::format(", {} of SPIR-V", made.spirv_modules) : "";
  return fmt::format("{}, {} bytes: {} for CPUs, {}, {} of PTX{}\n", counted(made.kernels, "kernel"),
                     made.bytes.size(), counted(made.cpu_images, "image"), counted(made.cubins, "cubin"),
                     made.ptx_texts, spirv);
}

Result<void> bundle(const BundleArguments &command) {
  const CommonOptions &common = command.common;
  KILN_CHECK(common.check());
  KILN_CHECK(common.check_shared_timings("bundle"));
  if (!command.space.empty() && command.header.empty()) return usage_error("--namespace is for --header");
  if (!command.space.empty() && cpp_name(command.space) != command.space)
    return usage_error(fmt::format("--namespace takes a name of C++, such as {}, not `{}`",
                                   cpp_name(command.space), command.space));
  KILN_CHECK(check_writable(command.output));
  if (!command.header.empty()) KILN_CHECK(check_writable(command.header));
  const std::shared_ptr<Timer> timer = shared_timer(common);
  KILN_TRY(PrecompileList list, read_job_list(command.list));
  if (!command.archs.empty()) {
    KILN_TRY(list.jobs, for_architectures(list.jobs, command.archs));
  }
  for (const std::string &warning : list.warnings) warn(warning);
  for (const auto &skipped : list.skipped)
    warn(fmt::format("skipped: {} cannot be repeated: {}", skipped.call, skipped.why));
  BundleWriterOptions options{.session = common.session(), .threads = command.threads};
  options.session.timer = timer;
  if (!command.header.empty()) {
    options.wrappers_namespace = command.space.empty() ? space_of(command.output) : command.space;
    options.file_name = std::filesystem::path(command.output).filename().string();
  }
  KILN_TRY(const WrittenBundle report, make_bundle(list.jobs, options));
  for (const std::string &path : report.changed)
    warn(fmt::format("{} has changed since the trace was recorded: compiled as it is now", path));
  if (report.not_assembled)
    warn(fmt::format(
        "{} for GPUs with PTX alone, which the driver assembles in each process: there is no assembler "
        "(kiln doctor)",
        counted(report.not_assembled, "job")));
  show_failures(report.failures, list.jobs);
  if (!report.failures.empty()) // an incomplete bundle is not written: programs would miss kernels
    return Error(general_code(kind_of(report.failures)),
                 fmt::format("{} of {} failed, so no bundle was written", report.failures.size(),
                             counted(list.jobs.size(), "job")));
  if (!report.kernels) return input_error(fmt::format("{} has no job", command.list));
  KILN_CHECK(write_result(command.output, report.bytes));
  if (!command.header.empty()) KILN_CHECK(write_result(command.header, report.wrappers));
  KILN_CHECK(write_result({}, pieces(report)));
  KILN_CHECK(write_timings(timer, {}, common));
  return check_left_out(list, command.list, " of the bundle");
}

} // namespace

Action bundle_command(CLI::App &app) {
  auto options = std::make_shared<BundleArguments>();
  app.add_option(
         "manifest", options->list,
         "a manifest (JSON; docs/cache.md), or a trace that a program recorded with KILN_TRACE_JOBS=FILE")
      ->required()
      ->type_name("MANIFEST|TRACE");
  app.add_option("-o,--output", options->output, "the bundle (docs/guide/bundles.md)")
      ->required()
      ->type_name("FILE");
  app.add_option("--arch", options->archs,
                 "architectures for the jobs of GPUs, in place of the list's own: sm_80,sm_90a,sm_100f")
      ->type_name("ARCH[,ARCH...]");
  app.add_option("--header", options->header,
                 "a C++ header with a class for each kernel, whose launch takes its types")
      ->type_name("FILE");
  app.add_option("--namespace", options->space, "of the header (default: the bundle's name)")
      ->type_name("NAME");
  app.add_option("--jobs", options->threads, "jobs at a time (default: one a core)")
      ->type_name("N")
      ->check(CLI::Range(1, 1024));
  options->common.add_to(app);
  options->common.add_workers_to(app);
  options->common.add_packages_to(app);
  options->common.add_languages_to(app);
  return [options] { return bundle(*options); };
}

} // namespace kiln::tool
