// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bundles made in memory from a text, and bundles of made-up code.
#pragma once

#include "must.h"
#include "scratch.h"

#include <bundle/bundle.h>
#include <bundler/bundler.h>
#include <kiln/bundle.h>
#include <kiln/runtime.h>

#include <cstring>
#include <fstream>

namespace kiln::test {

/// Bytes at a multiple of 64, as a mapped file's are.
class Aligned {
public:
  explicit Aligned(std::string_view bytes) : words_((bytes.size() + 63) / 64), size_(bytes.size()) {
    std::memcpy(words_.data(), bytes.data(), bytes.size());
  }
  const void *data() const { return words_.data(); }
  std::byte *bytes() { return reinterpret_cast<std::byte *>(words_.data()); }
  size_t size() const { return size_; }
  Result<Bundle> open(const BundleOptions &options = {}) const {
    return Bundle::from_memory(words_.data(), size_, options);
  }

private:
  struct alignas(64) Line {
    std::byte bytes[64];
  };
  std::vector<Line> words_;
  size_t size_;
};

/// "kind name: message" of an error's first diagnostic.
template <class T> std::string fault(const Result<T> &result) {
  if (result.ok()) return "no error";
  const Diagnostic &d = result.error().diagnostics()[0];
  return std::to_string(int(result.error().kind())) + " " + std::string(d.name()) + ": " + d.message;
}

inline SessionOptions no_folder() {
  SessionOptions options;
  options.cache_dir = "";
  options.verbosity = LogLevel::Error;
  return options;
}

/// The calls of a program in Julia's text, compiled for the CPU.
inline BundleReport compile(const std::string &program, const std::vector<std::string> &calls,
                            const CompilerConfig &config = {}) {
  Scratch folder;
  std::ofstream(folder.path / "program.jl") << program;
  std::vector<PrecompileJob> jobs;
  for (const std::string &call : calls) {
    PrecompileJob job;
    job.files = {{"program.jl", folder.path.string(), {}}}; // the name is part of the code
    job.call = call;
    job.config = config;
    jobs.push_back(std::move(job));
  }
  BundleReport report = must(compile_list(jobs, no_folder(), 2));
  for (const auto &failure : report.failures) FAIL(failure.error.what());
  return report;
}

/// A kernel of code for GPUs that was not compiled: what the fake driver takes.
inline BundledKernel gpu_kernel(std::vector<BundledCode> codes) {
  BundledKernel kernel;
  kernel.name = "first";
  kernel.signature = "Int64, Int64";
  kernel.parameters = {
      {.argument = 1, .size = 8, .align = 8, .type = "Int64", .name = "a", .parts = {}, .cpp = {}},
      {.argument = 2, .size = 8, .align = 8, .type = "Int64", .name = "b", .parts = {}, .cpp = {}}};
  kernel.codes = std::move(codes);
  return kernel;
}

} // namespace kiln::test
