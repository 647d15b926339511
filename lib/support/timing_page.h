// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Texts of the HTML page of a timing report. cmake/EmbedText.cmake embeds the files of lib/support/page as
// these strings.
#pragma once

#include <string>
#include <string_view>

namespace kiln::timing {

extern const std::string_view timing_page_html, timing_page_css, timing_page_js, timing_chart_js,
    timing_table_js;

/// Escapes text for HTML, between tags or in an attribute with double quotes.
std::string html_text(std::string_view text);

} // namespace kiln::timing
