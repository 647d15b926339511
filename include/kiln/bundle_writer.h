// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writing bundles: a list of jobs as one file of kernels, for programs without a compiler (kiln/bundle.h).
// docs/guide/bundles.md is the tour. Free functions; any thread.
#pragma once

#include <kiln/export.h>
#include <kiln/header_check.h>
#include <kiln/precompile.h>

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kiln::inline KILN_API_VERSION {

struct BundleWriterOptions {
  SessionOptions session; ///< options of the compiling sessions; the cache folder saves compiles
  unsigned threads = 0;   ///< jobs at a time; 0: one a core
  /// Not empty: also make a C++ header with a class for each kernel, in this namespace.
  std::string wrappers_namespace = {};
  std::string file_name = {}; ///< name of the bundle, for the header's comment
};

struct WrittenBundle {
  /// The content of the file. Equal jobs give equal bytes. Empty if a job failed, or if there is no job.
  std::string bytes;
  std::string wrappers; ///< the header, if the options ask for one
  size_t kernels = 0;
  size_t cpu_images = 0, cubins = 0, ptx_texts = 0; ///< codes of the kernels, for all architectures
  size_t not_assembled = 0;         ///< jobs for a GPU with PTX only: this machine has no assembler
  std::vector<std::string> changed; ///< files that differ from those of the recorded trace
  std::vector<PrecompileReport::Failure> failures; ///< by job
};

} // namespace kiln::inline KILN_API_VERSION

namespace kiln::detail {
/// Structures that a program and the library share through make_bundle.
consteval auto bundle_writer_structures() {
  return std::array{KILN_STRUCTURE(BundleWriterOptions), KILN_STRUCTURE(WrittenBundle),
                    KILN_STRUCTURE(SessionOptions),      KILN_STRUCTURE(CompilerConfig),
                    KILN_STRUCTURE(PrecompileJob),       KILN_STRUCTURE(PrecompileReport)};
}
} // namespace kiln::detail

namespace kiln::inline KILN_API_VERSION {

/// Compiles the jobs and makes a bundle of their kernels. A job for the CPU becomes code for x86-64-v2, v3
/// and v4, unless it names one of them. A job for a GPU becomes a cubin if there is an assembler; its PTX is
/// kept for GPUs that no cubin of the list serves. PrecompileJob::product is ignored. Errors: Usage for two
/// jobs of the same kernel and target, and for a wrappers_namespace that is not a C++ name; errors of jobs
/// are in `failures`.
KILN_API Result<WrittenBundle> make_bundle(std::span<const PrecompileJob> jobs,
                                           const BundleWriterOptions &options, const ProgramHeaders &headers);
KILN_HEADER_INLINE Result<WrittenBundle> make_bundle(std::span<const PrecompileJob> jobs,
                                                     const BundleWriterOptions &options) {
  const auto structures = detail::bundle_writer_structures();
  return make_bundle(jobs, options, {KILN_VERSION, structures});
}

/// Makes a C++ identifier: letters, digits and _, not empty, no keyword and no reserved name.
KILN_API std::string cpp_name(std::string_view name);

} // namespace kiln::inline KILN_API_VERSION
