// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fixture.h"

using namespace kiln;

TEST_CASE_METHOD(WorldFixture, "dispatch: the most specific method, whatever the order of definition") {
  TypeRef f = function("f");
  for (bool forwards : {true, false}) {
    std::vector<TypeRef> signatures{types.tuple({f, t.Any}), types.tuple({f, t.Integer}),
                                    types.tuple({f, t.Int64}), types.tuple({f, t.Any, t.Any}),
                                    types.tuple({f, t.Any, types.vararg(t.Any)})};
    if (!forwards) std::reverse(signatures.begin(), signatures.end());
    for (TypeRef signature : signatures) define(signature);
    auto chosen = [&](std::initializer_list<TypeRef> arguments) { return look(arguments).method->signature; };
    CHECK(chosen({f, t.Int64}) == types.tuple({f, t.Int64}));
    CHECK(chosen({f, t.Int32}) == types.tuple({f, t.Integer}));
    CHECK(chosen({f, t.Float64}) == types.tuple({f, t.Any}));
    CHECK(chosen({f, t.Float64, t.Int8}) == types.tuple({f, t.Any, t.Any}));
    CHECK(chosen({f, t.Int8, t.Int8, t.Int8}) == types.tuple({f, t.Any, types.vararg(t.Any)}));
    CHECK(look({f}).method == nullptr);
    CHECK(look({f}).ambiguous.empty());
  }
}

TEST_CASE_METHOD(WorldFixture, "dispatch: values of where-variables") {
  TypeRef f = function("f");
  const TypeVar *T = var("T", t.Integer);
  const Method *method =
      define(where(types.tuple({f, types.data(*t.PtrName, std::vector<TypeRef>{T}), T}), T));
  CHECK(method->static_params.size() == 1);
  CHECK(method->nargs == 3);
  MethodMatch match = look({f, ptr(t.Int32), t.Int32});
  REQUIRE(match.method == method);
  CHECK(match.static_params == std::vector<TypeRef>{t.Int32});
  CHECK(look({f, ptr(t.Float32), t.Float32}).method == nullptr);
  CHECK(look({f, ptr(t.Int32), t.Int64}).method == nullptr);

  TypeRef arguments = types.tuple({f, ptr(t.Int32), t.Int32});
  const MethodInstance *instance = world.instance(*method, arguments, match.static_params);
  CHECK(instance == world.instance(*method, arguments, match.static_params));
  CHECK(instance->static_params == match.static_params);
}

TEST_CASE_METHOD(WorldFixture, "dispatch: constructors, callable structs, callees known by a bound only") {
  TypeRef point = new_struct("Point");
  const Method *constructor = define(types.tuple({type_of(point), t.Int64}));
  const Method *call = define(types.tuple({point, t.Int64}));
  CHECK(look({type_of(point), t.Int64}).method == constructor);
  CHECK(look({point, t.Int64}).method == call);

  const TypeVar *T = var("T", t.Integer);
  const Method *integers = define(where(types.tuple({type_of(T), t.Float64}), T));
  MethodMatch match = look({type_of(t.Int32), t.Float64});
  CHECK(match.method == integers);
  CHECK(match.static_params == std::vector<TypeRef>{t.Int32});
  CHECK(look({type_of(t.Float32), t.Float64}).method == nullptr);
  const Method *own = define(types.tuple({type_of(t.Int32), t.Float64}));
  CHECK(look({type_of(t.Int32), t.Float64}).method == own);
  CHECK(look({type_of(t.Int64), t.Float64}).method == integers);

  TypeRef f = function("f");
  CHECK(look({f, t.String}).method == nullptr);
  const Method *any_function = define(types.tuple({t.Function, t.String}));
  CHECK(look({f, t.String}).method == any_function); // though that look-up was memoised as finding nothing
  const Method *special = define(types.tuple({f, t.String}));
  CHECK(look({f, t.String}).method == special);
  CHECK(look({function("g"), t.String}).method == any_function);
  const TypeVar *F = var("F", t.Function);
  const Method *three = define(where(types.tuple({F, t.Int8, t.Int8}), F));
  CHECK(look({f, t.Int8, t.Int8}).method == three);
  CHECK(look({f, t.Int8, t.Int8}).static_params == std::vector<TypeRef>{f});

  const Method *wrapper = define(types.tuple({type_of(t.Ptr), t.Int64})); // Ptr(x)
  const TypeVar *E = var("E");
  const Method *applied =
      define(where(types.tuple({type_of(types.data(*t.PtrName, std::vector<TypeRef>{E})), t.Int64}), E));
  CHECK(look({type_of(t.Ptr), t.Int64}).method == wrapper);
  CHECK(look({type_of(ptr(t.Int8)), t.Int64}).method == applied);

  CHECK(world.methods_of(f, {}, world.age()) == std::vector<const Method *>{special, any_function, three});
}

TEST_CASE_METHOD(WorldFixture, "dispatch: an overlay is searched first, and only where it is asked for") {
  TypeRef f = function("f");
  const Method *common = define(types.tuple({f, t.Int64}));
  const Method *loose = define(types.tuple({f, t.Any}), "ptx");
  CHECK(look({f, t.Int64}).method == common);
  CHECK(look({f, t.Int64}, "native").method == common);
  MethodMatch match = look({f, t.Int64}, "ptx"); // less specific, and chosen all the same
  CHECK(match.method == loose);
  CHECK(match.from_overlay);
  const Method *tight = define(types.tuple({f, t.Int64}), "ptx");
  CHECK(look({f, t.Int64}, "ptx").method == tight);
  CHECK(look({f, t.Float32}, "ptx").method == loose);
  CHECK(look({f, t.Float32}).method == nullptr);
  CHECK_FALSE(look({f, t.Int64}).from_overlay);
  CHECK(world.methods_of(f, symbol("ptx"), world.age()) == std::vector<const Method *>{loose, tight, common});
}

TEST_CASE_METHOD(WorldFixture,
                 "dispatch: ambiguity names the candidates, and a method for both resolves it") {
  TypeRef f = function("f");
  const Method *a = define(types.tuple({f, t.Int64, t.Any}));
  const Method *b = define(types.tuple({f, t.Any, t.Int64}));
  define(types.tuple({f, t.Any, t.Any}));
  MethodMatch match = look({f, t.Int64, t.Int64});
  CHECK(match.method == nullptr);
  CHECK(match.ambiguous == std::vector<const Method *>{a, b});
  CHECK(look({f, t.Int64, t.Int8}).method == a);
  const Method *both = define(types.tuple({f, t.Int64, t.Int64}));
  CHECK(look({f, t.Int64, t.Int64}).method == both);
}

TEST_CASE_METHOD(WorldFixture, "world age: a job sees the methods of its world") {
  TypeRef f = function("f");
  WorldAge before = world.age();
  const Method *first = define(types.tuple({f, t.Any}));
  WorldAge with_first = world.age();
  CHECK(with_first == before + 1);
  const Method *narrower = define(types.tuple({f, t.Int64}));
  WorldAge with_both = world.age();
  CHECK(look({f, t.Int64}).method == narrower);
  CHECK(look({f, t.Int64}, "", with_first).method == first);
  CHECK(look({f, t.Int64}, "", before).method == nullptr);

  const TypeVar *T = var("T"); // f(x::T) where T is the same signature as f(x)
  const Method *second = define(where(types.tuple({f, T}), T));
  CHECK(first->end == world.age());
  CHECK(look({f, t.Int8}).method == second);
  CHECK(look({f, t.Int8}, "", with_both).method == first);
  CHECK(look({f, t.Int64}).method == narrower);
  CHECK(narrower->end == EndOfTime);
  CHECK(world.methods_of(f, {}, world.age()) == std::vector<const Method *>{narrower, second});
}

TEST_CASE_METHOD(WorldFixture, "define: what cannot be a method is an error") {
  auto builtin = try_define(types.tuple({world.intrinsic_value(Intrinsic::isa).type(), t.Any}));
  REQUIRE_FALSE(builtin.ok());
  CHECK(builtin.error().kind() == ErrorKind::Input);
  CHECK_THAT(message(builtin.error()), Catch::Contains("builtin function"));
  CHECK_FALSE(try_define(types.tuple(std::initializer_list<TypeRef>{})).ok());
  CHECK_FALSE(try_define(t.Int64).ok());
  CHECK_FALSE(world.lookup_method(t.Int64, world.age(), {}).ok());

  auto unused = std::make_unique<Method>();
  unused->name = symbol("f");
  unused->signature = types.tuple({function("f"), t.Any});
  unused->static_params = {var("T")};
  auto result = world.define(std::move(unused));
  REQUIRE_FALSE(result.ok());
  CHECK(result.error().kind() == ErrorKind::Input);
}

TEST_CASE_METHOD(WorldFixture, "methods: code is lowered once, on demand, and a failure is kept") {
  TypeRef f = function("f");
  int lowered = 0;
  auto method = [&](const char *argument, LowerFunction lower) {
    auto made = std::make_unique<Method>();
    made->name = symbol("f");
    made->signature = types.tuple({f, argument == std::string("x") ? t.Int64 : t.Float64});
    made->lower = std::move(lower);
    return take(world.define(std::move(made)));
  };
  const Method *good = method("x", [&]() -> Result<CodeInfo> {
    ++lowered;
    CodeBuilder b(types, symbol("f"), {1, uint32_t(lowered), 9});
    b.add_argument(symbol("#self#"));
    b.add_argument(symbol("x"));
    b.return_(Operand::slot(1));
    return b.finish();
  });
  CHECK(lowered == 0);
  const CodeInfo *code = take(good->code(types));
  CHECK(code == take(good->code(types)));
  CHECK(take(good->ssa(types))->code == code);
  CHECK(take(good->digest(types)) == take(good->digest(types)));
  CHECK(lowered == 1);

  int failed = 0;
  const Method *bad = method("y", [&]() -> Result<CodeInfo> {
    ++failed;
    return make_error(ErrorCode::SyntaxError, "no such luck");
  });
  for (int i = 0; i < 2; ++i) {
    auto result = bad->code(types);
    REQUIRE_FALSE(result.ok());
    CHECK(message(result.error()) == "no such luck");
  }
  CHECK_FALSE(bad->digest(types).ok());
  CHECK(failed == 1);

  const Method *circular = nullptr;
  circular = method("x", [&]() -> Result<CodeInfo> {
    KILN_TRY(const CodeInfo *own, circular->code(types));
    return CodeInfo(*own);
  });
  CHECK_FALSE(circular->code(types).ok());

  const Method *wrong = method("x", [&]() -> Result<CodeInfo> {
    CodeBuilder b(types, symbol("f"), {});
    b.add_argument(symbol("#self#"));
    b.return_(Operand::slot(0));
    return b.finish();
  });
  REQUIRE_FALSE(wrong->code(types).ok());
  CHECK(wrong->code(types).error().kind() == ErrorKind::Usage);
}
