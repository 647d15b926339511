// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// kiln/extension/language with null types, no values, empty names and another session's (language_program.h).
#include "call_count.h"
#include "random_api/language_program.h"

#include <cstdio>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  auto fault = [](const std::string &what) {
    std::fprintf(stderr, "%s\n", what.c_str());
    std::abort();
  };
  kiln::fuzz::LanguageProgram program(kiln::fuzz::Decisions(data, size), fault);
  program.run_on_nulls();
  program.run();
  kiln::fuzz::count_calls(program.accepted, program.refused);
  return 0;
}
