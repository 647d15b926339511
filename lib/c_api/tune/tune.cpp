// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Implements kiln/c_tune.h: converts a tuning request to C++, and converts its result to C.
#include "c_tune.h"

#include <kiln/c_tune.h>
#include <kiln/tune.h>

using namespace kiln;
using namespace kiln::c;

namespace {

using Search = Result<TuneResult> (*)(Session &, const Device &, const TuneRequest &, const TuneOptions &);

Result<std::vector<TuneArgument>> read_arguments(const kiln_tune_request &given, ArgumentScratch &scratch) {
  if (given.count && !given.arguments) return null_argument("kiln_tune", "arguments");
  std::vector<TuneArgument> all(given.count);
  std::vector<kiln_argument> values;
  for (size_t i = 0; i < given.count; i++) {
    const kiln_tune_argument &one = given.arguments[i];
    if (!one.expression == !one.value)
      return usage_error(fmt::format("argument {}: an expression or a value, {}", i + 1,
                                     one.value ? "not both" : "and there is neither"));
    if (one.expression) {
      all[i].expression = one.expression;
      continue;
    }
    KILN_TRY(kiln_argument value, read_struct(one.value, "kiln_argument"));
    value.struct_size = sizeof value;
    values.push_back(value);
  }
  KILN_TRY(std::span<const Argument> read, scratch.read(values.data(), values.size()));
  size_t next = 0;
  for (TuneArgument &one : all)
    if (one.expression.empty()) one.value = read[next++];
  return all;
}

Result<TuneReference> read_reference(const kiln_tune_request &given) {
  TuneReference reference;
  const bool by_function = given.reference && *given.reference;
  if (by_function + (given.reference_candidate_count > 0) + (given.expected_count > 0) != 1)
    return usage_error("a search compares its candidates with one of `reference`, `reference_candidate` and "
                       "`expected`: set one of them");
  if (by_function) reference.function = given.reference;
  for (size_t i = 0; i < 3; i++) {
    reference.shape.threads[i] = text_or_empty(given.reference_threads[i]);
    reference.shape.blocks[i] = text_or_empty(given.reference_blocks[i]);
  }
  reference.shape.shared_bytes = text_or_empty(given.reference_shared);
  if (given.reference_candidate_count) KILN_NOT_NULL("kiln_tune", given.reference_candidate);
  for (size_t i = 0; i < given.reference_candidate_count; i++) {
    const kiln_tune_setting &setting = given.reference_candidate[i];
    if (!setting.name || !setting.value) return null_argument("kiln_tune", "reference_candidate");
    reference.candidate.emplace_back(setting.name, setting.value);
  }
  if (given.expected_count) KILN_NOT_NULL("kiln_tune", given.expected);
  for (size_t i = 0; i < given.expected_count; i++) {
    const kiln_tune_expected &one = given.expected[i];
    if (one.size && !one.bytes) return null_argument("kiln_tune", "expected");
    const auto *bytes = static_cast<const std::byte *>(one.bytes);
    reference.expected.push_back({one.argument, {bytes, bytes + one.size}});
  }
  reference.tolerance = given.tolerance == 0 ? -1 : std::max(given.tolerance, 0.0);
  return reference;
}

Result<TuneOptions> read_options(const kiln_tune_request &given) {
  TuneOptions options;
  options.bytes = given.bytes;
  options.flops = given.flops;
  options.flush_l2 = given.flush_l2 != 0;
  options.exhaustive = given.exhaustive != 0;
  options.again = given.again != 0;
  options.ceiling = !given.no_ceiling;
  if (given.min_rounds) options.min_rounds = given.min_rounds;
  if (given.max_rounds) options.max_rounds = given.max_rounds;
  if (given.confidence != 0) options.confidence = given.confidence;
  if (given.level != 0) options.level = given.level;
  if (given.time_limit != 0) {
    KILN_TRY(options.time_limit, time_limit(given.time_limit));
  }
  if (given.progress)
    options.progress = [progress = given.progress, user = given.progress_user](const TuneProgress &at) {
      const std::string phase(at.phase);
      const kiln_tune_progress shown{.struct_size = sizeof(kiln_tune_progress),
                                     .phase = phase.c_str(),
                                     .done = at.done,
                                     .all = at.all,
                                     .round = at.round,
                                     .seconds_left = at.seconds_left.value_or(-1),
                                     .best = at.best};
      progress(&shown, user);
    };
  return options;
}

Result<void> search(Search run, std::string_view function, kiln_session *session, const kiln_device *device,
                    const kiln_tune_request *given, kiln_job **winner, char **json) {
  if (winner) *winner = nullptr;
  if (json) *json = nullptr;
  KILN_PIN(SessionObject, object, session);
  KILN_PIN(DeviceObject, on, device);
  if (!given) return null_argument(function, "request");
  kiln_tune_request copy;
  KILN_TRY(const kiln_tune_request *read, view_struct(given, "kiln_tune_request", copy));
  if (!read->function) return null_argument(function, "function");
  if (!read->space_json) return null_argument(function, "space_json");
  ArgumentScratch scratch;
  TuneRequest request;
  request.function = read->function;
  KILN_TRY(request.arguments, read_arguments(*read, scratch));
  KILN_TRY(request.space, read_tune_space("space", read->space_json));
  KILN_TRY(request.reference, read_reference(*read));
  KILN_TRY(request.config, read_config(*object->session, read->options_json, on->value));
  KILN_TRY(TuneOptions options, read_options(*read));
  for (size_t i = 0; i < read->more_device_count; i++) {
    if (!read->more_devices) return null_argument(function, "more_devices");
    KILN_PIN(DeviceObject, other, read->more_devices[i]);
    options.more_devices.push_back(other->value);
  }
  KILN_TRY(TuneResult result, run(*object->session, on->value, request, options));
  if (json) KILN_CHECK(give_text(json, tune_json(result)));
  if (winner && result.winner) return give<JobObject>(winner, std::move(result.job));
  return {};
}

} // namespace

extern "C" {

int kiln_tune(kiln_session *session, const kiln_device *device, const kiln_tune_request *request,
              kiln_job **winner, char **json, kiln_error **error) {
  return call(error, [&] { return search(tune, "kiln_tune", session, device, request, winner, json); });
}

int kiln_tuned(kiln_session *session, const kiln_device *device, const kiln_tune_request *request,
               kiln_job **winner, char **json, kiln_error **error) {
  return call(error, [&] { return search(tuned, "kiln_tuned", session, device, request, winner, json); });
}
}
