// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A session of an embedder gets what packages run on while they are loaded, as soon as the environment names
// packages.
#include "must.h"
#include "scratch.h"
#include "variables.h"

#include <kiln/kiln.h>
#include <kiln/packages.h>

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

float launched(const SessionOptions &options, bool asked) {
  auto session = must(Session::open(options));
  if (asked) must(find_packages(*session, {}));
  if (!session->load("k.jl", kernel).ok()) return -1;
  float y = 4;
  auto done = session->launch("k", {}, {Argument::array(&y, {1})});
  return done.ok() ? y : -1;
}

} // namespace

TEST_CASE("JULIA_LOAD_PATH gives an embedder's session the host of packages' macros") {
  const Scratch scratch;
  std::filesystem::create_directories(scratch.path / "Hosted/src");
  std::ofstream(scratch.path / "Hosted/src/Hosted.jl") << package;
  const Variable project("JULIA_PROJECT", nullptr);
  SessionOptions options;
  options.cache_dir = "";
  {
    const Variable path("JULIA_LOAD_PATH", scratch.path.c_str());
    CHECK(launched(options, false) == 7); // 4 + 1 + 2
    // Nothing of the environment: the package is not found.
    options.use_environment = false;
    CHECK(launched(options, false) == -1);
    options.use_environment = true;
    // What the session says takes the variable's place.
    CHECK(launched(options, true) == -1);
  }
  const Variable none("JULIA_LOAD_PATH", nullptr);
  CHECK(launched(options, false) == -1);
}
