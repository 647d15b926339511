// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Traces of jobs, filling a folder before a program runs, and whether what it holds is right.
#include "cached.h"

#include <session/session.h>
#include <targets/targets.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <thread>
#include <unistd.h>

using namespace kiln;
namespace fs = std::filesystem;

namespace {

constexpr const char *program = R"(
include("parts.jl")
function scale(y, ::Val{N}) where N
    i = threadIdx().x
    if i <= length(y)
        y[i] = factor() * y[i] + N
    end
    return
end
apply(y, f) = (y[1] = f(y[1]); nothing)
wrong(y) = (y[1] = nowhere(y[1]); nothing)
)";

using cached::must;

void write(const fs::path &path, std::string_view text) { std::ofstream(path, std::ios::binary) << text; }

/// A folder with a program in it, and a cache.
struct Scratch : kiln::test::Scratch {
  Scratch() {
    write(path / "program.jl", program);
    write(path / "parts.jl", "factor() = 3f0\n");
  }
  SessionOptions session(const char *cache = "cache") const {
    SessionOptions options;
    options.cache_dir = (path / cache).string();
    options.shared_cache_dir = "";
    options.trace_jobs = "";
    options.verbosity = 0;
    return options;
  }
  std::vector<PrecompileJob> jobs(const std::vector<std::string> &calls, CompilerConfig config = {}) const {
    std::vector<PrecompileJob> all;
    for (const std::string &call : calls)
      all.push_back({.files = {{"program.jl", path.string(), ""}},
                     .call = call,
                     .captures = {},
                     .hidden_argument = {},
                     .config = config,
                     .product = config.target.is<PtxOptions>() ? ArtifactKind::Cubin : ArtifactKind::Object,
                     .at = {}});
    return all;
  }
};

const std::vector<std::string> calls{
    "scale(CuDeviceVector{Float32,1}, Val{1})", "scale(CuDeviceVector{Float32,1}, Val{2})",
    "apply(CuDeviceVector{Float32,1}, typeof(sqrt))", "apply(CuDeviceVector{Float64,1}, typeof(-))"};

CompilerConfig ptx() {
  CompilerConfig config;
  config.target = PtxOptions();
  config.target.edit<PtxOptions>().sm = 80;
  return config;
}

/// As a program would: loads by the file's name, and launches.
Session::Counters run_program(const Scratch &scratch, SessionOptions options) {
  auto session = must(Session::open(options));
  must(session->load_file((scratch.path / "program.jl").string()));
  std::vector<float> y{4, 9, 16};
  must(session->launch("scale", {.threads = {3, 1, 1}},
                       {Argument::array(y.data(), {3}), Argument{"Val{2}", {}}}));
  CHECK(y == std::vector<float>{14, 29, 50});
  must(session->launch("apply", {}, {Argument::array(y.data(), {3}), Argument{"typeof(-)", {}}}));
  CHECK(y[0] == -14);
  must(session->compile("scale(CuDeviceVector{Float32,1}, Val{7})", ptx(), ArtifactKind::Assembly));
  session->flush_cache();
  return session->counters();
}

PrecompileReport fill(const Scratch &scratch, std::span<const PrecompileJob> jobs, unsigned threads = 2,
                      const char *cache = "cache") {
  return must(precompile(jobs, {.session = scratch.session(cache), .threads = threads}));
}

std::unique_ptr<FolderStore> folder_of(const Scratch &scratch, const char *cache = "cache") {
  return std::make_unique<FolderStore>(FolderOptions{.path = (scratch.path / cache).string()});
}

bool has_assembler() {
  auto session = must(Session::open({.cache_dir = ""}));
  return session->state().assemblers.of(find_target(PtxOptions())).ok();
}

} // namespace

TEST_CASE("what was precompiled is not compiled again, by precompile or by the program") {
  Scratch scratch;
  std::vector<PrecompileJob> jobs = scratch.jobs(calls);
  for (PrecompileJob &job : jobs)
    job.files[0].name = (scratch.path / "program.jl").string(); // as the program loads it
  size_t told = 0;
  PrecompileReport first = must(precompile(
      jobs, {.session = scratch.session(), .threads = 3, .progress = [&](const PrecompileProgress &p) {
               CHECK(p.done == ++told);
             }}));
  CHECK(told == calls.size());
  CHECK(first.counts.done == calls.size());
  CHECK(first.counts.hits == 0);
  CHECK(first.counts.failed == 0);
  CHECK(first.made == calls.size());
  CHECK(first.missing == 0);
  PrecompileReport again = fill(scratch, jobs);
  CHECK(again.counts.hits == calls.size());
  CHECK(again.made == 0);

  auto session = must(Session::open(scratch.session()));
  must(session->load_file((scratch.path / "program.jl").string()));
  std::vector<float> y{4, 9, 16};
  must(session->launch("scale", {.threads = {3, 1, 1}},
                       {Argument::array(y.data(), {3}), Argument{"Val{2}", {}}}));
  CHECK(y == std::vector<float>{14, 29, 50});
  CHECK(session->counters().compiled == 0);
  CHECK(session->counters().inferred == 0);
  CHECK(session->counters().llvm_contexts == 0);
}

TEST_CASE("a job that fails leaves the others, and says where it was asked for") {
  Scratch scratch;
  std::vector<PrecompileJob> jobs = scratch.jobs({calls[0], "wrong(CuDeviceVector{Float32,1})", calls[1]});
  for (const char *missing : {"nowhere.jl", "elsewhere.jl"}) {
    jobs.push_back(jobs[0]);
    jobs.back().files[0].name = missing;
  }
  auto list = std::make_shared<const SourceFile>(0, "list.json", "a\nb\n");
  jobs[1].at = {list, 2, 3};
  PrecompileReport report = fill(scratch, jobs, 1);
  CHECK(report.counts.failed == 3);
  CHECK(report.made == 2);
  REQUIRE(report.failures.size() == 3);
  CHECK(report.failures[0].job == 1);
  CHECK(report.failures[0].error.what().find("list.json:2:1") != std::string::npos);
  CHECK(report.failures[2].error.what().find("elsewhere.jl") != std::string::npos);
}

TEST_CASE("shards are disjoint and complete, and follow from the jobs alone") {
  Scratch scratch, elsewhere;
  std::vector<std::string> many;
  for (int i = 0; i < 100; i++)
    many.push_back("scale(CuDeviceVector{Float32,1}, Val{" + std::to_string(i) + "})");
  std::vector<PrecompileJob> jobs = scratch.jobs(many),
                             reversed = elsewhere.jobs({many.rbegin(), many.rend()});
  std::set<std::string> all;
  for (unsigned i = 1; i <= 3; i++) {
    std::set<std::string> mine, theirs;
    for (const PrecompileJob &job : shard_of(jobs, i, 3)) mine.insert(job.call);
    for (const PrecompileJob &job : shard_of(reversed, i, 3)) theirs.insert(job.call);
    CHECK(mine == theirs);
    CHECK(mine.size() > 15);
    for (const std::string &call : mine) CHECK(all.insert(call).second);
  }
  CHECK(all.size() == 100);
  CHECK(shard_of(jobs, 1, 1).size() == 100);
}

TEST_CASE("a trace repeats what a program compiled: then it compiles nothing") {
  Scratch scratch;
  SessionOptions recording = scratch.session();
  const std::string trace = (scratch.path / "trace").string();
  recording.trace_jobs = trace;
  CHECK(run_program(scratch, recording).compiled == 3);
  PrecompileList list = must(read_job_trace(trace));
  CHECK(list.warnings.empty());
  CHECK(list.skipped.empty());
  REQUIRE(list.jobs.size() == 3);
  CHECK(list.jobs[0].call == "scale(CuDeviceArray{Float32, 1, 1}, Val{2})");
  CHECK(list.jobs[2].product == ArtifactKind::Cubin);
  // A job is written once, found or compiled, by however many processes.
  CHECK(run_program(scratch, recording).compiled == 0);
  CHECK(must(read_job_trace(trace)).jobs.size() == 3);
  std::ifstream lines(trace);
  CHECK(std::count(std::istreambuf_iterator<char>(lines), {}, '\n') == 3);

  PrecompileReport report = fill(scratch, list.jobs, 2, "fresh");
  CHECK(report.counts.failed == 0);
  CHECK(report.counts.hits == 0);
  CHECK(report.changed.empty());
  Session::Counters counters = run_program(scratch, scratch.session("fresh"));
  CHECK(counters.compiled == 0);
  CHECK(counters.inferred == 0);

  // A file that is another one now is compiled as it is.
  write(scratch.path / "program.jl", std::string(program) + "# more\n");
  CHECK(fill(scratch, list.jobs).changed == std::vector<std::string>{(scratch.path / "program.jl").string()});
}

TEST_CASE("a trace of relative names is repeated from any folder") {
  Scratch scratch;
  const fs::path before = fs::current_path();
  SessionOptions recording = scratch.session();
  recording.trace_jobs = (scratch.path / "trace").string();
  auto run = [&](const SessionOptions &options) {
    fs::current_path(scratch.path);
    auto session = must(Session::open(options));
    must(session->load_file("program.jl"));
    must(session->compile(calls[0], {}, ArtifactKind::Object));
    session->flush_cache();
    fs::current_path(before);
    return session->counters().compiled;
  };
  CHECK(run(recording) == 1);
  PrecompileList list = must(read_job_trace(*recording.trace_jobs));
  REQUIRE(list.jobs.size() == 1);
  CHECK(list.jobs[0].files[0].name == "program.jl");
  CHECK(fill(scratch, list.jobs, 1, "fresh").made == 1);
  CHECK(run(scratch.session("fresh")) == 0);
}

TEST_CASE("a trace says what cannot be repeated, and why") {
  Scratch scratch;
  SessionOptions recording = scratch.session();
  recording.trace_jobs = (scratch.path / "trace").string();
  {
    auto session = must(Session::open(recording));
    must(session->load("in memory", "k(y) = (y[1] = 1f0; nothing)"));
    must(session->compile("k(CuDeviceVector{Float32,1})", {}, ArtifactKind::Object));
  }
  PrecompileList list = must(read_job_trace(*recording.trace_jobs));
  CHECK(list.jobs.empty());
  REQUIRE(list.skipped.size() == 1);
  CHECK(list.skipped[0].call == "k(CuDeviceArray{Float32, 1, 1})");
  CHECK(list.skipped[0].why == "the program loads in memory from memory: it lies in no file");
}

TEST_CASE("lines that were cut off cost no other line") {
  Scratch scratch;
  SessionOptions recording = scratch.session();
  const std::string trace = (scratch.path / "trace").string();
  recording.trace_jobs = trace;
  run_program(scratch, recording);
  std::string whole = must(read_file(trace));
  const size_t first = whole.find('\n') + 1;
  for (size_t cut = 1; cut + 1 < first; cut++) {
    write(trace, whole.substr(0, cut) + whole); // killed while it wrote; another one went on
    PrecompileList list = must(read_job_trace(trace));
    CHECK(list.jobs.size() == 3);
    CHECK(list.warnings.size() == 1);
  }
  const size_t last = whole.rfind('\n', whole.size() - 2) + 1;
  for (size_t cut = last + 1; cut + 1 < whole.size(); cut += 7) {
    write(trace, whole.substr(0, cut));
    PrecompileList list = must(read_job_trace(trace));
    CHECK(list.jobs.size() == 2);
    REQUIRE(list.warnings.size() == 1);
    CHECK(list.warnings[0].find("cut off") != std::string::npos);
  }
  for (const char *line :
       {"{\"kiln_trace\":99}", "{\"kiln_trace\":1}", "[]",
        "{\"kiln_trace\":1,\"call\":\"f()\",\"product\":\"obj\",\"config\":{\"vector\":1},\"files\":[]}",
        "{\"kiln_trace\":1,\"call\":\"f()\",\"product\":\"obj\",\"config\":{\"strip\":1},\"files\":[]}"}) {
    write(trace, whole + line + "\n");
    PrecompileList list = must(read_job_trace(trace));
    CHECK(list.jobs.size() == 3);
    CHECK(list.warnings.size() == 1);
  }
}

TEST_CASE("a config comes back from its JSON as it was") {
  CompilerConfig config;
  config.target = PtxOptions{.sm = 90,
                             .arch_specific = true,
                             .ptx_isa = 80,
                             .max_threads = {256, 2, 1},
                             .required_threads = {1, 2, 3},
                             .cluster = {2, 1, 1},
                             .min_blocks = 2,
                             .max_registers = 64};
  config.target.fast_math = true;
  config.kernel = false;
  config.name = "name";
  config.entry_abi = EntryAbi::Packed;
  config.always_inline = true;
  config.opt_level = 3;
  config.debug_level = 0;
  config.libraries = config.optimize = config.cleanup = config.validate = false;
  config.strip = config.invariant_arguments = config.check = config.interruptible = true;
  auto back = [](const CompilerConfig &c) {
    return must(
        config_from_json(must(parse_json(std::make_shared<const SourceFile>(0, "config", config_json(c))))));
  };
  CHECK(back(config) == config);
  CHECK(back({}) == CompilerConfig());
  config.target = NativeOptions{"a \"cpu\"", "+a,-b"};
  CHECK(back(config) == config);
}

TEST_CASE("a line of a trace whose values mean nothing is left out, and named") {
  Scratch scratch;
  const std::string path = (scratch.path / "trace").string();
  auto line = [](std::string_view product, std::string_view config) {
    return fmt::format(
        "{{\"kiln_trace\":2,\"call\":\"f(Int64)\",\"product\":\"{}\",\"config\":{{{}}},\"files\":[]}}\n",
        product, config);
  };
  std::ofstream(path) << line("obj", "\"opt_level\":3") << line("spam", "")
                      << line("obj", "\"debug_level\":9") << line("obj", "\"opt_level\":-5");
  PrecompileList list = must(read_job_trace(path));
  CHECK(list.jobs.size() == 1);
  REQUIRE(list.warnings.size() == 3);
  CHECK_THAT(list.warnings[0], Catch::Contains(":2: left out: ") && Catch::Contains("`spam`"));
  CHECK_THAT(list.warnings[1], Catch::Contains(":3: left out: ") && Catch::Contains("debug_level is 9"));
  CHECK_THAT(list.warnings[2], Catch::Contains(":4: left out: ") && Catch::Contains("opt_level is -5"));
}

TEST_CASE("many threads and processes' worth of sessions write one trace") {
  Scratch scratch;
  SessionOptions recording = scratch.session();
  recording.trace_jobs = (scratch.path / "trace").string();
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; t++)
    threads.emplace_back([&, t] {
      auto session = Session::open(recording);
      if (!session.ok() || !(*session)->load_file((scratch.path / "program.jl").string()).ok()) return;
      for (int i = 0; i < 10; i++)
        (void)(*session)->compile("scale(CuDeviceVector{Float32,1}, Val{" + std::to_string(10 * t + i) + "})",
                                  {}, ArtifactKind::Object);
    });
  for (std::thread &thread : threads) thread.join();
  PrecompileList list = must(read_job_trace(*recording.trace_jobs));
  CHECK(list.jobs.size() == 40);
  CHECK(list.warnings.empty());
}

TEST_CASE("an entry with the right checksum and wrong code is found, and dropped") {
  Scratch scratch;
  std::vector<PrecompileJob> jobs = scratch.jobs(calls);
  CHECK(fill(scratch, jobs).made == calls.size());
  auto folder = folder_of(scratch);
  VerifyReport right = must(verify_jobs(*folder, jobs, scratch.session(), 100));
  CHECK(right.checked == calls.size());
  CHECK(right.wrong.empty());
  CHECK(right.unable.empty());
  CHECK(must(verify_jobs(*folder, jobs, scratch.session(), 2)).checked == 2);
  CHECK(must(verify_jobs(*folder, scratch.jobs({"scale(CuDeviceVector{Float32,1}, Val{5})"}),
                         scratch.session(), 9))
            .absent == 1);

  for (const auto &entry : folder->list()) { // one byte of one artifact, sealed anew
    std::string content = must(open_entry(entry.key, *get_blob(*folder, entry.key)));
    auto stored = read_artifact(content);
    if (!stored.ok()) continue;
    stored->artifact.bytes[stored->artifact.bytes.size() / 2] ^= 1;
    folder->put({Blob{entry.key, seal_entry(entry.key, artifact_content(stored->artifact, stored->note))}},
                StoreClock::now() + std::chrono::seconds(1));
    break;
  }
  VerifyReport planted = must(verify_jobs(*folder, jobs, scratch.session(), 100));
  CHECK(planted.checked == calls.size());
  REQUIRE(planted.wrong.size() == 1);
  CHECK(planted.wrong[0].find("Float") != std::string::npos);
  VerifyReport dropped = must(verify_jobs(*folder, jobs, scratch.session(), 100));
  CHECK(dropped.wrong.empty());
  CHECK(dropped.absent == 1);
}

TEST_CASE("a cubin that its text does not give is found without a list of jobs") {
  if (!has_assembler()) return;
  for (int debug_level : {0, 1}) {
    INFO(debug_level);
    Scratch scratch;
    CompilerConfig config = ptx();
    config.debug_level = debug_level;
    std::vector<PrecompileJob> jobs = scratch.jobs({calls[0], calls[1]}, config);
    PrecompileReport filled = fill(scratch, jobs);
    CHECK(filled.made == 4); // texts and cubins
    CHECK(filled.missing == 0);
    CHECK(fill(scratch, jobs).counts.hits == 2);
    auto folder = folder_of(scratch);
    VerifyReport right = must(verify_texts(*folder, scratch.session(), 100));
    CHECK(right.checked == 2);
    CHECK(right.wrong.empty());
    CHECK(must(verify_jobs(*folder, jobs, scratch.session(), 100)).checked == 4);

    std::string one; // kernel's code in the place of the other's
    for (const auto &entry : folder->list()) {
      auto stored = read_artifact(must(open_entry(entry.key, *get_blob(*folder, entry.key))));
      if (!stored.ok() || stored->artifact.kind != ArtifactKind::Cubin) continue;
      if (one.empty()) one = stored->artifact.bytes;
      stored->artifact.bytes = one;
      folder->put({Blob{entry.key, seal_entry(entry.key, artifact_content(stored->artifact, stored->note))}},
                  StoreClock::now() + std::chrono::seconds(1));
    }
    REQUIRE_FALSE(one.empty());
    CHECK(must(verify_texts(*folder, scratch.session(), 100)).wrong.size() == 1);
  }
}

TEST_CASE("a folder too small for its jobs is told") {
  Scratch scratch;
  std::vector<std::string> many;
  for (int i = 0; i < 24; i++)
    many.push_back("scale(CuDeviceVector{Float32,1}, Val{" + std::to_string(i) + "})");
  SessionOptions options = scratch.session();
  options.cache_budget = 64 << 10;
  PrecompileReport report = must(precompile(scratch.jobs(many), {.session = options, .threads = 2}));
  CHECK(report.counts.failed == 0);
  CHECK(report.missing > 0);
}

TEST_CASE("no folder, and one that cannot be used, are errors") {
  Scratch scratch;
  SessionOptions none = scratch.session();
  none.cache_dir = "";
  auto without = precompile(scratch.jobs(calls), {.session = none});
  REQUIRE(!without.ok());
  CHECK(without.error().kind() == ErrorKind::Usage);
  fs::create_directories(scratch.path / "open");
  fs::permissions(scratch.path / "open", fs::perms::all);
  auto refused = precompile(scratch.jobs(calls), {.session = scratch.session("open"), .threads = 1});
  REQUIRE(!refused.ok());
  CHECK(refused.error().kind() == ErrorKind::Machine);
  CHECK(refused.error().what().find("others than its owner can write to it") != std::string::npos);
}
