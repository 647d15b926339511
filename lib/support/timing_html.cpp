// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A report as one page.
#include "json.h"

#include <kiln/timing.h>

namespace kiln {

std::string TimingReport::html() const {
  std::string text;
  for (char c : table()) {
    if (c == '<')
      text += "&lt;";
    else if (c == '&')
      text += "&amp;";
    else
      text += c;
  }
  return "<!DOCTYPE html>\n<meta charset=\"utf-8\">\n<title>kiln timings</title>\n<pre>" + text + "</pre>\n";
}

} // namespace kiln
