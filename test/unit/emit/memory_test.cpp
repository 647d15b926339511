// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fixture.h"

using namespace emit_test;
using I = Intrinsic;

TEST_CASE("loads and stores of scalars and structs") {
  Fixture f;
  Value natural = f.val(f.types.int64(0));
  int64_t data[3] = {10, 20, 30};
  TypeRef pointer = f.ptr(f.t.Int64);
  CHECK(f.run<int64_t>(
            {pointer, f.t.Int64},
            [=](Code &c) { c.return_(c.op(I::pointer_load, {c.arg(1), c.arg(2), c.constant(natural)})); },
            &data[0], int64_t(2)) == 30);
  f.run<void *>(
      {pointer, f.t.Int64},
      [=](Code &c) {
        c.op(I::pointer_store, {c.arg(1), c.arg(2), c.i64(1), c.constant(natural)});
        c.return_(c.arg(1));
      },
      &data[0], int64_t(77));
  CHECK(data[1] == 77);

  struct Mixed {
    bool flag;
    double x;
    int32_t n;
  } records[2] = {{false, 1.0, 1}, {true, 2.5, -4}};
  TypeRef mixed = f.structure("Mixed", {{"flag", f.t.Bool}, {"x", f.t.Float64}, {"n", f.t.Int32}});
  // p[0] = p[1]
  f.run<void *>(
      {f.ptr(mixed)},
      [=](Code &c) {
        Operand second = c.op(I::pointer_load, {c.arg(1), c.i64(1), c.constant(natural)});
        c.op(I::pointer_store, {c.arg(1), second, c.i64(0), c.constant(natural)});
        c.return_(c.arg(1));
      },
      &records[0]);
  CHECK(records[0].flag);
  CHECK(records[0].x == 2.5);
  CHECK(records[0].n == -4);
}

TEST_CASE("address spaces, alignment and invariance on ptx") {
  Fixture f;
  Value natural = f.val(f.types.int64(0)), sixteen = f.val(f.types.int64(16));
  TypeRef global = f.device_ptr(f.t.Float32, 1);
  std::string text = f.ir(
      {global, f.t.Int64},
      [=](Code &c) {
        Operand x = c.op(I::pointer_load_invariant, {c.arg(1), c.arg(2), c.constant(natural)});
        Operand y = c.op(I::pointer_load, {c.arg(1), c.i64(0), c.constant(sixteen)});
        c.op(I::pointer_store, {c.arg(1), c.op(I::add_float, {x, y}), c.i64(0), c.constant(natural)});
        c.return_(c.nothing());
      },
      Fixture::kernel());
  CHECK(has(text, "getelementptr inbounds float, ptr addrspace(1) %a1, i64 %a2"));
  CHECK(has(text, "align 4, !dbg !"));
  CHECK(has(text, "!invariant.load"));
  CHECK(has(text, "load float, ptr addrspace(1) %a1, align 16"));
  CHECK(has(text, "store float"));
  auto native = Fixture::plain();
  native.kernel = true;
  text = f.ir(
      {global, f.t.Int64},
      [=](Code &c) {
        c.op(I::pointer_store,
             {c.arg(1), c.op(I::pointer_load_invariant, {c.arg(1), c.arg(2), c.constant(natural)}), c.i64(0),
              c.constant(natural)});
        c.return_(c.nothing());
      },
      native);
  CHECK(!has(text, "addrspace"));
  CHECK(!has(text, "!invariant.load"));
}

TEST_CASE("pointer arithmetic and conversions") {
  Fixture f;
  TypeRef bytes = f.ptr(f.t.UInt8), ints = f.ptr(f.t.Int64);
  int64_t data[2] = {1, 2};
  CHECK(f.run<void *>(
            {ints, f.t.Int64}, [](Code &c) { c.return_(c.op(I::pointer_add, {c.arg(1), c.arg(2)})); },
            &data[0], int64_t(8)) == &data[1]);
  CHECK(f.run<uint64_t>(
            {ints}, [](Code &c) { c.return_(c.op(I::pointer_to_int, {c.arg(1)})); }, (int64_t *)0x40) ==
        0x40);
  CHECK(f.run<void *>(
            {f.t.UInt64}, [=](Code &c) { c.return_(c.op(I::int_to_pointer, {c.type(bytes), c.arg(1)})); },
            uint64_t(0x80)) == (void *)0x80);
  TypeRef global = f.device_ptr(f.t.Float32, 1), generic = f.device_ptr(f.t.Int32, 0);
  auto config = Fixture::kernel();
  config.kernel = false;
  CHECK(has(
      f.ir(
          {global}, [=](Code &c) { c.return_(c.op(I::pointer_cast, {c.type(generic), c.arg(1)})); }, config),
      "addrspacecast ptr addrspace(1) %a1 to ptr"));
}

TEST_CASE("shared, dynamic and local memory") {
  Fixture f;
  Value count = f.val(f.types.int64(32)), natural = f.val(f.types.int64(0));
  Fixture::Body tile = [=](Code &c) {
    Operand p = c.op(I::static_shared, {c.type(c.types.builtins().Float32), c.constant(count)});
    c.return_(c.op(I::pointer_load, {p, c.arg(1), c.constant(natural)}));
  };
  f.define("tile", {f.t.Int64}, tile);
  std::string text = f.ir(
      {f.t.Int64},
      [&](Code &c) {
        Operand g = c.constant(f.function("tile"));
        Operand sum = c.op(I::add_float, {c.call(g, {c.arg(1)}), c.call(g, {c.arg(1)})});
        Operand q = c.op(I::dynamic_shared, {c.type(f.t.Float32)});
        c.op(I::pointer_store, {q, sum, c.i64(0), c.constant(natural)});
        c.return_(c.nothing());
      },
      Fixture::kernel());
  CHECK(has(text, "@kiln_shared_1 = internal addrspace(3) global [32 x float] undef, align 32"));
  CHECK(has(text, "@kiln_shared_2 = internal addrspace(3) global"));
  CHECK(has(text, "@kiln_dynamic_shared = external addrspace(3) global [0 x i8], align 16"));
  Fixture::Body scratch = [=](Code &c) {
    Operand p = c.op(I::stack_alloc, {c.type(c.types.builtins().Int64), c.constant(count)});
    c.op(I::pointer_store, {p, c.arg(1), c.i64(5), c.constant(natural)});
    c.return_(c.op(I::pointer_load, {p, c.i64(5), c.constant(natural)}));
  };
  CHECK(f.run<int64_t>({f.t.Int64}, scratch, int64_t(9)) == 9);
}

TEST_CASE("foreign calls") {
  Fixture f;
  auto call = [&](const char *name, TypeRef returns, std::vector<TypeRef> takes) -> Fixture::Body {
    return [=, &f](Code &c) {
      std::vector<Operand> args{c.sym(name), c.type(returns), c.type(f.types.tuple(takes))};
      for (uint32_t i = 1; i <= takes.size(); ++i) args.push_back(c.arg(i));
      c.return_(c.op(I::foreign_call, args));
    };
  };
  CHECK(f.run<double>({f.t.Float64}, call("llvm.floor.f64", f.t.Float64, {f.t.Float64}), 2.7) == 2.0);
  CHECK(f.run<double>({f.t.Float64}, call("extern floor", f.t.Float64, {f.t.Float64}), 2.7) == 2.0);
  std::string text = f.ir({f.t.Float32}, call("__nv_sinf", f.t.Float32, {f.t.Float32}));
  CHECK(has(text, "declare float @__nv_sinf(float)"));
  CHECK(has(text, "memory(none)"));
  CHECK(has(f.ir({}, call("kiln.sync_threads", f.t.Nothing, {})), "convergent"));
  SECTION("of intrinsics that LLVM does not have, or has with another type") {
    CHECK(has(f.ir({f.t.Float64}, call("llvm.no.such", f.t.Float64, {f.t.Float64})),
              "LLVM has no intrinsic `llvm.no.such`"));
    CHECK(has(f.ir({f.t.Int64}, call("llvm.floor.f64", f.t.Int64, {f.t.Int64})),
              "`llvm.floor.f64` has another type"));
    CHECK(has(f.ir({f.t.Bool, f.t.Int64}, call("llvm.cttz.i64", f.t.Int64, {f.t.Bool, f.t.Int64})),
              "has another type"));
    CHECK(has(f.ir({f.t.Int64, f.t.Bool}, call("llvm.cttz.i64", f.t.Int64, {f.t.Int64, f.t.Bool})),
              "must be a constant"));
  }
}

TEST_CASE("what the device tells") {
  Fixture f;
  auto config = Fixture::kernel();
  config.kernel = false;
  CHECK(
      has(f.ir({}, [](Code &c) { c.return_(c.op(I::kernel_state, {})); }, config), "call ptr @kiln.state()"));
  CHECK(has(f.ir(
                {}, [](Code &c) { c.return_(c.op(I::debug_level, {})); }, config),
            "call i32 @kiln.debug_level()"));
  Value text = f.val(Value::symbol(f.types, f.symbol("hello")));
  Value natural = f.val(f.types.int64(0));
  CHECK(f.run<uint8_t>(
            {f.t.Int64},
            [=](Code &c) {
              Operand p = c.op(I::device_string, {c.constant(text)});
              c.return_(c.op(I::pointer_load, {p, c.arg(1), c.constant(natural)}));
            },
            int64_t(4)) == 'o');
}
