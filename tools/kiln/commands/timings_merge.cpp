// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// kiln timings merge: combines the reports of many processes.
#include "timings_merge.h"

#include "../fleet.h"
#include "../output.h"

namespace kiln::tool {

namespace {

struct MergeArguments {
  std::vector<std::string> files;
  std::string text, page;
};

Result<void> merge(const MergeArguments &options) {
  std::vector<Error> errors;
  const Fleet fleet = read_fleet(options.files, errors);
  for (const Error &error : errors) exit_status() = report(error);
  if (fleet.processes.empty())
    return input_error("there is no report to merge", {}, "name files that --timings=json:FILE has written");
  if (!options.page.empty()) KILN_CHECK(write_result(options.page, fleet_page(fleet)));
  if (!options.text.empty() || options.page.empty())
    KILN_CHECK(write_result(options.text, fleet_text(fleet)));
  return {};
}

} // namespace

Action timings_merge_command(CLI::App &app) {
  auto options = std::make_shared<MergeArguments>();
  app.add_option("reports", options->files, "reports of --timings=json:FILE")
      ->required()
      ->type_name("FILE.json...");
  app.add_option("--html", options->page, "a page with a picture of processes by time; - is standard output")
      ->type_name("FILE");
  app.add_option("-o", options->text, "file for the text; - or none: standard output")->type_name("FILE");
  return [options] { return merge(*options); };
}

} // namespace kiln::tool
