// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compares an array that a kernel has written with its expected contents.
#pragma once

#include <types/types.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace kiln {

/// An array and its expected contents, compared element by element. Do not move the object during a
/// comparison.
class ArrayComparison {
public:
  /// `tolerance`: as in TuneReference::tolerance. `element`: element type, which must be isbits.
  ArrayComparison(TypeContext &types, TypeRef element, std::vector<int64_t> dims,
                  std::vector<std::byte> expected, double tolerance);
  /// Describes the first difference: "[3, 1] is 1.5, and the reference has 2.5". No value: the contents are
  /// equal. Uses several threads. `actual` must have the size of the expected contents.
  std::optional<std::string> difference(std::span<const std::byte> actual) const;
  const std::vector<std::byte> &expected() const { return expected_; }

private:
  enum class Number : uint8_t { Exact, Float16, BFloat16, Float32, Float64 };
  /// A primitive value in an element. Padding between such values is not compared.
  struct Part {
    uint64_t offset = 0, size = 0;
    Number number = Number::Exact;
    double tolerance = 0, floor = 0; ///< values are equal if |a - b| <= tolerance * max(|b|, floor)
  };
  void add_parts(TypeContext &types, TypeRef type, uint64_t offset, double tolerance);
  double mean(const Part &part) const;
  std::optional<size_t> first_difference(std::span<const std::byte> actual, size_t begin, size_t end) const;
  bool is_equal(const Part &part, const std::byte *actual, const std::byte *expected) const;
  static double read(Number number, const std::byte *at);
  std::string place(size_t element) const;

  uint64_t stride_ = 1;
  size_t count_ = 0;
  std::vector<Part> parts_;
  std::vector<int64_t> dims_;
  std::vector<std::byte> expected_;
};

} // namespace kiln
