// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Messages between this process and a worker process. A message is a header of fixed size and a payload. The
// header has a magic number, the protocol's version, type, length, a checksum of the payload and one of the
// header itself. The reader does not trust the other side. It may be of another build, or may have
// overwritten its memory.
#pragma once

#include <support/support.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace kiln {

inline constexpr uint32_t message_version = 1;
inline constexpr size_t message_header_bytes = 40;
inline constexpr uint64_t max_message_bytes = uint64_t(1) << 30;

/// Types less than `first_of_jobs` belong to this component. The user of the workers defines the others.
enum class MessageType : uint32_t {
  Hello = 1,    ///< to the worker: WorkerHello
  Welcome = 2,  ///< from the worker: the digest of its build
  Alive = 3,    ///< from the worker during work: it is running
  LastReply = 4 ///< from the worker before a reply, no payload: it ends afterwards
};
inline constexpr uint32_t first_of_jobs = 16;

struct Message {
  uint32_t type = 0;
  std::string payload;
};

/// The header of a payload.
std::string message_header(uint32_t type, std::string_view payload);

/// Assembles messages from incoming bytes. Allocates memory for received bytes only, not for the length in a
/// header.
class MessageReader {
public:
  /// Error (Internal, with the fault): invalid bytes. The reader cannot be used afterwards.
  Result<void> feed(std::string_view bytes);
  /// The next complete message, in order of arrival.
  std::optional<Message> next();
  bool in_the_middle() const { return !bytes_.empty(); } ///< a message is incomplete

private:
  Result<void> take_messages();
  std::string bytes_; ///< of the incomplete message
  std::vector<Message> whole_;
  size_t taken_ = 0; ///< messages of whole_ already returned
  bool broken_ = false;
};

/// Settings of a worker, sent before its first request.
struct WorkerHello {
  std::string build;               ///< digest of the caller's build; must equal the worker's
  uint64_t memory_bytes = 0;       ///< limit of address space; 0: none
  uint32_t alive_milliseconds = 0; ///< interval of its Alive messages; 0: none
  bool use_environment = true;     ///< its work may read environment variables
};
std::string hello_payload(const WorkerHello &hello);
/// Error: Internal.
Result<WorkerHello> read_hello(std::string_view payload);

} // namespace kiln
