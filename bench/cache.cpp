// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the cache's folder costs: opening, a hit from key to artifact, publishing; a session's warm start.
#include <cache/cache.h>

#include <kiln/session.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <unistd.h>

using namespace kiln;
namespace fs = std::filesystem;

namespace {

double us_since(std::chrono::steady_clock::time_point began) { return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - began).count(); }

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
  for (size_t i = 0; i < bytes; i++) made->bytes += char((state = state * 6364136223846793005u + 1442695040888963407u) >> (i % 3 ? 60 : 56));
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
    if (!s.launch("saxpy", {.blocks = {4, 1, 1}, .threads = {256, 1, 1}}, {Argument::array(y.data(), {1000}), Argument::array(x.data(), {1000}), Argument::scalar(2.0f)}).ok()) std::abort();
    first_us = us_since(began);
  });
  fmt::print("session, {}: {:.2f} ms in all, the last of them {:.2f} ms to open and load, {:.2f} ms to the first result\n", name, whole / 1000, open_us / 1000, first_us / 1000);
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
      double hit = median_us(1000, [&](int i) { if (!cache.find(key(uint64_t(size + i % 200)))) std::abort(); });
      fmt::print("artifact of {} bytes: publish {:.1f} us on the compiling thread, {:.1f} us until it is there; hit {:.1f} us\n", size, publish, write, hit);
    }
    auto small = artifact(500);
    for (uint64_t n = 0; n < 10'000; n++) cache.publish({key(1'000'000 + n)}, small, {});
    cache.flush();
  }
  double open = median_us(51, [&](int) {
    FolderStore store({.path = scratch / "many"});
    if (!store.is_usable()) std::abort();
  });
  FolderStore many({.path = scratch / "many"});
  auto began = std::chrono::steady_clock::now();
  size_t entries = many.list().size();
  fmt::print("a folder of {} entries: open {:.1f} us, listing {:.1f} ms\n", entries, open, us_since(began) / 1000);
  session("", "no folder");
  session(scratch / "warm", "warm folder");
  std::error_code ignored;
  fs::remove_all(scratch, ignored);
}
