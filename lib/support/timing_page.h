// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Text of the page of a timing report: the files of lib/support/page, embedded by cmake/EmbedText.cmake.
#pragma once

#include <string>
#include <string_view>

namespace kiln::timing {

extern const std::string_view timing_page_html, timing_page_css, timing_page_js, timing_chart_js,
    timing_table_js;

std::string html_text(std::string_view text); ///< text between tags, or an attribute's in double quotes

} // namespace kiln::timing
