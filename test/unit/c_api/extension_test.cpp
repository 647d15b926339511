// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM IR and observers through the C API.
#include "open.h"

#include <kiln/c_language.h>

#include <cstring>
#include <string>
#include <vector>

namespace extension_test {

using Open = kiln::test::OpenSession;
using kiln::test::told;

namespace {

const char ir[] = "declare i32 @kiln.thread_idx.x()\n"
                  "define void @negate(ptr %y, i64 %bytes, i64 %dim, i64 %n) {\n"
                  "  %t = call i32 @kiln.thread_idx.x()\n"
                  "  %at = getelementptr float, ptr %y, i32 %t\n"
                  "  %x = load float, ptr %at\n"
                  "  %r = fneg float %x\n"
                  "  store float %r, ptr %at\n"
                  "  ret void\n}\n";
const char *const types[] = {"CuDeviceVector{Float32,1}"};

kiln_ir_function negate(const char *text = ir) {
  kiln_ir_function function{};
  function.struct_size = sizeof function;
  function.name = "negate";
  function.arguments = types;
  function.argument_count = 1;
  function.ir = text;
  function.ir_size = std::strlen(text);
  return function;
}

} // namespace

TEST_CASE("LLVM IR is defined, launched, and refused with its line") {
  Open open;
  kiln_error *error = nullptr;
  kiln_ir_function function = negate();
  int status = kiln_define_ir(open.session, &function, &error);
  INFO(kiln_error_text(error));
  REQUIRE(status == KILN_OK);
  std::vector<float> y{1, 2, 3};
  const int64_t dims[] = {3};
  kiln_argument array{};
  array.struct_size = sizeof array;
  array.kind = KILN_ARRAY;
  array.type = "Float32";
  array.data = y.data();
  array.ndim = 1;
  array.dims = dims;
  const unsigned blocks[3] = {1, 1, 1}, threads[3] = {3, 1, 1};
  REQUIRE(kiln_launch(open.session, nullptr, "negate", blocks, threads, &array, 1, nullptr) == KILN_OK);
  CHECK(y == std::vector<float>{-1, -2, -3});

  function = negate("define void @negate(float %x) {\n  %y = fadd float %x, %z\n  ret void\n}\n");
  function.file = "broken.ll";
  CHECK(kiln_define_ir(open.session, &function, &error) == KILN_INPUT);
  CHECK(std::string(kiln_error_file(error, 0)) == "broken.ll");
  CHECK(kiln_error_line(error, 0) == 2);
  kiln_error_free(error);
  function.line = 41; // of the text's first line in broken.ll
  CHECK(kiln_define_ir(open.session, &function, &error) == KILN_INPUT);
  CHECK(kiln_error_line(error, 0) == 42);
  kiln_error_free(error);

  CHECK(kiln_define_ir(open.session, nullptr, &error) == KILN_USAGE);
  kiln_error_free(error);
  function = negate();
  function.arguments = nullptr;
  CHECK(kiln_define_ir(open.session, &function, &error) == KILN_USAGE);
  CHECK_THAT(told(error), Catch::Matchers::Contains("arguments"));
  function.struct_size = 3;
  CHECK(kiln_define_ir(open.session, &function, &error) == KILN_USAGE);
  kiln_error_free(error);
}

TEST_CASE("an observer sees products until it is freed") {
  Open open;
  kiln_ir_function function = negate();
  REQUIRE(kiln_define_ir(open.session, &function, nullptr) == KILN_OK);
  std::vector<std::string> seen;
  auto note = [](const kiln_product *product, void *user) {
    CHECK(std::strlen(static_cast<const char *>(product->data)) == product->size);
    static_cast<std::vector<std::string> *>(user)->push_back(std::string(product->product) + " of " +
                                                             product->function);
  };
  kiln_observation *observation = nullptr;
  kiln_error *error = nullptr;
  REQUIRE(kiln_session_observe(open.session, "llvm asm", note, &seen, &observation, &error) == KILN_OK);
  kiln_artifact *artifact = nullptr;
  const char *call = "negate(CuDeviceVector{Float32,1})";
  REQUIRE(kiln_compile(open.session, call, R"({"target": "ptx"})", "asm", &artifact, nullptr) == KILN_OK);
  kiln_artifact_free(artifact);
  CHECK(seen == std::vector<std::string>{"llvm of negate", "asm of negate"});
  kiln_observation_free(observation);
  REQUIRE(kiln_compile(open.session, call, R"({"target": "ptx", "O": 1})", "asm", &artifact, nullptr) ==
          KILN_OK);
  kiln_artifact_free(artifact);
  CHECK(seen.size() == 2);
  CHECK(kiln_session_observe(open.session, "sass", note, &seen, &observation, &error) == KILN_USAGE);
  CHECK(observation == nullptr);
  kiln_error_free(error);
}

namespace {

struct Rewrites {
  std::string from, to, error;
  int calls = 0, released = 0;
};

int rewrite(int, const char *ir, size_t size, void (*give)(void *, const char *, size_t), void *context,
            void *user) {
  auto &r = *static_cast<Rewrites *>(user);
  r.calls++;
  if (!r.error.empty()) {
    give(context, r.error.data(), r.error.size());
    return 1;
  }
  std::string text(ir, size);
  for (size_t at = 0; (at = text.find(r.from, at)) != std::string::npos; at += r.to.size())
    text.replace(at, r.from.size(), r.to);
  give(context, text.data(), text.size());
  return 0;
}

} // namespace

namespace {

struct Shown {
  kiln_session *session = nullptr;
  std::vector<std::string> all;
};

/// Stands for a launch in an expression: opens the job of a kernel.
int open_job(kiln_code *code, void *user) {
  kiln_job *job = nullptr;
  if (kiln_job_open(static_cast<Shown *>(user)->session, "negate(CuDeviceVector{Float32,1})",
                    R"({"target": "ptx"})", &job, nullptr))
    return 1;
  kiln_job_free(job);
  kiln_code_return(code, kiln_code_int64(code, 4711));
  return 0;
}

} // namespace

TEST_CASE("an expression is evaluated, and what @device_code_llvm shows of it goes to the embedder") {
  Shown shown;
  kiln_session_options options{};
  options.struct_size = sizeof options;
  options.cache_dir = "";
  options.device_code = [](const kiln_device_code *code, void *user) {
    auto &all = static_cast<Shown *>(user)->all;
    CHECK(code->struct_size == sizeof *code);
    CHECK(std::strlen(code->text) == code->size);
    kiln_artifact *artifact = nullptr; // the job is one to work with
    CHECK(kiln_job_compile(code->job, "asm", &artifact, nullptr) == KILN_OK);
    size_t size = 0;
    const char *assembly = static_cast<const char *>(kiln_artifact_data(artifact, &size));
    CHECK(std::string(assembly, size).find(".entry") != std::string::npos);
    kiln_artifact_free(artifact);
    for (std::string text : {std::string(code->macro), std::string(kiln_job_call(code->job)),
                             std::string(code->text, code->size)})
      all.push_back(text);
  };
  options.device_code_user = &shown;
  REQUIRE(kiln_session_open(&options, &shown.session, nullptr) == KILN_OK);
  kiln_session *session = shown.session;
  kiln_error *error = nullptr;
  kiln_ir_function function = negate();
  REQUIRE(kiln_define_ir(session, &function, nullptr) == KILN_OK);
  kiln_method method{};
  method.struct_size = sizeof method;
  kiln_value *launcher = nullptr;
  REQUIRE(kiln_define_function(session, nullptr, "launcher", &launcher, nullptr) == KILN_OK);
  method.function = launcher;
  method.lower = open_job;
  method.user = &shown;
  REQUIRE(kiln_define_method(session, &method, nullptr) == KILN_OK);

  kiln_value *value = nullptr;
  int status = kiln_evaluate(session, "line", "@device_code_llvm launcher()", &value, &error);
  INFO(kiln_error_text(error));
  REQUIRE(status == KILN_OK);
  kiln_value *same = nullptr;
  REQUIRE(kiln_value_int64(session, 4711, &same, nullptr) == KILN_OK);
  CHECK(value == same); // equal values have one handle
  REQUIRE(shown.all.size() == 3);
  CHECK(shown.all[0] == "@device_code_llvm");
  CHECK(shown.all[1].find("negate(") == 0);
  CHECK(shown.all[2].find("fneg") != std::string::npos);

  // The method has its code by now: no job.
  CHECK(kiln_evaluate(session, "line", "@device_code_llvm launcher()", &value, &error) == KILN_INPUT);
  CHECK(told(error).find("no kernel was compiled") != std::string::npos);
  CHECK(kiln_evaluate(session, "line", "1 +", &value, &error) == KILN_INPUT);
  CHECK(value == nullptr);
  CHECK(told(error).find("line:1") != std::string::npos);
  CHECK(kiln_evaluate(session, nullptr, nullptr, &value, &error) == KILN_USAGE);
  kiln_error_free(error);
  kiln_session_close(session);
}

TEST_CASE("hooks of C see a job's IR and put another in its place") {
  Rewrites user{.from = "7777", .to = "100", .error = {}};
  kiln_error *error = nullptr;
  {
    Open open;
    const char program[] = "add(x) = x + 7777\n";
    REQUIRE(kiln_load(open.session, "add.jl", program, std::strlen(program), nullptr) == KILN_OK);
    kiln_ir_hooks hooks{};
    hooks.struct_size = sizeof hooks;
    hooks.name = "hundred";
    hooks.version = "1";
    hooks.moments = 1u << KILN_FINISH_LINKED_MODULE;
    hooks.rewrite = rewrite;
    hooks.release = [](void *at) { static_cast<Rewrites *>(at)->released++; };
    hooks.user = &user;
    REQUIRE(kiln_session_add_hooks(open.session, &hooks, &error) == KILN_OK);
    auto add = [&](const char *options) {
      kiln_function *function = nullptr;
      if (kiln_prepare_function(open.session, "add(Int64)", options, &function, &error)) return int64_t(-1);
      int64_t x = 1, result = 0;
      const void *arguments[] = {&x};
      CHECK(kiln_function_call(function, arguments, 1, &result, nullptr) == KILN_OK);
      kiln_function_free(function);
      return result;
    };
    CHECK(add(R"({"kernel": false, "hooks": "hundred"})") == 101);
    CHECK(add(R"({"kernel": false})") == 7778);
    CHECK(user.calls == 1);
    user.error = "not today";
    CHECK(add(R"({"kernel": false, "hooks": "hundred", "O": 1})") == -1);
    CHECK(told(error).find("not today") != std::string::npos);
    CHECK(add(R"({"kernel": false, "hooks": "thousand"})") == -1);
    CHECK(told(error).find("hundred") != std::string::npos);
    hooks.form = 2;
    CHECK(kiln_session_add_hooks(open.session, &hooks, &error) == KILN_USAGE);
    CHECK(told(error).find("hooks->form is 2") != std::string::npos);
    hooks.form = KILN_IR_BITCODE;
    hooks.name = "bits";
    hooks.rewrite = [](int, const char *ir, size_t size, void (*give)(void *, const char *, size_t),
                       void *context, void *at) {
      static_cast<Rewrites *>(at)->calls += std::string_view(ir, size).starts_with("BC\xc0\xde");
      give(context, ir, size);
      return 0;
    };
    REQUIRE(kiln_session_add_hooks(open.session, &hooks, nullptr) == KILN_OK);
    user.calls = 0;
    CHECK(add(R"({"kernel": false, "hooks": "bits"})") == 7778);
    CHECK(user.calls == 1);
    hooks.moments = 1u << 9;
    CHECK(kiln_session_add_hooks(open.session, &hooks, nullptr) == KILN_USAGE);
    hooks.name = nullptr;
    CHECK(kiln_session_add_hooks(open.session, &hooks, nullptr) == KILN_USAGE);
    CHECK(kiln_session_add_hooks(open.session, nullptr, nullptr) == KILN_USAGE);
    user.released = 0;
  }
  CHECK(user.released == 2); // both that the session had
}

TEST_CASE("options of C nest a config with hooks of its own") {
  Rewrites user{.from = "7777", .to = "100", .error = {}};
  Open open;
  const char program[] =
      "inner(x) = x + 7777\n"
      "outer(x) = ccall(deferred_codegen_in(Val(:ad), inner, Int64), Int64, (Int64,), x) + inner(x)\n";
  REQUIRE(kiln_load(open.session, "nested.jl", program, std::strlen(program), nullptr) == KILN_OK);
  kiln_ir_hooks hooks{};
  hooks.struct_size = sizeof hooks;
  hooks.name = "hundred";
  hooks.version = "1";
  hooks.moments = 1u << KILN_FINISH_LINKED_MODULE;
  hooks.rewrite = rewrite;
  hooks.user = &user;
  REQUIRE(kiln_session_add_hooks(open.session, &hooks, nullptr) == KILN_OK);
  auto outer = [&](const char *options, kiln_error **error) {
    kiln_function *function = nullptr;
    if (kiln_prepare_function(open.session, "outer(Int64)", options, &function, error)) return int64_t(-1);
    int64_t x = 1, result = 0;
    const void *arguments[] = {&x};
    CHECK(kiln_function_call(function, arguments, 1, &result, nullptr) == KILN_OK);
    kiln_function_free(function);
    return result;
  };
  CHECK(outer(R"({"kernel": false, "nested": {"ad": {}}})", nullptr) == 2 * 7778);
  CHECK(outer(R"({"kernel": false, "nested": {"ad": {"hooks": "hundred"}}})", nullptr) == 101 + 7778);
  CHECK(user.calls == 1); // of the nested module alone
  kiln_error *error = nullptr;
  CHECK(outer(R"({"kernel": false, "nested": {"other": {}}})", &error) == -1);
  CHECK(told(error).find("no nested config `ad`") != std::string::npos);
  error = nullptr;
  CHECK(outer(R"({"kernel": false, "nested": {"ad": {"target": "ptx"}}})", &error) == -1);
  CHECK(told(error).find("nvptx64") != std::string::npos);
}

} // namespace extension_test
