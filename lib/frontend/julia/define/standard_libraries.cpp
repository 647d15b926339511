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
    {"ArgTools", "arguments that are files or streams", "open files by name", {}},
    {"Artifacts", "files that packages come with", "name the files by their paths", {}},
    {"Base64", "text of bytes", host, base64_names},
    {"CRC32c", "checksums", "write the sum out in the kernel", {}},
    {"Dates", "dates and times", "pass them as integers", {}},
    {"DelimitedFiles", "tables in text files", "pass arrays as arguments", {}},
    {"Distributed", "processes", "start a process for each part of the work, and exchange files", {}},
    {"Downloads", "downloads", "fetch the file before the program runs", {}},
    {"FileWatching", "changes of files", "read the file again in a loop", {}},
    {"Future", "what Julia changes later", "use the names of Base", {}},
    {"InteractiveUtils", "@code_typed and its kin", "use the products lowered, typed, llvm and asm", {}},
    {"LazyArtifacts", "files that packages come with", "name the files by their paths", {}},
    {"LibGit2", "git", "run git before the program", {}},
    {"Libdl", "dynamic libraries", "write the function in Julia, or link its code with `kiln compile --link`",
     libdl_names},
    {"Logging", "messages of the host", "kernels print with @cuprintln, @cuprint or @cuprintf",
     logging_names},
    {"Markdown", "formatted text", "print plain text", {}},
    {"Mmap", "files as memory", "pass arrays as arguments", {}},
    {"NetworkOptions", "networks", "fetch files before the program runs", {}},
    {"Pkg", "packages", "name the folder of packages with --load-path", {}},
    {"Printf", "formatted output", "kernels print with @cuprintf, @cuprint or @cuprintln", printf_names},
    {"Profile", "a profiler", "measure with `kiln script --timings`", {}},
    {"REPL", "the prompt", "use `kiln repl`", {}},
    {"SHA", "digests", host, {}},
    {"Serialization",
     "values as bytes",
     "write numbers with write(io, A), and read them with read!(io, A)",
     {}},
    {"SharedArrays", "arrays of several processes", "pass arrays as arguments", {}},
    {"Sockets", "networks", "exchange files with the other process", {}},
    {"SparseArrays", "sparse matrices", "pass their arrays (colptr, rowval, nzval) as arguments", {}},
    {"Statistics", "means, deviations and quantiles", "a mean is sum(x) / length(x); write the others out",
     statistics_names},
    {"SuiteSparse", "sparse factorisations", "use lu, qr and cholesky of sparse matrices", {}},
    {"TOML", "configuration files", host, {}},
    {"Tar", "archives", "unpack the archive before the program runs", {}},
    {"Test", "unit tests", "check on the host what a kernel has written; in a kernel there is @assert",
     test_names},
    {"UUIDs", "identifiers", "write string(rand(UInt128); base = 16)", {}},
    {"Unicode",
     "properties of characters",
     "use isletter, uppercase and the other functions of characters in Base",
     {}},
};

} // namespace

const StandardLibrary *missing_standard_library(std::string_view name) {
  for (const StandardLibrary &library : libraries)
    if (library.name == name) return &library;
  return nullptr;
}

} // namespace kiln::julia
