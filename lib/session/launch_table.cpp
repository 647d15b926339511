// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "launch_table.h"

#include <cstring>

namespace kiln {

bool LaunchTable::Entry::answers(uint64_t asked, const LaunchKey &question) const {
  if (hash != asked || device != question.device || function != question.function ||
      types.size() != question.arguments.size())
    return false;
  if (interruptible != question.interruptible || may_overlap != question.may_overlap) return false;
  for (size_t i = 0; i < types.size(); i++)
    if (types[i] != question.arguments[i].type) return false;
  return config == question.config;
}

namespace {

constexpr uint64_t odd = 0x9e3779b97f4a7c15;
uint64_t mixed(uint64_t h, uint64_t value) { return (h ^ value) * odd ^ (h >> 29); }

/// In this process only: by words, for texts of some twenty bytes.
uint64_t mixed(uint64_t h, std::string_view text) {
  uint64_t word = 0;
  for (; text.size() > sizeof word; text.remove_prefix(sizeof word)) {
    std::memcpy(&word, text.data(), sizeof word);
    h = mixed(h, word);
  }
  word = text.size() << 56; // a text and the same with zeros behind it differ
  for (size_t i = 0; i < text.size(); i++) word ^= uint64_t(static_cast<unsigned char>(text[i])) << 8 * i;
  return mixed(h, word);
}

} // namespace

uint64_t LaunchTable::hash_of(const LaunchKey &question) {
  uint64_t h = mixed(reinterpret_cast<uintptr_t>(question.device.get()),
                     question.function); // never an order, only a place
  for (const Argument &argument : question.arguments) h = mixed(h, argument.type);
  const CompilerConfig &c = question.config;
  h = mixed(h, uint64_t(c.opt_level) << 8 | uint64_t(c.debug_level) << 4 |
                   uint64_t(question.interruptible) << 1 | uint64_t(question.may_overlap));
  return h ^ h >> 32;
}

// Threads are numbered as they come, so as many as there are counters have one each: a hash of their ids lets
// two of 16 meet nearly always, and their look-ups take four times as long. Two threads on one only cost
// time.
LaunchTable::Readers &LaunchTable::announce(uint64_t hits) {
  static std::atomic<unsigned> next{0};
  thread_local const unsigned number = next.fetch_add(1, std::memory_order_relaxed);
  Readers &mine = readers_[number % reader_count];
  mine.state.fetch_add(hits + one_reader, std::memory_order_seq_cst);
  return mine;
}

PinnedLaunch LaunchTable::find(const LaunchKey &question, WorldAge age) {
  const uint64_t hash = hash_of(question);
  PinnedLaunch found;
  found.readers_ = &announce(one_hit);
  // What is read from a slot from here on is freed after the announcement has ended (free_retired): both
  // sides' order is the single one of all seq_cst operations.
  for (size_t i = 0; i < slot_count; i++) {
    const Entry *entry = slots_[(hash + i) % slot_count].load(std::memory_order_seq_cst);
    if (!entry) break;
    if (entry->age != age || !entry->answers(hash, question)) continue;
    if (!entry->used.load(std::memory_order_relaxed)) entry->used.store(true, std::memory_order_relaxed);
    found.entry_ = entry;
    return found;
  }
  found.readers_->state.fetch_sub(one_hit, std::memory_order_relaxed); // there was nothing after all
  return {};
}

PinnedLaunch LaunchTable::add(const LaunchKey &question, WorldAge age, LoadedKernel kernel) {
  auto entry = std::make_unique<Entry>();
  entry->hash = hash_of(question);
  entry->age = age;
  entry->device = question.device;
  entry->function = question.function;
  for (const Argument &argument : question.arguments) entry->types.push_back(argument.type);
  entry->config = question.config;
  entry->interruptible = question.interruptible;
  entry->may_overlap = question.may_overlap;
  entry->kernel = std::move(kernel);
  PinnedLaunch found;
  found.entry_ = entry.get();
  std::lock_guard lock(mutex_);
  free_retired();
  if (age < age_ ||
      retired_.size() >=
          most_retired) { // made in a world that has gone, or launches hold on to what was retired
    found.own_ = std::move(entry);
    return found;
  }
  if (age != age_ || entries_ >= most_entries) empty_slots();
  age_ = age;
  for (size_t i = 0; i < slot_count; i++) {
    std::atomic<const Entry *> &slot = slots_[(entry->hash + i) % slot_count];
    const Entry *there = slot.load(std::memory_order_relaxed);
    if (there && !there->answers(entry->hash, question)) continue;
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
    // Probing ends at an empty slot, so those that stay get places anew. A reader that misses one meanwhile
    // asks the long way.
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
