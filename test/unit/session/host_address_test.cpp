// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// C code calls compiled code through HostFunction::address().
#include "host_functions.h"

#include <thread>

namespace host_function_test {

TEST_CASE("C calls a compiled function through its address") {
  auto session = open();
  must(session->load(
      "f.jl", "f(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r) =\n"
              "  a + 2b + 3c + 4d + 5e + 6f + 7g + 8h + i + 2j + 3k + 4l + 5m + 6n + 7o + 8p + 9q + 10r\n"
              "small(x) = Int8(-x)\n"
              "single(x, ::Val{N}) where {N} = x + Float32(N)\n"
              "positive(x) = x > 0 ? x : error(\"not positive\")\n"
              "total(v) = v[1] + v[2]\n"
              "pair(x) = (x, x)\n"
              "nothing_of(p) = (unsafe_store!(p, 7); nothing)\n"));
  HostFunction f = must(session->prepare_function("f(" + listed(of_many) + ")"));
  auto *many_compiled = reinterpret_cast<decltype(&many)>(must(f.address()));
  CHECK(many_compiled(-1, 2, 3, 4, 5, 6, -7, -8, .5, 1., 1.5, 2., 2.5, 3., 3.5, 4., 4.5, 5.f) ==
        many(-1, 2, 3, 4, 5, 6, -7, -8, .5, 1., 1.5, 2., 2.5, 3., 3.5, 4., 4.5, 5.f));
  CHECK(must(f.address()) == must(f.address()));
  HostFunction small = must(session->prepare_function("small(Int8)"));
  CHECK(reinterpret_cast<int (*)(int)>(must(small.address()))(5) == -5); // extended by its sign
  HostFunction single = must(session->prepare_function("single(Float32, Val{3})"));
  CHECK(reinterpret_cast<float (*)(float)>(must(single.address()))(1.5f) == 4.5f);
  HostFunction total = must(session->prepare_function("total(CuDeviceVector{Float64,1})"));
  double numbers[] = {1.5, 2.5};
  const abi::ArrayHeader<1> array{numbers, 16, {2}, 2};
  CHECK(reinterpret_cast<double (*)(abi::ArrayHeader<1>)>(must(total.address()))(array) == 4.0);
  HostFunction stores = must(session->prepare_function("nothing_of(Ptr{Int64})"));
  int64_t stored = 0;
  reinterpret_cast<void (*)(int64_t *)>(must(stores.address()))(&stored);
  CHECK(stored == 7);

  HostFunction positive = must(session->prepare_function("positive(Int64)"));
  auto *checked = reinterpret_cast<int64_t (*)(int64_t)>(must(positive.address()));
  std::vector<std::thread> threads;
  std::atomic<int> wrong{0};
  for (int t = 0; t < 3; t++)
    threads.emplace_back([&, t] {
      for (int64_t i = 1; i < 500; i++)
        if (checked(i) != i) wrong++;
      if (!HostFunction::take_error().ok()) wrong++;
      if (t == 0) return;
      if (checked(-1) != 0) wrong++;
      const auto error = HostFunction::take_error();
      if (error.ok() || error.error().code() != ErrorCode::ErrorException) wrong++;
      if (!HostFunction::take_error().ok()) wrong++; // it was taken
    });
  for (std::thread &thread : threads) thread.join();
  CHECK(wrong == 0);
  CHECK(checked(-1) == 0);
  const auto error = HostFunction::take_error();
  CHECK(first_of(error).at.line() == 5);
  CHECK_THAT(first_of(error).message, Contains("not positive"));

  session.reset(); // the handle holds what the address needs
  CHECK(checked(9) == 9);
  CHECK(first_of(HostFunction().address()).code == ErrorCode::Usage);
}

// AArch64 passes up to four Float64 in vector registers as long as these suffice, and other structures by
// address; x86-64 passes all of them on the stack.
TEST_CASE("structures go both ways by value, in registers and on the stack") {
  struct Four {
    double a;
    struct {
      double b, c;
    } inner;
    double d;
  };
  struct Three {
    double x[3];
  };
  struct Mixed {
    int64_t count;
    double weights[3];
    int8_t tag;
  };
  using Function = double (*)(Four, Three, Mixed, double, Four, Three, Mixed);
  static Function compiled;
  auto session = open();
  must(session->load(
      "f.jl",
      "dot(a, x, m, y, b, z, n) =\n"
      "  a[1] + 2a[2][1] + 3a[2][2] + 4a[3] + 5x[1] + 6x[2] + 7x[3] + m[1] * m[2][3] + m[3] +\n"
      "  8y + 9b[1] + 10b[2][1] + 11b[2][2] + 12b[3] + 13z[1] + 14z[2] + 15z[3] + n[1] * n[2][1] - n[3]\n"
      "outer(a, x, m, y, b, z, n) = through_c(a, x, m, y, b, z, n)\n"));
  const std::string four = "Tuple{Float64,Tuple{Float64,Float64},Float64}", three = "NTuple{3,Float64}",
                    mixed = "Tuple{Int64,NTuple{3,Float64},Int8}";
  const std::vector<std::string> types{four, three, mixed, "Float64", four, three, mixed};
  HostFunction dot = must(session->prepare_function("dot(" + listed(types) + ")"));
  compiled = reinterpret_cast<Function>(must(dot.address()));
  must(session->define_host_function(
      "through_c", {.arguments = types, .returns = "Float64"},
      address_of(+[](Four a, Three x, Mixed m, double y, Four b, Three z, Mixed n) -> double {
        return compiled(a, x, m, y, b, z, n);
      })));
  const Four a{1, {2, 3}, 4}, b{-1, {.5, .25}, 8};
  const Three x{{5, 6, 7}}, z{{.125, -2, 3}};
  const Mixed m{3, {1, 2, 4}, -5}, n{-7, {2, 0, 0}, 9};
  const double expected =
      1 + 4 + 9 + 16 + 25 + 36 + 49 + 3 * 4 - 5 + 8 * 1.5 - 9 + 5 + 2.75 + 96 + 1.625 - 28 + 45 - 14 - 9;
  CHECK(compiled(a, x, m, 1.5, b, z, n) == expected);
  HostFunction outer = must(session->prepare_function("outer(" + listed(types) + ")"));
  CHECK(call<double>(outer, a, x, m, 1.5, b, z, n) == expected);
}

TEST_CASE("functions that C cannot call have no address") {
  auto session = open();
  must(session->load("f.jl", "pair(x) = (x, x)\nfirst_of(p) = p[1]\n"));
  HostFunction pair = must(session->prepare_function("pair(Int64)"));
  CHECK_THAT(first_of(pair.address()).message, Contains("returns a Tuple{Int64, Int64}"));
  HostFunction first = must(session->prepare_function("first_of(Tuple{Int64,Int64})"));
  CHECK_THAT(first_of(first.address()).message, Contains("argument 1 is a Tuple{Int64, Int64}"));
}

TEST_CASE("compiled code, C code and compiled code on one stack") {
  auto session = open();
  must(session->load("inner.jl", "inner(x) = x > 3 ? error(\"inner\") : x * 2\n"));
  static HostFunction inner;
  inner = must(session->prepare_function("inner(Int64)"));
  must(session->define_host_function("between",
                                     {.arguments = {"Int64"}, .returns = "Int64", .raises = {"DomainError"}},
                                     address_of(+[](int64_t x, int64_t *result) -> int32_t {
                                       const void *arguments[] = {&x};
                                       return inner.call(arguments, result).ok() ? 0 : 1;
                                     })));
  must(session->load("outer.jl", "outer(x) = between(x) + 1\n"));
  HostFunction outer = must(session->prepare_function("outer(Int64)"));
  CHECK(call<int64_t>(outer, int64_t(3)) == 7);
  const int64_t four = 4;
  const void *arguments[] = {&four};
  int64_t result = 0;
  CHECK(first_of(outer.call(arguments, &result)).code == ErrorCode::DomainError);
  inner = HostFunction();
}

} // namespace host_function_test
