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
        "map!"},
       "compiled code cannot allocate arrays: use a tuple, shared memory or an argument"},
      {{"CuArray", "CuVector", "CuMatrix", "cu"},
       "where a kernel runs, an array is a CuDeviceArray{T, N, 1}, and comes as an argument"},
      {{"push!", "pop!", "append!", "resize!", "pushfirst!", "popfirst!", "insert!", "deleteat!", "empty!",
        "sizehint!"},
       "an array in a kernel cannot grow or shrink: count in a variable or an array of its own, and write at that place"},
      {{"string", "repr", "sprint", "join", "lpad", "rpad"},
       "compiled code cannot build strings: print the parts one by one"},
      {{"print", "println", "show", "display", "printstyled", "@printf", "dump"},
       "kernels print with @cuprintln, @cuprint or @cuprintf"},
      {{"rand", "randn", "randexp", "rand!", "randn!"},
       "a kernel has no generator of random numbers: pass numbers, or seeds for a generator of your own, as an argument"},
      {{"Dict", "Set", "IdDict", "BitVector", "BitArray", "IOBuffer", "Channel", "Task", "Ptr"},
       "values of the host's memory stay there: pass numbers, structs of numbers and device arrays"},
      {{"sleep", "yield", "wait", "time", "time_ns", "now"},
       "in a kernel there are nanosleep, clock and globaltimer"},
      {{"open", "close", "read", "write", "readline", "flush", "run", "getenv"},
       "files and processes are the host's"},
      {{"parse", "tryparse", "split", "replace", "startswith"}, "strings are the host's: pass the numbers"},
      {{"eval", "include_string", "invokelatest", "methods", "applicable"},
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

std::string missing_julia_name(std::string_view name, std::span<const std::string_view> modules) {
  struct Names {
    std::string_view module;
    std::string_view advice;
    std::initializer_list<std::string_view> names;
  };
  static const Names all[] = {
#define SUPPORTED(module, ...)
#define REFUSED(module, advice, ...) {module, advice, {__VA_ARGS__}},
#include "julia_names.def"
  };
  for (const Names &each : all)
    if (std::ranges::find(modules, each.module) != modules.end() &&
        std::find(each.names.begin(), each.names.end(), name) != each.names.end())
      return fmt::format("{}'s `{}` is not part of Kiln: {}", each.module, name, each.advice);
  return {};
}

} // namespace kiln
