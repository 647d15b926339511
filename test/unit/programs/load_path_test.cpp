// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The host library of an embedder's session: packages that run code while they load.
#include "must.h"
#include "scratch.h"
#include "variables.h"

#include <kiln/kiln.h>
#include <kiln/program.h>

#include <fstream>

using namespace kiln;
using kiln::test::must;
using kiln::test::Scratch;
using kiln::test::Variable;

namespace {

/// A package whose macro asks a dictionary, a set and a regular expression, which only a host has.
constexpr const char *package = R"(module Hosted
export @places
const places = Dict{Symbol,Int}()
for (i, name) in enumerate((:first, :second))
    places[name] = i
end
macro places(text)
    seen = Set{Int}()
    for m in eachmatch(r"[a-z]+", text)
        push!(seen, places[Symbol(m.match)])
    end
    sum(seen)
end
end
)";
constexpr const char *kernel = R"(using Hosted
function k(y)
    y[1] += @places "first, second, first"
    return
end
)";

float launched(const SessionOptions &options) {
  auto session = must(Session::open(options));
  if (!session->load("k.jl", kernel).ok()) return -1;
  float y = 4;
  auto done = session->launch("k", {}, {Argument::array(&y, {1})});
  return done.ok() ? y : -1;
}

} // namespace

TEST_CASE("packages that JULIA_LOAD_PATH names run their code on the session's host library") {
  const Scratch scratch;
  std::filesystem::create_directories(scratch.path / "Hosted/src");
  std::ofstream(scratch.path / "Hosted/src/Hosted.jl") << package;
  const Variable project("JULIA_PROJECT", nullptr);
  SessionOptions options;
  options.cache_dir = "";
  options.host_library = &programs_library();
  {
    const Variable path("JULIA_LOAD_PATH", scratch.path.c_str());
    CHECK(launched(options) == 7); // 4 + 1 + 2
    // Nothing of the environment: the package is not found.
    options.use_environment = false;
    CHECK(launched(options) == -1);
    options.use_environment = true;
    // What the session says takes the variable's place.
    options.packages = PackageOptions{};
    CHECK(launched(options) == -1);
  }
  const Variable none("JULIA_LOAD_PATH", nullptr);
  options.packages.reset();
  CHECK(launched(options) == -1);
  options.packages = PackageOptions{.load_path = {scratch.path.string()}};
  CHECK(launched(options) == 7);
}
