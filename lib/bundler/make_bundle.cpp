// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "wrappers.h"
#include "writer.h"

#include <kiln/bundle_writer.h>
#include <support/float_environment.h>
#include <support/support.h>

namespace kiln {

Result<WrittenBundle> KILN_API_VERSION::make_bundle(std::span<const PrecompileJob> jobs,
                                                    const BundleWriterOptions &options,
                                                    const ProgramHeaders &headers) {
  KILN_CHECK(check_headers(headers, detail::bundle_writer_structures()));
  const std::string &space = options.wrappers_namespace;
  if (!space.empty() && cpp_name(space) != space)
    return usage_error(fmt::format("BundleWriterOptions::wrappers_namespace takes a name of C++, such as {}, "
                                   "not `{}`",
                                   cpp_name(space), space));
  const EnvironmentScope environment(options.session.use_environment);
  const DefaultFloatEnvironment floats; // inherited by the threads
  KILN_TRY(BundleReport report, compile_list(jobs, options.session, options.threads));
  WrittenBundle made;
  made.kernels = report.kernels.size();
  made.not_assembled = report.not_assembled;
  made.changed = std::move(report.changed);
  made.failures = std::move(report.failures);
  for (const BundledKernel &kernel : report.kernels)
    for (const BundledCode &code : kernel.codes)
      (code.kind == bundle::CodeKind::CpuImage ? made.cpu_images
       : code.kind == bundle::CodeKind::Cubin  ? made.cubins
       : code.kind == bundle::CodeKind::Spirv  ? made.spirv_modules
                                               : made.ptx_texts)++;
  if (!made.failures.empty() || report.kernels.empty()) return made;
  made.bytes = write_bundle(report.kernels);
  if (!space.empty()) made.wrappers = write_wrappers(report.kernels, options.file_name, space);
  return made;
}

} // namespace kiln
