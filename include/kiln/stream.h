// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels as handles, and queues of launches. What is put into one stream runs in order, one after the other; streams
// run beside each other. None of these may outlive its Session.
#pragma once

#include <kiln/job.h>

#include <kiln/abi.h>

#include <chrono>
#include <memory>
#include <span>

namespace kiln {

/// What a launch may be given beside its shape.
struct LaunchOptions {
  /// 0: none. A kernel that runs longer ends in an error that says where it was; what it has written stays. It must have
  /// been compiled with CompilerConfig::interruptible. The time counts from when the launch begins to run, and is looked
  /// at in loops: a kernel ends within a few of their rounds.
  std::chrono::nanoseconds time_limit{0};
};

/// A kernel that is compiled and loaded (Session::prepare). Cheap to copy; thread-safe. A definition that is replaced
/// later does not change it.
class Kernel {
public:
  Kernel() = default;
  explicit operator bool() const { return state_ != nullptr; }
  /// Its parameters, static shared memory, and the entry's name. It must not be empty.
  const Artifact &artifact() const;

  struct State;

private:
  friend class Session;
  friend class Stream;
  explicit Kernel(std::shared_ptr<const State> state) : state_(std::move(state)) {}
  std::shared_ptr<const State> state_;
};

/// A moment in a stream: when all that was put in before it is done. Copies name the same event. Thread-safe.
class Event {
public:
  Event();
  /// Whether the record that was made last has been reached; true if there was none.
  bool done() const;
  /// Waits until it has.
  void wait() const;
  /// From when `from` was reached to when `to` was. Error: Usage if one of them has not been.
  static Result<std::chrono::nanoseconds> between(const Event &from, const Event &to);

  struct State;

private:
  friend class Stream;
  std::shared_ptr<State> state_;
};

/// A queue of launches on the CPU device (Session::stream). Thread-safe: threads that put launches into the same stream
/// get some order. Nothing is allocated for a launch once the stream has been as full before, and no thread is made.
class Stream {
public:
  Stream(); ///< empty: takes no launches
  Stream(Stream &&) noexcept;
  Stream &operator=(Stream &&) noexcept;
  ~Stream(); ///< waits for what is in it

  /// Puts a launch in and returns. arguments[i] points to the bytes of the i-th of artifact().parameters, which are
  /// copied; memory that they point to must stay until the launch is done. Errors, before anything is put in: Usage (a
  /// shape that the device cannot run, another number of arguments, a time limit for a kernel that has no look-outs).
  /// What goes wrong while it runs is synchronize()'s error.
  Result<void> launch(const Kernel &kernel, const LaunchShape &shape, std::span<const void *const> arguments, const LaunchOptions &options = {});

  void record(const Event &event);    ///< reached when all that is in the stream now is done
  void wait(const Event &event);      ///< what is put in from now on waits for the event's last record
  /// Waits until the stream is empty. Error: what the first launch since the last call ended with; the others ran all
  /// the same.
  Result<void> synchronize();
  bool idle() const; ///< all that was put in is done

  struct State;

private:
  friend class Session;
  explicit Stream(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

} // namespace kiln
