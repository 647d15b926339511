// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiles candidates: makes their jobs and kernels.
#include "run.h"

#include <host/host.h>
#include <support/float_environment.h>

namespace kiln {

/// Applies the options in the search space to the request's config.
Result<CompilerConfig> TuneRun::config_of(const PointValues &values) {
  std::string json;
  for (const auto &[name, text] : space_.space().options) {
    KILN_TRY(const std::string value, space_.filled(text, values));
    json += fmt::format("{}{}: {}", json.empty() ? "" : ", ", json_string(name),
                        value == "true" || value == "false" ? value : json_string(value));
  }
  json = "{" + json + "}";
  if (auto known = configs_.find(json); known != configs_.end()) return known->second;
  KILN_TRY(CompilerConfig config, session_.read_config(json, base_));
  if (!config.kernel) return usage_error("the search is for kernels: no-kernel is for plain functions");
  configs_.emplace(json, config);
  return config;
}

Result<Job> TuneRun::hold(const TunedCall &call, const CompilerConfig &config) {
  return session_.job(call.function, call.types, config);
}

/// Content key of the reference.
Result<Fingerprint> TuneRun::reference_key() {
  const TuneReference &reference = request_.reference;
  Fingerprinter key;
  key.add(reference.tolerance);
  for (const auto &texts : {reference.shape.threads, reference.shape.blocks})
    for (const std::string &text : texts) key.add(text);
  for (const auto &[name, value] : reference.candidate) key.add(name).add(value);
  for (const auto &each : reference.expected)
    key.add(each.argument).bytes(each.bytes.data(), each.bytes.size());
  if (!reference.function.empty()) {
    KILN_TRY(const TunedCall call, arguments_.reference(reference.function));
    KILN_TRY(const CompilerConfig config, session_.config_for(session_.cpu()));
    KILN_TRY(const Job job, hold(call, config));
    KILN_TRY(const std::string code, job.digest());
    key.add(code);
  }
  return key.finish();
}

/// Computes the record's keys of all candidates: of their code, parameter values, shape and reference.
Result<void> TuneRun::find_keys() {
  const DefaultFloatEnvironment floats;
  if (!reference_) {
    KILN_TRY(reference_, reference_key());
  }
  Fingerprinter of_all;
  for (const auto &texts : {space_.space().shape.threads, space_.space().shape.blocks})
    for (const std::string &text : texts) of_all.add(text);
  of_all.add(space_.space().shape.shared_bytes).add(reference_);
  const Fingerprint common = of_all.finish();
  for (size_t i = 0; i < entries_.size(); i++) {
    Entry &entry = entries_[i];
    if (!entry.job || entry.key) continue;
    const auto code = entry.job.digest();
    if (!code.ok()) {
      if (candidate(i).state == TuneState::Waiting) fail(i, TuneState::NotCompiled, code.error());
      continue;
    }
    Fingerprinter key;
    key.add(common).add(*code);
    for (size_t p = 0; p < entry.values.size(); p++)
      key.add(space_.parameters()[p].name).add(entry.values[p]);
    entry.key = key.finish();
  }
  return {};
}

void TuneRun::note_resources(size_t index) {
  TuneCandidate &c = candidate(index);
  c.resources = entries_[index].kernel.artifact().resources;
  if (device_.kind() != DeviceKind::Cuda) {
    c.resources.shared_bytes = uint32_t(entries_[index].kernel.artifact().shared_bytes);
    return;
  }
  const uint64_t threads = uint64_t(c.shape.threads[0]) * c.shape.threads[1] * c.shape.threads[2];
  const Occupancy of = occupancy(device_.info().sm, c.resources, uint32_t(std::min<uint64_t>(threads, 1024)),
                                 c.shape.shared_bytes);
  if (of.max_warps == 0) return;
  c.occupancy = double(of.warps) / of.max_warps;
  c.occupancy_limit = of.limit;
}

/// Compiles several candidates in one batch, and stores the error of each one that fails.
Result<void> TuneRun::compile(std::vector<size_t> indices) {
  std::erase_if(indices, [&](size_t i) { return entries_[i].kernel || !entries_[i].job; });
  if (indices.empty()) return {};
  KILN_CHECK(report_progress({.phase = "compile", .all = indices.size()}));
  const auto began = Clock::now();
  const bool is_limited = !device_.is_gpu() && options_.time_limit.count() > 0;
  std::vector<CompileRequest> requests;
  for (size_t i : indices) {
    requests.push_back({.call = {}, .job = entries_[i].job});
    if (!is_limited) continue;
    CompilerConfig limited = entries_[i].job.config();
    limited.interruptible = true;
    KILN_TRY(entries_[i].limited_job, hold(entries_[i].call, limited));
    requests.push_back({.call = {}, .job = entries_[i].limited_job});
  }
  auto made = session_.prepare_many(requests, device_);
  // If all candidates failed, something is missing on this machine: fail the search.
  if (std::ranges::none_of(made, &Result<Kernel>::ok))
    for (const auto &each : made)
      if (each.error().kind() != ErrorKind::Input) return each.error();
  for (size_t n = 0; n < indices.size(); n++) {
    const size_t i = indices[n];
    Entry &entry = entries_[i];
    auto take = [&](Result<Kernel> &kernel, Kernel &into, LaunchBytes &bytes) {
      if (!kernel.ok()) return fail(i, TuneState::NotCompiled, kernel.error());
      auto of_launch = arguments_.launch_bytes(entry.call, kernel->artifact());
      if (!of_launch.ok()) return fail(i, TuneState::Failed, of_launch.error());
      into = std::move(*kernel);
      bytes = std::move(*of_launch);
      candidate(i).is_recorded = false;
    };
    take(made[is_limited ? 2 * n : n], entry.kernel, entry.bytes);
    if (is_limited && entry.kernel) take(made[2 * n + 1], entry.limited, entry.limited_bytes);
    if (!entry.kernel) continue;
    result_.compiled++;
    note_resources(i);
  }
  result_.compile_seconds += seconds_since(began);
  return {};
}

} // namespace kiln
