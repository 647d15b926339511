// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "derivative.h"

#include <cmath>
#include <cstdio>

using namespace kiln;

namespace {

constexpr const char *program = R"(
wave(x, k) = exp(-x * x) * sin(k * x)
slope(x) = derivative(wave, x, 2.0)
bend(x) = derivative(slope, x)            # of a derivative

function newton(f, x)                     # a root of f
    for _ in 1:20
        x -= f(x) / derivative(f, x)
    end
    return x
end
cube(x) = x^3 - 2
root(x) = newton(cube, x)

function slopes!(y, x)                    # a kernel
    i = (blockIdx().x - 1) * blockDim().x + threadIdx().x
    if i <= length(y)
        @inbounds y[i] = derivative(wave, x[i], 2.0f0)
    end
    return
end

hash(x) = reinterpret(Float64, reinterpret(UInt64, x) >> 1)
roughness(x) = derivative(hash, x)
)";
constexpr const char *kernel_call = "slopes!(CuDeviceVector{Float32,1}, CuDeviceVector{Float32,1})";

double slope(double x, double k) {
  return std::exp(-x * x) * (k * std::cos(k * x) - 2 * x * std::sin(k * x));
}
double bend(double x, double k) {
  return std::exp(-x * x) * ((4 * x * x - 2 - k * k) * std::sin(k * x) - 4 * k * x * std::cos(k * x));
}

int expect(bool holds, const char *what) {
  std::printf("%s %s\n", holds ? "ok     " : "FAILED ", what);
  return !holds;
}
bool is_near(double found, double expected, double tolerance) {
  return std::fabs(found - expected) <= tolerance * std::fmax(1, std::fabs(expected));
}

Result<double> value(const Job &job, double x) {
  KILN_TRY(HostFunction function, job.prepare_function());
  double y = 0;
  const void *arguments[] = {&x};
  KILN_CHECK(function.call(arguments, &y));
  return y;
}

Result<int> values(Session &session, const CompilerConfig &config) {
  KILN_TRY(Job first, session.job("slope(Float64)", config));
  KILN_TRY(Job second, session.job("bend(Float64)", config));
  KILN_TRY(Job root, session.job("root(Float64)", config));
  int wrong = 0;
  KILN_TRY(double y, value(first, 0.7));
  wrong += expect(is_near(y, slope(0.7, 2), 1e-14), "a derivative is that of the closed form");
  KILN_TRY(y, value(second, 0.7));
  wrong += expect(is_near(y, bend(0.7, 2), 1e-13), "a derivative of a derivative too");
  KILN_TRY(y, value(root, 1.0));
  wrong += expect(is_near(y, std::cbrt(2), 1e-14), "Newton's method finds a root by them");

  // A definition makes only those derivatives stale that depend on it.
  KILN_CHECK(session.load("tour.jl", "wave(x, k) = k * x * x\n"));
  wrong += expect(!first.is_current() && !second.is_current() && root.is_current(),
                  "a new definition makes the derivatives of its function stale");
  KILN_TRY(first, first.renew());
  KILN_TRY(y, value(first, 0.7));
  wrong += expect(is_near(y, 2 * 2 * 0.7, 1e-15), "the next job has the new function's");
  KILN_CHECK(session.load("tour.jl", program));
  return wrong;
}

Result<int> kernels(Session &session, CompilerConfig config) {
  constexpr int count = 1000;
  config.kernel = true;
  std::vector<float> x(count), y(count);
  for (int i = 0; i < count; i++) x[i] = float(i) / count;
  KILN_TRY(Kernel kernel, session.prepare(kernel_call, config, session.cpu()));
  const Argument to = Argument::array(y.data(), {count}), from = Argument::array(x.data(), {count});
  const void *arguments[] = {to.bytes.data(), from.bytes.data()};
  KILN_CHECK(session.launch(kernel, {.blocks = {4, 1, 1}, .threads = {256, 1, 1}}, arguments));
  int near = 0;
  for (int i = 0; i < count; i++) near += is_near(y[i], slope(x[i], 2), 1e-6);
  int wrong = expect(near == count, "a kernel computes 1000 derivatives in Float32");
  CompilerConfig ptx = derivative::with_derivatives({.target = PtxOptions{}});
  KILN_TRY(auto text, session.compile(kernel_call, ptx, ArtifactKind::Assembly));
  wrong +=
      expect(text->bytes.find(".entry") != std::string::npos && text->bytes.find("call") == std::string::npos,
             "the kernel is PTX without calls");
  return wrong;
}

} // namespace

int tour(Session &session) {
  auto run = [&]() -> Result<int> {
    KILN_CHECK(session.load("tour.jl", program));
    const CompilerConfig plain = derivative::with_derivatives({.kernel = false});
    KILN_TRY(int wrong, values(session, plain));
    KILN_TRY(int wrong_kernels, kernels(session, plain));
    auto refused = session.compile("roughness(Float64)", plain, ArtifactKind::Object);
    const std::string said = refused.ok() ? "" : refused.error().what();
    std::printf("%s\n", said.c_str());
    wrong += expect(said.starts_with("tour.jl:23:") && said.find("no derivative of `lshr`") != said.npos,
                    "an error names the operation and its line");
    return wrong + wrong_kernels;
  };
  auto done = run();
  if (done.ok()) return *done;
  std::fputs(done.error().what().c_str(), stderr);
  return 1;
}
