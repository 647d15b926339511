// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "standard_libraries.h"

namespace kiln::julia {

namespace {

constexpr std::string_view test_names[] = {"@test",        "@test_throws",       "@test_broken",
                                           "@test_skip",   "@test_warn",         "@test_nowarn",
                                           "@test_logs",   "@test_deprecated",   "@testset",
                                           "@inferred",    "detect_ambiguities", "detect_unbound_args",
                                           "GenericArray", "GenericString"};
constexpr std::string_view printf_names[] = {"@printf", "@sprintf"};
constexpr std::string_view statistics_names[] = {"mean",     "mean!",     "median", "median!", "middle",
                                                 "quantile", "quantile!", "std",    "stdm",    "var",
                                                 "varm",     "cor",       "cov"};
constexpr std::string_view logging_names[] = {
    "@debug",      "@info",         "@warn",          "@error",        "@logmsg",
    "with_logger", "global_logger", "current_logger", "ConsoleLogger", "NullLogger"};
constexpr std::string_view base64_names[] = {"base64encode", "base64decode", "Base64EncodePipe",
                                             "Base64DecodePipe", "stringmime"};
constexpr std::string_view libdl_names[] = {"dlopen", "dlsym",  "dlclose",     "dlpath",
                                            "dlext",  "dllist", "find_library"};

constexpr std::string_view host =
    "it works on the host, where Kiln compiles nothing: leave it out of the file with the kernels";

// https://docs.julialang.org/en/v1.10, "Standard Library".
constexpr StandardLibrary libraries[] = {
    {"ArgTools", "arguments that are files or streams", host, {}},
    {"Artifacts", "files that packages come with", host, {}},
    {"Base64", "text of bytes", host, base64_names},
    {"CRC32c", "checksums", "write the sum out in the kernel", {}},
    {"Dates", "dates and times", "pass them as integers", {}},
    {"DelimitedFiles", "tables in text files", "pass arrays as arguments", {}},
    {"Distributed", "processes", host, {}},
    {"Downloads", "downloads", host, {}},
    {"FileWatching", "changes of files", host, {}},
    {"Future", "what Julia changes later", host, {}},
    {"InteractiveUtils",
     "@code_typed and its kin",
     "the products lowered, typed, llvm and asm show the stages",
     {}},
    {"LazyArtifacts", "files that packages come with", host, {}},
    {"LibGit2", "git", host, {}},
    {"Libdl", "dynamic libraries", "linked files may be bitcode, PTX, cubins and objects", libdl_names},
    {"Logging", "messages of the host", "kernels print with @cuprintln, @cuprint or @cuprintf",
     logging_names},
    {"Markdown", "formatted text", host, {}},
    {"Mmap", "files as memory", "pass arrays as arguments", {}},
    {"NetworkOptions", "networks", host, {}},
    {"Pkg", "packages", host, {}},
    {"Printf", "formatted output", "kernels print with @cuprintf, @cuprint or @cuprintln", printf_names},
    {"Profile", "a profiler", "the table of timings measures", {}},
    {"REPL", "the prompt", host, {}},
    {"SHA", "digests", host, {}},
    {"Serialization", "values as bytes", host, {}},
    {"SharedArrays", "arrays of several processes", "pass arrays as arguments", {}},
    {"Sockets", "networks", host, {}},
    {"SparseArrays", "sparse matrices", "pass their arrays (colptr, rowval, nzval) as arguments", {}},
    {"Statistics", "means, deviations and quantiles", "a mean is sum(x) / length(x); write the others out",
     statistics_names},
    {"SuiteSparse", "sparse factorisations", host, {}},
    {"TOML", "configuration files", host, {}},
    {"Tar", "archives", host, {}},
    {"Test", "unit tests", "check on the host what a kernel has written; in a kernel there is @assert",
     test_names},
    {"UUIDs", "identifiers", host, {}},
    {"Unicode", "properties of characters", "docs/library.md names what there is of characters", {}},
};

} // namespace

const StandardLibrary *missing_standard_library(std::string_view name) {
  for (const StandardLibrary &library : libraries)
    if (library.name == name) return &library;
  return nullptr;
}

} // namespace kiln::julia
