// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiles and launches on GPUs as ranges of NVTX, by option.
#include "gpu_fixture.h"

using namespace kiln;
using namespace kiln::test;

TEST_CASE(
    "with a tool that listens, compiles for a GPU and launches on it are ranges; without the option nothing is") {
  Environment tool("NVTX_INJECTION64_PATH", KILN_FAKE_NVTX);
  Fake fake;
  auto launch = [](bool nvtx) {
    SessionOptions options;
    options.cache_dir = "";
    options.nvtx = nvtx;
    auto session = take(Session::open(options));
    (void)take(session->load("empty.jl", "function empty(n)\n    return\nend\n"));
    Device gpu = take(session->gpu());
    CompilerConfig config;
    config.name = "ranged";
    Kernel kernel = take(session->prepare("empty(Int64)", config, gpu));
    Stream stream = take(session->stream(gpu));
    int64_t n = 1;
    const void *arguments[] = {&n};
    done(stream.launch(kernel, {}, arguments));
    done(stream.synchronize());
    done(session->launch(kernel, {}, arguments));
  };
  launch(false);
  void *library = ::dlopen(KILN_FAKE_NVTX, RTLD_NOW | RTLD_NOLOAD);
  CHECK(library == nullptr); // nobody has loaded the tool
  launch(true);
  library = ::dlopen(KILN_FAKE_NVTX, RTLD_NOW | RTLD_NOLOAD);
  REQUIRE(library != nullptr);
  auto text = reinterpret_cast<const char *(*)()>(::dlsym(library, "fake_nvtx_text"));
  CHECK(std::string(text()) == "<kiln compile empty><ranged><ranged>");
  launch(false);
  CHECK(std::string(text()) == "<kiln compile empty><ranged><ranged>");
  ::dlclose(library);
}
