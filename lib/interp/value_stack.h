// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory for the values of activations and calls: a stack for each thread, so that calls allocate nothing.
#pragma once

#include <kiln/extension/language/value.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <span>
#include <vector>

namespace kiln {

/// A stack of uninitialised memory for values. It grows by chunks, which stay for later frames.
class ValueStack {
public:
  static ValueStack &of_thread() {
    thread_local ValueStack stack;
    return stack;
  }

private:
  friend class ValueFrame;
  ValueStack() {
    add_chunk(chunk_size);
    enter(0);
  }
  struct alignas(Value) Slot {
    std::byte bytes[sizeof(Value)];
  };
  struct Chunk {
    std::unique_ptr<Slot[]> slots;
    size_t size;
  };
  static constexpr size_t chunk_size = 8'192; // values
  void add_chunk(size_t size) { chunks_.push_back({std::make_unique_for_overwrite<Slot[]>(size), size}); }
  void enter(size_t chunk) {
    chunk_ = chunk;
    top_ = chunks_[chunk].slots.get();
    end_ = top_ + chunks_[chunk].size;
  }
  void enter_next(size_t count) {
    const size_t next = chunk_ + 1;
    if (next < chunks_.size() && chunks_[next].size < count) chunks_.resize(next);
    if (next == chunks_.size()) add_chunk(std::max(count, chunk_size));
    enter(next);
  }
  std::vector<Chunk> chunks_;
  size_t chunk_ = 0;
  Slot *top_ = nullptr, *end_ = nullptr;
};

/// A vector of values on the thread's stack, with a fixed capacity. Frames are destroyed in reverse order.
class ValueFrame {
public:
  explicit ValueFrame(size_t capacity)
      : stack_(ValueStack::of_thread()), chunk_(stack_.chunk_), top_(stack_.top_), end_(stack_.end_) {
    if (size_t(stack_.end_ - stack_.top_) < capacity) stack_.enter_next(capacity);
    values_ = reinterpret_cast<Value *>(stack_.top_);
    stack_.top_ += capacity;
  }
  ~ValueFrame() {
    for (size_t i = size_; i-- > 0;) values_[i].~Value();
    stack_.chunk_ = chunk_, stack_.top_ = top_, stack_.end_ = end_;
  }
  ValueFrame(const ValueFrame &) = delete;
  ValueFrame &operator=(const ValueFrame &) = delete;

  void push_back(const Value &value) { new (values_ + size_++) Value(value); }
  void push_back(Value &&value) { new (values_ + size_++) Value(std::move(value)); }
  void append(std::span<const Value> values) {
    for (const Value &value : values) push_back(value);
  }
  /// Adds empty values.
  void resize(size_t size) {
    while (size_ < size) new (values_ + size_++) Value();
  }
  size_t size() const { return size_; }
  Value *begin() { return values_; }
  Value *end() { return values_ + size_; }
  Value &operator[](size_t i) { return values_[i]; }
  operator std::span<const Value>() const { return {values_, size_}; }

private:
  ValueStack &stack_;
  const size_t chunk_;
  ValueStack::Slot *const top_, *const end_;
  Value *values_ = nullptr;
  size_t size_ = 0;
};

} // namespace kiln
