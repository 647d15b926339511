// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "host_functions.h"

#include <algorithm>
#include <initializer_list>

#include <fmt/format.h>

namespace kiln {

std::string_view host_function_hint(std::string_view name) {
  struct Family {
    std::initializer_list<std::string_view> names;
    std::string_view hint;
  };
  static const Family families[] = {
      {{"vect", "zeros", "ones", "fill", "similar", "collect", "vcat", "hcat", "ncat", "copy", "deepcopy",
        "map!", "undef_array"},
       "compiled code cannot allocate arrays: use a tuple, shared memory or an argument"},
      {{"CuArray", "CuVector", "CuMatrix", "cu"},
       "where a kernel runs, an array is a CuDeviceArray{T, N, 1}, and comes as an argument"},
      {{"push!", "pop!", "append!", "resize!", "pushfirst!", "popfirst!", "insert!", "deleteat!", "empty!",
        "sizehint!"},
       "an array in a kernel cannot grow or shrink: count in a variable or an array of its own, and write at that place"},
      {{"string", "repr", "sprint", "join", "lpad", "rpad"},
       "compiled code cannot build strings: print the parts one by one"},
      {{"print", "println", "show", "display", "printstyled", "@printf", "dump", "@show", "@info", "@warn",
        "@error", "@debug"},
       "kernels print with @cuprintln, @cuprint or @cuprintf"},
      {{"rand", "randn", "randexp", "rand!", "randn!", "MersenneTwister", "Xoshiro"},
       "a kernel has no generator of random numbers: pass numbers, or seeds for a generator of your own, as an argument"},
      {{"Dict", "Set", "IdDict", "BitVector", "BitArray", "IOBuffer", "Channel", "Task", "Ptr"},
       "values of the host's memory stay there: pass numbers, structs of numbers and device arrays"},
      {{"sleep", "yield", "wait", "time", "time_ns", "now"},
       "use nanosleep, clock or globaltimer in a kernel"},
      {{"@time", "@elapsed", "@timed", "@allocated"},
       "measure launches on the host, with CUDA.@elapsed or @time CUDA.@sync"},
      {{"@async", "@spawn", "@task", "@sync", "@threads", "fetch", "schedule"},
       "the threads of a kernel already run at once: launch more of them, and choose the work by their index"},
      {{"open", "close", "read", "write", "readline", "flush", "run", "getenv"},
       "files and processes are the host's: read them there, and pass arrays"},
      {{"parse", "tryparse", "split", "replace", "startswith", "match", "@r_str"},
       "strings are the host's: pass the numbers"},
      {{"eval", "@eval", "include_string", "invokelatest", "methods", "applicable"},
       "compiled code is fixed: call functions, or make code with a macro or @generated"},
      {{"sort", "sort!", "sortperm", "reverse!", "unique"},
       "sort in a loop of your own over the array, or on the host"},
      {{"BigInt", "BigFloat", "big", "@big_str"},
       "a kernel has no memory for numbers of any size: write Int128, which goes to 1.7e38, or Float64"},
      {{"hash"}, "write the hash function of your own out: Julia's is that of its host library"},
  };
  for (const Family &family : families)
    if (std::find(family.names.begin(), family.names.end(), name) != family.names.end()) return family.hint;
  return {};
}

std::string_view feature_hint(std::string_view feature) {
  struct Feature {
    std::string_view prefix;
    std::string_view hint;
  };
  static constexpr Feature features[] = {
      {"try/catch", "a kernel catches no exceptions: test for the fault with `if` before it"},
      {"ccall of a host function in a library", "write the function in Julia"},
      {"`struct` ", "move it to the top level of the file"},
      {"`abstract type` ", "move it to the top level of the file"},
      {"`primitive type` ", "move it to the top level of the file"},
      {"`module` ", "move it to the top level of the file"},
      {"`macro` ", "move it to the top level of the file"},
      {"`using` ", "move it to the top level of the file"},
      {"`import` ", "move it to the top level of the file"},
      {"`export` ", "move it to the top level of the file"},
      {"`public` ", "move it to the top level of the file"},
      {"assignment to the global variable", "store the value in an element of an array that is an argument"},
      {"keyword arguments with computed names", "write their names in the call"},
  };
  for (const Feature &each : features)
    if (feature.starts_with(each.prefix)) return each.hint;
  return {};
}

namespace {

struct Names {
  std::string_view module;
  std::string_view advice;
  std::initializer_list<std::string_view> refused;
};

const Names julia_names[] = {
#define SUPPORTED(module, ...) {module, {}, {}},
#define REFUSED(module, advice, ...) {module, advice, {__VA_ARGS__}},
#include "julia_names.def"
};

} // namespace

std::string missing_julia_name(std::string_view name, std::span<const std::string_view> modules) {
  for (const Names &each : julia_names)
    if (std::ranges::find(modules, each.module) != modules.end() &&
        std::find(each.refused.begin(), each.refused.end(), name) != each.refused.end())
      return fmt::format("{}'s `{}` is not part of Kiln: {}", each.module, name, each.advice);
  return {};
}

bool is_library_module(std::string_view full_name) {
  const std::string_view root = full_name.substr(0, full_name.find('.'));
  return root == "Core" || std::ranges::find(julia_names, root, &Names::module) != std::end(julia_names);
}

} // namespace kiln
