// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lock-free cache from (device, function, argument types, config) to a prepared kernel. A repeated launch
// builds no job and no key, and takes no lock. Entries are valid for one world age, that is, until the next
// definition.
//
// A thread first tries the slots of its recent hits, so that a repeated launch computes no hash.
//
// Readers announce themselves by increasing one of several counters, so that threads do not write to the same
// cache line. A reader may use an entry until it decreases the counter. A removed entry is freed once all
// readers that could have seen it are done.
#pragma once

#include <devices/devices.h>
#include <kiln/session.h>
#include <world/world.h>

#include <unordered_set>

namespace kiln {

class LaunchTable {
public:
  /// Key of a look-up. It refers to the caller's data and owns nothing.
  struct LaunchKey {
    const std::shared_ptr<Device::State> &device;
    std::string_view function;
    std::span<const Argument> arguments;
    const CompilerConfig &config;
    bool interruptible = false; ///< in addition to the config's
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
  /// A counter of readers, aligned to two cache lines, since processors fetch lines in pairs.
  struct alignas(128) Readers {
    /// The low 16 bits hold the number of current readers, the other bits the number of hits; one addition
    /// updates both. An overflow needs 65,536 readers in one counter, that is, 4 million threads.
    std::atomic<uint64_t> state{0};
  };
  static constexpr uint64_t one_reader = 1, one_hit = uint64_t(1) << 16;

public:
  /// Result of a look-up. The entry stays valid while this object lives. Empty: not found.
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
    std::unique_ptr<const Entry> own_; ///< an entry that the table did not store, owned here
  };

  LaunchTable() = default;
  ~LaunchTable();
  LaunchTable(const LaunchTable &) = delete;

  /// Thread-safe and wait-free.
  PinnedLaunch find(const LaunchKey &key, WorldAge age);
  /// Adds a kernel that was made for `key` at world age `age`. Thread-safe.
  PinnedLaunch add(const LaunchKey &key, WorldAge age, LoadedKernel kernel);
  /// Returns the artifacts used since the last call, and removes the entries of all others. Thread-safe.
  std::unordered_set<const Artifact *> artifacts_in_use();

  uint64_t hits() const; ///< hits of find

private:
  static constexpr size_t slot_count = 1024, max_entries = slot_count / 2, max_retired = 4 * slot_count,
                          reader_count = 64;
  static uint64_t hash_of(const LaunchKey &key);
  Readers &announce(uint64_t hits);
  /// Returns the entry of a slot if it matches the key and age, else null. Call it only between announce()
  /// and the end of the announcement.
  const Entry *at(size_t slot, const LaunchKey &key, WorldAge age) const;
  void retire(const Entry *entry);
  void empty_slots();
  void free_retired();

  std::array<std::atomic<const Entry *>, slot_count> slots_{};
  std::array<Readers, reader_count> readers_{};
  std::mutex mutex_; ///< guards the members below, and changes of slots_
  size_t entries_ = 0;
  WorldAge age_ = 0; ///< world age of all entries
  std::vector<std::unique_ptr<const Entry>> retired_;
};

using LaunchKey = LaunchTable::LaunchKey;
using PinnedLaunch = LaunchTable::PinnedLaunch;

} // namespace kiln
