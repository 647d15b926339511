// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "message.h"

#include <cstring>

namespace kiln {
namespace {

constexpr char magic[8] = {'K', 'I', 'L', 'N', 'W', 'O', 'R', 'K'};

struct Header {
  char magic[8];
  uint32_t version, type;
  uint64_t length;
  uint64_t payload_sum; ///< of the payload
  uint64_t header_sum;  ///< of all fields before it
};
static_assert(sizeof(Header) == message_header_bytes);

uint64_t checksum(std::string_view bytes) {
  return Fingerprinter(Fingerprinter::Use::Checksum).add(bytes).finish().low;
}

uint64_t header_checksum(const Header &header) {
  return checksum({reinterpret_cast<const char *>(&header), offsetof(Header, header_sum)});
}

Error garbage(std::string what) { return internal_error("a message of a worker process " + std::move(what)); }

Result<void> check_header(const Header &header) {
  if (std::memcmp(header.magic, magic, sizeof magic) != 0) return garbage("does not begin as one");
  if (header.version != message_version)
    return garbage(fmt::format("has version {} of the protocol, not {}", header.version, message_version));
  if (header.header_sum != header_checksum(header)) return garbage("has a damaged header");
  if (header.length > max_message_bytes)
    return garbage(
        fmt::format("has {} bytes, more than the {} that one may have", header.length, max_message_bytes));
  return {};
}

} // namespace

std::string message_header(uint32_t type, std::string_view payload) {
  Header header{};
  std::memcpy(header.magic, magic, sizeof magic);
  header.version = message_version;
  header.type = type;
  header.length = payload.size();
  header.payload_sum = checksum(payload);
  header.header_sum = header_checksum(header);
  return {reinterpret_cast<const char *>(&header), sizeof header};
}

Result<void> MessageReader::feed(std::string_view bytes) {
  if (broken_) return garbage("follows one that was damaged");
  bytes_.append(bytes);
  Result<void> taken = take_messages();
  broken_ = !taken.ok();
  return taken;
}

Result<void> MessageReader::take_messages() {
  size_t at = 0;
  while (bytes_.size() - at >= sizeof(Header)) {
    Header header;
    std::memcpy(&header, bytes_.data() + at, sizeof header);
    KILN_CHECK(check_header(header));
    if (bytes_.size() - at - sizeof header < header.length) break;
    Message message{header.type, bytes_.substr(at + sizeof header, header.length)};
    if (checksum(message.payload) != header.payload_sum) return garbage("has a damaged payload");
    whole_.push_back(std::move(message));
    at += sizeof header + header.length;
  }
  bytes_.erase(0, at);
  return {};
}

std::optional<Message> MessageReader::next() {
  if (taken_ == whole_.size()) {
    whole_.clear();
    taken_ = 0;
    return std::nullopt;
  }
  return std::move(whole_[taken_++]);
}

std::string hello_payload(const WorkerHello &hello) {
  std::string out(sizeof hello.memory_bytes + sizeof hello.alive_milliseconds + 1, '\0');
  std::memcpy(out.data(), &hello.memory_bytes, 8);
  std::memcpy(out.data() + 8, &hello.alive_milliseconds, 4);
  out[12] = char(hello.use_environment);
  return out + hello.build;
}

Result<WorkerHello> read_hello(std::string_view payload) {
  WorkerHello hello;
  if (payload.size() < 13 || uint8_t(payload[12]) > 1) return garbage("is no hello");
  std::memcpy(&hello.memory_bytes, payload.data(), 8);
  std::memcpy(&hello.alive_milliseconds, payload.data() + 8, 4);
  hello.use_environment = payload[12] != 0;
  hello.build = payload.substr(13);
  return hello;
}

} // namespace kiln
