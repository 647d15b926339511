// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "parts.h"

#include "run.h"

#include <support/thread_name.h>

#include <algorithm>
#include <map>
#include <thread>

namespace kiln {

namespace {

struct Part {
  TuneOptions options;
  std::unique_ptr<TuneRun> run;
  std::optional<Result<TuneResult>> result;
};

/// Evaluates each expression once, so that all devices get copies of the same arrays.
ArgumentSource evaluated_once(const ArgumentSource &source) {
  ArgumentSource once = source;
  once.evaluate = [evaluate = source.evaluate, known = std::make_shared<std::map<std::string, Value>>()](
                      const std::string &name, const std::string &text) -> Result<Value> {
    if (const auto found = known->find(text); found != known->end()) return found->second;
    KILN_TRY(Value value, evaluate(name, text));
    return (*known)[text] = std::move(value);
  };
  return once;
}

} // namespace

/// Takes the states of candidates that parts of the search examined.
void TuneRun::take_parts(const std::vector<TuneResult> &parts) {
  std::map<PointValues, const TuneCandidate *> examined;
  for (const TuneResult &part : parts) {
    for (const TuneCandidate &each : part.candidates) examined[each.values] = &each;
    result_.compiled += part.compiled;
    result_.measured += part.measured;
    result_.compile_seconds = std::max(result_.compile_seconds, part.compile_seconds);
    result_.check_seconds = std::max(result_.check_seconds, part.check_seconds);
    result_.measure_seconds = std::max(result_.measure_seconds, part.measure_seconds);
  }
  for (size_t i = 0; i < entries_.size(); i++) {
    const auto found = examined.find(entries_[i].values);
    if (found == examined.end()) continue;
    candidate(i) = *found->second;
    if (candidate(i).state != TuneState::Measured || candidate(i).is_recorded) continue;
    candidate(i).state = TuneState::Ready;
    candidate(i).samples.clear(); // of another device
  }
}

Result<void> check_devices(const Device &device, const TuneOptions &options) {
  std::vector<Device> seen{device};
  for (const Device &each : options.more_devices) {
    const GpuInfo &info = each.info(), &first = device.info();
    if (!each.is_gpu() || !device.is_gpu()) return usage_error("a search can be divided among GPUs only");
    if (info.name != first.name || info.sm != first.sm)
      return usage_error(fmt::format("a search can be divided among GPUs of one model, not {} and {}",
                                     first.name, info.name));
    if (std::ranges::find(seen, each) != seen.end())
      return usage_error(fmt::format("GPU {} ({}) is named twice", info.number, info.name));
    seen.push_back(each);
  }
  return {};
}

Result<TuneResult> tune_in_parts(Session &session, const Device &device, const TuneRequest &request,
                                 const TuneOptions &options, const ArgumentSource &given) {
  const ArgumentSource source = evaluated_once(given);
  std::vector<Device> devices{device};
  devices.insert(devices.end(), options.more_devices.begin(), options.more_devices.end());
  auto last = std::make_unique<TuneRun>(session, device, request, options, source);
  std::mutex saving;
  std::vector<Part> parts(devices.size());
  for (size_t i = 0; i < parts.size(); i++) {
    Part &part = parts[i];
    part.options = options;
    part.options.ceiling = false;
    if (i > 0) part.options.progress = {}; // on this thread only
    part.run = std::make_unique<TuneRun>(session, devices[i], request, part.options, source,
                                         TunePart{i, parts.size(), &saving});
    KILN_CHECK(part.run->open());
  }
  std::vector<std::thread> threads;
  for (size_t i = 1; i < parts.size(); i++)
    threads.emplace_back([&part = parts[i]] {
      name_this_thread("kiln tune");
      part.result = search(std::move(part.run));
    });
  parts[0].result = search(std::move(parts[0].run));
  for (std::thread &thread : threads) thread.join();
  std::vector<TuneResult> results;
  for (Part &part : parts) {
    KILN_TRY(TuneResult result, std::move(*part.result));
    results.push_back(std::move(result));
  }
  KILN_CHECK(last->open());
  return search(std::move(last), results);
}

} // namespace kiln
