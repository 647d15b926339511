// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Formats advice as text and as JSON.
#include "advise.h"

#include <kiln/extension/language/source.h>
#include <support/support.h>

#include <fmt/format.h>

namespace kiln {
namespace {

std::string place_text(const Location &at) {
  return fmt::format("{}:{}:{}", at.file_name(), at.line(), at.column());
}

std::string frame_json(const StackFrame &frame) {
  const bool has_text = bool(frame.at);
  return fmt::format(R"({{"function":{},"file":{},"line":{},"column":{}}})", json_string(frame.function),
                     json_string(has_text ? frame.at.file_name() : std::string_view(frame.file)),
                     has_text ? frame.at.line() : frame.line, has_text ? frame.at.column() : 0);
}

template <class Range, class Function> std::string joined(const Range &range, Function &&text_of) {
  std::string text;
  for (const auto &each : range) {
    if (!text.empty()) text += ',';
    text += text_of(each);
  }
  return text;
}

} // namespace

std::string KILN_API_VERSION::advice_text(const AdviceReport &report) {
  std::string text;
  for (const Advice &advice : report.advice) {
    text += fmt::format("{}: advice: {}; {}\n", place_text(advice.at), advice.message, advice.hint);
    const StackFrame *inner = nullptr; // previous frame of the user
    for (const StackFrame &frame : advice.stack) {
      if (!frame.at || frame.at.file->is_library()) continue;
      if (inner) text += fmt::format("  `{}` is called at {}\n", inner->function, place_text(frame.at));
      inner = &frame;
    }
  }
  for (const std::string &rules : report.not_checked) text += fmt::format("not checked: {}\n", rules);
  return text;
}

std::string KILN_API_VERSION::advice_json(const AdviceReport &report) {
  const std::string advice = joined(report.advice, [](const Advice &each) {
    return fmt::format(R"({{"rule":{},"file":{},"line":{},"column":{},"message":{},"hint":{},"stack":[{}]}})",
                       json_string(each.rule), json_string(each.at.file_name()), each.at.line(),
                       each.at.column(), json_string(each.message), json_string(each.hint),
                       joined(each.stack, frame_json));
  });
  return fmt::format("{{\"advice\":[{}],\"not_checked\":[{}],\"num_checked\":{}}}\n", advice,
                     joined(report.not_checked, json_string), report.num_checked);
}

} // namespace kiln
