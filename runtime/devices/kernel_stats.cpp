// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernel_stats.h"

#include <host/host.h>

#include <algorithm>

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
  if (origin.text_bytes) row.text_bytes = origin.text_bytes; // unknown after a cache hit
}

void KernelStats::launched(const Artifact &cubin, const LaunchShape &shape, uint32_t coarse_factor) {
  std::lock_guard lock(mutex_);
  auto found = notes_.find(cubin.entry);
  if (found == notes_.end()) return; // loaded from bytes: resources unknown
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

void KernelStats::executed(const std::string &entry, bool is_cpu, uint64_t nanoseconds) {
  std::lock_guard lock(mutex_);
  Note &note = (is_cpu ? cpu_notes_ : notes_)[entry];
  TimingKernel &row = note.row;
  if (is_cpu) row.launches++;
  if (row.name.empty()) row.name = entry, row.is_cpu = is_cpu;
  row.execution_min = row.executions ? std::min(row.execution_min, nanoseconds) : nanoseconds;
  row.execution_max = std::max(row.execution_max, nanoseconds);
  row.execution_total += nanoseconds;
  if (note.last_executions.size() < kept_executions)
    note.last_executions.push_back(nanoseconds);
  else
    note.last_executions[row.executions % kept_executions] = nanoseconds;
  row.executions++;
}

void KernelStats::clear() {
  std::lock_guard lock(mutex_);
  notes_.clear();
  cpu_notes_.clear();
}

std::vector<TimingKernel> KernelStats::report() const {
  std::lock_guard lock(mutex_);
  std::vector<TimingKernel> rows;
  for (const auto *notes : {&notes_, &cpu_notes_})
    for (const auto &[name, note] : *notes) {
      TimingKernel &row = rows.emplace_back(note.row);
      std::vector<uint64_t> last = note.last_executions;
      if (last.empty()) continue;
      std::ranges::nth_element(last, last.begin() + ptrdiff_t(last.size() / 2));
      row.execution_median = last[last.size() / 2];
    }
  return rows;
}

} // namespace kiln
