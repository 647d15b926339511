// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Intrinsics on constants, against C++'s arithmetic, and those whose result the language leaves open: they
// are not folded.
#include <interp/interp.h>

#include <catch2/catch.hpp>

#include <bit>
#include <cmath>
#include <limits>

using namespace kiln;
using I = Intrinsic;

namespace {

struct Folder {
  TypeContext types;
  const TypeContext::Builtins &t = types.builtins();

  template <class N> TypeRef type() {
    if constexpr (std::is_same_v<N, float>) return t.Float32;
    if constexpr (std::is_same_v<N, double>) return t.Float64;
    if constexpr (std::is_same_v<N, bool>) return t.Bool;
    if constexpr (std::is_same_v<N, int8_t>) return t.Int8;
    if constexpr (std::is_same_v<N, uint8_t>) return t.UInt8;
    if constexpr (std::is_same_v<N, int16_t>) return t.Int16;
    if constexpr (std::is_same_v<N, uint16_t>) return t.UInt16;
    if constexpr (std::is_same_v<N, int32_t>) return t.Int32;
    if constexpr (std::is_same_v<N, uint32_t>) return t.UInt32;
    if constexpr (std::is_same_v<N, int64_t>) return t.Int64;
    if constexpr (std::is_same_v<N, uint64_t>) return t.UInt64;
  }
  template <class N> Value value(N x) {
    uint64_t bits = 0;
    std::memcpy(&bits, &x, sizeof x);
    return Value::primitive(type<N>(), {bits, 0});
  }
  Value value(TypeRef type) { return Value::type_value(types, type); }
  template <class... A> std::optional<Value> fold(I op, A... args) {
    const std::vector<Value> values{value(args)...};
    return fold_intrinsic(types, op, values);
  }
  /// Is it folded, to this value of this type?
  template <class N, class... A> bool gives(N expected, I op, A... args) {
    auto folded = fold(op, args...);
    return folded && *folded == value(expected);
  }
  /// The pair that an operation with a check gives.
  template <class N, class... A> bool gives_pair(N expected, bool overflowed, I op, A... args) {
    auto folded = fold(op, args...);
    const auto *fields = folded ? folded->fields() : nullptr;
    return fields && fields->size() == 2 && (*fields)[0] == value(expected) &&
           (*fields)[1] == value(overflowed);
  }
};

} // namespace

TEST_CASE("integers wrap at their width") {
  Folder f;
  constexpr int64_t most = std::numeric_limits<int64_t>::max(), least = std::numeric_limits<int64_t>::min();
  CHECK(f.gives(least, I::add_int, most, int64_t(1)));
  CHECK(f.gives(int8_t(-128), I::add_int, int8_t(127), int8_t(1)));
  CHECK(f.gives(uint8_t(255), I::sub_int, uint8_t(0), uint8_t(1)));
  CHECK(f.gives(int32_t(uint32_t(123456789) * 1000u), I::mul_int, int32_t(123456789), int32_t(1000)));
  CHECK(f.gives(least, I::neg_int, least));
  CHECK(f.gives(int16_t(~5), I::not_int, int16_t(5)));
  CHECK(f.gives(true, I::not_int, false));
  CHECK(f.gives(uint32_t(0xf0u ^ 0xffu), I::xor_int, uint32_t(0xf0), uint32_t(0xff)));
}

TEST_CASE("sums that promise to fit are folded where they do, for each promise by itself") {
  Folder f;
  const auto most = std::numeric_limits<int64_t>::max(), least = std::numeric_limits<int64_t>::min();
  CHECK(f.gives(int8_t(-56), I::add_nuw, int8_t(100), int8_t(100))); // 200 as unsigned
  CHECK(!f.fold(I::add_nsw, int8_t(100), int8_t(100)));
  CHECK(!f.fold(I::add_nuw_nsw, int8_t(100), int8_t(100)));
  CHECK(f.gives(int8_t(-2), I::add_nsw, int8_t(-1), int8_t(-1))); // 255 + 255 as unsigned
  CHECK(!f.fold(I::add_nuw, int8_t(-1), int8_t(-1)));
  CHECK(f.gives(int8_t(127), I::add_nuw_nsw, int8_t(100), int8_t(27)));
  CHECK(!f.fold(I::add_nsw, most, int64_t(1)));
  CHECK(f.gives(least, I::add_nuw, most, int64_t(1)));
  CHECK(!f.fold(I::add_nuw, uint64_t(~0ull), uint64_t(1)));
  CHECK(f.gives(int32_t(-2), I::sub_nsw, int32_t(3), int32_t(5)));
  CHECK(!f.fold(I::sub_nuw, int32_t(3), int32_t(5)));
  CHECK(!f.fold(I::sub_nsw, least, int64_t(1)));
  CHECK(f.gives(int64_t(most), I::sub_nuw, least, int64_t(1)));
  CHECK(f.gives(uint8_t(2), I::sub_nuw_nsw, uint8_t(5), uint8_t(3)));
  CHECK(f.gives(int16_t(-42), I::mul_nsw, int16_t(-6), int16_t(7)));
  CHECK(!f.fold(I::mul_nuw, int16_t(-6), int16_t(7)));
  CHECK(!f.fold(I::mul_nsw, int16_t(256), int16_t(128)));
  CHECK(f.gives(uint16_t(32768), I::mul_nuw, uint16_t(256), uint16_t(128)));
  CHECK(!f.fold(I::mul_nuw_nsw, uint16_t(256), uint16_t(128)));
  CHECK(!f.fold(I::mul_nsw, most, int64_t(2)));
  CHECK(!f.fold(I::mul_nuw, uint64_t(1) << 63, uint64_t(2)));
}

TEST_CASE("quotients go towards zero; what has none is not folded") {
  Folder f;
  CHECK(f.gives(int64_t(-3), I::sdiv_int, int64_t(-7), int64_t(2)));
  CHECK(f.gives(int64_t(-1), I::srem_int, int64_t(-7), int64_t(2)));
  CHECK(f.gives(uint8_t(124), I::udiv_int, uint8_t(249), uint8_t(2)));
  CHECK(f.gives(uint8_t(1), I::urem_int, uint8_t(249), uint8_t(2)));
  CHECK_FALSE(f.fold(I::sdiv_int, int64_t(1), int64_t(0)));
  CHECK_FALSE(f.fold(I::urem_int, uint8_t(1), uint8_t(0)));
  CHECK_FALSE(f.fold(I::sdiv_int, std::numeric_limits<int32_t>::min(), int32_t(-1)));
}

TEST_CASE("shifts by the width and beyond") {
  Folder f;
  CHECK(f.gives(int32_t(40), I::shl_int, int32_t(5), uint64_t(3)));
  CHECK(f.gives(int32_t(0), I::shl_int, int32_t(5), uint64_t(32)));
  CHECK(f.gives(int8_t(0), I::lshr_int, int8_t(-1), uint64_t(8)));
  CHECK(f.gives(int8_t(0x7f), I::lshr_int, int8_t(-1), uint64_t(1)));
  CHECK(f.gives(int8_t(-1), I::ashr_int, int8_t(-2), uint64_t(200)));
  CHECK(f.gives(int8_t(-2), I::ashr_int, int8_t(-7), uint64_t(2)));
}

TEST_CASE("bits: counted, turned around") {
  Folder f;
  CHECK(f.gives(uint32_t(std::popcount(0x12345678u)), I::ctpop_int, uint32_t(0x12345678)));
  CHECK(f.gives(int8_t(7), I::ctlz_int, int8_t(1)));
  CHECK(f.gives(int64_t(64), I::ctlz_int, int64_t(0)));
  CHECK(f.gives(int16_t(16), I::cttz_int, int16_t(0)));
  CHECK(f.gives(int16_t(4), I::cttz_int, int16_t(48)));
  CHECK(f.gives(uint32_t(0x78563412), I::bswap_int, uint32_t(0x12345678)));
  CHECK(f.gives(uint8_t(0b10110000), I::bitreverse_int, uint8_t(0b00001101)));
}

TEST_CASE("comparisons know the sign") {
  Folder f;
  CHECK(f.gives(true, I::slt_int, int8_t(-1), int8_t(1)));
  CHECK(f.gives(false, I::ult_int, int8_t(-1), int8_t(1)));
  CHECK(f.gives(true, I::ule_int, uint64_t(5), uint64_t(5)));
  CHECK(f.gives(false, I::eq_int, int32_t(1), int32_t(2)));
  CHECK(f.gives(true, I::ne_int, int32_t(1), int32_t(2)));
}

TEST_CASE("operations with a check say whether they overflowed") {
  Folder f;
  CHECK(f.gives_pair(int8_t(-56), true, I::checked_sadd_int, int8_t(100), int8_t(100)));
  CHECK(f.gives_pair(uint8_t(200), false, I::checked_uadd_int, uint8_t(100), uint8_t(100)));
  CHECK(f.gives_pair(uint8_t(255), true, I::checked_usub_int, uint8_t(0), uint8_t(1)));
  CHECK(f.gives_pair(int64_t(-6), false, I::checked_smul_int, int64_t(2), int64_t(-3)));
  CHECK(f.gives_pair(std::numeric_limits<int64_t>::min(), true, I::checked_smul_int,
                     std::numeric_limits<int64_t>::min(), int64_t(-1)));
}

TEST_CASE("conversions between widths, signs and floats") {
  Folder f;
  CHECK(f.gives(int8_t(0x34), I::trunc_int, f.t.Int8, int32_t(0x1234)));
  CHECK(f.gives(int64_t(-2), I::sext_int, f.t.Int64, int8_t(-2)));
  CHECK(f.gives(int64_t(254), I::zext_int, f.t.Int64, int8_t(-2)));
  CHECK(f.gives(float(16777217), I::sitofp, f.t.Float32, int32_t(16777217))); // rounds to even
  CHECK(f.gives(double(std::numeric_limits<uint64_t>::max()), I::uitofp, f.t.Float64,
                std::numeric_limits<uint64_t>::max()));
  CHECK(f.gives(int32_t(-3), I::fptosi, f.t.Int32, -3.99));
  CHECK(f.gives(float(0.1), I::fptrunc, f.t.Float32, 0.1));
  CHECK(f.gives(double(0.1f), I::fpext, f.t.Float64, 0.1f));
  CHECK(f.gives(std::bit_cast<int32_t>(1.5f), I::bitcast, f.t.Int32, 1.5f));
  CHECK_FALSE(f.fold(I::fptosi, f.t.Int32, 3e9)); // undefined
  CHECK_FALSE(f.fold(I::fptoui, f.t.UInt8, -1.0));
  CHECK_FALSE(f.fold(I::fptosi, f.t.Int64, std::numeric_limits<double>::quiet_NaN()));
}

TEST_CASE("floats are those of C++") {
  Folder f;
  const double nan = std::numeric_limits<double>::quiet_NaN();
  CHECK(f.gives(0.1 + 0.2, I::add_float, 0.1, 0.2));
  CHECK(f.gives(0.1f / 3.0f, I::div_float, 0.1f, 3.0f));
  CHECK(f.gives(std::fmod(-7.5, 2.0), I::rem_float, -7.5, 2.0));
  CHECK(f.gives(std::fma(0.1, 10.0, -1.0), I::fma_float, 0.1, 10.0, -1.0));
  CHECK(f.gives(-0.0, I::neg_float, 0.0));
  CHECK(f.gives(-2.0, I::copysign_float, 2.0, -0.0));
  CHECK(f.gives(false, I::eq_float, nan, nan));
  CHECK(f.gives(true, I::ne_float, nan, nan));
  CHECK(f.gives(false, I::lt_float, nan, 1.0));
  CHECK(f.gives(true, I::eq_float, 0.0, -0.0));
}

TEST_CASE("values and types") {
  Folder f;
  CHECK(f.gives(true, I::egal, int64_t(1), int64_t(1)));
  CHECK(f.gives(false, I::egal, int64_t(1), int32_t(1)));
  CHECK(f.gives(false, I::egal, 0.0, -0.0)); // === looks at bits
  CHECK(f.gives(true, I::isa, int64_t(1), f.t.Integer));
  CHECK(f.gives(true, I::subtype, f.t.Int64, f.t.Number));
  CHECK(f.gives(int64_t(4), I::sizeof_type, f.t.Float32));
  CHECK(f.gives(2.0, I::ifelse, false, int64_t(1), 2.0));
  auto type = f.fold(I::typeof_, 1.0f);
  REQUIRE(type);
  CHECK(type->as_type() == f.t.Float32);
  CHECK_FALSE(f.fold(I::typeassert, int64_t(1), f.t.Float64)); // throws
}

TEST_CASE("what reaches memory or a device is not folded") {
  Folder f;
  CHECK_FALSE(f.fold(I::throw_, int64_t(1)));
  CHECK_FALSE(f.fold(I::kernel_state));
  CHECK_FALSE(f.fold(I::add_int, int64_t(1), int32_t(1))); // of two types
}
