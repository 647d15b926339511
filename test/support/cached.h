// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For tests of sessions that share a folder: the folder, and what a session had to do.
#pragma once

#include "must.h"
#include "scratch.h"

#include <kiln/extension/language/calls.h>
#include <session/session.h>

#include <filesystem>

namespace cached {

using kiln::test::must;
using kiln::test::Scratch;

inline std::unique_ptr<kiln::Session> open(const std::filesystem::path &folder, bool check = false) {
  kiln::SessionOptions options;
  options.cache_dir = folder.string();
  options.check_cache = check;
  options.cpu_tier = kiln::SessionOptions::CpuTier::Optimized; // each launched kernel has one entry
  options.verbosity = kiln::LogLevel::Error;
  return must(kiln::Session::open(options));
}

inline std::string replaced(std::string text, std::string_view from, std::string_view to) {
  size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  REQUIRE(text.find(from, at + 1) == std::string::npos);
  return text.replace(at, from.size(), to);
}

/// Whether `work` made this session compile.
template <class F> bool compiles(kiln::Session &session, F &&work) {
  const uint64_t before = session.counters().compiled;
  work();
  return session.counters().compiled != before;
}

} // namespace cached
