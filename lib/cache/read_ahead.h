// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <string>

namespace kiln {

/// Holds entries that were fetched before a job needs them. Thread-safe. Drops the oldest entries beyond 64
/// MiB.
template <class Name> class ReadAhead {
public:
  void add(const Name &name, std::string entry) {
    std::lock_guard lock(mutex_);
    const size_t size = entry.size();
    if (size > max_bytes || !entries_.emplace(name, std::move(entry)).second) return;
    order_.push_back(name);
    for (bytes_ += size; bytes_ > max_bytes || order_.size() > max_names; order_.pop_front())
      (void)remove(order_.front());
  }
  /// Removes the entry with this name and returns it; empty if there is none.
  std::optional<std::string> take(const Name &name) {
    std::lock_guard lock(mutex_);
    return remove(name);
  }
  bool has(const Name &name) {
    std::lock_guard lock(mutex_);
    return entries_.contains(name);
  }

private:
  static constexpr size_t max_bytes = size_t(64) << 20, max_names = 65'536;
  std::optional<std::string> remove(const Name &name) {
    auto found = entries_.extract(name);
    if (!found) return std::nullopt;
    bytes_ -= found.mapped().size();
    return std::move(found.mapped());
  }
  std::mutex mutex_;
  std::map<Name, std::string> entries_;
  std::deque<Name> order_; ///< names in order of arrival; names of taken entries remain
  size_t bytes_ = 0;
};

} // namespace kiln
