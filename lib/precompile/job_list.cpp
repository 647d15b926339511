// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "precompile.h"

#include <targets/targets.h>

#include <set>

namespace kiln {

Fingerprint identity_of(const PrecompileJob &job) {
  Fingerprinter digest;
  digest.add("kiln precompile job 1").add(job.call).add(job.hidden_argument).add(job.product);
  for (const PrecompileFile &file : job.files) digest.add(file.name).add(file.digest);
  digest.add(uint64_t(job.captures.size()));
  for (const auto &[name, expression] : job.captures) digest.add(name).add(expression);
  // Julia's jobs keep the identity that they had before there were others.
  if (!job.language.empty()) digest.add("language").add(job.language);
  for (const PrecompileFile &file : job.files)
    if (!file.language.empty()) digest.add("language of a file").add(file.name).add(file.language);
  visit_fields(job.config, [&](std::string_view name, const auto &value) { digest.add(name).add(value); });
  return digest.finish();
}

std::vector<PrecompileJob> shard_of(std::span<const PrecompileJob> jobs, unsigned index, unsigned count) {
  std::vector<PrecompileJob> mine;
  for (const PrecompileJob &job : jobs)
    if (count && identity_of(job).low % count + 1 == index) mine.push_back(job);
  return mine;
}

Result<std::vector<PrecompileJob>> for_architectures(std::span<const PrecompileJob> jobs,
                                                     std::string_view architectures) {
  KILN_TRY(const std::vector<GpuArch> archs, parse_archs("--arch", architectures));
  std::vector<PrecompileJob> all;
  std::set<Fingerprint> seen; // jobs that differ in nothing else
  auto add = [&](PrecompileJob job) {
    if (seen.insert(identity_of(job)).second) all.push_back(std::move(job));
  };
  for (const PrecompileJob &job : jobs) {
    const Target *target = find_target(job.config.target.name()); // an embedder's is left as it is
    if (!target || !target->gpu_code(job.config.target)) {
      add(job);
      continue;
    }
    for (GpuArch arch : archs) {
      PrecompileJob other = job;
      other.config.target = *target->for_architecture(job.config.target, arch_name(arch));
      add(std::move(other));
    }
  }
  return all;
}

} // namespace kiln
