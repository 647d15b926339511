// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checker.h"

#include "block.h"

#include <algorithm>

namespace kiln {

using abi::AccessKind;

AccessChecker::AccessChecker(std::vector<MemoryRange> ranges, bool has_pointers)
    : ranges_(std::move(ranges)), has_pointers_(has_pointers) {
  std::sort(ranges_.begin(), ranges_.end(),
            [](const MemoryRange &a, const MemoryRange &b) { return a.begin < b.begin; });
}

bool AccessChecker::holds(uintptr_t address, uint64_t bytes, const MemoryRange **nearest) const {
  if (has_pointers_) return true;
  uint64_t distance = UINT64_MAX;
  for (const MemoryRange &range : ranges_) {
    uint64_t from_begin = address - range.begin; // wraps for addresses below the range
    if (address >= range.begin && bytes <= range.bytes && from_begin <= range.bytes - bytes) return true;
    uint64_t away = address < range.begin      ? range.begin - address
                    : from_begin < range.bytes ? 0
                                               : from_begin - range.bytes;
    if (away >= distance) continue;
    distance = away;
    *nearest = &range;
  }
  return false;
}

void AccessChecker::add(const AccessFinding &finding) {
  auto linear = [](const AccessFinding &f) {
    return std::array{f.block[2],         f.block[1],         f.block[0],
                      f.access.thread[2], f.access.thread[1], f.access.thread[0]};
  };
  std::lock_guard lock(mutex_);
  auto [it, is_new] = found_.try_emplace({finding.access.site->index, uint32_t(finding.kind),
                                          finding.other.site ? finding.other.site->index : 0},
                                         finding);
  if (is_new) return;
  // Report the thread with the lowest index, so that the report does not depend on the order of blocks.
  uint64_t count = it->second.count + 1;
  if (linear(finding) < linear(it->second)) it->second = finding;
  it->second.count = count;
}

std::vector<AccessFinding> AccessChecker::findings() const {
  std::lock_guard lock(mutex_);
  std::vector<AccessFinding> all;
  for (const auto &[key, finding] : found_) all.push_back(finding);
  return all;
}

void SharedShadow::begin_block(uint64_t bytes) {
  if (cells_.size() < bytes) cells_.resize(bytes);
  first_epoch_ = ++epoch_;
  warp_epochs_.fill(0);
}

/// True if a barrier or warp synchronisation separates access `before` from the current access of `thread`.
bool SharedShadow::is_ordered(const Stamp &before, uint32_t thread) const {
  if (before.epoch != epoch_ || before.thread == thread)
    return true; // the epoch changed: a barrier or a new block lies between the accesses
  return before.thread / 32 == thread / 32 && before.warp_epoch != warp_epochs_[thread / 32];
}

std::optional<SharedShadow::Fault> SharedShadow::access_byte(Cell &cell, const Stamp &now) {
  std::optional<Fault> fault;
  auto against = [&](const Stamp &before) {
    if (fault || !before.site || is_ordered(before, now.thread))
      return; // do not read the site: an earlier launch's code may be freed
    fault = Fault{AccessFinding::Kind::Race, before.site, before.thread};
  };
  bool is_atomic = now.site->kind == AccessKind::Atomic || now.site->kind == AccessKind::AtomicStore;
  bool reads = now.site->kind == AccessKind::Read || now.site->kind == AccessKind::Atomic;
  against(cell.write);
  if (!is_atomic)
    for (const Stamp &atomic : cell.atomics) against(atomic);
  bool is_initialized = cell.write.epoch >= first_epoch_ || cell.atomics[0].epoch >= first_epoch_;
  if (reads && !is_initialized && !fault) fault = Fault{AccessFinding::Kind::Uninitialized};
  if (now.site->kind != AccessKind::Read)
    for (const Stamp &read : cell.reads) against(read);
  if (now.site->kind == AccessKind::Write)
    cell.write = now;
  else
    note(is_atomic ? cell.atomics : cell.reads, now);
  return fault;
}

/// Remembers an access. Two remembered accesses suffice to detect a race with any later one. One access of
/// each of two warps is kept if possible: a later access comes from another warp than at least one of them.
/// Otherwise two accesses of one warp are kept that no sync_warp separates: a later access comes from another
/// thread than at least one of them.
void SharedShadow::note(std::array<Stamp, 2> &pair, const Stamp &now) const {
  auto is_past = [&](const Stamp &before) {
    return !before.site || before.epoch != epoch_ || before.thread == now.thread;
  };
  auto other_warp = [&](const Stamp &before) { return before.thread / 32 != now.thread / 32; };
  if (is_past(pair[0]) && !is_past(pair[1])) std::swap(pair[0], pair[1]);
  bool replaces_first = is_past(pair[0]) || (!other_warp(pair[0]) && is_ordered(pair[0], now.thread));
  bool keeps_second = !is_past(pair[1]) && other_warp(pair[1]) && !other_warp(pair[0]);
  if (replaces_first)
    pair[0] = now;
  else if (!keeps_second)
    pair[1] = now;
}

std::optional<SharedShadow::Fault> SharedShadow::access(uint64_t offset, uint64_t bytes, uint32_t thread,
                                                        const abi::AccessSite *site) {
  Stamp now{site, epoch_, warp_epochs_[thread / 32], thread};
  std::optional<Fault> first;
  for (uint64_t i = offset; i < offset + bytes; i++)
    if (auto fault = access_byte(cells_[i], now); fault && !first) first = fault;
  return first;
}

namespace {

std::array<uint32_t, 3> index_of(const abi::NativeThread &state, uint32_t thread) {
  uint32_t width = state.block_dim[0], height = state.block_dim[1];
  return {thread % width, thread / width % height, thread / width / height};
}

} // namespace

/// Checks one access and records a finding. Returns false if the access must not be executed.
bool Block::check_access(uint32_t thread, const void *pointer, uint64_t bytes, const abi::AccessSite *site) {
  uintptr_t address = reinterpret_cast<uintptr_t>(pointer), first = reinterpret_cast<uintptr_t>(state.shared);
  bool in_shared = shared_bytes && address >= first && address - first < shared_bytes;
  AccessFinding finding{.access = {site, index_of(state, thread)},
                        .block = {state.block[0], state.block[1], state.block[2]},
                        .bytes = bytes};
  auto found = [&](AccessFinding::Kind kind) {
    finding.kind = kind;
    checker->add(finding);
  };
  if (in_shared || site->space == 3) {
    finding.offset = int64_t(address - first);
    finding.size = shared_bytes;
    if (!in_shared || bytes > shared_bytes - (address - first))
      return found(AccessFinding::Kind::OutOfBounds), false;
    if (uint64_t offset = address - first;
        site->end && (offset < site->first || offset + bytes > site->end)) {
      finding.offset -= site->first;
      finding.size = site->end - site->first;
      finding.of_array = true;
      return found(AccessFinding::Kind::OutOfBounds), false;
    }
  } else if (const MemoryRange *nearest = nullptr; !checker->holds(address, bytes, &nearest)) {
    if (site->space == 0) return true; // generic address outside of all arrays: perhaps a local variable
    if (nearest) {
      finding.argument = nearest->argument;
      finding.offset = int64_t(address - nearest->begin);
      finding.size = nearest->bytes;
    }
    return found(AccessFinding::Kind::OutOfBounds), false;
  }
  if (address % site->align) return found(AccessFinding::Kind::Misaligned), false;
  if (!in_shared) return true;
  if (auto fault = shadow->access(address - first, bytes, thread, site)) {
    if (fault->other) finding.other = {fault->other, index_of(state, fault->other_thread)};
    found(fault->kind);
  }
  return true;
}

extern "C" uint32_t kiln_native_access(abi::NativeThread *thread, uint32_t index, const void *address,
                                       uint64_t bytes, const abi::AccessSite *site) {
  return static_cast<Block *>(thread->run)->check_access(index, address, bytes, site);
}

} // namespace kiln
