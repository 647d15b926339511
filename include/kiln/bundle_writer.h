// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes bundles: compiles a list of jobs into one file of kernels for programs without a compiler
// (kiln/bundle.h). docs/guide/bundles.md is the tour. Any thread may call these functions.
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
  SessionOptions session; ///< options of the sessions that compile; a cache folder saves repeated compiles
  unsigned threads = 0;   ///< number of jobs compiled at once; 0: one per core
  /// Namespace of a generated C++ header with one class per kernel. Empty: no header.
  std::string wrappers_namespace = {};
  std::string file_name = {}; ///< name of the bundle's file, for the comment of the generated header
};

struct WrittenBundle {
  /// The content of the file. Equal lists of jobs give equal bytes. Empty if a job failed, or if there is no
  /// job.
  std::string bytes;
  std::string wrappers; ///< the generated C++ header; empty without a wrappers_namespace
  size_t kernels = 0;
  /// Pieces of code by kind, over all kernels and architectures.
  size_t cpu_images = 0, cubins = 0, ptx_texts = 0, spirv_modules = 0;
  /// Jobs for a GPU that have PTX but no cubin, since this machine has no assembler.
  size_t not_assembled = 0;
  std::vector<std::string> changed; ///< source files that changed since the trace of jobs was recorded
  std::vector<PrecompileReport::Failure> failures; ///< by job
};

} // namespace kiln::inline KILN_API_VERSION

namespace kiln::detail {
/// Sizes of the structures that programs and libkiln exchange through make_bundle. The library compares them
/// to detect headers of another version.
consteval auto bundle_writer_structures() {
  return std::array{KILN_STRUCTURE(BundleWriterOptions), KILN_STRUCTURE(WrittenBundle),
                    KILN_STRUCTURE(SessionOptions),      KILN_STRUCTURE(CompilerConfig),
                    KILN_STRUCTURE(PrecompileJob),       KILN_STRUCTURE(PrecompileReport)};
}
} // namespace kiln::detail

namespace kiln::inline KILN_API_VERSION {

/// Compiles the jobs and makes a bundle of their kernels. A job for the CPU becomes code for all levels of
/// the host's architecture: x86-64-v2, v3 and v4; aarch64 and neoverse-v2. It may name one of these five. A
/// job for a GPU becomes a cubin if this machine has an assembler. Its PTX is kept for GPUs that no cubin of
/// the list fits. PrecompileJob::product is ignored. Errors: Usage for two jobs of the same kernel and
/// target, or a wrappers_namespace that is no C++ name. Errors of single jobs are in WrittenBundle::failures.
KILN_API Result<WrittenBundle> make_bundle(std::span<const PrecompileJob> jobs,
                                           const BundleWriterOptions &options, const ProgramHeaders &headers);
KILN_HEADER_INLINE Result<WrittenBundle> make_bundle(std::span<const PrecompileJob> jobs,
                                                     const BundleWriterOptions &options) {
  const auto structures = detail::bundle_writer_structures();
  return make_bundle(jobs, options, {KILN_VERSION, structures});
}

/// Turns a kernel's name into a valid C++ identifier that is neither a keyword nor a reserved name.
KILN_API std::string cpp_name(std::string_view name);

} // namespace kiln::inline KILN_API_VERSION
