// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fixture.h"

#include <cmath>

using namespace emit_test;
using I = Intrinsic;

namespace {

double binary(Fixture &f, Intrinsic id, double x, double y) {
  return f.run<double>(
      {f.t.Float64, f.t.Float64}, [id](Code &c) { c.return_(c.op(id, {c.arg(1), c.arg(2)})); }, x, y);
}
double unary(Fixture &f, Intrinsic id, double x) {
  return f.run<double>({f.t.Float64}, [id](Code &c) { c.return_(c.op(id, {c.arg(1)})); }, x);
}
std::string text(Fixture &f, Intrinsic id, TypeRef type, int count,
                 CompilerConfig config = Fixture::plain()) {
  std::vector<TypeRef> args(size_t(count), type);
  return f.ir(
      args,
      [=](Code &c) {
        std::vector<Operand> operands;
        for (int i = 1; i <= count; ++i) operands.push_back(c.arg(uint32_t(i)));
        c.return_(c.op(id, operands));
      },
      config);
}

} // namespace

TEST_CASE("float arithmetic") {
  Fixture f;
  CHECK(binary(f, I::add_float, 1.5, 2.25) == 3.75);
  CHECK(binary(f, I::sub_float, 1.5, 2.25) == -0.75);
  CHECK(binary(f, I::mul_float, 1.5, 2.0) == 3.0);
  CHECK(binary(f, I::div_float, 1.0, 4.0) == 0.25);
  CHECK(binary(f, I::rem_float, -7.5, 2.0) == -1.5);
  CHECK(binary(f, I::copysign_float, 3.0, -0.0) == -3.0);
  CHECK(std::signbit(unary(f, I::neg_float, 0.0)));
  CHECK(unary(f, I::abs_float, -2.0) == 2.0);
  CHECK(unary(f, I::sqrt_llvm, 2.25) == 1.5);
  CHECK(std::isnan(unary(f, I::sqrt_llvm, -1.0)));
  CHECK(unary(f, I::floor_llvm, -1.5) == -2.0);
  CHECK(unary(f, I::ceil_llvm, -1.5) == -1.0);
  CHECK(unary(f, I::trunc_llvm, -1.5) == -1.0);
  CHECK(unary(f, I::rint_llvm, 2.5) == 2.0);
}

TEST_CASE("minimum and maximum: a NaN wins, the zeros are ordered") {
  Fixture f;
  double nan = std::nan("");
  CHECK(binary(f, I::min_float, 1.0, 2.0) == 1.0);
  CHECK(binary(f, I::max_float, 1.0, 2.0) == 2.0);
  CHECK(binary(f, I::min_float, -3.0, -2.0) == -3.0);
  CHECK(binary(f, I::max_float, 5.0, 5.0) == 5.0);
  CHECK(std::isnan(binary(f, I::min_float, nan, 1.0)));
  CHECK(std::isnan(binary(f, I::max_float, 1.0, nan)));
  CHECK(std::signbit(binary(f, I::min_float, 0.0, -0.0)));
  CHECK(std::signbit(binary(f, I::min_float, -0.0, 0.0)));
  CHECK(!std::signbit(binary(f, I::max_float, -0.0, 0.0)));
  CHECK(!std::signbit(binary(f, I::max_float, 0.0, -0.0)));
  CHECK(binary(f, I::max_float, -INFINITY, 3.0) == 3.0);
}

TEST_CASE("float comparisons with NaN") {
  Fixture f;
  auto compare = [&](Intrinsic id, double x, double y) {
    return f.run<bool>(
        {f.t.Float64, f.t.Float64}, [id](Code &c) { c.return_(c.op(id, {c.arg(1), c.arg(2)})); }, x, y);
  };
  double nan = std::nan("");
  CHECK(!compare(I::eq_float, nan, nan));
  CHECK(compare(I::ne_float, nan, nan));
  CHECK(!compare(I::lt_float, nan, 1.0));
  CHECK(compare(I::le_float, 1.0, 1.0));
  CHECK(compare(I::eq_float, 0.0, -0.0));
}

TEST_CASE("products and sums round apart on the CPU; contract, or a GPU, lets code generation fuse them") {
  Fixture f;
  CHECK(has(text(f, I::add_float, f.t.Float32, 2), "fadd float"));
  CHECK(has(text(f, I::mul_float, f.t.Float32, 2), "fmul float"));
  CHECK(has(text(f, I::sub_float, f.t.Float64, 2), "fsub double"));
  CHECK(has(text(f, I::muladd_float, f.t.Float32, 3), "call float @llvm.fmuladd.f32"));
  auto config = Fixture::plain();
  config.target.contract = Contraction::Off;
  CHECK(has(text(f, I::mul_float, f.t.Float32, 2, config), "fmul float"));
  CHECK(has(text(f, I::mul_float_fast, f.t.Float32, 2, config), "fmul fast float"));
  auto gpu = Fixture::kernel();
  gpu.kernel = false;
  CHECK(has(text(f, I::mul_float, f.t.Float32, 2, gpu), "fmul contract float"));
  gpu.target.contract = Contraction::Off;
  CHECK(has(text(f, I::mul_float, f.t.Float32, 2, gpu), "fmul float"));
  CHECK(has(text(f, I::add_float, f.t.Float64, 2, gpu), "fadd double"));
}

TEST_CASE("with contract on, products and sums may fuse; @fastmath relaxes all") {
  Fixture f;
  auto on = Fixture::plain();
  on.target.contract = Contraction::On;
  CHECK(has(text(f, I::add_float, f.t.Float32, 2, on), "fadd contract float"));
  CHECK(has(text(f, I::mul_float, f.t.Float32, 2, on), "fmul contract float"));
  CHECK(has(text(f, I::div_float, f.t.Float32, 2), "fdiv float"));
  CHECK(has(text(f, I::mul_float_fast, f.t.Float32, 2), "fmul fast float"));
  CHECK(has(text(f, I::sqrt_llvm_fast, f.t.Float32, 1), "call fast float @llvm.sqrt.f32"));
  CHECK(has(text(f, I::fma_float, f.t.Float32, 3), "@llvm.fma.f32"));
  CHECK(has(text(f, I::muladd_float, f.t.Float32, 3, on), "call contract float @llvm.fmuladd.f32"));
  CHECK(has(text(f, I::add_float, f.t.Float16, 2, on), "fadd contract half"));
  CHECK(has(text(f, I::add_float, f.t.BFloat16, 2, on), "fadd contract bfloat"));
  auto config = Fixture::plain();
  config.target.fast_math = true;
  CHECK(has(text(f, I::div_float, f.t.Float32, 2, config), "fdiv fast float"));
}

TEST_CASE("ptx has minimum and maximum of its own from sm_80 on, for all but doubles") {
  Fixture f;
  auto config = Fixture::kernel();
  config.kernel = false;
  CHECK(has(text(f, I::min_float, f.t.Float32, 2, config), "@llvm.minimum.f32"));
  CHECK(!has(text(f, I::min_float, f.t.Float64, 2, config), "@llvm.minimum"));
  config.target.edit<PtxOptions>().sm = 75;
  CHECK(!has(text(f, I::max_float, f.t.Float32, 2, config), "@llvm.maximum"));
}
