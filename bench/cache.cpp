// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the caches cost: opening a folder, a hit from key to artifact, publishing; a session's warm start;
// hits in memory by name and by handle, over threads; what inference of a second kernel that shares its
// functions with the first costs.
#include <cache/cache.h>

#include <session/session.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <thread>
#include <unistd.h>

using namespace kiln;
namespace fs = std::filesystem;

namespace {

double us_since(std::chrono::steady_clock::time_point began) {
  return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - began).count();
}

/// Median of what `work` takes, in microseconds.
template <class F> double median_us(int count, F &&work) {
  std::vector<double> times;
  for (int i = 0; i < count; i++) {
    auto began = std::chrono::steady_clock::now();
    work(i);
    times.push_back(us_since(began));
  }
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

Fingerprint key(uint64_t n) { return {n * 0x9e3779b97f4a7c15, n}; }

std::shared_ptr<const Artifact> artifact(size_t bytes) {
  auto made = std::make_shared<Artifact>();
  made->kind = ArtifactKind::Object;
  made->entry = "kernel";
  uint64_t state = bytes;
  for (size_t i = 0; i < bytes; i++)
    made->bytes += char((state = state * 6364136223846793005u + 1442695040888963407u) >> (i % 3 ? 60 : 56));
  return made;
}

const char *program = R"(
function saxpy(y, x, a)
    i = (blockIdx().x - 1i32) * blockDim().x + threadIdx().x
    if i <= length(y)
        @inbounds y[i] = a * x[i] + y[i]
    end
    return
end
)";

void session(const std::string &folder, const char *name) {
  std::vector<float> y(1000, 1), x(1000, 2);
  SessionOptions options;
  options.cache_dir = folder;
  options.cpu_threads = 1;
  double open_us = 0, first_us = 0;
  double whole = median_us(21, [&](int) {
    auto began = std::chrono::steady_clock::now();
    auto opened = Session::open(options);
    if (!opened.ok()) std::abort();
    Session &s = **opened;
    if (!s.load("saxpy.jl", program).ok()) std::abort();
    open_us = us_since(began);
    began = std::chrono::steady_clock::now();
    if (!s.launch(
              "saxpy", {.blocks = {4, 1, 1}, .threads = {256, 1, 1}},
              {Argument::array(y.data(), {1000}), Argument::array(x.data(), {1000}), Argument::scalar(2.0f)})
             .ok())
      std::abort();
    first_us = us_since(began);
  });
  fmt::print(
      "session, {}: {:.2f} ms in all, the last of them {:.2f} ms to open and load, {:.2f} ms to the first result\n",
      name, whole / 1000, open_us / 1000, first_us / 1000);
}

long resident_kb() {
  long pages = 0, resident = 0;
  std::ifstream("/proc/self/statm") >> pages >> resident;
  return resident * (::sysconf(_SC_PAGESIZE) / 1024);
}

double thread_us() {
  timespec now{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return double(now.tv_sec) * 1e6 + double(now.tv_nsec) / 1e3;
}

/// Nanoseconds of a thread for one call, the slowest thread's; of its own time, which threads without a
/// processor do not spend.
template <class F> double ns_on_threads(int threads, int count, F &&work) {
  std::vector<double> times(size_t(threads), 0);
  std::atomic<int> ready{0};
  std::vector<std::thread> running;
  for (int t = 0; t < threads; t++)
    running.emplace_back([&, t] {
      work(t);
      for (ready++; ready < threads;) std::this_thread::yield();
      const double began = thread_us();
      for (int i = 0; i < count; i++) work(t);
      times[size_t(t)] = (thread_us() - began) * 1000 / count;
    });
  for (std::thread &each : running) each.join();
  return *std::max_element(times.begin(), times.end());
}

void hits_in_memory() {
  auto opened = Session::open({.cache_dir = ""});
  if (!opened.ok()) std::abort();
  Session &s = **opened;
  if (!s.load("saxpy.jl", program).ok()) std::abort();
  std::vector<float> y(1000, 1), x(1000, 2);
  const std::vector<Argument> arguments{Argument::array(y.data(), {1000}), Argument::array(x.data(), {1000}),
                                        Argument::scalar(2.0f)};
  if (!s.launch("saxpy", {}, arguments).ok()) std::abort();
  const CompilerConfig config;
  const Device cpu = s.cpu();
  const LaunchKey key{.device = state_of(cpu), .function = "saxpy", .arguments = arguments, .config = config};
  auto by_handle = s.prepare("saxpy(CuDeviceVector{Float32,1}, CuDeviceVector{Float32,1}, Float32)");
  if (!by_handle.ok()) std::abort();
  fmt::print("hit in memory, ns a look-up on each of 1, 2, 4, 8, 16 threads ({} processors):\n",
             std::thread::hardware_concurrency());
  fmt::print("  by function and argument types:");
  for (int threads : {1, 2, 4, 8, 16})
    fmt::print(" {:.0f}", ns_on_threads(threads, 200'000, [&](int) {
                 if (auto found = launches_of(s).kernel(key); !found.ok()) std::abort();
               }));
  fmt::print("\n  by handle (a copy of one):");
  std::vector<Kernel> handles(16, *by_handle);
  for (int threads : {1, 2, 4, 8, 16})
    fmt::print(" {:.0f}", ns_on_threads(threads, 1'000'000, [&](int t) {
                 if (const Kernel &handle = handles[size_t(t)]; !handle) std::abort();
               }));
  fmt::print("\n");
}

const char *sharing = R"(
using CUDA
clamped(x, low, high) = x < low ? low : (x > high ? high : x)
weight(i, n) = Float32(i) / Float32(n)
blend(a, b, w) = a * (1f0 - w) + b * w
function shade(y, i)
    n = length(y)
    left, right = y[max(i - 1, 1)], y[min(i + 1, n)]
    s = 0f0
    for k in 1:4
        s += blend(left, right, weight(k, n)) * sqrt(abs(sin(s) + Float32(k)))
    end
    return clamped(s, 0f0, 255f0)
end
function first_kernel(y)
    i = (blockIdx().x - 1i32) * blockDim().x + threadIdx().x
    if i <= length(y)
        y[i] = shade(y, i) + exp(y[i])
    end
    return
end
function second_kernel(y)
    i = (blockIdx().x - 1i32) * blockDim().x + threadIdx().x
    if i <= length(y)
        y[i] = shade(y, i) * 2f0
    end
    return
end
)";

/// Inference of a second kernel, in a session that has compiled the first, and in one that has not. And the
/// milliseconds that keeping what was compiled costs the compiling thread.
void level_1() {
  auto run = [&](bool after_first, double &ms, double &publish_us) {
    std::string name = (fs::temp_directory_path() / "kiln-bench-XXXXXX").string();
    const fs::path scratch = ::mkdtemp(name.data());
    uint64_t inferred = 0;
    {
      auto opened = Session::open({.timings = true, .cache_dir = scratch.string()});
      if (!opened.ok()) std::abort();
      Session &s = **opened;
      if (!s.load("sharing.jl", sharing).ok()) std::abort();
      // What every kernel needs of the library is known to both.
      if (!s.load("saxpy.jl", program).ok() ||
          !s.compile("saxpy(CuDeviceVector{Float32,1}, CuDeviceVector{Float32,1}, Float32)", {},
                     ArtifactKind::Object)
               .ok())
        std::abort();
      if (after_first && !s.compile("first_kernel(CuDeviceVector{Float32,1})", {}, ArtifactKind::Object).ok())
        std::abort();
      auto spent = [&](std::string_view row) {
        uint64_t ns = 0;
        for (const TimingRow &each : s.timings().rows)
          if (each.name == row) ns += each.nanoseconds;
        return double(ns);
      };
      const double inference = spent("inference"), publish = spent("cache publish");
      inferred = s.counters().inferred;
      if (!s.compile("second_kernel(CuDeviceVector{Float32,1})", {}, ArtifactKind::Object).ok()) std::abort();
      ms = std::min(ms, (spent("inference") - inference) / 1e6);
      publish_us = std::min(publish_us, (spent("cache publish") - publish) / 1e3);
      inferred = s.counters().inferred - inferred;
    }
    std::error_code ignored;
    fs::remove_all(scratch, ignored);
    return inferred;
  };
  double alone = 1e9, after = 1e9, publish = 1e9;
  uint64_t instances_alone = 0, instances_after = 0;
  for (int i = 0; i < 15; i++) {
    instances_alone = run(false, alone, publish);
    instances_after = run(true, after, publish);
  }
  fmt::print(
      "inference of a kernel alone: {} instances, {:.3f} ms; behind one that shares its functions: {} instances, {:.3f} ms: {:.0f} % saved\n",
      instances_alone, alone, instances_after, after, 100 * (1 - after / alone));
  fmt::print(
      "keeping it costs the compiling thread {:.0f} us (edges, what the key was made of, handing over)\n",
      publish);
}

} // namespace

int main() {
  std::string name = (fs::temp_directory_path() / "kiln-bench-XXXXXX").string();
  const fs::path scratch = ::mkdtemp(name.data());
  {
    auto folder = std::make_shared<FolderStore>(FolderOptions{.path = scratch / "many"});
    PersistentCache cache(folder, folder, {}, false);
    for (size_t size : {size_t(2000), size_t(8000), size_t(40000)}) {
      auto made = artifact(size);
      double publish = median_us(200, [&](int i) { cache.publish({key(uint64_t(size + i))}, made, {}); });
      cache.flush();
      double write = median_us(200, [&](int i) {
        cache.publish({key(uint64_t(size + i))}, made, {});
        cache.flush();
      });
      double hit = median_us(1000, [&](int i) {
        if (!cache.find(key(uint64_t(size + i % 200)))) std::abort();
      });
      fmt::print(
          "artifact of {} bytes: publish {:.1f} us on the compiling thread, {:.1f} us until it is there; hit {:.1f} us\n",
          size, publish, write, hit);
    }
    auto small = artifact(500);
    for (uint64_t n = 0; n < 10'000; n++) cache.publish({key(1'000'000 + n)}, small, {});
    cache.flush();
  }
  double open = median_us(51, [&](int) {
    FolderStore store({.path = scratch / "many"});
    if (!store.is_usable()) std::abort();
  });
  long before_kb = resident_kb();
  FolderStore many({.path = scratch / "many"});
  if (!many.is_usable()) std::abort();
  fmt::print("and {} kB of memory to hold it open\n", resident_kb() - before_kb);
  auto began = std::chrono::steady_clock::now();
  size_t entries = many.list().size();
  fmt::print("a folder of {} entries: open {:.1f} us, listing {:.1f} ms\n", entries, open,
             us_since(began) / 1000);
  session("", "no folder");
  session(scratch / "warm", "warm folder");
  hits_in_memory();
  level_1();
  std::error_code ignored;
  fs::remove_all(scratch, ignored);
}
