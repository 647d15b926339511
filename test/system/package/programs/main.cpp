// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs a program: host code that becomes hot, a dictionary, a regular expression, a kernel on the CPU.
#include <kiln/c_programs.h>
#include <kiln/kiln.h>
#include <kiln/program.h>

#include <cstdio>
#include <string>

constexpr const char *text = R"(
using CUDA
squares(n) = [i^2 for i in 1:n]
total = 0
for i in 1:2000
    global total += sum(squares(100))
end
counts = Dict{String,Int}()
for word in eachmatch(r"[a-z]+", "a b a")
    counts[word.match] = get(counts, word.match, 0) + 1
end
function add!(y, x)
    i = threadIdx().x
    y[i] += x[i]
    return
end
y, x = CUDA.ones(4), CUDA.fill(2.0f0, 4)
@cuda threads=4 add!(y, x)
println(total, " ", counts["a"], " ", Array(y))
try
    [1][2]
catch e
    println(typeof(e))
end
)";

int main() {
  kiln::SessionOptions options;
  options.cache_dir = "";
  options.host_library = &kiln::programs_library();
  auto session = kiln::Session::open(options);
  if (!session.ok()) return std::puts(session.error().what().c_str()), 1;
  std::string printed;
  kiln::ProgramOptions program_options;
  program_options.device = "cpu";
  program_options.output = [&](std::string_view part) { printed += part; };
  auto program = kiln::Program::make(**session, program_options);
  if (!program.ok()) return std::puts(program.error().what().c_str()), 1;
  auto done = (*program)->run_text("text", text);
  if (!done.ok()) return std::puts((*program)->describe(done.error()).c_str()), 1;
  std::fputs(printed.c_str(), stdout);
  const bool is_same = reinterpret_cast<kiln::HostLibrary *>(kiln_programs_library()) == options.host_library;
  return is_same && printed == "676700000 2 Float32[3.0, 3.0, 3.0, 3.0]\nBoundsError\n" ? 0 : 1;
}
