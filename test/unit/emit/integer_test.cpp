// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fixture.h"

namespace integer_test {

using namespace emit_test;
using I = Intrinsic;

namespace {

int64_t binary(Fixture &f, Intrinsic id, int64_t x, int64_t y) {
  return f.run<int64_t>(
      {f.t.Int64, f.t.Int64}, [id](Code &c) { c.return_(c.op(id, {c.arg(1), c.arg(2)})); }, x, y);
}
int64_t unary(Fixture &f, Intrinsic id, int64_t x) {
  return f.run<int64_t>({f.t.Int64}, [id](Code &c) { c.return_(c.op(id, {c.arg(1)})); }, x);
}

} // namespace

TEST_CASE("integer arithmetic wraps and rounds towards zero") {
  Fixture f;
  const int64_t least = INT64_MIN;
  CHECK(binary(f, I::add_int, INT64_MAX, 1) == least);
  CHECK(binary(f, I::sub_int, 3, 5) == -2);
  CHECK(binary(f, I::mul_int, -7, 6) == -42);
  CHECK(binary(f, I::sdiv_int, -7, 2) == -3);
  CHECK(binary(f, I::srem_int, -7, 2) == -1);
  CHECK(binary(f, I::udiv_int, -1, 2) == INT64_MAX);
  CHECK(binary(f, I::urem_int, -1, 10) == 5); // 2^64 - 1 = ...615
  CHECK(binary(f, I::and_int, 12, 10) == 8);
  CHECK(binary(f, I::or_int, 12, 10) == 14);
  CHECK(binary(f, I::xor_int, 12, 10) == 6);
  CHECK(unary(f, I::not_int, 0) == -1);
  CHECK(unary(f, I::neg_int, 5) == -5);
  CHECK(unary(f, I::ctpop_int, 255) == 8);
  CHECK(unary(f, I::ctlz_int, 0) == 64);
  CHECK(unary(f, I::cttz_int, 0) == 64);
  CHECK(unary(f, I::cttz_int, 8) == 3);
  CHECK(unary(f, I::bswap_int, 0x0102030405060708) == 0x0807060504030201);
  CHECK(unary(f, I::bitreverse_int, 1) == least);
  CHECK(binary(f, I::mulhi_s, -1, 1) == -1);
  CHECK(binary(f, I::mulhi_u, -1, 2) == 1);
}

TEST_CASE("shift counts past the width are defined") {
  Fixture f;
  for (auto [count, shl, lshr, ashr] : std::vector<std::array<int64_t, 4>>{{0, -8, -8, -8},
                                                                           {1, -16, 0x7ffffffffffffffc, -4},
                                                                           {63, 0, 1, -1},
                                                                           {64, 0, 0, -1},
                                                                           {200, 0, 0, -1}}) {
    CHECK(binary(f, I::shl_int, -8, count) == shl);
    CHECK(binary(f, I::lshr_int, -8, count) == lshr);
    CHECK(binary(f, I::ashr_int, -8, count) == ashr);
  }
  SECTION("a constant count in range is a plain shift") {
    std::string text = f.ir({f.t.Int64}, [](Code &c) { c.return_(c.op(I::shl_int, {c.arg(1), c.i64(3)})); });
    CHECK(has(text, "shl i64 %a1, 3"));
    CHECK(!has(text, "select"));
  }
  SECTION("a narrow count") {
    CHECK(f.run<int64_t>(
              {f.t.Int64, f.t.UInt8}, [](Code &c) { c.return_(c.op(I::shl_int, {c.arg(1), c.arg(2)})); },
              int64_t(1), uint8_t(65)) == 0);
    CHECK(f.run<int8_t>(
              {f.t.Int8, f.t.UInt64}, [](Code &c) { c.return_(c.op(I::shl_int, {c.arg(1), c.arg(2)})); },
              int8_t(1), uint64_t(256)) == 0);
  }
}

TEST_CASE("comparisons") {
  Fixture f;
  auto compare = [&](Intrinsic id, int64_t x, int64_t y) {
    return f.run<bool>(
        {f.t.Int64, f.t.Int64}, [id](Code &c) { c.return_(c.op(id, {c.arg(1), c.arg(2)})); }, x, y);
  };
  CHECK(compare(I::slt_int, -1, 0));
  CHECK(!compare(I::ult_int, -1, 0));
  CHECK(compare(I::sle_int, 4, 4));
  CHECK(compare(I::ule_int, 4, 4));
  CHECK(compare(I::eq_int, 4, 4));
  CHECK(!compare(I::ne_int, 4, 4));
}

TEST_CASE("checked arithmetic yields the wrapped value and whether it overflowed") {
  Fixture f;
  struct {
    Intrinsic id;
    int64_t x, y;
    bool overflows;
  } cases[] = {
      {I::checked_sadd_int, INT64_MAX, 1, true}, {I::checked_sadd_int, 1, 2, false},
      {I::checked_uadd_int, -1, 1, true},        {I::checked_ssub_int, INT64_MIN, 1, true},
      {I::checked_usub_int, 0, 1, true},         {I::checked_smul_int, INT64_MAX, 2, true},
      {I::checked_umul_int, 3, 4, false},
  };
  for (auto &one : cases) {
    auto id = one.id;
    CHECK(f.run<bool>(
              {f.t.Int64, f.t.Int64},
              [id](Code &c) { c.return_(c.op(I::getfield, {c.op(id, {c.arg(1), c.arg(2)}), c.i64(2)})); },
              one.x, one.y) == one.overflows);
  }
}

TEST_CASE("conversions") {
  Fixture f;
  auto convert = [&](Intrinsic id, TypeRef to) {
    return [=](Code &c) { c.return_(c.op(id, {c.type(to), c.arg(1)})); };
  };
  CHECK(f.run<int8_t>({f.t.Int64}, convert(I::trunc_int, f.t.Int8), int64_t(0x1ff)) == -1);
  CHECK(f.run<bool>({f.t.Int64}, convert(I::trunc_int, f.t.Bool), int64_t(2)) == false);
  CHECK(f.run<int64_t>({f.t.Int8}, convert(I::sext_int, f.t.Int64), int8_t(-3)) == -3);
  CHECK(f.run<int64_t>({f.t.Int8}, convert(I::zext_int, f.t.Int64), int8_t(-3)) == 253);
  CHECK(f.run<int64_t>({f.t.Bool}, convert(I::zext_int, f.t.Int64), true) == 1);
  CHECK(f.run<uint8_t>({f.t.Bool}, convert(I::bitcast, f.t.UInt8), true) == 1);
  CHECK(f.run<double>({f.t.Int64}, convert(I::sitofp, f.t.Float64), int64_t(-3)) == -3.0);
  CHECK(f.run<double>({f.t.UInt64}, convert(I::uitofp, f.t.Float64), uint64_t(1) << 63) ==
        9223372036854775808.0);
  CHECK(f.run<double>({f.t.Bool}, convert(I::sitofp, f.t.Float64), true) == 1.0);
  CHECK(f.run<int32_t>({f.t.Float64}, convert(I::fptosi, f.t.Int32), -3.9) == -3);
  CHECK(f.run<float>({f.t.Float64}, convert(I::fptrunc, f.t.Float32), 0.1) == 0.1f);
  CHECK(f.run<double>({f.t.Float32}, convert(I::fpext, f.t.Float64), 0.5f) == 0.5);
  CHECK(f.run<uint32_t>({f.t.Float32}, convert(I::bitcast, f.t.UInt32), 1.0f) == 0x3f800000);
  CHECK(f.run<uint64_t>({f.ptr(f.t.Float32)}, convert(I::bitcast, f.t.UInt64), (void *)0x1234) == 0x1234);
}

TEST_CASE("128-bit integers") {
  Fixture f;
  CHECK(f.run<int64_t>(
            {f.t.Int64, f.t.Int64},
            [&](Code &c) {
              Operand x = c.op(I::sext_int, {c.type(f.t.Int128), c.arg(1)}),
                      y = c.op(I::sext_int, {c.type(f.t.Int128), c.arg(2)});
              Operand product = c.op(I::mul_int, {x, y});
              c.return_(c.op(I::trunc_int, {c.type(f.t.Int64), c.op(I::lshr_int, {product, c.i64(64)})}));
            },
            int64_t(1) << 62, int64_t(8)) == 2);
}

TEST_CASE("arguments that do not fit are a fault, not a crash") {
  Fixture f;
  std::string text = f.ir(
      {f.t.Int64, f.t.Int32}, [](Code &c) { c.return_(c.op(I::add_int, {c.arg(1), c.arg(2)})); },
      [] {
        auto c = Fixture::plain();
        c.validate = false;
        return c;
      }());
  CHECK(has(text, "call void @kiln.static_error"));
}

} // namespace integer_test
