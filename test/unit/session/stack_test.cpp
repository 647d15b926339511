// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Programs that nest deeply, on threads with little stack: what compiles on a main thread compiles there too,
// and what is beyond a limit ends in a diagnostic with a place. A crash is what fails here, and takes the
// whole test with it.
#include <catch2/catch.hpp>

#include <kiln/kiln.h>

#include <functional>
#include <pthread.h>

using namespace kiln;

namespace {

/// What `work` returns, run on a thread with this much stack.
std::string on_thread(size_t stack, std::function<std::string()> work) {
  struct Call {
    std::function<std::string()> work;
    std::string result;
  } call{std::move(work), {}};
  pthread_attr_t attributes;
  pthread_t thread;
  REQUIRE(pthread_attr_init(&attributes) == 0);
  REQUIRE(pthread_attr_setstacksize(&attributes, stack) == 0);
  REQUIRE(pthread_create(
              &thread, &attributes,
              [](void *at) -> void * {
                auto &call = *static_cast<Call *>(at);
                call.result = call.work();
                return nullptr;
              },
              &call) == 0);
  pthread_attr_destroy(&attributes);
  REQUIRE(pthread_join(thread, nullptr) == 0);
  return call.result;
}

std::string repeat(const std::string &text, int count) {
  std::string all;
  for (int i = 0; i < count; i++) all += text;
  return all;
}

/// "" if all goes well, else the diagnostics.
std::string compile(const std::string &text, TargetSpec target, ArtifactKind kind, int opt_level) {
  auto session = Session::open({.cache_dir = ""});
  if (!session.ok()) return session.error().what();
  if (auto loaded = (*session)->load("deep.jl", text); !loaded.ok()) return loaded.error().what();
  CompilerConfig config;
  config.target = target;
  config.kernel = true;
  config.opt_level = opt_level;
  auto made = (*session)->compile("k(CuDeviceVector{Float32,1})", config, kind);
  return made.ok() ? "" : made.error().what();
}

std::string kernel(const std::string &body) {
  return "f(x) = x * 2f0 + 1f0\nfunction k(y)\n" + body + "\n    return\nend\n";
}

struct Nesting {
  const char *name;
  std::function<std::string(int)> program;
  int fits;
};

const Nesting nestings[] = {
    {"calls", [](int n) { return kernel("    y[1] = " + repeat("f(", n) + "y[2]" + repeat(")", n)); }, 480},
    {"parentheses",
     [](int n) { return kernel("    y[1] = " + repeat("(", n) + "y[2]" + repeat(" + 1f0)", n)); }, 480},
    {"conditions",
     [](int n) {
       return kernel("    x = y[1]\n" + repeat("    if x > 1f0\n x += 1f0\n", n) + repeat("end\n", n) +
                     "    y[1] = x");
     },
     240},
    {"blocks",
     [](int n) {
       return kernel("    x = y[1]\n" + repeat("    let\n x += 1f0\n", n) + repeat("end\n", n) +
                     "    y[1] = x");
     },
     240},
    {"loops",
     [](int n) {
       return kernel("    x = y[1]\n" + repeat("    while x < 9f0\n x += 1f0\n", n) + repeat("end\n", n) +
                     "    y[1] = x");
     },
     60},
};

} // namespace

TEST_CASE("what nests deeply compiles on threads with little stack") {
  for (size_t stack : {size_t(256) << 10, size_t(1) << 20})
    for (const Nesting &nesting : nestings)
      for (auto [target, kind] : {std::pair{TargetSpec(PtxOptions()), ArtifactKind::Assembly},
                                  std::pair{TargetSpec(NativeOptions()), ArtifactKind::Object}})
        for (int opt_level : {0, 2}) {
          INFO(nesting.name << ", " << stack / 1024 << " KiB, -O" << opt_level
                            << (target.is<PtxOptions>() ? ", ptx" : ", native"));
          CHECK(on_thread(stack, [&] {
                  return compile(nesting.program(nesting.fits), target, kind, opt_level);
                }) == "");
        }
}

TEST_CASE("beyond the limit there is a diagnostic with a place") {
  for (size_t stack : {size_t(256) << 10, size_t(1) << 20})
    for (const Nesting &nesting : nestings)
      for (int n : {1'100, 40'000}) {
        INFO(nesting.name << " " << n << ", " << stack / 1024 << " KiB");
        std::string error = on_thread(
            stack, [&] { return compile(nesting.program(n), PtxOptions(), ArtifactKind::Assembly, 2); });
        CHECK(error.find("deep.jl:") != std::string::npos);
        CHECK(error.find("nested too deeply: more than 1000 levels") != std::string::npos);
      }
}
