// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shows the progress of a command that takes more than a second, as one line on standard error.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

namespace kiln::tool {

/// Replaces the last line of the terminal on standard error. Cuts the text to the terminal's width. An empty
/// text removes the line.
void rewrite_line(std::string_view text);

/// A progress line. On a terminal, a thread rewrites the line in place, and the destructor removes it. With
/// --quiet, nothing is shown. Thread-safe.
class ProgressLine {
public:
  /// Output if standard error is no terminal.
  enum class Elsewhere : uint8_t {
    Silent,
    Lines ///< prints a new line every five seconds
  };
  /// `what`: name of the activity. For "measuring", the line reads "measuring: 12 of 20, 0:07".
  explicit ProgressLine(std::string what, Elsewhere elsewhere = Elsewhere::Silent);
  ~ProgressLine();
  ProgressLine(const ProgressLine &) = delete;
  ProgressLine &operator=(const ProgressLine &) = delete;

  /// Sets the progress: `done` of `all` steps. Allocates nothing and takes no lock, because kiln bench counts
  /// allocations meanwhile.
  void count(size_t done, size_t all) noexcept;
  /// Replaces the line's text.
  void show(std::string text);
  double seconds() const; ///< time since the construction

private:
  void run(std::stop_token stop);
  std::string line();

  const std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
  const bool is_terminal_;
  std::atomic<size_t> done_{0}, all_{0};
  std::mutex mutex_; ///< guards text_ and is_written_
  std::condition_variable_any wake_;
  const std::string what_;
  std::string text_;
  bool is_written_ = false;
  std::jthread printer_; ///< declared last, because its thread uses the other members
};

} // namespace kiln::tool
