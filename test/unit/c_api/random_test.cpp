// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A short, repeatable run of what the fuzzer of the C API does for as long as one likes.
#include "random_api/c_program.h"

#include <catch2/catch.hpp>
#include <cstdlib>
#include <fmt/format.h>
#include <random>

TEST_CASE("random programs against the C API end without a crash and without an internal error") {
  ::setenv("KILN_CUDA_DRIVER", KILN_FAKE_CUDA, 1);
  std::vector<std::string> faults;
  size_t accepted = 0, refused = 0;
  for (unsigned seed = 1; seed <= 40; seed++) {
    std::mt19937 random(seed); // the standard says what it gives, everywhere
    std::vector<uint8_t> bytes(800);
    for (uint8_t &byte : bytes) byte = uint8_t(random() >> 8);
    kiln::fuzz::CProgram program(
        kiln::fuzz::Decisions(bytes.data(), bytes.size()),
        [&](const std::string &what) { faults.push_back(fmt::format("seed {}: {}", seed, what)); });
    program.run();
    accepted += program.accepted;
    refused += program.refused;
  }
  for (const std::string &fault : faults) FAIL_CHECK(fault);
  // Neither is nothing: it does reach what works and what does not.
  INFO(accepted << " accepted, " << refused << " refused");
  CHECK(accepted > 100);
  CHECK(refused > 400);
}
