// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tune_options.h"

#include <support/read_number.h>

#include "npy_values.h"

namespace kiln::tool {

namespace {

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

/// "NAME=TEXT". Error: Usage.
Result<TuneSetting> setting_of(std::string_view option, std::string_view text, std::string_view form) {
  const size_t equals = text.find('=');
  if (equals == std::string_view::npos || equals == 0 || equals + 1 == text.size())
    return usage_error(fmt::format("{} takes {}, not `{}`", option, form, text));
  return TuneSetting(trimmed(text.substr(0, equals)), trimmed(text.substr(equals + 1)));
}

Result<void> read_extents_into(std::string_view option, const std::string &text,
                               std::array<std::string, 3> &into) {
  if (text.empty()) return {};
  std::vector<std::string> parts = split_list(text);
  if (parts.size() > into.size())
    return usage_error(
        fmt::format("{} takes X[,Y[,Z]], expressions over parameters and sizes, not `{}`", option, text));
  into = {};
  for (size_t i = 0; i < parts.size(); i++) into[i] = std::move(parts[i]);
  return {};
}

} // namespace

std::vector<std::string> split_list(std::string_view text) {
  std::vector<std::string> parts;
  size_t depth = 0, begin = 0;
  for (size_t i = 0; i <= text.size(); i++) {
    const char c = i < text.size() ? text[i] : ',';
    depth += c == '(' || c == '[' || c == '{';
    if ((c == ')' || c == ']' || c == '}') && depth > 0) depth--;
    if (i < text.size() && (c != ',' || depth > 0)) continue;
    parts.emplace_back(trimmed(text.substr(begin, i - begin)));
    begin = i + 1;
  }
  return parts;
}

void TuneCommand::add_to(CLI::App &app) {
  auto list = [&](const char *name, std::vector<std::string> &into, const char *about, const char *form) {
    app.add_option(name, into, about)->type_name(form)->allow_extra_args(false);
  };
  auto text = [&](const char *name, std::string &into, const char *about, const char *form) {
    app.add_option(name, into, about)->type_name(form);
  };
  list("--arg", arguments,
       "an argument, as run takes it; may name parameters: 'Val($TILE)'; once for each, in order", "EXPR");
  text(
      "--space", space,
      "the search space as JSON: parameters, candidates, constraints, sizes, threads, blocks, shmem, options",
      "SPACE.json");
  list("--param", parameters, "a parameter and its values, in place of the space's", "NAME=V1,V2,...");
  list("--constraint", constraints, "an expression that every candidate must fulfil", "EXPR");
  list("--size", sizes, "a name for an expression of the arguments: N='size(1, 2)'", "NAME=EXPR");
  list("--option", settings, "an option of kiln compile that differs between candidates: maxregs='$R'",
       "NAME=TEXT");
  text("--threads", threads, "threads of a block, expressions over parameters and sizes (default 1)",
       "X[,Y[,Z]]");
  text("--blocks", blocks, "blocks of the grid: 'cld(length(1), THREADS)' (default 1)", "X[,Y[,Z]]");
  text("--shmem", shared_bytes, "dynamic shared memory of a block, an expression", "BYTES");
  text("--device", device, "where to run (default: a GPU where there is one, else cpu)",
       "cpu|cuda[:i]|opencl[:i]");
  app.add_option("--devices", devices, "all: divide the search among all GPUs of the model of --device")
      ->type_name("all")
      ->check(CLI::IsMember({"all"}));
  text(
      "--reference", reference,
      "what results must equal: a function of the arguments that name no parameter, or a candidate, TILE=8,N=1",
      "FUNCTION|CANDIDATE");
  text("--reference-threads", reference_threads,
       "launch the reference on the device so; else it runs on the CPU as one thread", "X[,Y[,Z]]");
  text("--reference-blocks", reference_blocks, "blocks of its grid", "X[,Y[,Z]]");
  list("--expect", expected, "argument N must equal the NumPy file after the launch", "N=FILE.npy");
  app.add_option("--tolerance", tolerance,
                 "of floating-point results, relative (default: the square root of the type's epsilon)")
      ->type_name("T")
      ->check(CLI::NonNegativeNumber);
  app.add_option("--bytes", bytes, "bytes that a launch moves, for GB/s (default: those of the arrays)")
      ->type_name("N")
      ->check(CLI::NonNegativeNumber);
  app.add_option("--flops", flops, "operations of a launch, for GFLOP/s")
      ->type_name("N")
      ->check(CLI::NonNegativeNumber);
  app.add_option("--time-limit", time_limit, "a launch that takes longer has failed (default 10)")
      ->type_name("SECONDS")
      ->check(CLI::Range(1e-6, 1e9));
  app.add_option("--rounds", rounds, "measurements of a candidate at most (default 24)")
      ->type_name("N")
      ->check(CLI::Range(1u, 10000u));
  seed_option = app.add_option("--seed", seed, "seed of rand")->type_name("N");
  app.add_flag("--flush-l2", flush_l2,
               "overwrite the GPU's L2 cache before each launch, which is then timed apart");
  app.add_flag("--exhaustive", exhaustive, "measure every candidate to the end");
  app.add_flag("--again", again, "leave aside what earlier runs have found");
  app.add_flag("--recorded", recorded, "show what earlier runs have found, and launch nothing");
  app.add_flag("--explain", explain, "print the table of all candidates");
  text("--json", json, "all that was found, as JSON; - is standard output", "FILE");
}

Result<TuneSpace> TuneCommand::read_space() const {
  TuneSpace made;
  if (!space.empty()) {
    KILN_TRY(std::string bytes_of_file, read_file(space));
    KILN_TRY(made, read_tune_space(space, std::move(bytes_of_file)));
  }
  for (const std::string &each : parameters) {
    KILN_TRY(TuneSetting setting, setting_of("--param", each, "NAME=V1,V2,..."));
    TuneParameter parameter{setting.first, split_list(setting.second)};
    auto known = std::ranges::find(made.parameters, parameter.name, &TuneParameter::name);
    if (known == made.parameters.end())
      made.parameters.push_back(std::move(parameter));
    else
      *known = std::move(parameter);
  }
  made.constraints.insert(made.constraints.end(), constraints.begin(), constraints.end());
  for (const std::string &each : sizes) {
    KILN_TRY(TuneSetting setting, setting_of("--size", each, "NAME=EXPR"));
    made.sizes.push_back(std::move(setting));
  }
  for (const std::string &each : settings) {
    KILN_TRY(TuneSetting setting, setting_of("--option", each, "NAME=TEXT"));
    made.options.push_back(std::move(setting));
  }
  KILN_CHECK(read_extents_into("--threads", threads, made.shape.threads));
  KILN_CHECK(read_extents_into("--blocks", blocks, made.shape.blocks));
  if (!shared_bytes.empty()) made.shape.shared_bytes = shared_bytes;
  if (made.parameters.empty())
    return usage_error(
        "there is nothing to choose from: name parameters with --space SPACE.json or --param NAME=V1,V2,...");
  return made;
}

Result<TuneReference> TuneCommand::read_reference() const {
  TuneReference made;
  made.tolerance = tolerance;
  if (reference.empty() == expected.empty())
    return usage_error(
        reference.empty()
            ? "results are compared with something before they may win: --reference g, a candidate "
              "(--reference TILE=8,N=1), or --expect N=FILE.npy"
            : "--reference and --expect exclude each other");
  if (!reference_threads.empty() || !reference_blocks.empty()) {
    if (reference.empty() || reference.find('=') != std::string::npos)
      return usage_error("--reference-threads and --reference-blocks are for a function: --reference g");
    KILN_CHECK(read_extents_into("--reference-threads", reference_threads, made.shape.threads));
    KILN_CHECK(read_extents_into("--reference-blocks", reference_blocks, made.shape.blocks));
    if (made.shape.threads[0].empty()) made.shape.threads[0] = "1";
  }
  if (reference.find('=') == std::string::npos) {
    made.function = reference;
    return made;
  }
  for (const std::string &each : split_list(reference)) {
    KILN_TRY(TuneSetting setting, setting_of("--reference", each, "a function, or NAME=VALUE,..."));
    made.candidate.push_back(std::move(setting));
  }
  return made;
}

Result<std::vector<TuneReference::Expected>> TuneCommand::read_expected(Session &session) const {
  std::vector<TuneReference::Expected> all;
  for (const std::string &each : expected) {
    KILN_TRY(TuneSetting setting, setting_of("--expect", each, "N=FILE.npy"));
    TuneReference::Expected one;
    one.argument = read_number<decltype(one.argument)>(setting.first).value_or(0);
    if (one.argument < 1 || one.argument > arguments.size())
      return usage_error(
          fmt::format("--expect takes N=FILE.npy, N from 1 to {}, not `{}`", arguments.size(), each));
    KILN_TRY(NpyArray array, read_npy(setting.second));
    KILN_TRY(Value value, array_from_npy(session.world(), std::move(array), nullptr, setting.second));
    one.bytes = value.as_array()->bytes;
    all.push_back(std::move(one));
  }
  return all;
}

kiln::TuneOptions TuneCommand::options() const {
  kiln::TuneOptions made;
  made.bytes = bytes;
  made.flops = flops;
  made.flush_l2 = flush_l2;
  made.exhaustive = exhaustive;
  made.again = again;
  made.max_rounds = rounds;
  made.min_rounds = std::min(made.min_rounds, rounds);
  made.time_limit = std::chrono::nanoseconds(int64_t(time_limit * 1e9));
  return made;
}

} // namespace kiln::tool
