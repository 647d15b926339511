// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run.h"

#include <kiln/extension/language/internal/hint.h>
#include <support/headline.h>

#include <support/exceptions.h>

#include <algorithm>

namespace kiln {

namespace {

/// round_time: nanoseconds of measuring per round, shared by the remaining candidates. The other two limit
/// the share of each candidate.
constexpr double round_time = 20e6, min_sample_time = 50e3, max_sample_time = 2e6;
constexpr auto save_pause = std::chrono::seconds(1);

bool is_in_race(TuneState state) {
  return state == TuneState::Ready || state == TuneState::Measured || state == TuneState::Dropped;
}

} // namespace

std::string reason_of(const Error &error) {
  const Diagnostic &d = error.diagnostics()[0];
  std::string text = headline(d);
  text = text.substr(0, text.find('\n'));
  if (const Location at = d.at ? d.at : place_of(d.stack))
    text += fmt::format(" ({}:{})", at.file_name(), at.line());
  return text;
}

TuneRun::TuneRun(Session &session, const Device &device, const TuneRequest &request,
                 const TuneOptions &options, ArgumentSource source, TunePart part)
    : session_(session), device_(device), request_(request), options_(options), part_(part),
      arrays_(session, device), arguments_(session, arrays_, request, std::move(source)),
      launches_(arrays_, options.time_limit, options.flush_l2) {}

Result<void> TuneRun::check_request() const {
  KILN_CHECK(session_.check());
  if (auto config = session_.config_for(device_); !config.ok()) return config.take_error();
  if (request_.function.empty()) return usage_error("the search has no function");
  const TuneReference &reference = request_.reference;
  const int kinds =
      int(!reference.function.empty()) + int(!reference.candidate.empty()) + int(!reference.expected.empty());
  if (kinds != 1)
    return usage_error(
        kinds == 0 ? "the search has no reference: a function, a candidate or arrays that results must equal"
                   : "the search has several references: name a function, a candidate or arrays");
  if (options_.min_rounds < 1 || options_.max_rounds < options_.min_rounds || !(options_.confidence > 0) ||
      !(options_.level >= 0))
    return usage_error(
        "the search needs at least one round, no fewer at most than at least, and a confidence above 0");
  if (options_.flush_l2 && !device_.is_gpu()) return usage_error("flush_l2 is for GPUs");
  if (options_.time_limit.count() < 0) return usage_error("a negative time limit");
  return {};
}

Result<void> TuneRun::open() {
  KILN_CHECK(check_request());
  KILN_CHECK(arrays_.open());
  KILN_TRY(space_, SpacePlan::make(request_.space));
  KILN_CHECK(arguments_.open());
  if (part_.count > 1 && device_.is_gpu())
    for (const TunedArrays::Array &array : arrays_.all())
      for (const size_t number : array.arguments)
        if (request_.arguments[number - 1].value)
          return usage_error(
              fmt::format("argument {} has memory of one GPU, and {} divide the search: give an expression",
                          number, part_.count));
  KILN_CHECK(space_.measure(
      [this](int64_t argument, int64_t dimension) { return arguments_.size(argument, dimension); }));
  KILN_TRY(base_, session_.config_for(device_, request_.config));
  KILN_TRY(std::vector<PointValues> points, space_.points(result_.excluded));
  if (points.empty())
    return make_error(ErrorCode::SpaceError,
                      fmt::format("no candidate is left: the constraints exclude {}", result_.excluded));
  if (part_.count > 1) {
    std::vector<PointValues> own;
    for (size_t i = part_.index; i < points.size(); i += part_.count) own.push_back(std::move(points[i]));
    points = std::move(own);
  }
  for (const TuneParameter &parameter : space_.parameters()) result_.parameters.push_back(parameter.name);
  result_.device = device_.info().sm  ? fmt::format("{} (sm_{})", device_.info().name, device_.info().sm)
                   : device_.is_gpu() ? device_.info().name
                                      : fmt::format("{} on {} threads",
                                                    device_.info().name.empty() ? "CPU" : device_.info().name,
                                                    device_.info().multiprocessors);
  result_.shape_class = arguments_.shape_class();
  result_.bytes = options_.bytes;
  result_.flops = options_.flops;
  if (result_.bytes <= 0)
    for (const TunedArrays::Array &array : arrays_.all())
      if (!array.arguments.empty()) result_.bytes += double(array.bytes);
  entries_.resize(points.size());
  result_.candidates.resize(points.size());
  for (size_t i = 0; i < points.size(); i++) {
    entries_[i].values = points[i];
    candidate(i).values = points[i];
    KILN_CHECK(plan_entry(i));
  }
  KILN_CHECK(arrays_.upload());
  Fingerprinter key;
  key.add("kiln tune")
      .add(request_.function)
      .add(result_.device)
      .add(result_.shape_class)
      .add(options_.flush_l2);
  for (const TuneArgument &argument : request_.arguments)
    key.add(names_in(argument.expression).empty() ? std::string() : argument.expression);
  store_.emplace(session_, key.finish());
  return {};
}

/// Determines shape, call and job of a candidate. A candidate with an invalid plan fails; the search
/// continues.
Result<void> TuneRun::plan_entry(size_t index) {
  Entry &entry = entries_[index];
  auto plan = [&](TuneState &state) -> Result<void> {
    KILN_TRY(candidate(index).shape, space_.shape(entry.values));
    const LaunchShape &shape = candidate(index).shape;
    const DeviceLimits &limits = device_.limits();
    const uint64_t threads = uint64_t(shape.threads[0]) * shape.threads[1] * shape.threads[2];
    if (threads > limits.threads_of_block)
      return usage_error(fmt::format("{} threads of a block, and the device has {} at most", threads,
                                     limits.threads_of_block));
    KILN_TRY(const CompilerConfig config, config_of(entry.values));
    KILN_TRY(entry.call, arguments_.call(space_, entry.values));
    state = TuneState::NotCompiled;
    KILN_TRY(entry.job, hold(entry.call, config));
    return {};
  };
  TuneState state = TuneState::Impossible;
  if (auto planned = plan(state); !planned.ok()) {
    if (planned.error().kind() == ErrorKind::Machine || planned.error().kind() == ErrorKind::Internal ||
        planned.error().code() == ErrorCode::SpaceError)
      return planned;
    fail(index, state, planned.error());
  }
  return {};
}

void TuneRun::fail(size_t index, TuneState state, const Error &error) {
  candidate(index).state = state;
  candidate(index).reason = reason_of(error);
}

Result<void> TuneRun::report_progress(TuneProgress progress) {
  if (!options_.progress) return {};
  return call_embedder("TuneOptions::progress", [&]() -> Result<void> {
    options_.progress(progress);
    return {};
  });
}

// ---- the record

void TuneRun::take_recorded() {
  if (!record_) return;
  result_.ceiling = record_->ceiling;
  for (size_t i = 0; i < entries_.size(); i++) {
    auto known = record_->candidates.find(entries_[i].key);
    if (!entries_[i].key || known == record_->candidates.end() ||
        known->second.candidate.values != entries_[i].values)
      continue;
    const TuneCandidate &recorded = known->second.candidate;
    if (recorded.state == TuneState::Waiting) continue;
    const LaunchShape shape = candidate(i).shape; // for these arguments
    candidate(i) = recorded;
    candidate(i).shape = shape;
    candidate(i).is_recorded = true;
    entries_[i].is_verified = known->second.is_verified;
  }
}

void TuneRun::save(bool waits) {
  if (!store_ || !store_->exists()) return;
  saved_ = Clock::now();
  std::unique_lock<std::mutex> lock;
  if (part_.saving) {
    lock = std::unique_lock(*part_.saving);
    record_ = store_->load(); // other parts have added to it
  }
  TuneRecord record = record_.value_or(TuneRecord()); // keeps candidates of other spaces
  record.is_finished = is_finished_;
  record.ceiling = result_.ceiling;
  for (size_t i = 0; i < entries_.size(); i++)
    if (entries_[i].key) record.candidates[entries_[i].key] = {candidate(i), entries_[i].is_verified};
  store_->save(record, waits || part_.saving);
}

void TuneRun::save_when_due() {
  if (Clock::now() - saved_ >= save_pause) save(false);
}

/// Ends the search with an error after the device was lost. Saves the results so far.
Result<void> TuneRun::fail_lost() {
  save(true);
  Error error = *lost_;
  Diagnostic &d = error.diagnostics()[0];
  for (const TuneCandidate &each : result_.candidates)
    if (each.state == TuneState::TimedOut || each.state == TuneState::Failed)
      d.notes.push_back({fmt::format("{}: {}", space_.describe(each.values), each.reason), {}});
  d.hint =
      store_->exists()
          ? std::string("the device is lost to this process: end it; the next search goes on without this "
                        "candidate")
          : fmt::format(
                "the device is lost to this process, and without a cache ({}, KILN_CACHE_DIR) nothing is known "
                "of the search: leave the candidate out",
                by_door("--cache", "SessionOptions::cache_dir", "cache_dir"));
  return error;
}

// ---- measurement

Result<void> TuneRun::race() {
  const auto began = Clock::now();
  std::vector<Racer> racers;
  for (size_t i = 0; i < entries_.size(); i++) {
    if (!is_in_race(candidate(i).state)) continue;
    const bool continues = candidate(i).state == TuneState::Ready && entries_[i].kernel;
    racers.push_back({.id = i,
                      .samples = candidate(i).samples,
                      .is_frozen = !continues,
                      .is_dropped = candidate(i).state == TuneState::Dropped});
  }
  Race race(std::move(racers), {.min_rounds = options_.min_rounds,
                                .max_rounds = options_.max_rounds,
                                .confidence = options_.confidence,
                                .level = options_.level,
                                .exhaustive = options_.exhaustive});
  auto measure = [&](size_t id, double share) -> Result<double> {
    if (lost_) return *lost_;
    Entry &entry = entries_[id];
    auto sample = launches_.sample(launchable(id), entry.known,
                                   std::clamp(round_time * share, min_sample_time, max_sample_time));
    if (sample.ok()) {
      entry.known = *sample;
      return sample;
    }
    const bool is_late = sample.error().code() == ErrorCode::TimeLimitError;
    fail(id, is_late ? TuneState::TimedOut : TuneState::Failed, sample.error());
    if (is_device_lost(sample.error(), device_))
      lost_.emplace(sample.error());
    else
      (void)arrays_.stream().synchronize();
    return sample;
  };
  const size_t all = race.left();
  while (all > 0 && !race.is_over()) {
    const auto round_began = Clock::now();
    race.round(measure);
    for (const Racer &racer : race.racers()) {
      TuneCandidate &c = candidate(racer.id);
      c.samples = racer.samples;
      if (racer.is_dropped && c.state == TuneState::Ready) c.state = TuneState::Dropped;
    }
    result_.noise = race.noise();
    if (lost_) return {};
    save(true); // a later search continues from here if this one is interrupted
    TuneProgress progress{.phase = "measure", .done = all - race.left(), .all = all, .round = race.rounds()};
    if (const Racer *best = race.best()) progress.best = race.median(*best);
    if (race.rounds() < options_.max_rounds) // the race may end earlier
      progress.seconds_left = seconds_since(round_began) * double(options_.max_rounds - race.rounds());
    KILN_CHECK(report_progress(progress));
  }
  result_.noise = race.noise();
  result_.rounds = race.rounds();
  for (const Racer &racer : race.racers()) {
    TuneCandidate &c = candidate(racer.id);
    c.nanoseconds = race.median(racer);
    c.noise = c.nanoseconds > 0 ? race.error(racer) / c.nanoseconds : 0;
    if (c.state == TuneState::Ready) c.state = TuneState::Measured;
  }
  result_.measure_seconds += seconds_since(began);
  return {};
}

/// Compares all arrays of the fastest candidate, including those that the reference does not change. If the
/// comparison fails, tries the next candidate.
Result<void> TuneRun::verify_winner() {
  for (;;) {
    std::optional<size_t> best;
    for (size_t i = 0; i < entries_.size(); i++)
      if (is_in_race(candidate(i).state) && candidate(i).nanoseconds > 0 &&
          (!best || candidate(i).nanoseconds < candidate(*best).nanoseconds))
        best = i;
    result_.winner = best;
    if (!best || entries_[*best].is_verified) return {};
    const TuneState state = candidate(*best).state;
    KILN_CHECK(compile({*best}));
    if (candidate(*best).state != state) continue; // it no longer compiles
    KILN_CHECK(make_reference());
    if (lost_) return {};
    KILN_CHECK(check(*best, true));
    if (lost_) return {};
  }
}

TuneResult TuneRun::finish() {
  if (result_.winner) {
    candidate(*result_.winner).state = TuneState::Measured;
    result_.job = entries_[*result_.winner].job;
  }
  result_.seconds = seconds_since(began_);
  return std::move(result_);
}

Result<TuneResult> TuneRun::search(const std::vector<TuneResult> &parts) {
  if (!options_.again || !parts.empty()) record_ = store_->load();
  if (!parts.empty()) {
    take_parts(parts);
  } else if (record_) {
    KILN_CHECK(find_keys());
    take_recorded();
  }
  std::vector<size_t> waiting, racing;
  for (size_t i = 0; i < entries_.size(); i++) {
    if (candidate(i).state == TuneState::Waiting) waiting.push_back(i);
    if (candidate(i).state == TuneState::Waiting || candidate(i).state == TuneState::Ready)
      racing.push_back(i);
  }
  KILN_CHECK(compile(racing));
  if (!record_ || !parts.empty()) KILN_CHECK(find_keys());
  if (std::ranges::any_of(waiting, [&](size_t i) {
        return entries_[i].kernel && candidate(i).state == TuneState::Waiting;
      })) {
    KILN_CHECK(make_reference());
    KILN_CHECK(check_all(waiting));
  }
  if (!lost_) {
    save(false);
    // Background compiles add coarse entries and optimised code to kernels. If they ended during the race,
    // its later launches would run other code.
    session_.wait_for_background();
    KILN_CHECK(race());
  }
  if (!lost_) KILN_CHECK(verify_winner());
  if (lost_) {
    Result<void> lost = fail_lost();
    return lost.take_error();
  }
  if (options_.ceiling && result_.bytes > 0 && result_.rounds > 0)
    if (auto ceiling = copy_ceiling(session_, device_); ceiling.ok()) result_.ceiling = *ceiling;
  is_finished_ = part_.count == 1;
  save(true); // a later search in this session finds the record
  return finish();
}

Result<TuneResult> TuneRun::recorded() {
  KILN_CHECK(open());
  record_ = store_->load();
  if (record_) {
    KILN_CHECK(find_keys());
    take_recorded();
  }
  std::vector<Racer> racers;
  for (size_t i = 0; i < entries_.size(); i++)
    if (is_in_race(candidate(i).state))
      racers.push_back({.id = i, .samples = candidate(i).samples, .is_frozen = true});
  const Race race(std::move(racers), {});
  for (const Racer &racer : race.racers()) {
    TuneCandidate &c = candidate(racer.id);
    c.nanoseconds = race.median(racer);
    c.noise = c.nanoseconds > 0 ? race.error(racer) / c.nanoseconds : 0;
  }
  result_.noise = race.noise();
  for (size_t i = 0; i < entries_.size(); i++) {
    const TuneCandidate &c = candidate(i);
    if (is_in_race(c.state) && entries_[i].is_verified && c.nanoseconds > 0 &&
        (!result_.winner || c.nanoseconds < candidate(*result_.winner).nanoseconds))
      result_.winner = i;
  }
  return finish();
}

} // namespace kiln
