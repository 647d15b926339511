// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fixture.h"

using namespace emit_test;
using I = Intrinsic;

TEST_CASE("kernel parameters have their memory layout; ghosts have none") {
  Fixture f;
  TypeRef array = f.structure("DeviceVector", {{"ptr", f.device_ptr(f.t.Float32, 1)},
                                               {"maxsize", f.t.Int64},
                                               {"dims", f.types.tuple({f.t.Int64})},
                                               {"len", f.t.Int64}});
  const Method *m = f.define("k", {array, f.t.Nothing, f.t.Bool}, [](Code &c) { c.return_(c.nothing()); });
  EmittedModule emitted = f.take(f.emit_method(m, {array, f.t.Nothing, f.t.Bool}, Fixture::kernel()));
  std::string text = Fixture::text_of(*emitted.module);
  CHECK(has(text, "define void @entry({ ptr addrspace(1), i64, [1 x i64], i64 } %a1, i8 %a3)"));
  CHECK(has(text, "\"kiln.entry\" \"kiln.kernel\""));
  CHECK(has(text, "target triple = \"nvptx64-nvidia-cuda\""));
  REQUIRE(emitted.parameters.size() == 2);
  CHECK(emitted.parameters[0].argument == 1);
  CHECK(emitted.parameters[0].size == 32);
  CHECK(emitted.parameters[0].align == 8);
  CHECK(emitted.parameters[1].argument == 3);
  CHECK(emitted.parameters[1].size == 1);
  CHECK(emitted.entry == "entry");
}

TEST_CASE("a plain function returns its value in memory form") {
  Fixture f;
  TypeRef pair = f.types.tuple({f.t.Int64, f.t.Bool});
  const Method *m = f.define("g", {pair}, [](Code &c) { c.return_(c.arg(1)); });
  EmittedModule emitted = f.take(f.emit_method(m, {pair}, Fixture::plain()));
  std::string text = Fixture::text_of(*emitted.module);
  CHECK(has(text, "define { i64, i8 } @entry({ i64, i8 } %a1)"));
  CHECK(emitted.return_size == 16);
  CHECK(!has(text, "kiln.kernel"));
}

TEST_CASE("what a kernel may not be") {
  Fixture f;
  auto error = [&](const Method *m, std::vector<TypeRef> types, const CompilerConfig &config) {
    auto result = f.emit_method(m, types, config);
    REQUIRE(!result.ok());
    CHECK(result.error().kind() == ErrorKind::Input);
    return result.error().diagnostics()[0];
  };
  SECTION("it returns a value") {
    const Method *m = f.define("k", {f.t.Int64}, [](Code &c) { c.return_(c.arg(1)); });
    Diagnostic d = error(m, {f.t.Int64}, Fixture::kernel());
    CHECK(d.name() == "KernelError");
    CHECK(d.message == "kernel returns a value of type `Int64`");
    CHECK(d.hint == "Make sure your kernel function ends in `return`, `return nothing` or `nothing`.");
    CHECK(d.at);
    auto unchecked = Fixture::kernel();
    unchecked.validate = false;
    CHECK(f.emit_method(m, {f.t.Int64}, unchecked).ok());
  }
  SECTION("an argument is not made of bits") {
    TypeRef holder = f.structure("Holder", {{"name", f.t.String}, {"n", f.t.Int64}});
    const Method *m = f.define("k", {f.t.Int64, holder}, [](Code &c) { c.return_(c.nothing()); });
    Diagnostic d = error(m, {f.t.Int64, holder}, Fixture::kernel());
    CHECK(d.message == "passing non-bitstype argument");
    REQUIRE(d.notes.size() == 1);
    CHECK(has(d.notes[0].text, "Argument 2 to your kernel function is of type Holder"));
    CHECK(has(d.notes[0].text, ".name is of type String which is not isbits."));
  }
  SECTION("a kernel that always throws is one") {
    const Method *m = f.define("k", {}, [](Code &c) {
      c.op(I::getfield, {c.op(I::tuple, {c.i64(1)}), c.i64(2)});
      c.unreachable();
    });
    CHECK(has(f.ir(m, {}, Fixture::kernel()), "kiln.throw"));
  }
}

TEST_CASE("exceptions carry kind, text and the places of all frames") {
  Fixture f;
  TypeRef error = f.structure("ArgumentError", {{"msg", f.t.String}});
  f.define("check", {f.t.Int64}, [&](Code &c) {
    c.set_span({1, 16, 20});
    auto fine = c.new_label();
    c.go_to_if_not(c.op(I::slt_int, {c.arg(1), c.i64(0)}), fine);
    c.op(I::throw_,
         {c.new_struct(c.type(error), {c.constant(Value::string(c.types, "must not be negative"))})});
    c.unreachable();
    c.place(fine);
    c.return_(c.arg(1));
  });
  const Method *m = f.define("outer", {f.t.Int64}, [&](Code &c) {
    c.set_span({1, 7, 11});
    c.return_(c.call(c.constant(f.function("check")), {c.arg(1)}));
  });
  CHECK(f.run<int64_t>(m, {f.t.Int64}, int64_t(3)) == 3);
  f.run<int64_t>(m, {f.t.Int64}, int64_t(-3));
  CHECK(f.exception.kind == uint32_t(abi::ExceptionKind::ArgumentError));
  CHECK(f.exception.name == "ArgumentError: must not be negative");
  CHECK(f.exception.location == "check|test.jl|3\nouter|test.jl|2");
  std::string text = f.ir(m, {f.t.Int64});
  CHECK(has(text, "DISubprogram(name: \"check\""));
  CHECK(has(text, "!DILocation(line: 3, column: 5"));
}

TEST_CASE("undefined variables and faults") {
  Fixture f;
  Fixture::Body body = [](Code &c) {
    c.op(I::throw_undef_var, {c.arg(1), c.sym("x")});
    c.return_(c.i64(1));
  };
  CHECK(f.run<int64_t>({f.t.Bool}, body, true) == 1);
  f.run<int64_t>({f.t.Bool}, body, false);
  CHECK(f.exception.kind == uint32_t(abi::ExceptionKind::UndefVarError));
  CHECK(f.exception.name == "UndefVarError: x");

  SECTION("a static error keeps its message") {
    std::string text = f.ir({f.t.Int64}, [](Code &c) {
      c.op(I::static_error, {c.constant(Value::string(c.types, "N must be even"))});
      c.unreachable();
    });
    CHECK(has(text, "123\\1FN must be even\\1F"));
    CHECK(has(text, "nomerge"));
  }
  SECTION("a call that has no method") {
    f.define("g", {f.t.Int64}, [](Code &c) { c.return_(c.arg(1)); });
    auto config = Fixture::plain();
    std::string text = f.ir(
        {f.t.Float64}, [&](Code &c) { c.return_(c.call(c.constant(f.function("g")), {c.arg(1)})); }, config);
    CHECK(count(text, "call void @kiln.static_error") == 1);
    CHECK(has(text, "102\\1Fno method matching g(::Float64)\\1F"));
  }
}

TEST_CASE("debug information") {
  Fixture f;
  const Method *m = f.define("g", {f.t.Int64}, [](Code &c) { c.return_(c.op(I::neg_int, {c.arg(1)})); });
  auto config = Fixture::plain();
  std::string lines = f.ir(m, {f.t.Int64}, config);
  CHECK(has(lines, "emissionKind: LineTablesOnly"));
  CHECK(has(lines, "!DIFile(filename: \"test.jl\""));
  CHECK(!has(lines, "DILocalVariable"));
  config.debug_level = 2;
  std::string full = f.ir(m, {f.t.Int64}, config);
  CHECK(has(full, "emissionKind: FullDebug"));
  CHECK(has(full, "!DILocalVariable(name: \"a1\", arg: 1"));
  CHECK(has(full, "!DIBasicType(name: \"Int64\", size: 64, encoding: DW_ATE_signed)"));
  const Method *k = f.define("k", {f.t.Int64}, [](Code &c) { c.return_(c.nothing()); });
  CHECK(has(f.ir(k, {f.t.Int64}, Fixture::kernel()), "emissionKind: DebugDirectivesOnly"));
}

TEST_CASE("the same job gives the same text") {
  auto once = [] {
    Fixture f;
    f.define("h", {f.t.Int64}, [](Code &c) { c.return_(c.op(I::neg_int, {c.arg(1)})); }, {.noinline = true});
    return f.ir({f.t.Int64, f.t.Int64}, [&](Code &c) {
      Operand g = c.constant(f.function("h"));
      Operand pair = c.op(I::tuple, {c.call(g, {c.arg(1)}), c.arg(2)});
      c.return_(c.op(I::getfield, {pair, c.arg(1)}));
    });
  };
  CHECK(once() == once());
}
