// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Coarsening on a GPU: gpu_coarsening values | speed | first on|off. One line a check; status 0 all right, 1
// something is wrong, 77 there is no GPU. Needs no file but itself.
#include "coarsening.h"

#include <chrono>
#include <cstring>

namespace kiln::gpu_test {

const char *const coarsening_source = R"(using CUDA
linear_index() = (blockIdx().x - 1i32) * blockDim().x + threadIdx().x
function copy(c, a)
    i = linear_index()
    if i <= length(c)
        @inbounds c[i] = a[i]
    end
    return
end
function mul(b, c, scalar)
    i = linear_index()
    if i <= length(b)
        @inbounds b[i] = scalar * c[i]
    end
    return
end
function add(c, a, b)
    i = linear_index()
    if i <= length(c)
        @inbounds c[i] = a[i] + b[i]
    end
    return
end
function triad(a, b, c, scalar)
    i = linear_index()
    if i <= length(a)
        @inbounds a[i] = b[i] + scalar * c[i]
    end
    return
end
function nstream(a, b, c, scalar)
    i = linear_index()
    if i <= length(a)
        @inbounds a[i] += b[i] + scalar * c[i]
    end
    return
end
function saxpy(y, x, a)
    i = linear_index()
    if i <= length(y)
        @inbounds y[i] = a * x[i] + y[i]
    end
    return
end
@inline function update(g, m, v, b1, b2, eta, eps)
    m = b1 * m + (1 - b1) * g
    v = b2 * v + (1 - b2) * g^2
    return m, v, m / (1 - b1) / (sqrt(v / (1 - b2)) + eps) * eta
end
function adam(gradient, first_moment, second_moment, b1, b2, eta, eps)
    i = linear_index()
    if i <= length(gradient)
        @inbounds first_moment[i], second_moment[i], gradient[i] = update(gradient[i], first_moment[i], second_moment[i], b1, b2, eta, eps)
    end
    return
end
function sums(y, x, n)
    i = linear_index()
    if i <= n
        for k in 0i32:15i32
            @inbounds y[i] += x[(i + k) % n + 1i32]
        end
    end
    return
end
function widen(y, x)
    i = linear_index()
    if i <= length(y)
        @inbounds y[i] = x[i]
    end
    return
end
function positive(y, x)
    i = linear_index()
    if i <= length(y)
        @inbounds v = x[i]
        if v > 0.5f0
            @inbounds y[i] = v
        end
    end
    return
end
function around(y, x, n)
    i = (blockIdx().x - 1) * blockDim().x + threadIdx().x
    if 1 < i < n
        @inbounds y[i] = x[i-1] + x[i] + x[i+1]
    end
    return
end
function gather(y, x, index)
    i = linear_index()
    if i <= length(y)
        @inbounds y[i] = x[index[i]]
    end
    return
end
function branches(y, x)
    i = linear_index()
    if i <= length(y)
        @inbounds v = x[i]
        @inbounds y[i] = v > 0.5f0 ? log(v) : exp(v) + 1f0
    end
    return
end
function two(a, x, b, y)
    i = linear_index()
    i > length(a) && return
    @inbounds a[i] = x[i] + 1f0
    @inbounds b[i] = y[i] * 2f0
    return
end
function checked(y, x)
    i = linear_index()
    if i <= length(y)
        y[i] = x[i]
    end
    return
end
)";

std::unique_ptr<Session> open_coarsening(Test &t, bool coarsen) {
  SessionOptions options;
  options.cache_dir = "";
  options.coarsen = coarsen;
  options.timings = true;
  auto session = t.take(Session::open(options));
  t.take(session->load("coarsening.jl", coarsening_source));
  return session;
}

namespace {

/// From the opening of a session to the end of its first launch, of 2^24 elements.
void first_launch(Test &t, bool coarsen) {
  const auto begin = std::chrono::steady_clock::now();
  SessionOptions options;
  options.cache_dir = "";
  options.coarsen = coarsen;
  auto session = t.take(Session::open(options));
  t.take(session->load("coarsening.jl", coarsening_source));
  const Device device = t.take(session->gpu());
  Stream stream = t.take(session->stream(device));
  constexpr int64_t n = 1 << 24;
  Buffer y = t.take(stream.allocate(4 * n)), x = t.take(stream.allocate(4 * n));
  const std::vector<Argument> arguments{Argument::array(y.as<float>(), {n}),
                                        Argument::array(x.as<float>(), {n}), Argument::scalar(2.0f)};
  t.done(stream.synchronize());
  const auto ready = std::chrono::steady_clock::now();
  t.done(session->launch(stream, "saxpy", {.blocks = {n / 256, 1, 1}, .threads = {256, 1, 1}}, arguments));
  t.done(stream.synchronize());
  const auto end = std::chrono::steady_clock::now();
  session->wait_for_background();
  const auto after = std::chrono::steady_clock::now();
  auto ms = [](auto from, auto to) { return std::chrono::duration<double, std::milli>(to - from).count(); };
  std::printf(
      "first launch, coarsening %s: %.2f ms; with the session and the device %.2f ms; background %.2f ms\n",
      coarsen ? "on" : "off", ms(ready, end), ms(begin, end), ms(end, after));
}

int run(int count, char **arguments) {
  const std::string_view mode = count > 1 ? arguments[1] : "";
  Test t;
  t.session = open_coarsening(t, true);
  auto device = t.session->gpu();
  if (!device.ok() && device.error().kind() == ErrorKind::Machine) {
    std::printf("skipped: %s\n", device.error().what().c_str());
    return 77;
  }
  t.device = t.take(std::move(device));
  if (mode == "values") {
    coarse_values(t);
    coarse_sessions(t);
  } else if (mode == "speed") {
    coarse_overhead(t);
    coarse_speed(t);
  } else if (mode == "first" && count == 3) {
    first_launch(t, std::strcmp(arguments[2], "on") == 0);
  } else {
    std::puts("gpu_coarsening values | speed | first on|off");
    return 2;
  }
  std::printf("%d checks, %d wrong\n", t.checks, t.failed);
  return t.failed ? 1 : 0;
}

} // namespace

} // namespace kiln::gpu_test

int main(int count, char **arguments) { return kiln::gpu_test::run(count, arguments); }
