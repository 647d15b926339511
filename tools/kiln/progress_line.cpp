// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "progress_line.h"

#include "output.h"

#include <support/shorten.h>

#include <algorithm>
#include <cstdio>
#include <unistd.h>

namespace kiln::tool {

ProgressLine::ProgressLine(std::string what, Elsewhere elsewhere)
    : is_terminal_(::isatty(STDERR_FILENO)), what_(std::move(what)) {
  if (!manner().quiet && (is_terminal_ || elsewhere == Elsewhere::Lines))
    printer_ = std::jthread([this](std::stop_token stop) { run(std::move(stop)); });
}

ProgressLine::~ProgressLine() {
  if (!printer_.joinable()) return;
  printer_.request_stop();
  printer_.join();
  if (is_terminal_ && is_written_) rewrite_line({});
}

void ProgressLine::count(size_t done, size_t all) noexcept {
  done_.store(done, std::memory_order_relaxed);
  all_.store(all, std::memory_order_relaxed);
}

void ProgressLine::show(std::string text) {
  std::lock_guard lock(mutex_);
  text_ = std::move(text);
}

double ProgressLine::seconds() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - began_).count();
}

/// Call it under the mutex.
std::string ProgressLine::line() {
  if (!text_.empty()) return text_;
  const size_t all = all_.load(std::memory_order_relaxed);
  const int passed = int(seconds());
  return fmt::format("{}: {}{}:{:02}", what_,
                     all ? fmt::format("{} of {}, ", done_.load(std::memory_order_relaxed), all) : "",
                     passed / 60, passed % 60);
}

void ProgressLine::run(std::stop_token stop) {
  using namespace std::chrono_literals;
  std::unique_lock lock(mutex_);
  const auto pause = is_terminal_ ? 200ms : 5000ms;
  auto next = began_ + (is_terminal_ ? 1000ms : 5000ms);
  while (!wake_.wait_until(lock, stop, next, [] { return false; }) && !stop.stop_requested()) {
    next = std::chrono::steady_clock::now() + pause;
    if (is_terminal_)
      rewrite_line(line());
    else
      std::fputs((line() + "\n").c_str(), stderr);
    is_written_ = true;
  }
}

void rewrite_line(std::string_view text) {
  const size_t width = std::max<size_t>(terminal_width(STDERR_FILENO), 2) - 1;
  std::fputs(fmt::format("\r\033[K{}", shorten_end(text, width)).c_str(), stderr);
  std::fflush(stderr);
}

} // namespace kiln::tool
