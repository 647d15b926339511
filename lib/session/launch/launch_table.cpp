// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "launch_table.h"

#include <cstring>
#include <tuple>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace kiln {

namespace {

/// Compares two texts of about twenty bytes, which are usually equal. Compares 8-byte words, which is faster
/// than a call of memcmp.
bool is_same(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  const char *left = a.data(), *right = b.data();
  auto words_differ = [&]<class Word>(Word, size_t at) {
    Word x, y;
    std::memcpy(&x, left + at, sizeof x);
    std::memcpy(&y, right + at, sizeof y);
    return x != y;
  };
  const size_t size = a.size();
  if (size < 4) {
    for (size_t i = 0; i < size; i++)
      if (left[i] != right[i]) return false;
    return true;
  }
  if (size < 8) return !words_differ(uint32_t(), 0) && !words_differ(uint32_t(), size - 4);
  for (size_t at = 0; at + 8 <= size; at += 8)
    if (words_differ(uint64_t(), at)) return false;
  return !words_differ(uint64_t(), size - 8);
}

/// Per-thread state for all tables.
struct OfThread {
  unsigned number = 0; ///< number of the thread, from 1; 0: not assigned yet
  /// Table slots of recent hits, indexed by a cheap hash of the key (place_of).
  std::array<uint16_t, 8> slots = {};
};
// The TLS model initial-exec avoids a call into the dynamic linker, which would take half as long as a whole
// look-up.
[[gnu::tls_model("initial-exec")]] constinit thread_local OfThread of_thread;

/// Returns the index of a key in OfThread::slots. Kernels that a thread launches alternately usually have
/// different indices.
size_t place_of(std::string_view function, size_t arguments) {
  const size_t last = function.empty() ? 0 : static_cast<unsigned char>(function.back());
  return (function.size() * 5 + last + arguments * 3) % std::tuple_size_v<decltype(OfThread::slots)>;
}

} // namespace

bool LaunchTable::Entry::answers(const LaunchKey &key) const {
  if (device != key.device || types.size() != key.arguments.size() || interruptible != key.interruptible ||
      may_overlap != key.may_overlap || !is_same(function, key.function))
    return false;
  for (size_t i = 0; i < types.size(); i++)
    if (!is_same(types[i], key.arguments[i].type)) return false;
  return config == key.config;
}

/// Valid in this process only.
uint64_t LaunchTable::hash_of(const LaunchKey &key) {
  const CompilerConfig &c = key.config;
  uint64_t h = XXH3_64bits_withSeed(key.function.data(), key.function.size(),
                                    reinterpret_cast<uintptr_t>(key.device.get()));
  for (const Argument &argument : key.arguments)
    h = XXH3_64bits_withSeed(argument.type.data(), argument.type.size(), h);
  return h ^ (uint64_t(c.opt_level) << 8 | uint64_t(c.debug_level) << 4 | uint64_t(key.interruptible) << 1 |
              uint64_t(key.may_overlap)) *
                 0x9e3779b97f4a7c15;
}

// Announces this thread as a reader, in the counter of its number. Threads are numbered in order of arrival,
// so that they share no counter until all are in use. With a hash of thread ids, two of 16 threads would
// almost always share a counter, which makes their look-ups four times slower.
LaunchTable::Readers &LaunchTable::announce(uint64_t hits) {
  static std::atomic<unsigned> next{0};
  if (of_thread.number == 0) [[unlikely]]
    of_thread.number = next.fetch_add(1, std::memory_order_relaxed) % reader_count + 1;
  Readers &mine = readers_[of_thread.number - 1];
  mine.state.fetch_add(hits + one_reader, std::memory_order_seq_cst);
  return mine;
}

const LaunchTable::Entry *LaunchTable::at(size_t slot, const LaunchKey &key, WorldAge age) const {
  const Entry *entry = slots_[slot].load(std::memory_order_seq_cst);
  if (!entry || entry->age != age || !entry->answers(key)) return nullptr;
  if (!entry->used.load(std::memory_order_relaxed)) entry->used.store(true, std::memory_order_relaxed);
  return entry;
}

PinnedLaunch LaunchTable::find(const LaunchKey &key, WorldAge age) {
  PinnedLaunch found;
  found.readers_ = &announce(one_hit);
  // An entry that is read from a slot after the announcement is not freed before the announcement ends
  // (free_retired). Sequentially consistent operations on both sides guarantee this order.
  uint16_t &last = of_thread.slots[place_of(key.function, key.arguments.size())];
  found.entry_ = at(last, key, age); // null if the slot was remembered for another table
  if (found.entry_) [[likely]]
    return found;
  const uint64_t hash = hash_of(key);
  for (size_t i = 0; i < slot_count; i++) {
    const size_t slot = (hash + i) % slot_count;
    const Entry *entry = slots_[slot].load(std::memory_order_seq_cst);
    if (!entry) break;
    if (entry->hash != hash) continue;
    found.entry_ = at(slot, key, age);
    if (!found.entry_) continue;
    last = uint16_t(slot);
    return found;
  }
  found.readers_->state.fetch_sub(one_hit, std::memory_order_relaxed); // a miss
  return {};
}

PinnedLaunch LaunchTable::add(const LaunchKey &key, WorldAge age, LoadedKernel kernel) {
  auto entry = std::make_unique<Entry>();
  entry->hash = hash_of(key);
  entry->age = age;
  entry->device = key.device;
  entry->function = key.function;
  for (const Argument &argument : key.arguments) entry->types.push_back(argument.type);
  entry->config = key.config;
  entry->interruptible = key.interruptible;
  entry->may_overlap = key.may_overlap;
  entry->kernel = std::move(kernel);
  PinnedLaunch found;
  found.entry_ = entry.get();
  std::lock_guard lock(mutex_);
  free_retired();
  // The entry is for an old world age, or running launches hold too many removed entries.
  if (age < age_ || retired_.size() >= max_retired) {
    found.own_ = std::move(entry);
    return found;
  }
  if (age != age_ || entries_ >= max_entries) empty_slots();
  age_ = age;
  for (size_t i = 0; i < slot_count; i++) {
    std::atomic<const Entry *> &slot = slots_[(entry->hash + i) % slot_count];
    const Entry *there = slot.load(std::memory_order_relaxed);
    if (there && (there->hash != entry->hash || !there->answers(key))) continue;
    if (there)
      retire(there); // another thread was faster
    else
      entries_++;
    found.readers_ = &announce(0);
    slot.store(entry.release(), std::memory_order_seq_cst);
    break;
  }
  return found;
}

uint64_t LaunchTable::hits() const {
  uint64_t sum = 0;
  for (const Readers &readers : readers_) sum += readers.state.load(std::memory_order_relaxed) / one_hit;
  return sum;
}

void LaunchTable::retire(const Entry *entry) { retired_.emplace_back(entry); }

void LaunchTable::empty_slots() {
  for (auto &slot : slots_)
    if (const Entry *entry = slot.exchange(nullptr, std::memory_order_seq_cst)) retire(entry);
  entries_ = 0;
}

// Order: a retired entry left its slot before this function's loads, and a reader increased its counter
// before it loaded the slot. All four operations are sequentially consistent, so that a load of 0 here means:
// the reader announced itself later and finds the slot without the entry, or it is done. In the second case
// the load reads the reader's release (or a later addition to it), so that its last use of the entry came
// before.
void LaunchTable::free_retired() {
  if (retired_.empty()) return;
  for (const Readers &readers : readers_)
    if (readers.state.load(std::memory_order_seq_cst) % one_hit != 0) return;
  retired_.clear();
}

std::unordered_set<const Artifact *> LaunchTable::artifacts_in_use() {
  std::unordered_set<const Artifact *> used;
  std::lock_guard lock(mutex_);
  std::vector<const Entry *> kept;
  for (auto &slot : slots_) {
    const Entry *entry = slot.load(std::memory_order_relaxed);
    if (!entry || !entry->used.exchange(false, std::memory_order_relaxed) || entry->age != age_) continue;
    used.insert(entry->kernel.artifact.get());
    kept.push_back(entry);
  }
  if (kept.size() < entries_) {
    // Open addressing: probing ends at an empty slot, so all kept entries are inserted again. A reader that
    // misses an entry meanwhile takes the slow path.
    for (auto &slot : slots_) {
      const Entry *entry = slot.exchange(nullptr, std::memory_order_seq_cst);
      if (entry && std::find(kept.begin(), kept.end(), entry) == kept.end()) retire(entry);
    }
    for (const Entry *entry : kept)
      for (size_t i = 0; i < slot_count; i++) {
        auto &slot = slots_[(entry->hash + i) % slot_count];
        if (slot.load(std::memory_order_relaxed)) continue;
        slot.store(entry, std::memory_order_seq_cst);
        break;
      }
    entries_ = kept.size();
  }
  free_retired();
  return used;
}

LaunchTable::~LaunchTable() {
  for (auto &slot : slots_) delete slot.load(std::memory_order_relaxed);
}

} // namespace kiln
