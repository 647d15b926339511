// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <abi/abi.h>
#include <catch2/catch.hpp>

#include <cstddef>

using namespace kiln::abi;

TEST_CASE("every exception kind has a name, and the name leads back to it") {
  for (uint32_t i = 1; i < uint32_t(ExceptionKind::Count); ++i) {
    auto kind = ExceptionKind(i);
    INFO(exception_name(kind));
    CHECK(!exception_name(kind).empty());
    CHECK(exception_kind(exception_name(kind)) == kind);
  }
}

TEST_CASE("exception names are those of Julia's types") {
  CHECK(exception_name(ExceptionKind::BoundsError) == "BoundsError");
  CHECK(exception_name(ExceptionKind::DivideError) == "DivideError");
  CHECK(exception_name(ExceptionKind::InexactError) == "InexactError");
  CHECK(exception_name(ExceptionKind::DomainError) == "DomainError");
  CHECK(exception_name(ExceptionKind::ArgumentError) == "ArgumentError");
  CHECK(exception_name(ExceptionKind::OverflowError) == "OverflowError");
  CHECK(exception_name(ExceptionKind::UndefVarError) == "UndefVarError");
  CHECK(exception_name(ExceptionKind::AssertionError) == "AssertionError");
  CHECK(exception_name(ExceptionKind::MethodError) == "MethodError");
  CHECK(exception_name(ExceptionKind::TypeError) == "TypeError");
  CHECK(exception_name(ExceptionKind::ErrorException) == "ErrorException");
  CHECK(exception_name(ExceptionKind::OutOfMemoryError) == "OutOfMemoryError");
}

TEST_CASE("an unknown exception is Unknown, whatever device memory said") {
  CHECK(exception_kind("SegmentationFault") == ExceptionKind::Unknown);
  CHECK(exception_kind("") == ExceptionKind::Unknown);
  CHECK(exception_name(ExceptionKind(12345)) == "Unknown");
}

TEST_CASE("the layouts that compiled code relies on") {
  CHECK(offsetof(ArrayHeader<2>, pointer) == 0);
  CHECK(offsetof(ArrayHeader<2>, max_size) == 8);
  CHECK(offsetof(ArrayHeader<2>, dims) == 16);
  CHECK(offsetof(ArrayHeader<2>, length) == 32);
  CHECK(offsetof(ExceptionRecord, thread) == 8);
  CHECK(offsetof(ExceptionRecord, name) == 32);
  CHECK(offsetof(ExceptionRecord, text) == 48);
  CHECK(offsetof(NativeThread, shared) == 48);
  CHECK(offsetof(NativeThread, exception) == 64);
  CHECK(offsetof(NativeThread, waits) == 80);
  CHECK(offsetof(Wait, value) == 8);
  CHECK(offsetof(Wait, lane) == 20);
  CHECK(offsetof(WaitSite, index) == 4);
}
