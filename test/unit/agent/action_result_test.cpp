// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ActionResult against bytes that protoc's rules give, written by hand.
#include "must.h"

#include <agent/action_result.h>
#include <catch2/catch.hpp>

#include <random>

namespace kiln::agent_test {

using kiln::test::must;

// FIPS 180-2, appendix B.1.
static constexpr char sha256_of_abc[] = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

TEST_CASE("results have the bytes of protobuf's wire format") {
  CHECK(write_action_result({.inline_bytes = "abc"}) == "\x2a\x03"
                                                        "abc");
  const std::string long_one = write_action_result({.inline_bytes = std::string(300, 'x')});
  CHECK(long_one.substr(0, 3) == "\x2a\xac\x02"); // 300 = 2 * 128 + 44
  CHECK(long_one.size() == 303);
  // Field 2 (OutputFile): 1 path, 2 digest; of the digest: 1 hash, 2 size 100,000.
  const std::string digest = std::string("\x0a\x40") + sha256_of_abc + "\x10\xa0\x8d\x06";
  const std::string file = "\x0a\x0akiln-entry\x12\x46" + digest;
  CHECK(write_action_result({.sha256 = sha256_of_abc, .size = 100'000}) == "\x12\x54" + file);
}

TEST_CASE("results come back") {
  CHECK(must(read_action_result(write_action_result({.inline_bytes = "abc"}))).inline_bytes == "abc");
  const ActionResult large =
      must(read_action_result(write_action_result({.sha256 = sha256_of_abc, .size = uint64_t(1) << 40})));
  CHECK(large.sha256 == sha256_of_abc);
  CHECK(large.size == uint64_t(1) << 40);
  CHECK(large.inline_bytes.empty());
}

TEST_CASE("fields of a server are skipped") {
  // 4 exit_code 0; 9 execution_metadata; 7 a number of 8 bytes; 100 of 4 bytes; 200 a varint.
  const std::string more("\x20\x00\x4a\x03xyz\x39"
                         "12345678\xa5\x06"
                         "1234\xc0\x0c\x96\x01",
                         26);
  CHECK(must(read_action_result(more + "\x2a\x03"
                                       "abc"))
            .inline_bytes == "abc");
  CHECK(must(read_action_result("\x2a\x03"
                                "abc" +
                                more))
            .inline_bytes == "abc");
}

TEST_CASE("what is no result is an error") {
  const std::string file = write_action_result({.sha256 = sha256_of_abc, .size = 3});
  const std::string small = write_action_result({.inline_bytes = "abc"});
  for (const std::string &bad :
       {std::string(), std::string("<html><body>error</body></html>"), std::string(R"({"error":"x"})"),
        std::string("Not Found"), small + "\x20\x01" /* a failed action */, small + file, file + file,
        std::string("\x2a\x00", 2), std::string("\x2a\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"),
        std::string("\x00\x00", 2), std::string("\x2b"), std::string(20, '\xff')}) {
    INFO(bad);
    CHECK_FALSE(read_action_result(bad).ok());
  }
  for (size_t size = 0; size < file.size(); size++)
    CHECK_FALSE(read_action_result(file.substr(0, size)).ok());
  for (size_t size = 0; size < small.size(); size++)
    CHECK_FALSE(read_action_result(small.substr(0, size)).ok());
  std::string upper = file;
  upper[upper.find('b')] = 'B';
  CHECK_FALSE(read_action_result(upper).ok());
}

TEST_CASE("garbage is read without a crash") {
  std::mt19937 random(11); // NOLINT(bugprone-random-generator-seed): the same bytes in each run
  for (int round = 0; round < 20'000; round++) {
    std::string bytes = write_action_result({.sha256 = sha256_of_abc, .size = 3});
    for (int i = 0; i < 4; i++) bytes[random() % bytes.size()] = char(random());
    const Result<ActionResult> read = read_action_result(bytes.substr(0, random() % (bytes.size() + 1)));
    if (read.ok()) CHECK((read->inline_bytes.empty() ? read->sha256.size() == 64 : read->sha256.empty()));
  }
}

} // namespace kiln::agent_test
