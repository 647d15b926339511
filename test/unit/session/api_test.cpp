// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A short, repeatable run of what the fuzzer of the API does for as long as one likes.
#include "gpu_fixture.h"

#include "random_api/api_program.h"

#include <fmt/format.h>

#include <random>

using namespace kiln;
using namespace kiln::test;

#if !__has_feature(thread_sanitizer) // they copy from and to the same memory on several streams
TEST_CASE("random programs against the API end without a crash and without an internal error") {
  Fake fake;
  std::vector<std::string> faults;
  size_t accepted = 0, refused = 0;
  for (unsigned seed = 1; seed <= 24; seed++) {
    std::mt19937 random(seed); // the standard says what it gives, everywhere
    std::vector<uint8_t> bytes(600);
    for (uint8_t &byte : bytes) byte = uint8_t(random() >> 8);
    fuzz::ApiProgram program(
        fuzz::Decisions(bytes.data(), bytes.size()),
        [&](const std::string &what) { faults.push_back(fmt::format("seed {}: {}", seed, what)); }, true);
    program.run();
    accepted += program.accepted;
    refused += program.refused;
  }
  for (const std::string &fault : faults) FAIL_CHECK(fault);
  // Neither is nothing: it does reach what works and what does not.
  CHECK(accepted > 200);
  CHECK(refused > 200);
}
#endif
