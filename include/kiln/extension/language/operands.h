// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The operands of a lowered statement. Up to four operands are stored in the statement itself, so that most
// statements need no allocation.
#pragma once

#include <algorithm>
#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <utility>
#include <vector>

namespace kiln {

/// One operand of a statement, in 8 bytes: a kind and an index into tables of the CodeInfo.
struct Operand {
  enum class Kind : uint8_t {
    None,
    Ssa,  ///< result of statement `index`
    Slot, ///< current value of slot `index` (arguments are slots 0..nargs-1, slot 0 the function itself)
    StaticParam, ///< value of the method's where-variable `index`
    Const,       ///< constants[index]
    Global,      ///< globals[index]: a binding looked up in a module
  };
  Kind kind = Kind::None;
  uint32_t index = 0;
  explicit operator bool() const { return kind != Kind::None; }
  bool operator==(const Operand &) const = default;
  static Operand ssa(uint32_t i) { return {Kind::Ssa, i}; }
  static Operand slot(uint32_t i) { return {Kind::Slot, i}; }
  static Operand static_param(uint32_t i) { return {Kind::StaticParam, i}; }
};

/// A vector of operands with the usual members of std::vector. Up to four operands need no heap memory.
/// References to operands are valid until the vector is moved, assigned to, or grows.
class Operands {
public:
  using value_type = Operand;
  using iterator = Operand *;
  using const_iterator = const Operand *;

  Operands() : inline_() {}
  Operands(std::initializer_list<Operand> all)
      : Operands(std::span<const Operand>(all.begin(), all.size())) {}
  Operands(std::span<const Operand> all) : inline_() {
    reserve(all.size());
    std::copy(all.begin(), all.end(), data());
    size_ = uint32_t(all.size());
  }
  Operands(const std::vector<Operand> &all) : Operands(std::span<const Operand>(all)) {}
  Operands(size_t count, Operand each) : inline_() { resize(count, each); }
  /// `first`, followed by the others.
  Operands(Operand first, std::span<const Operand> rest) : inline_() {
    reserve(rest.size() + 1);
    *data() = first;
    std::copy(rest.begin(), rest.end(), data() + 1);
    size_ = uint32_t(rest.size() + 1);
  }
  Operands(const Operands &other) : Operands(std::span<const Operand>(other)) {}
  Operands(Operands &&other) noexcept : inline_() { take(other); }
  Operands &operator=(const Operands &other) {
    if (this != &other) *this = Operands(other);
    return *this;
  }
  Operands &operator=(Operands &&other) noexcept {
    if (this == &other) return *this;
    if (!is_inline()) delete[] heap_;
    take(other);
    return *this;
  }
  ~Operands() {
    if (!is_inline()) delete[] heap_;
  }
  operator std::vector<Operand>() const { return {begin(), end()}; }

  size_t size() const { return size_; }
  /// Memory outside the object.
  size_t heap_bytes() const { return is_inline() ? 0 : capacity_ * sizeof(Operand); }
  bool empty() const { return size_ == 0; }
  Operand *data() { return is_inline() ? inline_.data() : heap_; }
  const Operand *data() const { return is_inline() ? inline_.data() : heap_; }
  iterator begin() { return data(); }
  iterator end() { return data() + size_; }
  const_iterator begin() const { return data(); }
  const_iterator end() const { return data() + size_; }
  Operand &operator[](size_t i) {
    assert(i < size_);
    return data()[i];
  }
  const Operand &operator[](size_t i) const {
    assert(i < size_);
    return data()[i];
  }
  Operand &front() { return (*this)[0]; }
  const Operand &front() const { return (*this)[0]; }
  Operand &back() { return (*this)[size_ - 1]; }
  const Operand &back() const { return (*this)[size_ - 1]; }

  void reserve(size_t count) {
    if (count <= capacity_) return;
    auto *grown = new Operand[count];
    std::copy(begin(), end(), grown);
    if (!is_inline()) delete[] heap_;
    heap_ = grown;
    capacity_ = uint32_t(count);
  }
  void push_back(Operand operand) {
    if (size_ == capacity_) reserve(size_t(2) * capacity_);
    data()[size_++] = operand;
  }
  void resize(size_t count, Operand each = {}) {
    reserve(count);
    if (count > size_) std::fill(data() + size_, data() + count, each);
    size_ = uint32_t(count);
  }
  void clear() { size_ = 0; }
  bool operator==(const Operands &other) const {
    return std::equal(begin(), end(), other.begin(), other.end());
  }

private:
  static constexpr uint32_t inline_count = 4;
  bool is_inline() const { return capacity_ == inline_count; }
  /// Moves the operands of `other` here and leaves `other` empty. The caller has freed the old heap memory.
  void take(Operands &other) noexcept {
    size_ = std::exchange(other.size_, 0);
    capacity_ = other.capacity_;
    if (is_inline()) {
      inline_ = other.inline_;
      return;
    }
    heap_ = other.heap_;
    other.capacity_ = inline_count;
    other.inline_ = {};
  }

  uint32_t size_ = 0, capacity_ = inline_count; ///< heap_ is used if capacity_ is larger than inline_count
  union {
    std::array<Operand, inline_count> inline_;
    Operand *heap_; ///< owned
  };
};

} // namespace kiln
