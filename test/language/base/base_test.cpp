// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The base library against Julia's answers: every expression by the interpreter, and compiled for the CPU.
#include <catch2/catch.hpp>
#include <kiln/extension/language.h>
#include <support/support.h>

#include <support/support.h>

using namespace kiln;

namespace {

struct Row {
  const char *expression;
  const char *expected; ///< value::Type as it prints, or ! and the name of the exception
};

const Row Rows[] = {
    // integer typing and promotion
    {R"(Int32(1) + 1)", "2::Int64"},
    {R"(Int32(1) + UInt32(2))", "0x00000003::UInt32"},
    {R"(1 + UInt32(2))", "3::Int64"},
    {R"(Int32(7) * 1.5f0)", "10.5f0::Float32"},
    {R"(2f0 * 1.5)", "3.0::Float64"},
    {R"(true + true)", "2::Int64"},
    {R"(7 / 2)", "3.5::Float64"},
    {R"(Int8(100) + Int8(100))", "-56::Int8"},
    {R"(typemax(Int64) + 1)", "-9223372036854775808::Int64"},
    {R"(1i32)", "1::Int32"},
    {R"(512u16)", "0x0200::UInt16"},
    {R"(UInt8(5) | 3)", "7::Int64"},
    // comparison by value
    {R"(Int32(-1) < UInt32(1))", "true::Bool"},
    {R"(-1 == 0xffffffffffffffff)", "false::Bool"},
    {R"(9007199254740993 == 9007199254740992.0)", "false::Bool"},
    {R"(9007199254740993 < 9007199254740992.0)", "false::Bool"},
    {R"(typemax(Int64) < 9.223372036854775807e18)", "true::Bool"},
    {R"(typemax(Int64) == 9.223372036854775807e18)", "false::Bool"},
    {R"(NaN == NaN)", "false::Bool"},
    {R"(isequal(NaN, NaN))", "true::Bool"},
    {R"(isless(-0.0, 0.0))", "true::Bool"},
    {R"(1 <= 2.5 < 3)", "true::Bool"},
    // checked and unchecked conversion
    {R"(Int32(300) % UInt8)", "0x2c::UInt8"},
    {R"(-1 % UInt16)", "0xffff::UInt16"},
    {R"(UInt8(300))", "!InexactError"},
    {R"(UInt32(-1))", "!InexactError"},
    {R"(Int8(0x80))", "!InexactError"},
    {R"(Int32(0xffffffffffffffff))", "!InexactError"},
    {R"(Int32(2.5))", "!InexactError"},
    {R"(Int32(2147483648.0))", "!InexactError"},
    {R"(Int32(-2147483648.0))", "-2147483648::Int32"},
    {R"(Int64(9.223372036854775807e18))", "!InexactError"},
    {R"(UInt8(-0.0))", "0x00::UInt8"},
    {R"(Int(NaN))", "!InexactError"},
    {R"(Bool(2))", "!InexactError"},
    {R"(unsafe_trunc(Int32, 3.9f0))", "3::Int32"},
    {R"(floor(Int32, -1.5f0))", "-2::Int32"},
    {R"(round(Int, 2.5))", "2::Int64"},
    {R"(trunc(Int8, 300.0))", "!InexactError"},
    {R"(Int('A'))", "65::Int64"},
    {R"('a' + 1)", "'b'::Char"},
    // division
    {R"(-7 ÷ 2)", "-3::Int64"},
    {R"(-7 % 3)", "-1::Int64"},
    {R"(mod(-7, 3))", "2::Int64"},
    {R"(mod(7, -3))", "-2::Int64"},
    {R"(fld(-7, 2))", "-4::Int64"},
    {R"(cld(-7, 2))", "-3::Int64"},
    {R"(cld(7, 2))", "4::Int64"},
    {R"(mod1(6, 3))", "3::Int64"},
    {R"(fld1(6, 3))", "2::Int64"},
    {R"(fldmod1(7, 3))", "(3, 1)::Tuple{Int64, Int64}"},
    {R"(divrem(-7, 2))", "(-3, -1)::Tuple{Int64, Int64}"},
    {R"(div(1, 0))", "!DivideError"},
    {R"(rem(typemin(Int), -1))", "0::Int64"},
    {R"(div(typemin(Int), -1))", "!DivideError"},
    {R"(div(Int32(-7), UInt32(2)))", "-3::Int32"},
    {R"(mod(Int32(-7), UInt32(4)))", "0x00000001::UInt32"},
    {R"(mod(-0.5, 2.0))", "1.5::Float64"},
    {R"(rem(-5.5, 2.0))", "-1.5::Float64"},
    {R"(gcd(12, 18))", "6::Int64"},
    {R"(lcm(4, 6))", "12::Int64"},
    // shifts and bits
    {R"(1 << -1)", "0::Int64"},
    {R"(-8 >> 1)", "-4::Int64"},
    {R"(-8 >>> 60)", "15::Int64"},
    {R"(1 << 64)", "0::Int64"},
    {R"(-1 >> 64)", "-1::Int64"},
    {R"(count_ones(0xff))", "8::Int64"},
    {R"(leading_zeros(Int32(1)))", "31::Int64"},
    {R"(bswap(0x00000001))", "0x01000000::UInt32"},
    {R"(nextpow(2, 9))", "16::Int64"},
    {R"(widemul(Int32(1073741824), Int32(4)))", "4294967296::Int64"},
    {R"(5 ⊻ 3)", "6::Int64"},
    // powers
    {R"(2^10)", "1024::Int64"},
    {R"(2^-1)", "0.5::Float64"},
    {R"(2.0^-2)", "0.25::Float64"},
    {R"(2.5f0^3)", "15.625f0::Float32"},
    {R"(3^UInt8(4))", "81::Int64"},
    {R"((p -> 2^p)(-1))", "!DomainError"},
    {R"((p -> 2f0^p)(5))", "32.0f0::Float32"},
    // floats
    {R"(min(-0.0, 0.0))", "-0.0::Float64"},
    {R"(max(NaN, 1.0))", "NaN::Float64"},
    {R"(clamp(1.5f0, 0, 1))", "1.0f0::Float32"},
    {R"(round(2.5))", "2.0::Float64"},
    {R"(sign(-2.5))", "-1.0::Float64"},
    {R"(copysign(3.0, -1))", "-3.0::Float64"},
    {R"(nextfloat(1f0))", "1.0000001f0::Float32"},
    {R"(eps(Float32))", "1.1920929f-7::Float32"},
    {R"(exponent(8.0))", "3::Int64"},
    {R"(fma(2.0, 3, 4f0))", "10.0::Float64"},
    {R"(evalpoly(2.0, (1, 2, 3)))", "17.0::Float64"},
    {R"(Float16(2)^2 + 1f0)", "5.0f0::Float32"},
    {R"(2f0 * pi)", "6.2831855f0::Float32"},
    {R"(-pi)", "-3.141592653589793::Float64"},
    {R"(hypot(3, 4))", "5.0::Float64"},
    {R"(sinpi(1.0))", "0.0::Float64"},
    {R"(cospi(0.5))", "0.0::Float64"},
    // tuples
    {R"((1, 2f0)[2])", "2.0f0::Float32"},
    {R"(map(x -> x + 1, (1, 2.0, 3f0)))", "(2, 3.0, 4.0f0)::Tuple{Int64, Float64, Float32}"},
    {R"(ntuple(i -> 2i, 3))", "(2, 4, 6)::Tuple{Int64, Int64, Int64}"},
    {R"(Base.tail((1, 2, 3)))", "(2, 3)::Tuple{Int64, Int64}"},
    {R"(Base.setindex((1, 2, 3), 9, 2))", "(1, 9, 3)::Tuple{Int64, Int64, Int64}"},
    {R"((1, 2) < (1, 3))", "true::Bool"},
    {R"(3 in (1, 2, 3))", "true::Bool"},
    {R"(foldl(-, (10, 1, 2)))", "7::Int64"},
    {R"(extrema((4, 1, 3)))", "(1, 4)::Tuple{Int64, Int64}"},
    {R"((a = 1, b = 2f0).b)", "2.0f0::Float32"},
    {R"(NTuple{2,Float32}((1, 2)))", "(1.0f0, 2.0f0)::Tuple{Float32, Float32}"},
    {R"((1, 2) .* (3f0, 4) .+ 1)", "(4.0f0, 9)::Tuple{Float32, Int64}"},
    {R"((t -> t[4])((1, 2, 3)))", "!BoundsError"},
    // ranges
    {R"(sum(1:10))", "55::Int64"},
    {R"(length(3:1))", "0::Int64"},
    {R"(length(Int32(1):Int32(2):Int32(10)))", "5::Int64"},
    {R"(last(10:-3:2))", "4::Int64"},
    {R"(sum(x for x in 10:-3:1))", "22::Int64"},
    {R"(sum(1 for x in 0xff:-1:0xfd))", "3::Int64"},
    {R"(sum(1 for x in typemax(Int)-4:3:typemax(Int)))", "2::Int64"},
    {R"(sum(x for x in typemax(Int)-1:typemax(Int)))", "-3::Int64"},
    {R"(sum(x for x in 5:-1:7))", "0::Int64"},
    {R"(sum(x for x in 1:10 if iseven(x)))", "30::Int64"},
    {R"(sum(i * j for i in 1:3, j in 1:2))", "18::Int64"},
    {R"(sum(a * b for (a, b) in zip(1:3, 4:6)))", "32::Int64"},
    {R"((s -> 1:s:5)(0))", "!ArgumentError"},
    {R"(3 in 1:2:9)", "true::Bool"},
    {R"((2:2:10)[3])", "6::Int64"},
    {R"(sum(I[1] * 10 + I[2] for I in CartesianIndices((2, 3))))", "102::Int64"},
    {R"(sum(I[2] for I in CartesianIndices((1:2:5, 4:-1:2))))", "27::Int64"},
    {R"(Tuple(CartesianIndices((2, 3))[4]))", "(2, 2)::Tuple{Int64, Int64}"},
    {R"(LinearIndices((2, 3))[2, 2])", "4::Int64"},
    // complex numbers
    {R"(abs(3 + 4im))", "5.0::Float64"},
    {R"(real((1 + 2im)^2))", "-3::Int64"},
    {R"(imag(Complex(1.0, 2.0) / Complex(3.0, 4.0)))", "0.08::Float64"},
    {R"(real(2 * Complex(1f0, 1f0) + 1))", "3.0f0::Float32"},
};

std::string shown(Session &session, const Result<Value> &result) {
  if (!result.ok()) return "!" + std::string(result.error().diagnostics().front().name());
  return to_string(*result) + "::" + to_string(session.world().types().type_of(*result));
}

} // namespace

TEST_CASE("expressions have Julia's value and type") {
  auto session = Session::open();
  REQUIRE(session.ok());
  int count = 0;
  for (const Row &row : Rows) {
    INFO(row.expression);
    CHECK(shown(**session, evaluate(**session, "expression", row.expression)) == row.expected);
    std::string name = "compiled" + std::to_string(++count);
    REQUIRE((*session)->load(name, name + "() = " + row.expression + "\n").ok());
    auto function = evaluate(**session, "function", name);
    REQUIRE(function.ok());
    CHECK(shown(**session, call_function(**session, *function, {})) == row.expected);
  }
}
