// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernel_stats.h"

#include <host/host.h>

namespace kiln {

void KernelStats::compiled(const Artifact &cubin, const Origin &origin) {
  if (cubin.kind != ArtifactKind::Cubin) return;
  const KernelResources &r = cubin.resources;
  std::lock_guard lock(mutex_);
  Note &note = notes_[cubin.entry];
  note.sm = origin.sm;
  note.resources = r;
  TimingKernel &row = note.row;
  row.name = cubin.entry;
  row.assembler = cubin.assembler;
  row.registers = r.registers;
  row.spilled_bytes = r.spill_store_bytes + r.spill_load_bytes;
  row.stack_bytes = r.stack_bytes;
  row.shared_bytes = r.shared_bytes;
  row.constant_bytes = r.constant_bytes;
  row.job = origin.job;
  row.key = origin.key;
  row.object_bytes = cubin.bytes.size();
  if (origin.text_bytes) row.text_bytes = origin.text_bytes; // a hit does not know it
}

void KernelStats::launched(const Artifact &cubin, const LaunchShape &shape, uint32_t coarse_factor) {
  std::lock_guard lock(mutex_);
  auto found = notes_.find(cubin.entry);
  if (found == notes_.end()) return; // loaded from bytes: nobody said what it takes
  Note &note = found->second;
  TimingKernel &row = note.row;
  row.launches++;
  if (coarse_factor) {
    row.coarse_factor = coarse_factor;
    row.coarse_launches++;
  }
  const uint32_t threads = shape.threads[0] * shape.threads[1] * shape.threads[2];
  if (row.threads == threads && row.dynamic_shared_bytes == shape.shared_bytes && row.launches > 1) return;
  row.threads = threads;
  row.dynamic_shared_bytes = shape.shared_bytes;
  Occupancy o = occupancy(note.sm, note.resources, threads, shape.shared_bytes);
  row.occupancy = o.max_warps ? double(o.warps) / o.max_warps : 0;
  row.limit = o.limit;
}

void KernelStats::clear() {
  std::lock_guard lock(mutex_);
  notes_.clear();
}

std::vector<TimingKernel> KernelStats::report() const {
  std::lock_guard lock(mutex_);
  std::vector<TimingKernel> rows;
  for (const auto &[name, note] : notes_) rows.push_back(note.row);
  return rows;
}

} // namespace kiln
