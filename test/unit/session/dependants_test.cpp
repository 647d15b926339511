// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One edit of a program at a time: exactly the kernels that depend on it are compiled again, and the others
// come from the folder. What comes out is what a session without a folder makes.
#include "cached.h"
#include "dependants_program.h"

#include <algorithm>

namespace dependants_test {

using namespace kiln;
using namespace cached;
using namespace dependants;

namespace {

CompilerConfig config_of(TargetSpec kind) {
  CompilerConfig config;
  config.target = kind;
  config.debug_level = 0;
  return config;
}

std::string compile(Session &session, const std::string &kernel, TargetSpec kind) {
  return must(
             session.compile(kernel + "(CuDeviceVector{Float32,1})", config_of(kind), ArtifactKind::Assembly))
      ->bytes;
}

} // namespace

TEST_CASE("exactly what depends on an edit is compiled again") {
  const TargetSpec kind = GENERATE(TargetSpec(PtxOptions()), TargetSpec(NativeOptions()));
  Scratch filled;
  {
    auto session = open(filled.path);
    must(session->load("test.jl", dependants_program));
    for (const std::string &kernel : kernels) {
      INFO(kernel);
      CHECK(compiles(*session, [&] { compile(*session, kernel, kind); }));
    }
  }
  {
    auto session = open(filled.path);
    must(session->load("test.jl", dependants_program));
    for (const std::string &kernel : kernels) {
      INFO(kernel);
      CHECK(!compiles(*session, [&] { compile(*session, kernel, kind); }));
      CHECK(session->counters().inferred == 0);
    }
  }
  for (const Edit &edit : edits) {
    const std::string text = replaced(dependants_program, edit.from, edit.to);
    // What an edit leaves in the folder is its own: the next one starts from the first program's.
    Scratch folder;
    std::filesystem::copy(filled.path, folder.path, std::filesystem::copy_options::recursive);
    auto session = open(folder.path), fresh = open("");
    must(session->load("test.jl", text));
    must(fresh->load("test.jl", text));
    std::vector<std::string> recompiled;
    for (const std::string &kernel : kernels) {
      INFO(edit.from << " -> " << edit.to << ": " << kernel);
      std::string bytes;
      if (compiles(*session, [&] { bytes = compile(*session, kernel, kind); })) recompiled.push_back(kernel);
      CHECK(bytes == compile(*fresh, kernel, kind));
    }
    INFO(edit.from << " -> " << edit.to);
    CHECK(recompiled == edit.dependants);
  }
}

TEST_CASE("in one session too, a method that invoke names ends what invoked it") {
  auto session = open("");
  auto value = [&] {
    std::vector<float> y{1};
    must(session->launch("user", {.threads = {1, 1, 1}}, {Argument::array(y.data(), {1})}));
    return y[0];
  };
  // The plain call comes first: both are looked up with a Float32.
  must(session->load(
      "a.jl",
      "f(x::Real) = x + 8f0\nf(x::Float32) = x + 20f0\nuser(y) = (y[1] = f(y[1]) + invoke(f, Tuple{Real}, y[1]); return)"));
  CHECK(value() == 30);
  must(session->load("b.jl", "f(x::Real) = x + 9f0"));
  CHECK(value() == 31);
  must(session->load("c.jl", "f(x::Float32) = x + 30f0"));
  CHECK(value() == 41);
  must(session->load("d.jl", "f(x::Number) = x + 100f0"));
  CHECK(value() == 41);
}

} // namespace dependants_test
