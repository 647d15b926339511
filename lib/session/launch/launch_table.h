// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lock-free cache from (device, function, argument types, config) to a prepared kernel, valid for one world
// age: the next launch of the same function with arguments of the same types makes no job and no key, and
// takes no lock. An entry counts until something is defined.
//
// A thread tries the slots first that it found such launches in last, so that a launch that is repeated
// hashes nothing.
//
// Readers announce themselves in one of several counters, so that threads do not share what they write to,
// and may use an entry until they are done. What is taken out of the table waits until no reader is left that
// could have seen it.
#pragma once

#include <devices/devices.h>
#include <kiln/session.h>
#include <world/world.h>

#include <unordered_set>

namespace kiln {

class LaunchTable {
public:
  /// What is asked for; refers to its parts.
  struct LaunchKey {
    const std::shared_ptr<Device::State> &device;
    std::string_view function;
    std::span<const Argument> arguments;
    const CompilerConfig &config;
    bool interruptible = false; ///< besides what the config says
    bool may_overlap = false;   ///< CompilerConfig::invariant_arguments does not hold
  };

private:
  struct Entry {
    uint64_t hash = 0;
    WorldAge age = 0;
    std::shared_ptr<Device::State> device;
    std::string function;
    std::vector<std::string> types;
    CompilerConfig config;
    bool interruptible = false, may_overlap = false;
    LoadedKernel kernel;
    mutable std::atomic<bool> used{true}; ///< since the last `artifacts_in_use`
    bool answers(const LaunchKey &key) const;
  };
  /// Two cache lines: processors fetch them in pairs.
  struct alignas(128) Readers {
    /// How many read now in the low 16 bits, and how often something was found above them: one addition for
    /// both. 65,536 readers at once would be 4 million threads.
    std::atomic<uint64_t> state{0};
  };
  static constexpr uint64_t one_reader = 1, one_hit = uint64_t(1) << 16;

public:
  /// What was found, for as long as this lives. Empty: nothing.
  class PinnedLaunch {
  public:
    PinnedLaunch() = default;
    PinnedLaunch(PinnedLaunch &&other) noexcept
        : entry_(std::exchange(other.entry_, nullptr)), readers_(std::exchange(other.readers_, nullptr)),
          own_(std::move(other.own_)) {}
    PinnedLaunch &operator=(PinnedLaunch &&other) noexcept {
      std::swap(entry_, other.entry_);
      std::swap(readers_, other.readers_);
      std::swap(own_, other.own_);
      return *this;
    }
    ~PinnedLaunch() {
      if (readers_) readers_->state.fetch_sub(one_reader, std::memory_order_release);
    }
    explicit operator bool() const { return entry_ != nullptr; }
    const LoadedKernel &operator*() const { return entry_->kernel; }
    const LoadedKernel *operator->() const { return &entry_->kernel; }

  private:
    friend class LaunchTable;
    const Entry *entry_ = nullptr;
    Readers *readers_ = nullptr;
    std::unique_ptr<const Entry> own_; ///< where the table took none
  };

  LaunchTable() = default;
  ~LaunchTable();
  LaunchTable(const LaunchTable &) = delete;

  /// Thread-safe, and waits for nobody.
  PinnedLaunch find(const LaunchKey &key, WorldAge age);
  /// Thread-safe. What was made for the key at `age`.
  PinnedLaunch add(const LaunchKey &key, WorldAge age, LoadedKernel kernel);
  /// The artifacts that were asked for since the last call; the others' entries go. Thread-safe.
  std::unordered_set<const Artifact *> artifacts_in_use();

  uint64_t hits() const; ///< of find

private:
  static constexpr size_t slot_count = 1024, most_entries = slot_count / 2, most_retired = 4 * slot_count,
                          reader_count = 64;
  static uint64_t hash_of(const LaunchKey &key);
  Readers &announce(uint64_t hits);
  /// What the slot holds, if it answers; null: it does not. After announce().
  const Entry *at(size_t slot, const LaunchKey &key, WorldAge age) const;
  void retire(const Entry *entry);
  void empty_slots();
  void free_retired();

  std::array<std::atomic<const Entry *>, slot_count> slots_{};
  std::array<Readers, reader_count> readers_{};
  std::mutex mutex_; ///< of what follows, and of changes of slots_
  size_t entries_ = 0;
  WorldAge age_ = 0; ///< of all entries
  std::vector<std::unique_ptr<const Entry>> retired_;
};

using LaunchKey = LaunchTable::LaunchKey;
using PinnedLaunch = LaunchTable::PinnedLaunch;

} // namespace kiln
