// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The seam for languages: a session compiles, caches and runs kernels of a language that lives outside Kiln.
#include "must.h"
#include "scratch.h"
#include "store_language.h"

#include <catch2/catch.hpp>
#include <kiln/kiln.h>

#include <cstring>

using namespace kiln;
using Catch::Matchers::Contains;
using kiln::test::must;

namespace {

SessionOptions options(const std::string &folder = {}) {
  SessionOptions options;
  options.cache_dir = folder;
  options.verbosity = LogLevel::Error;
  options.languages = {[](const LanguageHost &) { return std::make_unique<test::StoreFrontend>(); }};
  options.language = "store";
  return options;
}

template <class T> Argument argument(std::string type, const T &value) {
  Argument argument{std::move(type), std::vector<std::byte>(sizeof value)};
  std::memcpy(argument.bytes.data(), &value, sizeof value);
  return argument;
}

} // namespace

TEST_CASE("a second language runs on the CPU, by name and prepared") {
  auto session = must(Session::open(options()));
  CHECK(must(session->load("program.store", "put: p v\nput_too: p v\n")).methods == 2);
  float x = 0;
  must(session->launch("put", {}, {argument("any f32", &x), argument("f32", 2.5f)}, {}));
  CHECK(x == 2.5f);
  const float other = -1;
  float *to = &x;
  Kernel kernel = must(session->prepare("put_too(any f32, f32)"));
  const void *arguments[] = {&to, &other};
  must(session->launch(kernel, {}, arguments));
  CHECK(x == -1);
}

TEST_CASE("a second language's kernels for a GPU are found in the folder, by another process too") {
  test::Scratch scratch;
  CompilerConfig ptx;
  ptx.target = PtxOptions();
  std::string first;
  for (bool is_first : {true, false}) {
    auto session = must(Session::open(options(scratch.path.string())));
    must(session->load("program.store", "put: p v\n"));
    auto made = must(session->compile("put(global f64, f64)", ptx, ArtifactKind::Assembly));
    CHECK_THAT(made->bytes, Contains("st.global.b64"));
    CHECK(session->counters().compiled == is_first);
    CHECK(session->counters().disk_hits == !is_first);
    if (is_first)
      first = made->bytes;
    else
      CHECK(made->bytes == first);
    session->flush_cache();
  }
}

TEST_CASE("files are read by the language that claims their extension; calls by the one that was chosen") {
  SessionOptions both = options();
  both.language = "julia";
  auto session = must(Session::open(both));
  must(session->load("program.store", "put: p v\n"));
  must(session->load("program.jl", "function fill(y, v)\n  y[1] = v\n  return\nend\n"));
  std::vector<float> y{0};
  must(session->launch("fill", {}, {Argument::array(y.data(), {1}), Argument::scalar(3.f)}, {}));
  CHECK(y[0] == 3);
  float x = 0; // a function of the one language called by the other's names of types
  must(session->launch("put", {}, {argument("Core.LLVMPtr{Float32, 0}", &x), Argument::scalar(4.f)}, {}));
  CHECK(x == 4);
}

TEST_CASE("faults of a second language have their places, wrong options are Usage errors") {
  auto session = must(Session::open(options()));
  auto bad = session->load("bad.store", "put: p v\nput p v\n");
  REQUIRE(!bad.ok());
  CHECK_THAT(bad.error().what(), Contains("bad.store:2:1"));
  auto call = session->compile("put(string)", {}, ArtifactKind::Object);
  REQUIRE(!call.ok());
  CHECK(call.error().kind() == ErrorKind::Input);
  SessionOptions unknown = options();
  unknown.language = "cobol";
  auto none = Session::open(unknown);
  REQUIRE(!none.ok());
  CHECK(none.error().kind() == ErrorKind::Usage);
  CHECK_THAT(none.error().what(), Contains("no language cobol") && Contains("julia, store"));
  SessionOptions twice = options();
  twice.languages.push_back(twice.languages[0]);
  auto two = Session::open(twice);
  REQUIRE(!two.ok());
  CHECK(two.error().kind() == ErrorKind::Usage);
}
