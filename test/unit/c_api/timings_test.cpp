// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// kiln_timings_*: on and off, rows of the caller's own, and their handles.
#include <kiln/c_tools.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <chrono>
#include <cstring>
#include <nlohmann/json.hpp>
#include <string>

namespace {

nlohmann::json report(kiln_session *session) {
  char *text = nullptr;
  REQUIRE(kiln_timings(session, "json", &text, nullptr) == KILN_OK);
  auto read = nlohmann::json::parse(text);
  kiln_text_free(text);
  return read;
}

} // namespace

TEST_CASE("timings in C") {
  kiln_session_options options{};
  options.struct_size = sizeof options;
  options.cache_dir = "";
  kiln_session *session = nullptr;
  REQUIRE(kiln_session_open(&options, &session, nullptr) == KILN_OK);
  CHECK(report(session)["rows"].empty());
  REQUIRE(kiln_timings_start(session, 1, 0, nullptr) == KILN_OK);
  kiln_timing_scope *job = nullptr, *stage = nullptr;
  REQUIRE(kiln_timings_begin(session, "prepare", "layer 7", &job, nullptr) == KILN_OK);
  REQUIRE(kiln_timings_begin(session, "upload", nullptr, &stage, nullptr) == KILN_OK);
  kiln_timings_end(stage);
  kiln_timings_end(job);
  auto read = report(session);
  CHECK(read["kiln_timings"] == 1);
  CHECK(read["rows"][0]["name"] == "prepare");
  CHECK(read["rows"][1]["name"] == "upload");
  CHECK(read["rows"][1]["depth"] == 1);
  CHECK(read["jobs"][0]["name"] == "layer 7");
  const auto now =
      uint64_t(std::chrono::steady_clock::now().time_since_epoch() / std::chrono::nanoseconds(1));
  REQUIRE(kiln_timings_add(session, "read files", now - 3'000'000, now, nullptr) == KILN_OK);
  CHECK(kiln_timings_add(session, "read files", now, now - 1, nullptr) == KILN_USAGE);
  CHECK(kiln_timings_add(session, nullptr, now, now, nullptr) == KILN_USAGE);
  read = report(session);
  CHECK(std::ranges::any_of(read["rows"], [](const auto &row) {
    return row["name"] == "read files" && row["calls"] == 1 && row["ns"] == 3'000'000;
  }));
  char *page = nullptr;
  REQUIRE(kiln_timings(session, "html", &page, nullptr) == KILN_OK);
  CHECK(std::string(page).rfind("<!DOCTYPE html>", 0) == 0);
  CHECK(std::string(page).find("\"threads\":[\"main thread\"]") != std::string::npos); // events were kept
  kiln_text_free(page);
  char *rows = nullptr;
  REQUIRE(kiln_timings(session, "short", &rows, nullptr) == KILN_OK);
  CHECK(std::string(rows).rfind(" Wall time ", 0) == 0);
  CHECK(std::string(rows).find("  prepare > upload\n") != std::string::npos);
  kiln_text_free(rows);
  char *spans = nullptr;
  REQUIRE(kiln_timings(session, "otlp", &spans, nullptr) == KILN_OK);
  CHECK(std::string(spans).rfind("{\"resourceSpans\":", 0) == 0);
  kiln_text_free(spans);
  CHECK(kiln_timings_send_spans(session, nullptr) == KILN_USAGE); // it has no remote cache
  CHECK(kiln_timings_send_spans(nullptr, nullptr) == KILN_USAGE);
  REQUIRE(kiln_timings_reset(session, nullptr) == KILN_OK);
  CHECK(report(session)["jobs"].empty());
  REQUIRE(kiln_timings_stop(session, nullptr) == KILN_OK);

  CHECK(kiln_timings_begin(session, nullptr, nullptr, &stage, nullptr) == KILN_USAGE);
  CHECK(stage == nullptr);
  CHECK(kiln_timings_begin(session, "x", nullptr, nullptr, nullptr) == KILN_USAGE);
  CHECK(kiln_timings_start(nullptr, 0, 0, nullptr) == KILN_USAGE);
  CHECK(kiln_timings_stop(reinterpret_cast<kiln_session *>(uint64_t(0x123)), nullptr) == KILN_USAGE);
  kiln_timings_end(nullptr);
  kiln_timings_end(job); // ended already

  kiln_timing_options timing = {};
  timing.struct_size = sizeof timing;
  timing.kernels = 1;
  REQUIRE(kiln_timings_start_with(session, &timing, nullptr) == KILN_OK);
  const std::string program = "nothing_at_all() = return\n";
  REQUIRE(kiln_load(session, "test.jl", program.data(), program.size(), nullptr) == KILN_OK);
  const unsigned one[3] = {1, 1, 1};
  REQUIRE(kiln_launch(session, "cpu", "nothing_at_all", one, one, nullptr, 0, nullptr) == KILN_OK);
  CHECK(report(session)["kernels"][0]["executions"] == 1);
  timing.struct_size = 3;
  CHECK(kiln_timings_start_with(session, &timing, nullptr) == KILN_USAGE);
  CHECK(kiln_timings_start_with(session, nullptr, nullptr) == KILN_USAGE);

  REQUIRE(kiln_timings_start(session, 0, 0, nullptr) == KILN_OK);
  REQUIRE(kiln_timings_begin(session, "outlives", nullptr, &stage, nullptr) == KILN_OK);
  kiln_session_close(session); // the session lives as long as the scope
  kiln_timings_end(stage);
}
