// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A host that rounds upwards, flushes subnormals and traps: what is compiled and what kernels compute is as
// with the default environment (IEEE 754: to nearest, subnormals kept), and the host finds its own behind
// every call.
#include "manners.h"

#include <array>
#include <bit>
#include <cfenv>
#include <cstring>
#include <vector>
#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

using namespace kiln;

namespace guest {

namespace {

constexpr const char *program = R"(
using CUDA
const third = 1.0 / 3.0
const tiny = 1.0e-310
const sum = 0.1 + 0.7
const single = 1f-40 * 1f0
function values(y, one, small)
    i = (blockIdx().x - 1i32) * blockDim().x + threadIdx().x
    if i <= size(y, 2)
        y[1, i] = third
        y[2, i] = tiny
        y[3, i] = sum
        y[4, i] = single
        y[5, i] = one / 3.0
        y[6, i] = small * one
        y[7, i] = 1.0e-310 + 0.0
        y[8, i] = one / 0.0
        y[9, i] = sqrt(2.0 * one)
    end
    return
end
)";
constexpr const char *call = "values(CuDeviceMatrix{Float64,1}, Float64, Float64)";

/// Rounded to nearest, by hand: the binary64 and binary32 numbers next to 1/3, 1e-310, 0.1 + 0.7, 1e-40, the
/// square root of 2.
constexpr std::array<uint64_t, 9> right = {0x3fd5555555555555, 0x000012688b70e62b, 0x3fe9999999999999,
                                           0x37a16c2000000000, 0x3fd5555555555555, 0x000012688b70e62b,
                                           0x000012688b70e62b, 0x7ff0000000000000, 0x3ff6a09e667f3bcd};

/// What a host has set up, and the flags that it has seen.
struct Environment {
  int rounding = std::fegetround(), flags = std::fetestexcept(FE_ALL_EXCEPT), traps = 0;
  unsigned control = 0;
  Environment() {
#if defined(__GLIBC__)
    traps = ::fegetexcept();
#endif
#if defined(__x86_64__)
    control = _mm_getcsr();
#endif
  }
  bool operator==(const Environment &) const = default;
};

struct Made {
  std::string ptx, object;
};

/// A session from opening to closing; `check` is called after each call of it.
template <class F> Made go(F &&check) {
  SessionOptions options;
  options.cache_dir = "";
  auto session = take(Session::open(options));
  check();
  take(session->load("values.jl", program));
  check();
  CompilerConfig ptx{.target = PtxOptions{}};
  ptx.kernel = true;
  CompilerConfig native;
  native.kernel = true;
  Made made{take(session->compile(call, ptx, ArtifactKind::Assembly))->bytes,
            take(session->compile(call, native, ArtifactKind::Object))->bytes};
  check();
  constexpr int columns = 5000;
  std::vector<double> y(9 * columns, -1);
  const uint64_t small_bits = right[1];
  const double small = std::bit_cast<double>(small_bits);
  auto right_everywhere = [&] {
    for (int i = 0; i < columns; i++) EXPECT(std::memcmp(&y[size_t(9 * i)], right.data(), sizeof right) == 0);
  };
  done(session->launch(
      "values", {.blocks = {80, 1, 1}, .threads = {64, 1, 1}},
      {Argument::array(y.data(), {9, columns}), Argument::scalar(1.0), Argument::scalar(small)}));
  check();
  right_everywhere();
  // By handle in a stream, which other threads run.
  std::fill(y.begin(), y.end(), -1.0);
  Kernel kernel = take(session->prepare(call));
  check();
  Stream stream = session->stream();
  const abi::ArrayHeader<2> header{y.data(), int64_t(8 * y.size()), {9, columns}, int64_t(y.size())};
  const double one = 1;
  const void *arguments[] = {&header, &one, &small};
  done(stream.launch(kernel, {.blocks = {80, 1, 1}, .threads = {64, 1, 1}}, arguments));
  done(stream.synchronize());
  check();
  right_everywhere();
  return made;
}

} // namespace

int floats() {
  const Made made = go([] {});
  for (int rounding : {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO}) {
    std::fesetround(rounding);
#if defined(__x86_64__)
    _mm_setcsr(_mm_getcsr() | 0x8040); // flush to zero, denormals are zero
#endif
    std::feraiseexcept(FE_DIVBYZERO);
#if defined(__GLIBC__)
    ::feenableexcept(FE_INVALID | FE_OVERFLOW); // the host traps
#endif
    const Environment mine;
    const Made here = go([&] { EXPECT(Environment() == mine); });
    EXPECT(std::fegetround() == rounding);
    EXPECT(here.ptx == made.ptx);
    EXPECT(here.object == made.object);
    std::fesetenv(FE_DFL_ENV);
  }
  return 0;
}

} // namespace guest
