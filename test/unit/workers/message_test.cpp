// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The reader of messages trusts nothing that it reads.
#include "must.h"

#include <workers/workers.h>

#include <random>

using namespace kiln;
using kiln::test::must;

namespace {

std::string bytes_of(const Message &message) {
  return message_header(message.type, message.payload) + message.payload;
}

} // namespace

TEST_CASE("messages come out as they went in, however their bytes are cut") {
  std::mt19937 random(1);
  std::string all;
  std::vector<Message> sent;
  for (int i = 0; i < 200; i++) {
    Message message{uint32_t(random() % 1000), std::string(random() % 5000, char('a' + i % 26))};
    all += bytes_of(message);
    sent.push_back(std::move(message));
  }
  for (const size_t most : {size_t(1), size_t(7), size_t(40), size_t(4096), all.size()}) {
    MessageReader reader;
    std::vector<Message> received;
    for (size_t at = 0; at < all.size();) {
      const size_t count = std::min(all.size() - at, most == 1 ? 1 : 1 + random() % most);
      must(reader.feed(std::string_view(all).substr(at, count)));
      at += count;
      while (auto message = reader.next()) received.push_back(std::move(*message));
    }
    CHECK_FALSE(reader.in_the_middle());
    REQUIRE(received.size() == sent.size());
    for (size_t i = 0; i < sent.size(); i++) {
      CHECK(received[i].type == sent[i].type);
      CHECK(received[i].payload == sent[i].payload);
    }
  }
}

TEST_CASE("a message with any bit changed is no message") {
  const std::string whole = bytes_of({17, "what was asked for"});
  for (size_t bit = 0; bit < whole.size() * 8; bit++) {
    std::string bytes = whole;
    bytes[bit / 8] = char(uint8_t(bytes[bit / 8]) ^ (1u << bit % 8));
    MessageReader reader;
    CAPTURE(bit);
    CHECK_FALSE(reader.feed(bytes).ok());
    CHECK_FALSE(reader.feed(whole).ok()); // and nothing is read after it
    CHECK_FALSE(reader.next());
  }
}

TEST_CASE("a length that lies takes no memory") {
  // The header is right in itself, and tells of a gigabyte that does not come.
  std::string claim(size_t(1) << 20, 'x');
  const std::string header = message_header(20, claim);
  MessageReader reader;
  must(reader.feed(header));
  CHECK(reader.in_the_middle());
  CHECK_FALSE(reader.next());
}

TEST_CASE("what a worker is told comes out as it went in") {
  const WorkerHello hello{
      .build = "a build", .memory_bytes = 12345678901, .alive_milliseconds = 77, .use_environment = false};
  const WorkerHello read = must(read_hello(hello_payload(hello)));
  CHECK(read.build == "a build");
  CHECK(read.memory_bytes == 12345678901);
  CHECK(read.alive_milliseconds == 77);
  CHECK_FALSE(read.use_environment);
  for (size_t length = 0; length < 13; length++)
    CHECK_FALSE(read_hello(hello_payload(hello).substr(0, length)).ok());
}
