// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "stop_state.h"

#include <cerrno>
#include <mutex>

namespace kiln {

sem_t &stop_requests() {
  static sem_t requests;
  static std::once_flag is_made;
  std::call_once(is_made, [] { ::sem_init(&requests, 0, 0); });
  return requests;
}

/// Semaphore that request_stop posts, also in signal handlers.
static std::atomic<sem_t *> requests_of_handlers{nullptr};

StopSource::State::State() { requests_of_handlers = &stop_requests(); }

StopSource::StopSource() : state_(std::make_shared<State>()) {}

bool StopSource::request_stop() const noexcept {
  if (!state_) return false; // moved from
  const uint64_t present = state_->generation.load();
  uint64_t before = state_->requested.load();
  while (before < present)
    if (state_->requested.compare_exchange_weak(before, present)) {
      const int kept = errno;
      ::sem_post(requests_of_handlers);
      errno = kept;
      return true;
    }
  return false;
}

bool StopSource::stop_requested() const noexcept { return state_ && state_->is_requested(); }
void StopSource::reset() const noexcept {
  if (state_) state_->take();
}

Error stopped_error() {
  return Error(
      Diagnostic{.code = ErrorCode::Stopped, .message = "the launch was stopped by its stop source"});
}

} // namespace kiln
