// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Implements kiln/c_tools.h: load reports, tables of diagnostics and options, and worker processes.
#include "session_call.h"

#include <kiln/c_tools.h>
#include <kiln/worker.h>

using namespace kiln;
using namespace kiln::c;

namespace {

struct OptionText {
  std::string name, target;
  bool is_flag;
};
const std::vector<OptionText> &options_as_text() {
  static const auto *const all = [] {
    // The table is never freed, since threads may still use it after main() has returned.
    auto *made = new std::vector<OptionText>;
    for (const OptionInfo &option : config_options())
      made->push_back({std::string(option.name), std::string(option.target), option.is_flag});
    return made;
  }();
  return *all;
}

Result<void> write_info(const DiagnosticInfo &info, kiln_diagnostic_info *out) {
  return write_struct(out,
                      {.struct_size = 0,
                       .code = unsigned(info.code),
                       .name = info.name.data(), // string literals, terminated by NUL
                       .meaning = info.meaning.data(),
                       .cure = info.cure.data()},
                      "kiln_diagnostic_info");
}

} // namespace

extern "C" {

int kiln_timings_add(kiln_session *session, const char *stage, uint64_t start, uint64_t end,
                     kiln_error **error) {
  return call(error, [&]() -> Result<void> {
    KILN_PIN(SessionObject, object, session);
    KILN_NOT_NULL("kiln_timings_add", stage);
    if (end < start) return usage_error("kiln_timings_add: the end is before the start");
    KILN_CHECK(object->session->check());
    object->session->add_timing(stage, start, end);
    return {};
  });
}

int kiln_load_library(kiln_session *session, const char *name, const char *text, size_t size,
                      kiln_error **error) {
  return call(error, [&]() -> Result<void> {
    KILN_PIN(SessionObject, object, session);
    if (size) KILN_NOT_NULL("kiln_load_library", text);
    KILN_CHECK(object->session->load_library(name ? name : "none", std::string(text ? text : "", size)));
    return {};
  });
}

int kiln_load_reported(kiln_session *session, const char *name, const char *text, size_t size,
                       kiln_load_summary *out, void (*told)(int is_warning, const char *text, void *user),
                       void *user, kiln_error **error) {
  return call(error, [&]() -> Result<void> {
    KILN_PIN(SessionObject, object, session);
    if (size) KILN_NOT_NULL("kiln_load_reported", text);
    KILN_CHECK(check_out(out, "kiln_load_summary"));
    KILN_TRY(const LoadSummary done,
             object->session->load(name ? name : "none", std::string(text ? text : "", size)));
    if (told) {
      for (const std::string &note : done.notes) told(0, note.c_str(), user);
      for (const std::string &warning : done.warnings) told(1, warning.c_str(), user);
    }
    if (!out) return {};
    return write_struct(out,
                        {.struct_size = 0,
                         .methods = done.methods,
                         .types = done.types,
                         .notes = uint32_t(done.notes.size()),
                         .warnings = uint32_t(done.warnings.size())},
                        "kiln_load_summary");
  });
}

size_t kiln_diagnostic_count(void) { return all_diagnostics().size(); }

int kiln_diagnostic(size_t index, kiln_diagnostic_info *out, kiln_error **error) {
  return call(error, [&]() -> Result<void> {
    KILN_NOT_NULL("kiln_diagnostic", out);
    if (index >= all_diagnostics().size())
      return usage_error(
          fmt::format("there are {} kinds of errors, not {}", all_diagnostics().size(), index + 1));
    return write_info(all_diagnostics()[index], out);
  });
}

int kiln_find_diagnostic(const char *number_or_name, kiln_diagnostic_info *out, kiln_error **error) {
  return call(error, [&]() -> Result<void> {
    KILN_NOT_NULL("kiln_find_diagnostic", out);
    KILN_NOT_NULL("kiln_find_diagnostic", number_or_name);
    const DiagnosticInfo *found = find_diagnostic(number_or_name);
    if (!found) return usage_error(fmt::format("there is no kind of error `{}`", number_or_name));
    return write_info(*found, out);
  });
}

size_t kiln_option_count(void) { return options_as_text().size(); }

int kiln_option(size_t index, kiln_option_info *out, kiln_error **error) {
  return call(error, [&]() -> Result<void> {
    KILN_NOT_NULL("kiln_option", out);
    const std::vector<OptionText> &all = options_as_text();
    if (index >= all.size())
      return usage_error(fmt::format("there are {} options, not {}", all.size(), index + 1));
    return write_struct(out,
                        {.struct_size = 0,
                         .name = all[index].name.c_str(),
                         .target = all[index].target.c_str(),
                         .is_flag = all[index].is_flag},
                        "kiln_option_info");
  });
}

int kiln_check_options(const char *options_json, kiln_error **error) {
  return call(error, [&]() -> Result<void> {
    if (!options_json || !*options_json) return {};
    KILN_CHECK(read_configs(options_json));
    return {};
  });
}

const char *kiln_build_id(void) {
  static const std::string *const id = new std::string(build_id()); // never freed, as above
  return id->c_str();
}

int kiln_run_worker(void (*orphaned)(void *user), void *user, kiln_error **error) {
  return call(error, [&]() -> Result<void> {
    KILN_NOT_NULL("kiln_run_worker", orphaned);
    return run_worker([orphaned, user] { orphaned(user); });
  });
}
}
