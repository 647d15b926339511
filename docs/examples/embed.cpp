// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kiln inside another program, against include/kiln alone: a kernel from text, for both targets, run on the CPU on
// the program's own memory, redefined, and the timing table.
#include <kiln/kiln.h>

#include <cstdio>
#include <vector>

static int fail(const kiln::Error &error) {
  std::fputs(error.what().c_str(), stderr);
  return int(error.kind());
}

int main() {
  using namespace kiln;
  auto opened = Session::open({.timings = true});
  if (!opened.ok()) return fail(opened.error());
  Session &session = **opened;

  auto define = [&](const char *expression) {
    return session.load("scale.jl", std::string("using CUDA\n"
                                                "function scale(y, a)\n"
                                                "    i = (blockIdx().x - 1i32) * blockDim().x + threadIdx().x\n"
                                                "    if i <= length(y)\n"
                                                "        @inbounds y[i] = ") + expression + "\n    end\n    return\nend\n");
  };
  if (auto loaded = define("a * y[i]"); !loaded.ok()) return fail(loaded.error());

  CompilerConfig ptx{.target = {.kind = TargetKind::Ptx, .sm = 80}};
  auto artifact = session.compile("scale(CuDeviceVector{Float32,1}, Float32)", ptx, ArtifactKind::Assembly);
  if (!artifact.ok()) return fail(artifact.error());
  std::printf("PTX: %zu bytes, entry %s\n", (*artifact)->bytes.size(), (*artifact)->entry.c_str());

  std::vector<float> y(1000, 3.0f);
  auto run = [&] {
    return session.launch("scale", {.blocks = {4, 1, 1}, .threads = {256, 1, 1}}, {Argument::array(y.data(), {int64_t(y.size())}), Argument::scalar(2.0f)});
  };
  if (auto launched = run(); !launched.ok()) return fail(launched.error());
  std::printf("scaled: %g %g\n", y.front(), y.back());

  if (auto loaded = define("a + y[i]"); !loaded.ok()) return fail(loaded.error());
  if (auto launched = run(); !launched.ok()) return fail(launched.error());
  std::printf("redefined: %g %g\n", y.front(), y.back());
  std::fputs(session.timings().table().c_str(), stdout);
  return y.front() == 8.0f && y.back() == 8.0f ? 0 : 1;
}
