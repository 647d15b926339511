// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For tests of lists of jobs: a folder with a program and a cache, and what fills and runs it.
#pragma once

#include "cached.h"

#include <precompile/precompile.h>
#include <session/session.h>
#include <targets/targets.h>

#include <filesystem>
#include <fstream>

namespace precompiled {

using namespace kiln;
namespace fs = std::filesystem;

inline constexpr const char *program = R"(
include("parts.jl")
function scale(y, ::Val{N}) where N
    i = threadIdx().x
    if i <= length(y)
        y[i] = factor() * y[i] + N
    end
    return
end
apply(y, f) = (y[1] = f(y[1]); nothing)
wrong(y) = (y[1] = nowhere(y[1]); nothing)
)";

using cached::must;

inline void write(const fs::path &path, std::string_view text) {
  std::ofstream(path, std::ios::binary) << text;
}

/// A folder with a program in it, and a cache.
struct Scratch : kiln::test::Scratch {
  Scratch() {
    write(path / "program.jl", program);
    write(path / "parts.jl", "factor() = 3f0\n");
  }
  SessionOptions session(const char *cache = "cache") const {
    SessionOptions options;
    options.cache_dir = (path / cache).string();
    options.shared_cache_dir = "";
    options.trace_jobs = "";
    options.verbosity = LogLevel::Error;
    return options;
  }
  std::vector<PrecompileJob> jobs(const std::vector<std::string> &calls, CompilerConfig config = {}) const {
    std::vector<PrecompileJob> all;
    for (const std::string &call : calls)
      all.push_back({.files = {{"program.jl", path.string(), ""}},
                     .call = call,
                     .captures = {},
                     .hidden_argument = {},
                     .config = config,
                     .product = config.target.is<PtxOptions>() ? ArtifactKind::Cubin : ArtifactKind::Object,
                     .at = {}});
    return all;
  }
};

inline const std::vector<std::string> calls{
    "scale(CuDeviceVector{Float32,1}, Val{1})", "scale(CuDeviceVector{Float32,1}, Val{2})",
    "apply(CuDeviceVector{Float32,1}, typeof(sqrt))", "apply(CuDeviceVector{Float64,1}, typeof(-))"};

inline CompilerConfig ptx() {
  CompilerConfig config;
  config.target = PtxOptions();
  config.target.edit<PtxOptions>().sm = 80;
  return config;
}

/// As a program would: loads by the file's name, and launches.
inline Session::Counters run_program(const Scratch &scratch, SessionOptions options) {
  auto session = must(Session::open(options));
  must(session->load_file((scratch.path / "program.jl").string()));
  std::vector<float> y{4, 9, 16};
  must(session->launch("scale", {.threads = {3, 1, 1}},
                       {Argument::array(y.data(), {3}), Argument{"Val{2}", {}}}));
  CHECK(y == std::vector<float>{14, 29, 50});
  must(session->launch("apply", {}, {Argument::array(y.data(), {3}), Argument{"typeof(-)", {}}}));
  CHECK(y[0] == -14);
  must(session->compile("scale(CuDeviceVector{Float32,1}, Val{7})", ptx(), ArtifactKind::Assembly));
  session->flush_cache();
  return session->counters();
}

inline PrecompileReport fill(const Scratch &scratch, std::span<const PrecompileJob> jobs,
                             unsigned threads = 2, const char *cache = "cache") {
  return must(precompile(jobs, {.session = scratch.session(cache), .threads = threads}));
}

inline std::unique_ptr<FolderStore> folder_of(const Scratch &scratch, const char *cache = "cache") {
  return std::make_unique<FolderStore>(FolderOptions{.path = (scratch.path / cache).string()});
}

inline bool has_assembler() {
  auto session = must(Session::open({.cache_dir = ""}));
  return jobs_of(*session).assemblers().of(find_target(PtxOptions())).ok();
}

} // namespace precompiled
