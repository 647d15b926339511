// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// kiln/c.h with whatever a caller may do wrong (c_program.h), on the CPU and a fake CUDA driver.
#include "call_count.h"
#include "random_api/c_program.h"

#include <cstdio>
#include <cstdlib>

extern "C" int LLVMFuzzerInitialize(int *, char ***) {
  ::setenv("KILN_CUDA_DRIVER", KILN_FAKE_CUDA, 1);
  ::setenv("KILN_CACHE_DIR", "", 1);
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  auto fault = [](const std::string &what) {
    std::fprintf(stderr, "%s\n", what.c_str());
    std::abort();
  };
  kiln::fuzz::CProgram program(kiln::fuzz::Decisions(data, size), fault);
  program.run(100'000); // until the bytes end
  kiln::fuzz::count_calls(program.accepted, program.refused);
  return 0;
}
