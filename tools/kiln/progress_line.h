// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Progress of a command that takes more than a second: one line on standard error.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace kiln::tool {

/// On a terminal the line is rewritten in place, and its destructor removes it. --quiet: nothing is shown.
/// Thread-safe.
class ProgressLine {
public:
  /// Standard error that is no terminal.
  enum class Elsewhere : uint8_t {
    Silent,
    Lines ///< a line every five seconds
  };
  /// `what`: "measuring". The line is "measuring: 12 of 20, 0:07".
  explicit ProgressLine(std::string what, Elsewhere elsewhere = Elsewhere::Silent);
  ~ProgressLine();
  ProgressLine(const ProgressLine &) = delete;
  ProgressLine &operator=(const ProgressLine &) = delete;

  /// Allocates nothing and takes no lock, since bench counts allocations.
  void count(size_t done, size_t all) noexcept;
  /// Replaces the line's text.
  void show(std::string text);
  double seconds() const; ///< since the construction

private:
  void run(std::stop_token stop);
  std::string line();

  const std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
  const bool is_terminal_;
  std::atomic<size_t> done_{0}, all_{0};
  std::mutex mutex_; ///< guards the following
  std::condition_variable_any wake_;
  const std::string what_;
  std::string text_;
  bool is_written_ = false;
  std::jthread printer_; ///< last: it uses the other members
};

} // namespace kiln::tool
