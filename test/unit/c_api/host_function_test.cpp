// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Host functions through the C API.
#include "open.h"

#include <kiln/c_language.h>

#include <cstring>
#include <string>

namespace c_host_function_test {

using Open = kiln::test::OpenSession;
using Catch::Matchers::Contains;
using kiln::test::told;

namespace {

double half(double x) { return x / 2; }
double twice(double x) { return x * 2; }
int32_t checked(int64_t x, int64_t *result) {
  *result = x + 1;
  return x < 0 ? 1 : 0;
}
template <class F> void *address_of(F *function) { return reinterpret_cast<void *>(function); }

const char *const one_float[] = {"Float64"};
const char *const one_int[] = {"Int64"};
const char *const raises[] = {"DomainError: below zero"};

kiln_host_signature of_floats() {
  kiln_host_signature signature{};
  signature.struct_size = sizeof signature;
  signature.arguments = one_float;
  signature.argument_count = 1;
  signature.returns = "Float64";
  return signature;
}

void load(kiln_session *session, const char *text) {
  REQUIRE(kiln_load(session, "f.jl", text, std::strlen(text), nullptr) == KILN_OK);
}

kiln_function *prepare(kiln_session *session, const char *call) {
  kiln_function *function = nullptr;
  kiln_error *error = nullptr;
  if (kiln_prepare_function(session, call, nullptr, &function, &error) != KILN_OK)
    FAIL(kiln_error_text(error));
  return function;
}

} // namespace

TEST_CASE("C defines host functions, and calls compiled ones by their address") {
  Open open;
  const kiln_host_signature signature = of_floats();
  REQUIRE(kiln_define_host_function(open.session, "half", &signature, address_of(&half), nullptr) == KILN_OK);
  load(open.session, "f(x) = half(x) + 1\n");
  kiln_function *f = prepare(open.session, "f(Float64)");
  double x = 5, result = 0;
  const void *arguments[] = {&x};
  REQUIRE(kiln_function_call(f, arguments, 1, &result, nullptr) == KILN_OK);
  CHECK(result == half(5) + 1);
  void *address = nullptr;
  REQUIRE(kiln_function_address(f, &address, nullptr) == KILN_OK);
  auto *compiled = reinterpret_cast<double (*)(double)>(address);
  CHECK(compiled(7) == half(7) + 1);
  REQUIRE(kiln_define_host_function(open.session, "half", &signature, address_of(&twice), nullptr) ==
          KILN_OK);
  CHECK(compiled(7) == twice(7) + 1);
  kiln_function_free(f);
  CHECK(kiln_function_address(f, &address, nullptr) == KILN_USAGE);
  CHECK(address == nullptr);
}

TEST_CASE("a status of a C function is an error with its line, from a call and from an address") {
  Open open;
  kiln_host_signature signature{};
  signature.struct_size = sizeof signature;
  signature.arguments = one_int;
  signature.argument_count = 1;
  signature.returns = "Int64";
  signature.raises = raises;
  signature.raise_count = 1;
  REQUIRE(kiln_define_host_function(open.session, "checked", &signature, address_of(&checked), nullptr) ==
          KILN_OK);
  load(open.session, "function f(x)\n  checked(x)\nend\n");
  kiln_function *f = prepare(open.session, "f(Int64)");
  int64_t x = -1, result = 0;
  const void *arguments[] = {&x};
  kiln_error *error = nullptr;
  CHECK(kiln_function_call(f, arguments, 1, &result, &error) == KILN_INPUT);
  CHECK(std::string(kiln_error_kind(error, 0)) == "DomainError");
  CHECK(kiln_error_line(error, 0) == 2);
  CHECK_THAT(told(error), Contains("below zero"));
  void *address = nullptr;
  REQUIRE(kiln_function_address(f, &address, nullptr) == KILN_OK);
  auto *compiled = reinterpret_cast<int64_t (*)(int64_t)>(address);
  CHECK(compiled(4) == 5);
  CHECK(kiln_function_take_error(nullptr) == KILN_OK);
  CHECK(compiled(-4) == 0);
  CHECK(kiln_function_take_error(&error) == KILN_INPUT);
  CHECK_THAT(told(error), Contains("below zero"));
  CHECK(kiln_function_take_error(&error) == KILN_OK);
  kiln_function_free(f);
}

TEST_CASE("the options of a C session give addresses") {
  const kiln_host_symbol table[] = {{"half", address_of(&half)}};
  struct Asked {
    int times = 0, closed = 0;
  } asked;
  kiln_host_symbols symbols{};
  symbols.struct_size = sizeof symbols;
  symbols.table = table;
  symbols.count = 1;
  symbols.find = [](const char *name, void *user) -> void * {
    static_cast<Asked *>(user)->times++;
    return std::strcmp(name, "twice") ? nullptr : address_of(&twice);
  };
  symbols.closed = [](void *user) { static_cast<Asked *>(user)->closed++; };
  symbols.user = &asked;
  kiln_session_options options{};
  options.struct_size = sizeof options;
  options.cache_dir = "";
  options.symbols = &symbols;
  kiln_session *session = nullptr;
  REQUIRE(kiln_session_open(&options, &session, nullptr) == KILN_OK);
  load(session, "f(x) = ccall(:half, Float64, (Float64,), x) + ccall(:twice, Float64, (Float64,), x)\n"
                "g() = ccall(:nowhere, Cvoid, ())\n");
  kiln_function *f = prepare(session, "f(Float64)");
  double x = 3, result = 0;
  const void *arguments[] = {&x};
  REQUIRE(kiln_function_call(f, arguments, 1, &result, nullptr) == KILN_OK);
  CHECK(result == half(3) + twice(3));
  CHECK(asked.times == 1);
  kiln_function_free(f);
  kiln_error *error = nullptr;
  CHECK(kiln_prepare_function(session, "g()", nullptr, &f, &error) == KILN_INPUT);
  CHECK(kiln_error_code(error, 0) == 158);
  CHECK_THAT(told(error), Contains("`nowhere`"));
  CHECK(asked.closed == 0);
  kiln_session_close(session);
  CHECK(asked.closed == 1);

  symbols.table = nullptr;
  CHECK(kiln_session_open(&options, &session, &error) == KILN_USAGE);
  CHECK_THAT(told(error), Contains("kiln_host_symbols.table"));
}

TEST_CASE("what C does wrong with a host function") {
  Open open;
  kiln_error *error = nullptr;
  kiln_host_signature signature = of_floats();
  CHECK(kiln_define_host_function(open.session, nullptr, &signature, address_of(&half), nullptr) ==
        KILN_USAGE);
  CHECK(kiln_define_host_function(open.session, "f", &signature, nullptr, &error) == KILN_USAGE);
  CHECK_THAT(told(error), Contains("null"));
  CHECK(kiln_define_host_function(nullptr, "f", &signature, address_of(&half), nullptr) == KILN_USAGE);
  signature.arguments = nullptr;
  CHECK(kiln_define_host_function(open.session, "f", &signature, address_of(&half), &error) == KILN_USAGE);
  CHECK_THAT(told(error), Contains("arguments[0]"));
  signature.struct_size = 3;
  CHECK(kiln_define_host_function(open.session, "f", &signature, address_of(&half), nullptr) == KILN_USAGE);
  const char *const text[] = {"String"};
  signature = of_floats();
  signature.arguments = text;
  CHECK(kiln_define_host_function(open.session, "f", &signature, address_of(&half), &error) == KILN_INPUT);
  CHECK_THAT(told(error), Contains("String"));
}

} // namespace c_host_function_test
