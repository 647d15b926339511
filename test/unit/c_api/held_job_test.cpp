// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Held jobs from C, and threads that define beside others that call.
#include "open_language.h"

#include <atomic>
#include <cstring>
#include <thread>
#include <vector>

namespace held_job_test {

using Catch::Matchers::Contains;
using namespace kiln::test;

TEST_CASE("held jobs, their data, and what happens to them") {
  Open open;
  ok(add_constant(open, "f", 1), open.error);
  kiln_job *job = nullptr;
  const kiln_value *types[] = {open.named("Int64")};
  ok(kiln_job_of(open.session, open.named("f"), types, 1, "{\"kernel\": false}", &job, &open.error),
     open.error);
  CHECK(std::string(kiln_job_call(job)) == "f(Int64)");
  CHECK(kiln_job_world(job) > 0);
  static int stale = 0, released = 0;
  stale = released = 0;
  ok(kiln_job_on_stale(
         job, [](void *user) { ++*static_cast<int *>(user); }, &stale, &open.error),
     open.error);
  int data = 5;
  ok(kiln_job_attach(job, &stale, &data, [](void *) { released++; }, &open.error), open.error);
  CHECK(kiln_job_attached(job, &stale) == &data);
  CHECK(kiln_job_attached(job, &released) == nullptr);
  char *text = nullptr;
  ok(kiln_job_return_type(job, &text, &open.error), open.error);
  CHECK(std::string(text) == "Int64");
  kiln_text_free(text);
  CHECK(kiln_job_is_current(job) == 1);
  ok(add_constant(open, "f", 2), open.error);
  CHECK(kiln_job_is_current(job) == 0);
  CHECK(stale == 1);
  CHECK(released == 1);
  kiln_job *renewed = nullptr;
  ok(kiln_job_renew(job, &renewed, &open.error), open.error);
  CHECK(kiln_job_is_current(renewed) == 1);
  kiln_artifact *artifact = nullptr;
  CHECK(kiln_job_compile(renewed, "no such stage", &artifact, &open.error) == KILN_USAGE);
  kiln_error_free(open.error);
  kiln_session_close(open.session);
  CHECK(kiln_job_is_current(renewed) == 0);
  CHECK(kiln_job_compile(renewed, "asm", &artifact, &open.error) == KILN_USAGE);
  CHECK_THAT(told(open.error), Contains("session"));
  kiln_job_free(job);
  kiln_job_free(renewed);
}

TEST_CASE("a scope's jobs from C") {
  Open open;
  ok(add_constant(open, "f", 1), open.error);
  kiln_scope *scope = nullptr;
  ok(kiln_scope_open(open.session, &scope, &open.error), open.error);
  CHECK(open.call("f(Int64)", 1) == 2);
  CHECK(open.call("f(Int64)", 2) == 3);
  REQUIRE(kiln_scope_job_count(scope) == 1);
  kiln_job *job = nullptr;
  ok(kiln_scope_job(scope, 0, &job, &open.error), open.error);
  CHECK(std::string(kiln_job_call(job)) == "f(Int64)");
  kiln_job *none = nullptr;
  CHECK(kiln_scope_job(scope, 1, &none, &open.error) == KILN_USAGE);
  CHECK_THAT(told(open.error), Contains("1 job,"));
  kiln_scope_close(scope);
  kiln_artifact *artifact = nullptr;
  ok(kiln_job_compile(job, "llvm", &artifact, &open.error), open.error);
  CHECK_THAT(std::string(static_cast<const char *>(kiln_artifact_data(artifact, nullptr))),
             Contains("define"));
  kiln_artifact_free(artifact);
  kiln_job_free(job);
}

TEST_CASE("threads define and call through the C API beside each other") {
  Open open;
  ok(add_constant(open, "shared", 0), open.error);
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 4; thread++)
    threads.emplace_back([&, thread] {
      kiln_error *error = nullptr;
      for (int k = 0; k < 25; k++) {
        const std::string name = thread == 3 ? "shared" : "own_" + std::to_string(thread);
        kiln_code *code = nullptr;
        kiln_value *function = nullptr, *type = nullptr;
        int status = kiln_code_new(open.session, name.c_str(), &code, &error);
        status |= kiln_value_named(open.session, nullptr, "Int64", &type, &error);
        status |= kiln_define_function(open.session, nullptr, name.c_str(), &function, &error);
        kiln_operand sum[] = {kiln_code_argument(code, "x"), kiln_code_int64(code, 10 * k)};
        kiln_code_return(code, kiln_code_intrinsic(code, "add_int", sum, 2));
        const kiln_value *types[] = {type};
        kiln_method method = {};
        method.struct_size = sizeof method;
        method.function = function;
        method.argument_types = types;
        method.argument_count = 1;
        method.code = code;
        status |= kiln_define_method(open.session, &method, &error);
        for (const std::string &called : {name, std::string("shared")}) {
          kiln_function *prepared = nullptr;
          status |=
              kiln_prepare_function(open.session, (called + "(Int64)").c_str(), nullptr, &prepared, &error);
          int64_t argument = 3, result = 0;
          const void *arguments[] = {&argument};
          status |= kiln_function_call(prepared, arguments, 1, &result, &error);
          kiln_function_free(prepared);
          if (called == name && result != 10 * k + 3) wrong++;
          if (result % 10 != 3) wrong++;
        }
        if (status) wrong++;
      }
    });
  for (std::thread &thread : threads) thread.join();
  CHECK(wrong == 0);
}

} // namespace held_job_test
