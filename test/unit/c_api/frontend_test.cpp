// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// kiln/c_frontend.h: a language in C of lines like "plus3 3", each a function that adds its number.
#include "open_language.h"
#include "scratch.h"

#include <kiln/c_cache.h>
#include <kiln/c_frontend.h>

#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>

namespace frontend_test {

using Catch::Matchers::Contains;
using namespace kiln::test;

namespace {

struct Adders {
  int closed = 0;
  int refused = 0; ///< calls that a language may not make, and that were refused
  int throws = 0;
};

int define_line(const kiln_language_call *call, const std::string &name, int64_t number, uint32_t begin,
                uint32_t end) {
  kiln_value *function = nullptr, *type = nullptr;
  kiln_code *code = nullptr;
  int status = kiln_define_function(call->session, call->module, name.c_str(), &function, nullptr) |
               kiln_value_named(call->session, nullptr, "Int64", &type, nullptr) |
               kiln_code_new(call->session, name.c_str(), &code, nullptr);
  kiln_code_at(code, call->file, begin, end);
  const kiln_operand sum[] = {kiln_code_argument(code, "x"), kiln_code_int64(code, number)};
  kiln_code_return(code, kiln_code_intrinsic(code, "add_int", sum, 2));
  const kiln_value *types[] = {type};
  kiln_method method = {};
  method.struct_size = sizeof method;
  method.module = call->module;
  method.function = function;
  method.argument_types = types;
  method.argument_count = 1;
  method.code = code;
  method.file = call->file;
  method.begin = begin;
  method.end = end;
  return status | kiln_define_method(call->session, &method, nullptr);
}

int load(const kiln_language_call *call, void *user) {
  auto &adders = *static_cast<Adders *>(user);
  if (adders.throws) throw 1;
  kiln_value *value = nullptr;
  adders.refused += kiln_evaluate(call->session, "a", "1", &value, nullptr) == KILN_USAGE;
  kiln_artifact *artifact = nullptr;
  adders.refused +=
      kiln_compile(call->session, "sin(Float32)", nullptr, nullptr, &artifact, nullptr) == KILN_USAGE;
  std::istringstream lines(std::string(call->text, call->size));
  uint32_t begin = 0;
  int status = 0;
  for (std::string line; std::getline(lines, line); begin += uint32_t(line.size()) + 1) {
    const size_t blank = line.find(' ');
    const auto end = begin + uint32_t(line.size());
    if (blank == std::string::npos)
      call->fail(call->context, "a line is a name and a number", begin, end);
    else
      status |= define_line(call, line.substr(0, blank), std::atoll(line.c_str() + blank), begin, end);
  }
  return status;
}

int evaluate(const kiln_language_call *call, void *) {
  if (!std::strcmp(call->text, "nothing")) return 0;
  kiln_value *value = nullptr;
  const int status = kiln_value_int64(call->session, std::atoll(call->text), &value, nullptr);
  if (!status) call->give(call->context, value);
  return status;
}

/// "name" and "name(Int64)" are calls for an Int64.
int resolve(const kiln_language_call *call, void *) {
  const std::string text(call->text, call->size), name = text.substr(0, text.find('('));
  kiln_value *function = nullptr, *type = nullptr;
  if (kiln_value_named(call->session, call->module, name.c_str(), &function, nullptr) ||
      kiln_value_named(call->session, nullptr, "Int64", &type, nullptr)) {
    call->fail(call->context, "no such adder", 0, uint32_t(name.size()));
    return 0;
  }
  call->give(call->context, function);
  call->give(call->context, type);
  return 0;
}

kiln_language language(Adders &adders) {
  kiln_language language = {};
  language.struct_size = sizeof language;
  language.name = "adders";
  language.extensions = ".add .adders";
  language.load = load;
  language.evaluate = evaluate;
  language.resolve = resolve;
  language.closed = [](void *user) { static_cast<Adders *>(user)->closed++; };
  language.user = &adders;
  return language;
}

struct WithLanguage {
  Adders adders;
  kiln_language own = language(adders);
  const kiln_language *list[1] = {&own};
  kiln_session_options options = {};
  WithLanguage() {
    options.languages = list;
    options.language_count = 1;
    options.language = "adders";
  }
};

int load_text(OpenSession &open, const char *name, const char *text) {
  return kiln_load(open.session, name, text, std::strlen(text), &open.error);
}

int64_t called(OpenSession &open, const char *call, int64_t argument) {
  kiln_function *function = nullptr;
  ok(kiln_prepare_function(open.session, call, nullptr, &function, &open.error), open.error);
  int64_t result = 0;
  const void *arguments[] = {&argument};
  ok(kiln_function_call(function, arguments, 1, &result, &open.error), open.error);
  kiln_function_free(function);
  return result;
}

} // namespace

TEST_CASE("a language in C loads files, evaluates, and names calls") {
  WithLanguage with;
  {
    OpenSession open(with.options);
    ok(load_text(open, "some.add", "plus3 3\nplus40 40\n"), open.error);
    CHECK(with.adders.refused == 2);
    CHECK(called(open, "plus3", 4) == 7);
    CHECK(called(open, "plus40(Int64)", 2) == 42);
    ok(load_text(open, "again.adders", "plus3 5"), open.error);
    CHECK(called(open, "plus3", 4) == 9);
    kiln_value *value = nullptr;
    ok(kiln_evaluate(open.session, "x", "17", &value, &open.error), open.error);
    char *text = nullptr;
    ok(kiln_value_text(value, &text, &open.error), open.error);
    CHECK(std::string(text) == "17");
    kiln_text_free(text);
    // Julia's files go to Julia, and see the same Main.
    ok(load_text(open, "j.jl", "twice(x) = plus40(plus40(x))"), open.error);
    CHECK(called(open, "twice", 1) == 81);
    CHECK(with.adders.closed == 0);
  }
  CHECK(with.adders.closed == 1);
}

namespace {

/// Int64 is i64, a call is (name types...). Each call counts in Adders::refused.
int spell_prefix(int what, const kiln_value *const *values, size_t count,
                 void (*give)(void *, const char *, size_t), void *context, void *user) {
  if (!user) return 1;
  auto text_of = [](const kiln_value *value) {
    char *text = nullptr;
    std::string copy = kiln_value_text(value, &text, nullptr) ? "?" : text; // as Julia within this function
    kiln_text_free(text);
    return copy == "Int64" ? "i64" : copy;
  };
  if (what == KILN_SPELL_TYPE && text_of(values[0]) != "i64") return 1; // as Julia
  std::string out;
  if (what == KILN_SPELL_TYPE) {
    out = "i64";
  } else if (what == KILN_SPELL_CALL || what == KILN_SPELL_JOB) {
    out = "(called";
    for (size_t i = 1; i < count; ++i) out += " " + text_of(values[i]);
    out += ")";
  } else {
    return 1;
  }
  give(context, out.data(), out.size());
  return 0;
}

} // namespace

TEST_CASE("a language in C spells types and calls in messages, and is found by its name") {
  WithLanguage with;
  with.own.spell = spell_prefix;
  OpenSession open(with.options);
  CHECK(kiln_session_language(open.session, "adders") == &with.adders);
  CHECK(kiln_session_language(open.session, "julia") == nullptr); // it is not one of C
  CHECK(kiln_session_language(open.session, "none") == nullptr);
  CHECK(kiln_session_language(nullptr, "adders") == nullptr);
  ok(load_text(open, "a.add", "plus3 3"), open.error);
  kiln_value *function = nullptr, *type = nullptr, *other = nullptr;
  ok(kiln_value_named(open.session, nullptr, "plus3", &function, &open.error), open.error);
  ok(kiln_value_named(open.session, nullptr, "Int64", &type, &open.error), open.error);
  ok(kiln_value_named(open.session, nullptr, "Float32", &other, &open.error), open.error);
  kiln_job *job = nullptr;
  const kiln_value *types[] = {type, other};
  ok(kiln_job_of(open.session, function, types, 1, "{\"kernel\": false}", &job, &open.error), open.error);
  char *text = nullptr;
  ok(kiln_job_return_type(job, &text, &open.error), open.error);
  CHECK(std::string(text) == "i64");
  kiln_text_free(text);
  kiln_job_free(job);
  CHECK(kiln_job_of(open.session, function, types, 2, nullptr, &job, &open.error) == KILN_INPUT);
  CHECK_THAT(told(open.error), Contains("no method matching (called i64 Float32)"));
  ok(kiln_value_text(type, &text, &open.error), open.error);
  CHECK(std::string(text) == "i64");
  kiln_text_free(text);
}

TEST_CASE("faults of a language's text are told at their places") {
  WithLanguage with;
  OpenSession open(with.options);
  CHECK(load_text(open, "bad.add", "good 1\nbad\nworse\n") == KILN_INPUT);
  REQUIRE(kiln_error_count(open.error) == 2);
  CHECK(std::string(kiln_error_file(open.error, 0)) == "bad.add");
  CHECK(kiln_error_line(open.error, 0) == 2);
  CHECK(kiln_error_line(open.error, 1) == 3);
  CHECK_THAT(told(open.error), Contains("a line is a name and a number"));
  kiln_function *function = nullptr;
  CHECK(kiln_prepare_function(open.session, "unknown", nullptr, &function, &open.error) == KILN_INPUT);
  CHECK_THAT(told(open.error), Contains("no such adder"));
  kiln_value *value = nullptr;
  CHECK(kiln_evaluate(open.session, "x", "nothing", &value, &open.error) == KILN_USAGE);
  CHECK_THAT(told(open.error), Contains("gave 0 values"));
  with.adders.throws = 1;
  CHECK(load_text(open, "t.add", "a 1") == KILN_USAGE);
  CHECK_THAT(told(open.error), Contains("adders"));
  with.adders.throws = 0;
  ok(load_text(open, "t.add", "a 1"), open.error); // the session is as usable as before
  CHECK(called(open, "a", 1) == 2);
}

TEST_CASE("a language in C works in sessions that Kiln opens itself") {
  WithLanguage with;
  Scratch folder;
  const std::string file = folder.path / "some.add", cache = folder.path / "cache";
  std::ofstream(file) << "plus3 3\n";
  with.options.struct_size = sizeof with.options;
  with.options.cache_dir = cache.c_str();
  kiln_job_list *list = nullptr;
  kiln_error *error = nullptr;
  ok(kiln_job_list_new(&list, &error), error);
  const char *files[] = {file.c_str()};
  kiln_job_entry entry = {};
  entry.struct_size = sizeof entry;
  entry.files = files;
  entry.file_count = 1;
  entry.call = "plus3(Int64)";
  entry.options_json = "{\"kernel\": false}";
  entry.language = "adders";
  ok(kiln_job_list_add(list, &entry, &error), error);
  CHECK(std::string(kiln_job_list_language(list, 0)) == "adders");
  CHECK(std::string(kiln_job_list_language(list, 1)).empty());
  kiln_precompile_options options = {};
  options.struct_size = sizeof options;
  options.session = &with.options;
  kiln_precompile_report report = {};
  report.struct_size = sizeof report;
  ok(kiln_precompile_list(list, &options, &report, nullptr, &error), error);
  CHECK(report.made == 1);
  CHECK(report.skipped == 0);
  CHECK(with.adders.closed == 1);
  // The session of the job: what precompiling made is found.
  kiln_session *session = nullptr;
  ok(kiln_job_list_open_session(list, 0, &with.options, &session, &error), error);
  kiln_job *job = nullptr;
  ok(kiln_job_list_hold(list, 0, session, &job, &error), error);
  kiln_artifact *artifact = nullptr;
  ok(kiln_job_compile(job, "obj", &artifact, &error), error);
  kiln_counters counters = {};
  counters.struct_size = sizeof counters;
  ok(kiln_session_counters(session, &counters, &error), error);
  CHECK(counters.disk_hits == 1);
  CHECK(counters.inferred == 0);
  kiln_artifact_free(artifact);
  kiln_job_free(job);
  kiln_session_close(session);
  // Without the language, the error names it.
  kiln_session_options without = {};
  without.struct_size = sizeof without;
  without.cache_dir = cache.c_str();
  CHECK(kiln_job_list_open_session(list, 0, &without, &session, &error) == KILN_INPUT);
  CHECK_THAT(told(error), Contains("is written in the language adders") && Contains("it has julia"));
  CHECK(session == nullptr);
  CHECK(kiln_job_list_open_session(list, 1, &without, &session, &error) == KILN_USAGE);
  kiln_error_free(error);
  kiln_job_list_free(list);
}

TEST_CASE("libraries of languages are refused in C as in C++") {
  kiln_session_options options = {};
  options.struct_size = sizeof options;
  options.cache_dir = "";
  kiln_session *session = nullptr;
  kiln_error *error = nullptr;
  const char *files[] = {"./no such file.so", nullptr};
  options.language_files = files;
  options.language_file_count = 1;
  CHECK(kiln_session_open(&options, &session, &error) == KILN_USAGE);
  CHECK_THAT(told(error), Contains("no such file.so does not exist"));
  options.language_file_count = 2;
  CHECK(kiln_session_open(&options, &session, &error) == KILN_USAGE);
  CHECK_THAT(told(error), Contains("language_files[1] is a null pointer"));
  options.language_files = nullptr;
  CHECK(kiln_session_open(&options, &session, &error) == KILN_USAGE);
  CHECK_THAT(told(error), Contains("language_files is a null pointer"));
  CHECK(kiln_language_list_add(nullptr, nullptr, &error) == KILN_USAGE);
  CHECK_THAT(told(error), Contains("kiln_language_list_add"));
  CHECK(kiln_language_list_fail(nullptr, "why", &error) == KILN_USAGE);
  CHECK_THAT(told(error), Contains("kiln_language_list_fail"));
}

TEST_CASE("a language that lacks something is refused when the session is opened") {
  WithLanguage with;
  kiln_session *session = nullptr;
  kiln_error *error = nullptr;
  with.options.struct_size = sizeof with.options;
  with.options.cache_dir = "";
  auto refused = [&](const char *why) {
    CAPTURE(why);
    CHECK(kiln_session_open(&with.options, &session, &error) == KILN_USAGE);
    CHECK_THAT(told(error), Contains(why));
  };
  with.own.resolve = nullptr;
  refused("lacks one of load, evaluate and resolve");
  with.own = language(with.adders);
  with.own.name = "";
  refused("kiln_language.name");
  with.own = language(with.adders);
  with.own.name = "julia";
  refused("two languages named julia");
  with.own = language(with.adders);
  with.own.struct_size = 8 * sizeof with.own;
  refused("kiln_language.struct_size");
  with.list[0] = nullptr;
  refused("languages[0] is a null pointer");
  with.options.languages = nullptr;
  refused("languages is a null pointer");
}

} // namespace frontend_test
