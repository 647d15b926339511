// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program without exceptions and type information: it derives from Kiln's interfaces, launches a kernel,
// and returns errors.
#include <kiln/executor.h>
#include <kiln/kiln.h>

#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

namespace {

class OneThread final : public kiln::CpuExecutor {
public:
  unsigned threads() const override { return 1; }
  void parallel_for(uint64_t count, void (*body)(void *context, uint64_t begin, uint64_t end),
                    void *context) override {
    body(context, 0, count);
  }
  void submit(void (*work)(void *context), void *context) override { work(context); }
};

kiln::Result<int> half(int x) {
  if (x % 2) return kiln::usage_error(std::to_string(x) + " is odd");
  return x / 2;
}

kiln::Result<int> sum_of_halves(int x, int y) {
  // clang-format off
  KILN_TRY(int a, half(x)); KILN_TRY(const int b, half(y)); // twice on one line
  // clang-format on
  int c = 0;
  if (a) KILN_TRY(c, half(2 * a)); // one statement
  return a + b + c;
}

kiln::Result<float> scale() {
  kiln::SessionOptions options;
  options.cache_dir = "";
  options.executor = std::make_shared<OneThread>();
  KILN_TRY(std::unique_ptr<kiln::Session> session, kiln::Session::open(options));
  KILN_TRY([[maybe_unused]] kiln::LoadSummary loaded,
           session->load("scale.jl", "function scale(x, a)\n  x[threadIdx().x] *= a\n  return\nend\n"));
  std::vector<float> x{1, 2, 3, 4};
  KILN_CHECK(session->launch("scale", {.threads = {4, 1, 1}},
                             {kiln::Argument::array(x.data(), {4}), kiln::Argument::scalar(2.5f)}));
  kiln::CompilerConfig config;
  config.target = kiln::PtxOptions{};
  if (!config.target.is<kiln::PtxOptions>() || config.target.is<kiln::NativeOptions>())
    return kiln::internal_error("a config forgets its target");
  config.target.edit<kiln::PtxOptions>().sm = 80;
  KILN_TRY(auto ptx, session->compile("scale(CuDeviceVector{Float32,1}, Float32)", config,
                                      kiln::ArtifactKind::Assembly));
  if (ptx->bytes.find(".target sm_80") == std::string::npos)
    return kiln::internal_error("the library does not see the program's options of a target");
  return x[3];
}

} // namespace

int main() {
  const kiln::Result<int> sum = sum_of_halves(4, 6), odd = sum_of_halves(4, 5);
  if (!sum.ok() || odd.ok() || odd.error().diagnostics()[0].message != "5 is odd") return 3;
  kiln::Result<float> last = scale();
  if (!last.ok()) {
    std::printf("%s\n", last.error().what().c_str());
    return int(last.error().kind());
  }
  std::printf("%d, %g\n", *sum, double(*last));
  return 0;
}
