// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// HTML page of a report.
#include "timing_page.h"

#include <kiln/timing.h>

namespace kiln {

namespace {

/// Escapes JSON for a script element: no string may end it.
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

std::string timing::html_text(std::string_view text) {
  std::string out;
  for (char c : text) {
    if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (c == '&')
      out += "&amp;";
    else if (c == '"')
      out += "&quot;";
    else
      out += c;
  }
  return out;
}

std::string TimingReport::html() const {
  using namespace timing;
  const size_t style_at = page.find(style_mark), table_at = page.find(table_mark),
               report_at = page.find(report_mark);
  std::string out(page.substr(0, style_at));
  out += style;
  out += page.substr(style_at + style_mark.size(), table_at - style_at - style_mark.size());
  out += html_text(table());
  out += page.substr(table_at + table_mark.size(), report_at - table_at - table_mark.size());
  out += within_script(json());
  out += page.substr(report_at + report_mark.size());
  return out;
}

} // namespace kiln
