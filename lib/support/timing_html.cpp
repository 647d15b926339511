// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// HTML page of a report.
#include "json.h"
#include "timing_facts.h"
#include "timing_page.h"

#include <kiln/timing.h>

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unordered_map>
#include <utility>

namespace kiln {

namespace {

using namespace timing;

/// Escapes `<` in JSON text, so that no string in it can end the enclosing script element.
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

std::string fact_json(const TimingFact &fact) {
  return fmt::format(R"({{"ns":{},"text":{},"hint":{},"stage":{},"job":{}}})", fact.nanoseconds,
                     json_string(fact.text), json_string(fact.hint), json_string(fact.stage),
                     fact.job ? fmt::format("{}", *fact.job) : "null");
}

/// Formats each event of a timeline as [name, thread, start, duration, job]. `name` is an index; -1: the
/// event is its job. `job` is an index; -1: the event belongs to no job.
std::string timeline_json(const TimingTimeline &timeline) {
  std::unordered_map<std::string_view, size_t> numbers;
  std::vector<std::string> names, threads, events;
  for (const TimingEvent &event : timeline.events) {
    int64_t name = -1;
    if (!event.name.empty() || !event.job) { // outside of jobs, an embedder's stage may have an empty name
      const auto [found, is_new] = numbers.emplace(event.name, names.size());
      if (is_new) names.push_back(json_string(event.name));
      name = int64_t(found->second);
    }
    events.push_back(fmt::format("[{},{},{},{},{}]", name, event.thread, event.start, event.duration,
                                 event.job ? int64_t(*event.job) : -1));
  }
  for (const std::string &thread : timeline.threads) threads.push_back(json_string(thread));
  return fmt::format("{{\"threads\":[{}],\"names\":[{}],\"dropped\":{},\"events\":[{}]}}",
                     fmt::join(threads, ","), fmt::join(names, ","), timeline.num_dropped,
                     fmt::join(events, ",\n"));
}

std::string details_json(const TimingReport &report) {
  std::vector<std::string> facts;
  for (const TimingFact &fact : timing_facts(report)) facts.push_back(fact_json(fact));
  return fmt::format("{{\"whole_ns\":{},\"facts\":[{}],\n\"timeline\":{}}}", whole_time(report),
                     fmt::join(facts, ",\n"), report.timeline ? timeline_json(*report.timeline) : "null");
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
  std::string scripts;
  for (const std::string_view script : {timing_chart_js, timing_table_js, timing_page_js}) scripts += script;
  // The marks of the page, such as @TITLE@, in their order. Each is searched after the previous one, because
  // an inserted text may contain a mark.
  const std::pair<std::string_view, std::string> parts[] = {
      {"@TITLE@", html_text(title)},
      {"@STYLE@", std::string(timing_page_css)},
      {"@TABLE@", html_text(table())},
      {"@REPORT@", within_script(json())},
      {"@DETAILS@", within_script(details_json(*this))},
      {"@SCRIPT@", std::move(scripts)},
  };
  std::string out;
  std::string_view rest = timing_page_html;
  for (const auto &[mark, text] : parts) {
    const size_t at = rest.find(mark);
    out += rest.substr(0, at);
    out += text;
    rest.remove_prefix(at + mark.size());
  }
  out += rest;
  return out;
}

} // namespace kiln
