// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// kiln cache verify: checks that every entry of the cache folder is complete and has the right contents.
#include "../json_object.h"
#include "../output.h"
#include "../progress_line.h"
#include "cache_entries.h"

#include <support/count.h>

namespace kiln::tool {

namespace {

struct VerifyOptions {
  CommonOptions common;
  std::string file, trust_keys;
  size_t sample = 32;
  bool json = false;
};

std::string text_of(const VerifyReport &report) {
  const size_t damaged = report.damaged.size();
  std::string out;
  for (const std::string &key : report.damaged) out += fmt::format("damaged: {}\n", key);
  out += fmt::format("{} entries are whole, {} of them artifacts; {} were damaged{}\n", report.entries,
                     report.artifacts, damaged, damaged ? " and are dropped" : "");
  for (const std::string &wrong : report.wrong) out += fmt::format("wrong: {}\n", wrong);
  for (const std::string &unable : report.unable) out += fmt::format("not compiled: {}\n", unable);
  out += fmt::format("{} were made again, {} of them differed{}", report.checked, report.wrong.size(),
                     report.wrong.empty() ? "" : " and are dropped");
  if (report.absent) out += fmt::format("; {} absent", counted(report.absent, "job"));
  if (report.without_text)
    out += fmt::format("; {} could not be, since the folder has not all their texts",
                       counted(report.without_text, "cubin of several kernels", "cubins of several kernels"));
  if (report.others) out += fmt::format("; {} were made with other tools than this machine's", report.others);
  return out + "\n";
}

std::string json_of(const CacheFolder &folder, const VerifyReport &report, double seconds) {
  return JsonObject()
      .add("folder", folder.path())
      .add("entries", report.entries)
      .add("artifacts", report.artifacts)
      .add("damaged", report.damaged)
      .add("checked", report.checked)
      .add("wrong", report.wrong)
      .add("not_compiled", report.unable)
      .add("absent", report.absent)
      .add("without_text", report.without_text)
      .add("other_tools", report.others)
      .add("seconds", seconds)
      .line();
}

Result<void> verify(const VerifyOptions &options) {
  const CommonOptions &common = options.common;
  KILN_TRY(const CacheFolder folder, open_usable_folder(common));
  PrecompileList list;
  if (!options.file.empty()) {
    KILN_TRY(list, read_job_list(options.file));
  }
  std::optional<ProgressLine> progress(std::in_place, "verifying");
  KILN_TRY(const VerifyReport report,
           options.file.empty() ? folder.verify(options.sample) : folder.verify(list.jobs, options.sample));
  const double seconds = progress->seconds();
  progress.reset();
  KILN_CHECK(write_result({}, options.json ? json_of(folder, report, seconds) : text_of(report)));
  if (!report.wrong.empty())
    return input_error(counted(report.wrong.size(), "wrong entry", "wrong entries"), {},
                       "whoever used them ran other code than a compile gives");
  if (const size_t damaged = report.damaged.size())
    return input_error(counted(damaged, "damaged entry", "damaged entries"), {},
                       "they are compiled again when they are needed");
  if (!report.unable.empty())
    return input_error(fmt::format("{} could not be compiled", counted(report.unable.size(), "job")));
  return {};
}

} // namespace

Action cache_verify_command(CLI::App &app) {
  auto options = std::make_shared<VerifyOptions>();
  options->common.add_folder_to(app);
  options->common.add_languages_to(app);
  app.add_option("list", options->file, "a manifest or trace, as kiln precompile takes it")
      ->type_name("MANIFEST|TRACE");
  app.add_option("--sample", options->sample, "how many entries are made again")
      ->type_name("N")
      ->check(CLI::Range(0, 1'000'000'000))
      ->capture_default_str();
  app.add_option("--trust-keys", options->trust_keys,
                 "check the signatures of entries instead, in a folder of a remote store or in files: "
                 "kiln cache verify --trust-keys KEYS FOLDER|FILE...")
      ->type_name("KEYS");
  add_json_to(app, options->json);
  app.allow_extras();
  return [options, &app]() -> Result<void> {
    std::vector<std::string> more = app.remaining();
    if (options->trust_keys.empty()) {
      if (!more.empty())
        return usage_error(
            fmt::format("one list of jobs is verified at a time: `{}` is one too many", more[0]));
      return verify(*options);
    }
    if (options->json) return usage_error("--json is for the folder of the cache: leave --trust-keys out");
    if (!options->file.empty()) more.insert(more.begin(), options->file);
    return run_agent_verify(options->trust_keys, std::move(more));
  };
}

} // namespace kiln::tool
