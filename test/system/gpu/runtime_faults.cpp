// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// gpu_runtime: exceptions of kernels, input that is refused, and a context that is lost.
#include "runtime.h"

#include <sys/wait.h>

namespace kiln::gpu_test {

void exceptions(Test &t) {
  Stream bad = t.stream(), good = t.stream();
  Array y(t, good);
  t.done(good.synchronize());
  CompilerConfig located{.debug_level = 2};
  Kernel plus = t.prepare("add(CuDeviceVector{Int64,1}, Int64)"),
         past = t.take(t.session->prepare("past(CuDeviceVector{Int64,1})", located, t.device));
  int64_t one = 1;
  const void *added[] = {y.bytes(), &one}, *only[] = {y.bytes()};
  for (int i = 0; i < 20; i++) {
    t.done(bad.launch(past, {.threads = {32, 1, 1}}, only));
    t.done(good.launch(plus, shape, added));
  }
  auto right = good.synchronize();
  auto wrong = bad.synchronize();
  std::string text = wrong.ok() ? "no error" : wrong.error().what();
  t.check("an exception is told by its stream",
          right.ok() && text.find("BoundsError") != std::string::npos &&
              text.find("runtime.jl:18") != std::string::npos &&
              text.find("of block (1, 1, 1)") != std::string::npos,
          text);
  t.check("once", bad.synchronize().ok());
  t.check("and the context stays usable", y.all(t, good, 20));
  t.done(bad.capture_begin());
  t.done(bad.launch(past, {}, only));
  Graph graph = t.take(bad.capture_end());
  t.done(good.launch(graph));
  t.check("an exception in a graph is told by the stream of its launch",
          !good.synchronize().ok() && bad.synchronize().ok());
}

void bad_input(Test &t) {
  Stream stream = t.stream();
  Array y(t, stream);
  Kernel plus = t.prepare("add(CuDeviceVector{Int64,1}, Int64)");
  int64_t one = 1;
  const void *added[] = {y.bytes(), &one};
  auto refused = [&](const char *what, const auto &result, std::string_view text, ErrorKind kind) {
    std::string said = result.ok() ? "no error" : result.error().what();
    t.check(what, !result.ok() && result.error().kind() == kind && said.find(text) != std::string::npos,
            said);
  };
  refused("too many threads", stream.launch(plus, {.threads = {2048, 1, 1}}, added), "2048",
          ErrorKind::Usage);
  refused("too much shared memory", stream.launch(plus, {.shared_bytes = uint64_t(1) << 30}, added),
          "shared memory", ErrorKind::Usage);
  auto session = t.take(Session::open({.cache_dir = ""}));
  Stream another = t.take(session->stream(t.take(session->gpu())));
  refused("a kernel of another session of the same GPU", another.launch(plus, shape, added),
          "another session", ErrorKind::Usage);
  std::vector<int64_t> host(16);
  refused("host memory as an argument",
          t.session->launch(t.device, "double", {}, {Argument::array(host.data(), {16})}), "copy host memory",
          ErrorKind::Usage);
  auto assembly = t.take(t.session->compile("double(CuDeviceVector{Int64,1})", {.target = t.device.target()},
                                            ArtifactKind::Assembly));
  Artifact newer = *assembly;
  size_t version = newer.bytes.find(".version ");
  newer.bytes.replace(version, newer.bytes.find('\n', version) - version, ".version 42.0");
  refused("PTX newer than the driver",
          t.session->load_kernel(std::make_shared<const Artifact>(newer), t.device), "loading",
          ErrorKind::Machine);
  Artifact junk = *assembly;
  junk.bytes = "no PTX";
  refused("bytes that are no code", t.session->load_kernel(std::make_shared<const Artifact>(junk), t.device),
          "loading", ErrorKind::Machine);
  auto loaded = t.session->load_kernel(assembly, t.device);
  t.check("PTX is assembled by the driver",
          loaded.ok() && t.session->launch(*loaded, shape, std::vector<const void *>{y.bytes()}).ok(),
          loaded.ok() ? "" : loaded.error().what());
  TargetSpec other = t.device.target();
  other.edit<PtxOptions>().sm = t.device.info().sm >= 90 ? 80 : 90;
  auto cubin = t.session->compile("double(CuDeviceVector{Int64,1})", {.target = other}, ArtifactKind::Cubin);
  if (cubin.ok())
    refused("a cubin for another architecture", t.session->load_kernel(*cubin, t.device),
            "another architecture", ErrorKind::Machine);
  else
    t.note("a cubin for another architecture: not made, " + cubin.error().diagnostics()[0].message);
  auto gpus = t.take(t.session->gpus());
  if (gpus.size() < 2) return t.note("a pointer of another GPU: not tried, there is one GPU");
  Device second = t.take(t.session->gpu(1));
  Stream there = t.take(t.session->stream(second));
  Buffer theirs = t.take(there.allocate(4096));
  refused("a pointer of another GPU",
          t.session->launch(t.device, "double", {}, {Argument::array(theirs.as<int64_t>(), {16})}),
          "memory of GPU 1", ErrorKind::Usage);
  Kernel elsewhere = t.take(t.session->prepare("double(CuDeviceVector{Int64,1})", {}, second));
  Argument argument = Argument::array(theirs.as<int64_t>(), {512});
  t.done(there.fill(theirs.data(), 1, 4096));
  t.done(there.launch(elsewhere, {.threads = {512, 1, 1}}, std::vector<const void *>{argument.bytes.data()}));
  std::vector<int64_t> back(512);
  t.done(there.copy(back.data(), theirs.data(), 4096));
  t.done(there.synchronize());
  t.check("the second GPU runs a kernel of its own", back[511] == 0x0202020202020202);
}

int sticky(Test &t) {
  Stream stream = t.stream();
  Array y(t, stream);
  t.done(stream.synchronize());
  Kernel stray = t.prepare("stray(CuDeviceVector{Int64,1})"),
         plus = t.prepare("add(CuDeviceVector{Int64,1}, Int64)");
  const void *only[] = {y.bytes()};
  t.done(stream.launch(stray, {}, only));
  auto result = stream.synchronize();
  std::fputs(result.ok() ? "no error\n" : result.error().what().c_str(), stdout);
  int64_t one = 1;
  const void *added[] = {y.bytes(), &one};
  auto later = stream.launch(plus, shape, added);
  std::fputs(later.ok() ? "no later error\n" : ("later: " + later.error().what()).c_str(), stdout);
  std::vector<int64_t> host(256);
  auto on_cpu = t.session->launch("add", {.threads = {256, 1, 1}},
                                  {Argument::array(host.data(), {256}), Argument::scalar(one)});
  std::printf("the CPU %s\n", on_cpu.ok() && host[255] == 1 ? "goes on" : "does not");
  return 0;
}

void sticky_error(Test &t, const char *self) {
  std::fflush(stdout);
  std::string text;
  if (FILE *child = ::popen((std::string(self) + " --sticky 2>&1").c_str(), "r")) {
    char line[1024];
    while (std::fgets(line, sizeof line, child)) text += line;
    int status = ::pclose(child);
    t.check("an illegal address: the kernel is named, the process lives, the CPU goes on",
            WIFEXITED(status) && WEXITSTATUS(status) == 0 &&
                text.find("DeviceError[131]: running") != std::string::npos &&
                text.find("stray") != std::string::npos &&
                text.find("was lost before") != std::string::npos &&
                text.find("the CPU goes on") != std::string::npos,
            text);
  }
}

} // namespace kiln::gpu_test
