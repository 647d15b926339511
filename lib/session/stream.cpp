// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// kiln/stream.h: handles of kernels, events, and the CPU device's streams with errors as the language's user reads them.
#include "stream.h"

namespace kiln {

const Artifact &Kernel::artifact() const { return *state_->prepared.artifact; }

Event::Event() : state_(std::make_shared<State>()) {}
bool Event::done() const { return state_->has_reached(state_->last()); }
void Event::wait() const { state_->wait(state_->last()); }

Result<std::chrono::nanoseconds> Event::between(const Event &from, const Event &to) {
  auto begin = from.state_->time(), end = to.state_->time();
  if (!begin || !end) return usage_error(fmt::format("the {} event has not been reached: record it in a stream and wait for it", begin ? "second" : "first"));
  return std::chrono::duration_cast<std::chrono::nanoseconds>(*end - *begin);
}

Stream::Stream() = default;
Stream::Stream(std::unique_ptr<State> state) : state_(std::move(state)) {}
Stream::Stream(Stream &&) noexcept = default;
Stream &Stream::operator=(Stream &&) noexcept = default;
Stream::~Stream() = default;

Result<void> Stream::launch(const Kernel &kernel, const LaunchShape &shape, std::span<const void *const> arguments, const LaunchOptions &options) {
  if (!state_) return usage_error("a stream that Session::stream has not made takes no launches");
  if (!kernel) return usage_error("a launch of an empty handle: Session::prepare makes kernels");
  KILN_TRY(KernelLaunch launch, state_->session.plan(kernel.state_->prepared, shape, arguments.size(), options));
  std::shared_ptr<AccessChecker> checker = state_->session.checker(kernel.state_->prepared, arguments);
  state_->queue.launch(launch, arguments, kernel.state_->sizes, kernel.state_, std::move(checker));
  return {};
}

void Stream::record(const Event &event) {
  if (state_) state_->queue.record(event.state_);
}
void Stream::wait(const Event &event) {
  if (state_) state_->queue.wait(event.state_);
}
bool Stream::idle() const { return !state_ || state_->queue.idle(); }

Result<void> Stream::synchronize() {
  if (!state_) return {};
  std::optional<FailedLaunch> failed = state_->queue.synchronize();
  if (!failed) return {};
  KILN_CHECK(std::move(failed->status));
  return launch_result(failed->outcome, failed->checker.get(), state_->session.sources);
}

} // namespace kiln
