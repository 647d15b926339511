// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Messages between this process and a worker process. A message is a header of fixed size and a payload. The
// header has a magic number, the protocol's version, the message's type and length, a checksum of the payload
// and one of the header itself. The reader does not trust the other side, which may be of another build, or
// may have overwritten its memory.
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

/// Types less than `first_of_jobs` belong to this component. The component that uses the workers defines the
/// other types.
enum class MessageType : uint32_t {
  Hello = 1,    ///< to the worker: WorkerHello
  Welcome = 2,  ///< from the worker at its start: the digest of its build
  Alive = 3,    ///< from the worker at intervals during work: it is running
  LastReply = 4 ///< from the worker before its last reply, without payload: it ends after that reply
};
inline constexpr uint32_t first_of_jobs = 16;

struct Message {
  uint32_t type = 0;
  std::string payload;
};

/// The header of a payload.
std::string message_header(uint32_t type, std::string_view payload);

/// Assembles messages from incoming bytes. Allocates memory for received bytes only, never for the length
/// that a header states.
class MessageReader {
public:
  /// Takes received bytes. Error (Internal, with the fault): invalid bytes. Do not use the reader after an
  /// error.
  Result<void> feed(std::string_view bytes);
  /// Returns the next complete message, in order of arrival. No value: none is complete.
  std::optional<Message> next();
  bool in_the_middle() const { return !bytes_.empty(); } ///< a message is incomplete

private:
  Result<void> take_messages();
  std::string bytes_; ///< of the incomplete message
  std::vector<Message> whole_;
  size_t taken_ = 0; ///< messages of whole_ already returned
  bool broken_ = false;
};

/// Settings that a worker receives before its first request.
struct WorkerHello {
  std::string build;               ///< digest of the caller's build; must equal the worker's
  uint64_t memory_bytes = 0;       ///< limit of the worker's address space; 0: no limit
  uint32_t alive_milliseconds = 0; ///< interval of the worker's Alive messages; 0: it sends none
  bool use_environment = true;     ///< the worker's jobs may read environment variables
};
std::string hello_payload(const WorkerHello &hello);
/// Error: Internal.
Result<WorkerHello> read_hello(std::string_view payload);

} // namespace kiln
