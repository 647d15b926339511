// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What goes between this process and a worker process: a header of fixed size (magic, version of this
// protocol, type, length, a checksum of the payload, one of the header itself), then the payload. The other
// side is another program as far as reading goes: it may be of another build, or may have written over its
// memory before it wrote here.
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

/// Types below `first_of_jobs` are this component's own; the others are for those who know what the work is.
enum class MessageType : uint32_t {
  Hello = 1,    ///< to the worker: WorkerHello
  Welcome = 2,  ///< from it: the digest of its build
  Alive = 3,    ///< from it, while it works: it has not ended and is not stopped
  LastReply = 4 ///< in front of a reply, with no payload: the worker ends after it
};
inline constexpr uint32_t first_of_jobs = 16;

struct Message {
  uint32_t type = 0;
  std::string payload;
};

/// The bytes in front of a payload.
std::string message_header(uint32_t type, std::string_view payload);

/// Puts messages together from bytes as they come in. Takes memory for what has come, not for what a header
/// says will come.
class MessageReader {
public:
  /// Error (Internal, what is wrong with them): bytes that are no message. Nothing can be read after that.
  Result<void> feed(std::string_view bytes);
  /// The next one that is whole, in the order in which they came.
  std::optional<Message> next();
  bool in_the_middle() const { return !bytes_.empty(); } ///< of a message that is not whole yet

private:
  Result<void> take_messages();
  std::string bytes_; ///< of the message that is not whole yet
  std::vector<Message> whole_;
  size_t taken_ = 0; ///< of whole_
  bool broken_ = false;
};

/// What a worker is told before its first piece of work.
struct WorkerHello {
  std::string build;               ///< digest of who asks: the worker's must be the same
  uint64_t memory_bytes = 0;       ///< of address space; 0: no limit
  uint32_t alive_milliseconds = 0; ///< how often it says that it is alive; 0: never
  bool use_environment = true;     ///< whether its work may read environment variables
};
std::string hello_payload(const WorkerHello &hello);
/// Error: Internal.
Result<WorkerHello> read_hello(std::string_view payload);

} // namespace kiln
