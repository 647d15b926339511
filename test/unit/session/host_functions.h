// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// C functions that tests let compiled code call, with their signatures.
#pragma once

#include "must.h"
#include "scratch.h"

#include <catch2/catch.hpp>
#include <kiln/kiln.h>

#include <atomic>
#include <numeric>
#include <string>
#include <vector>

namespace host_function_test {

using namespace kiln;
using Catch::Matchers::Contains;
using kiln::test::must;

template <class F> void *address_of(F *function) { return reinterpret_cast<void *>(function); }

inline SessionOptions quiet(const std::string &folder = {}) {
  SessionOptions options;
  options.cache_dir = folder;
  options.verbosity = LogLevel::Error;
  return options;
}
inline std::unique_ptr<Session> open(const std::string &folder = {}) {
  return must(Session::open(quiet(folder)));
}

inline CompilerConfig ptx() {
  CompilerConfig config;
  config.target = PtxOptions{.sm = 90};
  return config;
}

template <class R, class... A> R call(const HostFunction &function, const A &...arguments) {
  R result{};
  const void *pointers[] = {static_cast<const void *>(&arguments)..., nullptr};
  must(function.call({pointers, sizeof...(A)}, &result));
  return result;
}

inline double scaled(double x, int64_t n) { return x * double(n) + 0.5; }
inline double shifted(double x, int64_t n) { return x + double(n); }
inline const HostSignature of_scaled{.arguments = {"Float64", "Int64"}, .returns = "Float64"};

inline double mix(int8_t a, uint16_t b, bool c, float d, double e, const double *p) {
  return a * 3 + b * 5 + (c ? 7 : 11) + double(d) * e + p[1];
}
/// More than registers hold.
inline double many(int64_t a, int64_t b, int64_t c, int64_t d, int64_t e, int64_t f, int32_t g, int16_t h,
                   double i, double j, double k, double l, double m, double n, double o, double p, double q,
                   float r) {
  return double(a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g + 8 * h) + i + 2 * j + 3 * k + 4 * l +
         5 * m + 6 * n + 7 * o + 8 * p + 9 * q + 10 * double(r);
}
inline const std::vector<std::string> of_many{
    "Int64",   "Int64",   "Int64",   "Int64",   "Int64",   "Int64",   "Int32",   "Int16",   "Float64",
    "Float64", "Float64", "Float64", "Float64", "Float64", "Float64", "Float64", "Float64", "Float32"};
inline std::string listed(const std::vector<std::string> &types) {
  std::string text;
  for (const std::string &type : types) text += (text.empty() ? "" : ", ") + type;
  return text;
}
inline double sum_of(abi::ArrayHeader<1> v, double start) {
  const auto *data = static_cast<const double *>(v.pointer);
  return std::accumulate(data, data + v.length, start);
}
inline int8_t negated(int8_t x) { return int8_t(-x); }
inline bool is_even(uint32_t x) { return x % 2 == 0; }
inline std::atomic<int64_t> counted{0};
inline void count(int64_t n) { counted += n; }

/// Status 1 for negative numbers, 2 for large ones, 9 for zero.
inline int32_t root(double x, double *result) {
  if (x < 0) return 1;
  if (x > 1e6) return 2;
  if (x == 0) return 9;
  *result = x / 2;
  return 0;
}
inline int32_t check_positive(int64_t x) { return x > 0 ? 0 : -4; }
struct Pair {
  int64_t whole;
  double part;
};
inline int32_t split(double x, Pair *result) {
  *result = {int64_t(x), x - double(int64_t(x))};
  return 0;
}
inline const HostSignature of_root{.arguments = {"Float64"},
                                   .returns = "Float64",
                                   .raises = {"DomainError: the number is negative", "OverflowError",
                                              "ErrorException: a \"strange\" $number\\"}};

template <class T> const Diagnostic &first_of(const Result<T> &result) {
  REQUIRE(!result.ok());
  return result.error().diagnostics()[0];
}

} // namespace host_function_test
