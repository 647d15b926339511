// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// gpu_runtime: kernels that lie in one cubin with others run as each does alone.
#include "runtime.h"

#include <unistd.h>

#include <filesystem>

namespace kiln::gpu_test {

namespace {

constexpr int count = 48;

/// Each reverses blocks of its own length through shared memory and adds its number; every fourth throws
/// behind the array.
std::string program() {
  std::string text = "using CUDA\n";
  for (int i = 1; i <= count; i++)
    text += fmt::format(R"(function many{0}(y)
  tile = CuStaticSharedArray(Int64, 256)
  t = threadIdx().x
  i = (blockIdx().x - 1i32) * blockDim().x + t
  tile[257 - t] = y[i] + i * {0}
  sync_threads()
  y[i] = tile[t]
  {1}
  return
end
)",
                        i, i % 4 ? "" : "i == 1 && (y[length(y) + 1] = 1)");
  return text;
}

std::string call(int kernel) { return fmt::format("many{}(CuDeviceVector{{Int64,1}})", kernel); }

/// What kernel `n` makes of zeros.
bool is_right(Test &t, Stream &stream, const Array &y, int n) {
  std::vector<int64_t> host(static_cast<size_t>(length));
  t.done(stream.copy(host.data(), y.buffer.data(), y.buffer.bytes()));
  t.done(stream.synchronize());
  for (int64_t at = 0; at < length; at++) {
    const int64_t block = at / 256,
                  from = block * 256 + (255 - at % 256) + 1; // Julia's index, counted from 1
    if (host[size_t(at)] != from * n) return false;
  }
  return true;
}

} // namespace

void many_kernels(Test &t) {
  const auto folder = std::filesystem::temp_directory_path() / fmt::format("kiln-many-{}", ::getpid());
  SessionOptions options;
  options.cache_dir = folder.string();
  std::vector<CompileRequest> requests;
  for (int i = 1; i <= count; i++) requests.push_back({.call = call(i)});
  for (const char *round : {"assembled together", "found in the folder"}) {
    Test here;
    here.session = t.take(Session::open(options));
    t.take(here.session->load("many.jl", program()));
    here.device = t.take(here.session->gpu());
    auto kernels = here.session->prepare_many(requests, here.device);
    int right = 0, told = 0;
    for (int i = 1; i <= count; i++) {
      const Kernel kernel = t.take(std::move(kernels[size_t(i - 1)]));
      Stream stream = here.stream();
      Array y(here, stream);
      const void *arguments[] = {y.bytes()};
      t.done(stream.launch(kernel, shape, arguments));
      const Result<void> ran = stream.synchronize();
      if (i % 4)
        right += ran.ok() && is_right(here, stream, y, i);
      else
        told += !ran.ok() && ran.error().what().find("BoundsError") != std::string::npos;
    }
    const auto counters = here.session->counters();
    t.check(fmt::format("{} kernels {} give what each gives alone", count, round).c_str(),
            right == count * 3 / 4, fmt::format("{} of {}", right, count * 3 / 4));
    t.check("and the exceptions of those that throw are theirs", told == count / 4,
            fmt::format("{} of {}", told, count / 4));
    const bool first = round[0] == 'a';
    t.check("with as few calls of the assembler",
            first ? counters.merged >= count / 2 : counters.assembled == 0,
            fmt::format("{} calls, {} kernels merged, {} compiled", counters.assembled, counters.merged,
                        counters.compiled));
  }
  std::error_code ignored;
  std::filesystem::remove_all(folder, ignored);
}

} // namespace kiln::gpu_test
