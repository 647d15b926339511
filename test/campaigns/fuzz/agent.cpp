// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bytes that strangers send to sessions and agents: payloads of messages, results of HTTP servers, URLs. What
// is read is written again and read as the same.
#include <agent/action_result.h>
#include <agent/redis_leases.h>
#include <agent/url.h>
#include <remote/remote.h>

#include <cstdlib>

using namespace kiln;

template <class T>
static void check(Result<T> read, Result<T> (*again)(std::string_view), uint32_t T::*version = nullptr) {
  if (!read.ok()) return;
  if (version && (*read).*version != agent_protocol) return; // the rest of another version is not read
  const std::string payload = payload_of(*read);
  Result<T> second = again(payload);
  if (!second.ok() || payload_of(*second) != payload) std::abort();
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char *>(data), size);
  check(read_agent_hello(bytes), read_agent_hello, &AgentHello::protocol);
  check(read_agent_welcome(bytes), read_agent_welcome, &AgentWelcome::protocol);
  check(read_agent_get(bytes), read_agent_get);
  check(read_agent_answer(bytes), read_agent_answer);
  check(read_agent_wait(bytes), read_agent_wait);
  check(read_agent_release(bytes), read_agent_release);
  check(read_agent_put(bytes), read_agent_put);
  check(read_agent_taken(bytes), read_agent_taken);
  check(read_agent_take(bytes), read_agent_take);
  check(read_agent_tasks(bytes), read_agent_tasks);
  check(read_agent_finish(bytes), read_agent_finish);

  if (Result<ActionResult> result = read_action_result(bytes); result.ok()) {
    const Result<ActionResult> second = read_action_result(write_action_result(*result));
    if (!second.ok() || second->inline_bytes != result->inline_bytes || second->sha256 != result->sha256)
      std::abort();
  }
  (void)read_lease_value(bytes);
  // Credentials of a URL that is read are shown nowhere.
  if (const Result<RemoteUrl> url = read_remote_url(bytes); url.ok() && url->password.size() > 8) {
    if (url->shown.find(url->password) != std::string::npos &&
        bytes.rfind(url->password) == bytes.find(url->password))
      std::abort();
  }
  return 0;
}
