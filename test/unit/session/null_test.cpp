// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Null types, no values and empty names in every function that takes one: a Usage error, or nothing found.
#include "must.h"
#include "random_api/language_program.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <random>

using namespace kiln;
using Catch::Matchers::Contains;
using kiln::test::must;

namespace {

template <class T> std::string usage(const Result<T> &result) {
  if (result.ok()) return "ok";
  CHECK(result.error().kind() == ErrorKind::Usage);
  return result.error().diagnostics()[0].message;
}

} // namespace

TEST_CASE("null types and unset values are Usage errors that name the argument") {
  SessionOptions options;
  options.cache_dir = "";
  options.verbosity = LogLevel::Error;
  auto session = must(Session::open(options));
  auto other = must(Session::open(options));
  for (Session *each : {session.get(), other.get()}) must(each->load("a.jl", "k(x) = x + 1"));
  World *world = nullptr;
  must(session->define([&](World &w) -> Result<void> {
    world = &w;
    return {};
  }));
  TypeContext &types = world->types();
  const Value k = must(evaluate(*session, "x", "k")), foreign = must(evaluate(*other, "x", "k"));
  const CompilerConfig plain{.kernel = false};
  const Type *null_type[] = {nullptr}, *integer[] = {types.builtins().Int64};
  CHECK_THAT(usage(session->job(Value(), {}, plain)), Contains("the function of a job has no value"));
  CHECK_THAT(usage(session->job(k, null_type, plain)), Contains("the type of argument 1 of a job is null"));
  CHECK_THAT(usage(job(*session, ResolvedCall{}, plain)), Contains("the function of a job has no value"));
  CHECK_THAT(usage(job(*session, call_of(*world, k, std::vector<TypeRef>{nullptr}), plain)),
             Contains("argument 1 of a job is null"));
  CHECK_THAT(usage(launch(*session, session->cpu(), Value(), {}, {})),
             Contains("launch: the function has no value"));
  const Value unset[] = {Value()};
  CHECK_THAT(usage(launch(*session, session->cpu(), k, {}, unset)),
             Contains("launch: argument 1 has no value"));
  CHECK_THAT(usage(call_of(*session, k, unset)), Contains("call_of: argument 1 has no value"));
  CHECK(types.tuple({nullptr}) == nullptr);
  CHECK(types.union_of({nullptr}) == nullptr);
  CHECK(types.union_of({types.builtins().Int64, nullptr}) == nullptr);
  CHECK(types.type_of_type(nullptr) == nullptr);
  CHECK(types.vararg(nullptr) == nullptr);
  CHECK(types.constant(Value()) == nullptr);
  CHECK_FALSE(is_subtype(types, nullptr, types.builtins().Any));
  CHECK_THAT(usage(array_type(*world, types.builtins().Int64, -1)), Contains("-1 dimensions"));
  CHECK_THAT(usage(array_type(*world, nullptr, 1)), Contains("the type of the elements is null"));
  CHECK_THAT(usage(types.apply(nullptr, {})), Contains("the type is null"));
  CHECK_THAT(usage(types.apply(types.builtins().Tuple, null_type)), Contains("a parameter of"));
  CHECK_THAT(usage(val(*world, Value())), Contains("there is no value"));
  CHECK_THAT(usage(to_bytes(types, Value())), Contains("there is no value"));
  CHECK_THAT(usage(from_bytes(types, nullptr, nullptr)), Contains("the type is null"));
  // Another session's function and types.
  CHECK_THAT(usage(session->job(foreign, integer, plain)), Contains("was made by another session"));
  CHECK_THAT(usage(other->job(foreign, integer, plain)), Contains("Int64 was made by another session"));
  CHECK(usage(session->job(k, integer, plain)) == "ok");
}

TEST_CASE("a value in a field of another type has no bytes, and writes none beyond its field") {
  SessionOptions options;
  options.cache_dir = "";
  auto session = must(Session::open(options));
  must(session->define([&](World &w) -> Result<void> {
    TypeContext &types = w.types();
    const TypeRef pair = types.tuple({types.builtins().Int8, types.builtins().Int8});
    CHECK_THAT(usage(to_bytes(types, Value::structure(pair, {types.int64(-1), types.int64(-1)}))),
               Contains("a value of type Int64 where one of type Int8 is declared"));
    CHECK_THAT(usage(to_bytes(types, Value::structure(pair, {Value(), Value()}))),
               Contains("where one of type Int8"));
    return {};
  }));
}

TEST_CASE("every function of kiln/extension/language takes nulls and random values without a crash") {
  std::vector<std::string> faults;
  size_t accepted = 0, refused = 0;
  for (unsigned seed = 1; seed <= 12; seed++) {
    std::mt19937 random(seed); // the standard says what it gives, everywhere
    std::vector<uint8_t> bytes(1500);
    for (uint8_t &byte : bytes) byte = uint8_t(random() >> 8);
    fuzz::LanguageProgram program(fuzz::Decisions(bytes.data(), bytes.size()), [&](const std::string &what) {
      faults.push_back(fmt::format("seed {}: {}", seed, what));
    });
    program.run_on_nulls();
    program.run(200);
    accepted += program.accepted;
    refused += program.refused;
  }
  for (const std::string &fault : faults) FAIL_CHECK(fault);
  CHECK(accepted > 500);
  CHECK(refused > 500);
}
