// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Embeds Kiln in a program, with include/kiln only. Compiles a kernel from text for both targets and runs it
// on the CPU in the program's memory. Then redefines it, runs it on a GPU if there is one, and prints the
// timing table.
#include <kiln/kiln.h>

#include <cstdio>
#include <vector>

static int fail(const kiln::Error &error) {
  std::fputs(error.what().c_str(), stderr);
  return int(error.kind());
}

/// Uses one stream for everything, in order. Only synchronize waits.
static kiln::Result<void> run_on(kiln::Session &session, const kiln::Device &device, std::vector<float> &y) {
  using namespace kiln;
  KILN_TRY(Kernel kernel, session.prepare("scale(CuDeviceVector{Float32,1}, Float32)", {}, device));
  KILN_TRY(Stream stream, session.stream(device));
  KILN_TRY(Buffer memory, stream.allocate(y.size() * sizeof(float)));
  Argument array = Argument::array(memory.as<float>(), {int64_t(y.size())});
  float a = 2;
  const void *arguments[] = {array.bytes.data(), &a};
  KILN_CHECK(stream.copy(memory.data(), y.data(), memory.bytes()));
  KILN_CHECK(stream.launch(kernel, {.blocks = {4, 1, 1}, .threads = {256, 1, 1}}, arguments));
  KILN_CHECK(stream.copy(y.data(), memory.data(), memory.bytes()));
  return stream.synchronize();
}

int main() {
  using namespace kiln;
  avoid_opencl_driver_faults();
  auto opened = Session::open({.timings = true});
  if (!opened.ok()) return fail(opened.error());
  Session &session = **opened;

  auto define = [&](const char *expression) {
    return session.load("scale.jl",
                        std::string("using CUDA\n"
                                    "function scale(y, a)\n"
                                    "    i = (blockIdx().x - 1i32) * blockDim().x + threadIdx().x\n"
                                    "    if i <= length(y)\n"
                                    "        @inbounds y[i] = ") +
                            expression + "\n    end\n    return\nend\n");
  };
  if (auto loaded = define("a * y[i]"); !loaded.ok()) return fail(loaded.error());

  CompilerConfig ptx{.target = PtxOptions{.sm = 80}};
  auto artifact = session.compile("scale(CuDeviceVector{Float32,1}, Float32)", ptx, ArtifactKind::Assembly);
  if (!artifact.ok()) return fail(artifact.error());
  std::printf("PTX: %zu bytes, entry %s\n", (*artifact)->bytes.size(), (*artifact)->entry.c_str());

  std::vector<float> y(1000, 3.0f);
  auto run = [&] {
    return session.launch("scale", {.blocks = {4, 1, 1}, .threads = {256, 1, 1}},
                          {Argument::array(y.data(), {int64_t(y.size())}), Argument::scalar(2.0f)});
  };
  if (auto launched = run(); !launched.ok()) return fail(launched.error());
  std::printf("scaled: %g %g\n", y.front(), y.back());

  if (auto loaded = define("a + y[i]"); !loaded.ok()) return fail(loaded.error());
  if (auto launched = run(); !launched.ok()) return fail(launched.error());
  std::printf("redefined: %g %g\n", y.front(), y.back());

  for (const char *name : {"cuda", "opencl"}) {
    auto device = session.device(name);
    if (!device.ok()) {
      std::printf("no %s device: %s\n", name, device.error().diagnostics()[0].message.c_str());
      continue;
    }
    if (auto ran = run_on(session, *device, y); !ran.ok()) return fail(ran.error());
    std::printf("on %s: %g %g\n", device->info().name.c_str(), y.front(), y.back());
    for (float &each : y) each -= 2;
  }
  std::fputs(session.timings().table().c_str(), stdout);
  return y.front() == 8.0f && y.back() == 8.0f ? 0 : 1;
}
