// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The page of a report, its facts, and the short table.
#include <catch2/catch.hpp>
#include <kiln/timing.h>
#include <nlohmann/json.hpp>
#include <support/timing_facts.h>

#include <algorithm>
#include <sstream>

namespace timing_page_test {

using namespace kiln;
using Catch::Matchers::Contains;

namespace {

constexpr uint64_t ms = 1'000'000;

TimingRow stage(const char *name, uint64_t nanoseconds, int depth = 0, uint64_t self = UINT64_MAX) {
  TimingRow row;
  row.name = name;
  row.depth = depth;
  row.calls = 3;
  row.nanoseconds = nanoseconds;
  row.self_nanoseconds = std::min(self, nanoseconds);
  return row;
}

TimingRow wait(const char *name, uint64_t nanoseconds) {
  TimingRow row = stage(name, nanoseconds);
  row.is_wait = true;
  return row;
}

TimingJob job(const char *name, uint64_t nanoseconds, std::vector<TimingRow> rows) {
  TimingJob made;
  made.name = name;
  made.target = "native";
  made.calls = 1;
  made.nanoseconds = nanoseconds;
  made.rows = std::move(rows);
  return made;
}

nlohmann::json element_of(const std::string &page, const std::string &id) {
  const std::string mark = "type=\"application/json\" id=\"" + id + "\">";
  const size_t begin = page.find(mark) + mark.size();
  return nlohmann::json::parse(page.substr(begin, page.find("</script>", begin) - begin));
}

std::vector<std::string> texts(const TimingReport &report) {
  std::vector<std::string> all;
  for (const timing::TimingFact &fact : timing::timing_facts(report)) all.push_back(fact.text);
  return all;
}

} // namespace

TEST_CASE("facts: the largest five, and of stages and jobs two") {
  TimingReport report;
  report.wall_nanoseconds = 100 * ms;
  report.threads = 1;
  report.rows = {stage("inference", 20 * ms), stage("LLVM back-end", 50 * ms, 0, 10 * ms),
                 stage("machine-code generation", 40 * ms, 1), stage("assemble", 5 * ms),
                 stage("untimed", 25 * ms)};
  report.jobs = {job("f()", 15 * ms, {stage("inference", 12 * ms), stage("untimed", 3 * ms)}),
                 job("g()", 60 * ms, {stage("machine-code generation", 40 * ms)}),
                 job("h()", 10 * ms, {stage("inference", 8 * ms)})};
  report.jobs[0].calls = 2;
  report.jobs[0].config = "{\"opt_level\":3}";
  CHECK(timing::whole_time(report) == 100 * ms);
  const auto facts = timing::timing_facts(report);
  REQUIRE(facts.size() == 5);
  CHECK(facts[0].text ==
        "Kiln looked up g() for native. Its longest stage is machine-code generation, 40.0 ms.");
  CHECK(facts[0].nanoseconds == 60 * ms);
  CHECK(facts[0].job == 1);
  CHECK(facts[1].text ==
        "The stage machine-code generation ran 3 times. 40.0 ms of it went to g() for native.");
  CHECK(facts[1].stage == "machine-code generation");
  CHECK(facts[2].text == "No stage covers this time of the first thread.");
  CHECK(facts[2].nanoseconds == 25 * ms);
  CHECK(facts[3].text == "The stage inference ran 3 times. 12.0 ms of it went to f() for native "
                         "{\"opt_level\":3}.");
  CHECK(
      facts[4].text ==
      "Kiln looked up f() for native {\"opt_level\":3} (asked for 2 times). Its longest stage is inference, 12.0 ms.");
}

TEST_CASE("facts: a job's time in a stage is the sum of the stage's rows") {
  TimingReport report;
  report.wall_nanoseconds = 100 * ms;
  report.threads = 1;
  report.rows = {stage("emission", 60 * ms), stage("untimed", 0)};
  // Rows of one stage below two stages: 25 + 15 ms are more than 30 ms.
  report.jobs = {job("f()", 40 * ms, {stage("emission", 30 * ms)}),
                 job("g()", 45 * ms,
                     {stage("front-end", 25 * ms, 0, 0), stage("emission", 25 * ms, 1),
                      stage("hooks", 20 * ms, 0, 5 * ms), stage("emission", 15 * ms, 1)})};
  const auto facts = timing::timing_facts(report);
  CHECK(facts[0].text == "The stage emission ran 3 times. 40.0 ms of it went to g() for native.");
  CHECK(facts[0].job == 1);
}

TEST_CASE("facts: the sum of later jobs is no job") {
  TimingReport report;
  report.wall_nanoseconds = 20'000 * ms;
  report.threads = 1;
  report.rows = {stage("inference", 9'000 * ms), stage("untimed", 0)};
  TimingRow grown = stage("target libraries", 1 * ms);
  grown.instructions_before = 1'000;
  grown.instructions_after = 50'000;
  report.jobs.assign(TimingReport::kept_jobs, job("f()", 1 * ms, {stage("inference", 1 * ms)}));
  report.jobs[7] = job("g()", 300 * ms, {stage("inference", 300 * ms)});
  report.jobs[7].lookups = {{"asm", "made", "not in memory", 1}};
  report.jobs.push_back(job("all jobs after the first 1024", 8'000 * ms,
                            {grown, stage("inference", 8'000 * ms), wait("cache wait", 1'000 * ms)}));
  report.jobs.back().lookups = {{"asm", "made", "not in memory", 3}, {"asm", "folder", "", 1}};
  const auto facts = timing::timing_facts(report);
  REQUIRE(facts.size() == 3);
  CHECK(facts[0].text == "The stage inference ran 3 times. 300.0 ms of it went to g() for native.");
  // Three quarters of the sum's 7 s without waits, and the 300 ms of g().
  CHECK(facts[1].text == "Kiln compiled 4 of 5 products. Cause: not in memory.");
  CHECK(facts[1].nanoseconds == 5'550 * ms);
  CHECK(facts[2].text == "Kiln compiled g() for native. Its longest stage is inference, 300.0 ms.");
}

TEST_CASE("facts: interpreted statements have a hint") {
  TimingReport report;
  report.wall_nanoseconds = 100 * ms;
  report.threads = 1;
  report.rows = {stage("run the program", 90 * ms, 0, 20 * ms), stage("host interpretation", 70 * ms, 1)};
  const auto facts = timing::timing_facts(report);
  REQUIRE(facts.size() == 2);
  CHECK(facts[0].text == "The stage host interpretation ran 3 times.");
  CHECK_THAT(facts[0].hint, Contains("KILN_LOG=debug"));
  CHECK(facts[1].hint.empty());
}

TEST_CASE("facts below a hundredth of the time are left out") {
  TimingReport report;
  report.wall_nanoseconds = 100 * ms;
  report.threads = 1;
  report.rows = {stage("inference", 99 * ms), stage("parse", ms / 2), stage("untimed", ms / 2)};
  CHECK(texts(report) == std::vector<std::string>{"The stage inference ran 3 times."});
  CHECK(texts(TimingReport()).empty());
}

TEST_CASE("facts: waits by what was waited for, without those for submitted jobs") {
  TimingReport report;
  report.wall_nanoseconds = 100 * ms;
  report.threads = 2;
  report.rows = {wait("wait for jobs", 90 * ms), wait("cache wait", 10 * ms), stage("parse", 30 * ms),
                 wait("wait for another thread's artifact", 20 * ms), stage("untimed", 0)};
  report.jobs = {job("f()", 5 * ms, {wait("cache wait", 5 * ms)}),
                 job("g()", 5 * ms, {wait("cache wait", 5 * ms)})};
  CHECK(timing::whole_time(report) == 60 * ms);
  CHECK(texts(report)[1] == "Threads waited: for another thread's artifact (20.0 ms, 3 waits), for another "
                            "process (10.0 ms, 2 jobs).");
}

TEST_CASE("facts: cache misses with their cause, and what to do without a folder") {
  TimingReport report;
  report.wall_nanoseconds = 100 * ms;
  report.threads = 1;
  report.jobs = {job("f()", 70 * ms, {wait("cache wait", 10 * ms)}), job("g()", 5 * ms, {})};
  report.jobs[0].lookups = {{"asm", "made", "not in memory", 2}, {"obj", "memory", "", 1}};
  report.jobs[1].lookups = {{"asm", "folder", "", 1}};
  auto facts = timing::timing_facts(report);
  CHECK(facts[0].text == "Kiln compiled f() for native."); // no row but a wait
  CHECK(facts[1].text == "Kiln compiled 2 of 4 products. Cause: not in memory.");
  CHECK(facts[1].nanoseconds == 60 * ms);
  CHECK_THAT(facts[1].hint, Contains("KILN_CACHE_DIR"));
  report.process.cache_folder = "/cache";
  CHECK(timing::timing_facts(report)[1].hint.empty());
}

TEST_CASE("facts: growth of a module, with the time of the stages after it") {
  TimingReport report;
  report.wall_nanoseconds = 100 * ms;
  report.threads = 1;
  TimingRow grown = stage("target libraries", 2 * ms);
  grown.instructions_before = 2;
  grown.instructions_after = 4102;
  report.jobs = {job("f()", 40 * ms, {stage("inference", 8 * ms), grown, stage("LLVM back-end", 30 * ms)})};
  const auto facts = timing::timing_facts(report);
  const auto growth = std::ranges::find(facts, std::string("target libraries"), &timing::TimingFact::stage);
  REQUIRE(growth != facts.end());
  CHECK(growth->nanoseconds == 30 * ms);
  CHECK(growth->text == "The stage target libraries made 4102 LLVM instructions of 2 in f() for native. The "
                        "stages after it take this time.");
  report.jobs[0].rows[1].instructions_after = 3999; // below the limit
  CHECK(timing::timing_facts(report).size() == 1);
}

TEST_CASE("the short table: ten rows by own time, at most 100 columns") {
  TimingReport report;
  report.wall_nanoseconds = 200 * ms;
  report.threads = 1;
  const std::string long_name(150, 'x');
  report.rows = {stage("outer", 100 * ms, 0, 1), stage(long_name.c_str(), 90 * ms, 1)};
  std::vector<std::string> names;
  for (uint64_t i = 1; i <= 11; i++) names.push_back("stage " + std::to_string(i));
  for (uint64_t i = 1; i <= 11; i++) report.rows.push_back(stage(names[i - 1].c_str(), i * ms));
  report.rows.push_back(stage("untimed", 10 * ms));
  std::vector<std::string> lines;
  std::istringstream text(report.short_table());
  for (std::string line; std::getline(text, line);) lines.push_back(line);
  REQUIRE(lines.size() == 14);
  CHECK(lines[0] == " Wall time 200.00ms, untimed 10.00ms (5.0% of the wall time)");
  CHECK_THAT(lines[3], Catch::StartsWith("   90.00ms   45.0%       3  …xxx"));
  CHECK(lines[3].size() == 102); // 100 columns: the dots are three bytes and one column
  CHECK_THAT(lines[4], Catch::EndsWith("  stage 11"));
  CHECK_THAT(lines[12], Catch::EndsWith("  stage 3"));
  CHECK(lines[13] == "    3.00ms    1.5%          3 stages more, with --timings=table");
  for (const std::string &line : lines) CHECK(line.size() <= 102);
}

TEST_CASE("the page holds the report whatever is in its names") {
  const std::string nasty = "f(</script><b>&\"@TABLE@ @SCRIPT@)";
  TimingReport report;
  report.wall_nanoseconds = 1000;
  report.title = "kiln <i> & </title>";
  report.rows = {stage("untimed", 1000)};
  report.jobs = {job(nasty.c_str(), 900, {stage("inference", 900)})};
  report.jobs[0].file = "a<b>.jl";
  report.jobs[0].line = 12;
  report.jobs[0].dumps = {{"asm", "/dump/f</script>.ptx"}};
  report.timeline = TimingTimeline{.threads = {"main </script>"},
                                   .events = {{.name = "", .start = 5, .duration = 7, .job = 0},
                                              {.name = "<b>", .start = 6, .duration = 1, .job = {}},
                                              {.name = "", .start = 8, .duration = 2, .job = {}}}};
  const std::string page = report.html();
  const auto read = element_of(page, "report");
  CHECK(read == nlohmann::json::parse(report.json()));
  CHECK(read["jobs"][0]["name"] == nasty);
  CHECK(read["jobs"][0]["file"] == "a<b>.jl");
  CHECK(read["jobs"][0]["line"] == 12);
  CHECK(read["jobs"][0]["dumps"] ==
        nlohmann::json::parse(R"([{"product": "asm", "path": "/dump/f</script>.ptx"}])"));
  const auto details = element_of(page, "details");
  CHECK(details["timeline"] ==
        nlohmann::json::parse(R"json({"threads": ["main </script>"], "names": ["<b>", ""],
    "dropped": 0, "events": [[-1, 0, 5, 7, 0], [0, 0, 6, 1, -1], [1, 0, 8, 2, -1]]})json"));
  CHECK_THAT(page, Contains("<title>Kiln timings: kiln &lt;i&gt; &amp; &lt;/title&gt;</title>"));
  CHECK_THAT(page, !Contains("<b>"));
  CHECK(page.find("://") == std::string::npos); // nothing is fetched
  report.timeline.reset();
  CHECK(element_of(report.html(), "details")["timeline"].is_null());
}

TEST_CASE("the page has a kind for each stage but waits") {
  const std::string page = TimingReport().html();
  const size_t begin = page.find("const kinds = {");
  REQUIRE(begin != page.npos);
  const std::string kinds = page.substr(begin, page.find("\n};", begin) - begin);
  const std::pair<std::string, bool> stages[] = {
#define KILN_STAGE(id, name, is_wait) {name, is_wait},
#include <kiln/extension/language/internal/stages.def>
#undef KILN_STAGE
  };
  for (const auto &[name, is_wait] : stages) {
    INFO(name);
    // The first name of a kind is its label, after "[".
    CHECK((kinds.find(", \"" + name + '"') != kinds.npos) == !is_wait);
  }
}

} // namespace timing_page_test
