// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A search on the CPU for tests to change.
#pragma once

#include "must.h"
#include "scratch.h"

#include <kiln/kiln.h>

#include <numeric>

namespace kiln::test {

inline constexpr const char *program = R"(using CUDA
# y = a x + y, N elements a thread; some N are wrong in some way.
function axpy(y, x, a, ::Val{N}) where {N}
    first = ((blockIdx().x - 1) * blockDim().x + threadIdx().x - 1) * N
    for k in 1:N
        i = first + k
        if i <= length(y)
            @inbounds y[i] = a * x[i] + y[i]
        end
    end
    if N == 3
        if first == 0
            y[1] = 0f0
        end
    elseif N == 5
        y[length(y) + 1 + first] = 1f0
    elseif N == 6
        undefined_function(x)
    elseif N == 7
        while y[1] > -1f9
            y[2] = y[2] + 1f0
        end
    elseif N == 9
        if first == 0
            x[1] = -1f0
        end
    end
    return
end
function plain(y, x, a)
    for i in 1:length(y)
        y[i] = a * x[i] + y[i]
    end
    return
end
function nothing_done(y, x, a)
    return
end
# One takes the time of many.
function slow(y, x, ::Val{ROUNDS}) where {ROUNDS}
    i = (blockIdx().x - 1) * blockDim().x + threadIdx().x
    if i <= length(y)
        v = x[i]
        for k in 1:ROUNDS
            v = sin(v)
        end
        y[i] = v > 2f0 ? 0f0 : 1f0
    end
    return
end
function ones_of(y, x)
    for i in 1:length(y)
        y[i] = 1f0
    end
    return
end
)";

struct Search {
  Scratch scratch;
  std::unique_ptr<Session> session;
  std::vector<float> y, x;
  TuneRequest request;
  TuneOptions options;
  std::vector<std::string> warnings;

  explicit Search(size_t count = 1000) : y(count), x(count) {
    std::iota(y.begin(), y.end(), 1.0F);
    for (size_t i = 0; i < count; i++) x[i] = 1 / float(i + 1);
    request.function = "axpy";
    request.arguments = {{.value = Argument::array(y.data(), {int64_t(count)})},
                         {.value = Argument::array(x.data(), {int64_t(count)})},
                         {.value = Argument::scalar(2.0F)},
                         {.expression = "Val($N)"}};
    request.space = {.parameters = {{"N", {"1", "2", "4"}}, {"T", {"64", "128"}}},
                     .shape = {.threads = {"T"}, .blocks = {"cld(length(1), N * T)"}}};
    request.reference.function = "plain";
    options.ceiling = false;
    options.time_limit = std::chrono::milliseconds(500);
    open();
  }
  void open() {
    session.reset();
    session = must(
        Session::open({.cache_dir = scratch.path.string(),
                       .verbosity = LogLevel::Warning,
                       .log = [this](LogLevel, std::string_view text) { warnings.emplace_back(text); }}));
    must(session->load("axpy.jl", program));
  }
  Result<TuneResult> run() { return tune(*session, session->cpu(), request, options); }
  static const TuneCandidate &of(const TuneResult &result, const std::vector<std::string> &values) {
    for (const TuneCandidate &each : result.candidates)
      if (each.values == values) return each;
    FAIL("no such candidate");
    return result.candidates[0];
  }
  std::string fault() {
    auto done = run();
    return done.ok() ? "none" : done.error().what();
  }
};

inline bool has(const std::string &text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

} // namespace kiln::test
