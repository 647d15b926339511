// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The value of a Result, or the test fails with the error.
#pragma once

#include <catch2/catch.hpp>
#include <kiln/result.h>

#include <type_traits>
#include <utility>

namespace kiln::test {

template <class R> auto must(R result) {
  if (!result.ok()) FAIL(result.error().what());
  if constexpr (!std::is_same_v<R, Result<void>>) return std::move(*result);
}

} // namespace kiln::test
