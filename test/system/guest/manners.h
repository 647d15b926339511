// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For programs that are a guest's host.
#pragma once

#include <kiln/kiln.h>

#include <cstdio>
#include <cstdlib>
#include <string>

namespace guest {

/// Ends the program, with the line, unless it holds.
inline void expect(bool holds, const std::string &what, int line) {
  if (holds) return;
  std::fprintf(stderr, "line %d: not so: %s\n", line, what.c_str());
  std::_Exit(1);
}
#define EXPECT(...) guest::expect(bool(__VA_ARGS__), #__VA_ARGS__, __LINE__)

template <class T> T take(kiln::Result<T> result) {
  if (!result.ok()) {
    std::fprintf(stderr, "%s\n", result.error().what().c_str());
    std::_Exit(1);
  }
  return std::move(*result);
}
inline void done(const kiln::Result<void> &result) {
  if (result.ok()) return;
  std::fprintf(stderr, "%s\n", result.error().what().c_str());
  std::_Exit(1);
}

int floats();
int closed_streams();

} // namespace guest
