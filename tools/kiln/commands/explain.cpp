// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// kiln explain: prints the meaning of a diagnostic and how to fix its cause.
#include "../command.h"
#include "../output.h"

#include <job/job.h>
#include <kiln/error_code.h>
#include <support/support.h>

#include <array>

namespace kiln::tool {

namespace {

struct ExplainArguments {
  std::string fault;
  bool json = false;
};

std::string_view kind_name(ErrorKind kind) {
  constexpr std::array<std::string_view, 5> names{"", "input", "usage", "machine", "internal"};
  return names[size_t(kind)];
}

std::string json_of(const DiagnosticInfo &fault) {
  return fmt::format(
      R"({{"number": {}, "name": {}, "kind": {}, "exit_status": {}, "meaning": {}, "cure": {}}})",
      int(fault.code), json_string(fault.name), json_string(kind_name(kind_of(fault.code))),
      int(kind_of(fault.code)), json_string(fault.meaning), json_string(fault.cure));
}

Result<void> list(bool json) {
  std::string out;
  for (const DiagnosticInfo &fault : all_diagnostics())
    out += json ? fmt::format("{}\n  {}", out.empty() ? "[" : ",", json_of(fault))
                : fmt::format("{:<4} {:<24} {}\n", int(fault.code), fault.name, fault.meaning);
  return write_result({}, json ? out + "\n]\n" : out);
}

Result<void> explain(const ExplainArguments &options) {
  if (options.fault.empty()) return list(options.json);
  const DiagnosticInfo *found = find_diagnostic(options.fault);
  if (!found) {
    Error error = usage_error(fmt::format("no diagnostic has the number or name `{}`", options.fault));
    std::vector<std::string> names;
    for (const DiagnosticInfo &fault : all_diagnostics()) names.emplace_back(fault.name);
    const std::string meant = similar_name(options.fault, names);
    error.diagnostics()[0].hint = fmt::format(
        "{}kiln explain lists them; a message begins with the name and its number: MethodError[102]",
        meant.empty() ? "" : fmt::format("did you mean {}? ", meant));
    return error;
  }
  std::string out;
  for (const DiagnosticInfo &row : all_diagnostics()) {
    if (&row != found && row.name != options.fault) continue; // several diagnostics may have the same number
    out += options.json ? json_of(row) + "\n"
                        : fmt::format("{}{}: {} (exit status {})\n\n{}\n{}\n", out.empty() ? "" : "\n",
                                      int(row.code), row.name, int(kind_of(row.code)), row.meaning, row.cure);
  }
  return write_result({}, out);
}

} // namespace

Action explain_command(CLI::App &app) {
  auto options = std::make_shared<ExplainArguments>();
  app.add_option("diagnostic", options->fault,
                 "number or name of a diagnostic, such as 102 or MethodError; without one all are listed")
      ->type_name("NUMBER|NAME");
  app.add_flag("--json", options->json, "print JSON");
  return [options] { return explain(*options); };
}

} // namespace kiln::tool
