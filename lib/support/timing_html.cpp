// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A report as one page.
#include "timing_page.h"

#include <kiln/timing.h>

namespace kiln {

namespace {

/// Text between tags.
std::string escaped(std::string_view text) {
  std::string out;
  for (char c : text) {
    if (c == '<')
      out += "&lt;";
    else if (c == '&')
      out += "&amp;";
    else
      out += c;
  }
  return out;
}

/// JSON within a script: nothing in a string ends it.
std::string within_script(std::string_view json) {
  std::string out;
  for (char c : json) {
    if (c == '<')
      out += "\\u003c";
    else
      out += c;
  }
  return out;
}

} // namespace

std::string TimingReport::html() const {
  using namespace timing;
  const size_t table_at = page.find(table_mark), report_at = page.find(report_mark);
  std::string out(page.substr(0, table_at));
  out += escaped(table());
  out += page.substr(table_at + table_mark.size(), report_at - table_at - table_mark.size());
  out += within_script(json());
  out += page.substr(report_at + report_mark.size());
  return out;
}

} // namespace kiln
