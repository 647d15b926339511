// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A session of the C API, and what its errors say.
#pragma once

#include <kiln/c.h>

#include <catch2/catch.hpp>
#include <string>

namespace kiln::test {

/// Frees its error; what the error said.
inline std::string told(kiln_error *error) {
  std::string text = kiln_error_text(error);
  kiln_error_free(error);
  return text;
}

inline void ok(int status, kiln_error *error) {
  INFO(kiln_error_text(error));
  REQUIRE(status == KILN_OK);
  REQUIRE(error == nullptr);
}

/// Without a folder of the cache, unless the options name one.
struct OpenSession {
  kiln_session *session = nullptr;
  kiln_error *error = nullptr; ///< of whatever comes next
  explicit OpenSession(kiln_session_options options = {}) {
    options.struct_size = sizeof options;
    if (!options.cache_dir) options.cache_dir = "";
    ok(kiln_session_open(&options, &session, &error), error);
  }
  OpenSession(const OpenSession &) = delete;
  OpenSession &operator=(const OpenSession &) = delete;
  ~OpenSession() { kiln_session_close(session); }
  int load(const std::string &text, kiln_error **fault = nullptr) {
    return kiln_load(session, "test.jl", text.data(), text.size(), fault);
  }
};

} // namespace kiln::test
