// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// kiln/c_cache.h: lists of jobs from manifests, shards, precompiling, and the cache's folder from outside.
#include "open.h"
#include "scratch.h"

#include <kiln/c_cache.h>

#include <cmath>
#include <ctime>
#include <fstream>
#include <set>
#include <vector>

namespace cache_test {

using Catch::Matchers::Contains;
using namespace kiln::test;
namespace fs = std::filesystem;

namespace {

/// Four kernels for the CPU, in a manifest, and a folder for the cache.
struct Listed {
  Scratch folder;
  std::string manifest = folder.path / "jobs.json", cache = folder.path / "cache";
  kiln_error *error = nullptr;
  kiln_job_list *list = nullptr;

  explicit Listed(const std::string &jobs = R"json(["k(CuDeviceVector{$T,1})"])json") {
    std::ofstream(folder.path / "k.jl") << "using CUDA\nfunction k(y)\n  @inbounds y[1] = 1\n  return\nend\n";
    std::ofstream(manifest) << R"({"files": ["k.jl"], "candidates": {"T": ["Int32", "Int64", "Float32", )"
                            << R"("Float64"]}, "jobs": )" << jobs << "}\n";
    ok(kiln_read_manifest(manifest.c_str(), &list, &error), error);
  }
  ~Listed() { kiln_job_list_free(list); }
  Listed(const Listed &) = delete;
  Listed &operator=(const Listed &) = delete;

  kiln_session_options options() const {
    kiln_session_options options = {};
    options.struct_size = sizeof options;
    options.cache_dir = cache.c_str();
    options.ignore_environment = 1;
    return options;
  }
  kiln_precompile_report precompile(const kiln_job_list *jobs, int expected = KILN_OK,
                                    kiln_error **each = nullptr) {
    const kiln_session_options session = options();
    kiln_precompile_options given = {};
    given.struct_size = sizeof given;
    given.session = &session;
    kiln_precompile_report report = {};
    report.struct_size = sizeof report;
    const int status = kiln_precompile_list(jobs, &given, &report, each, &error);
    INFO(kiln_error_text(error));
    CHECK(status == expected);
    kiln_error_free(error);
    return report;
  }
  kiln_cache *open_cache() {
    const kiln_session_options session = options();
    kiln_cache *opened = nullptr;
    ok(kiln_cache_open(&session, &opened, &error), error);
    return opened;
  }
};

struct Files {
  size_t count = 0;
  uint64_t bytes = 0;
};
/// Entries: XX/ and the other 30 digits of the key.
Files entries_of(const std::string &folder) {
  Files files;
  for (const auto &file : fs::recursive_directory_iterator(folder))
    if (file.is_regular_file() && file.path().filename().string().size() == 30) {
      files.count++;
      files.bytes += file.file_size();
    }
  return files;
}

} // namespace

TEST_CASE("a manifest's jobs are listed, described and divided into shards") {
  Listed listed;
  REQUIRE(kiln_job_list_count(listed.list) == 4);
  std::set<std::string> all;
  for (size_t i = 0; i < 4; i++) all.insert(kiln_job_list_call(listed.list, i));
  CHECK(all == std::set<std::string>{"k(CuDeviceVector{Int32,1})", "k(CuDeviceVector{Int64,1})",
                                     "k(CuDeviceVector{Float32,1})", "k(CuDeviceVector{Float64,1})"});
  char *text = nullptr;
  ok(kiln_job_list_describe(listed.list, 0, &text, &listed.error), listed.error);
  CHECK_THAT(text, Contains(kiln_job_list_call(listed.list, 0)) && Contains("for this CPU"));
  kiln_text_free(text);

  std::multiset<std::string> divided;
  for (unsigned index = 1; index <= 3; index++) {
    kiln_job_list *shard = nullptr;
    ok(kiln_job_list_shard(listed.list, index, 3, &shard, &listed.error), listed.error);
    for (size_t i = 0; i < kiln_job_list_count(shard); i++) divided.insert(kiln_job_list_call(shard, i));
    kiln_job_list_free(shard);
  }
  CHECK(divided == std::multiset<std::string>(all.begin(), all.end()));
  kiln_job_list *none = nullptr;
  for (auto [index, count] : {std::pair(0u, 3u), std::pair(4u, 3u), std::pair(1u, 0u)})
    CHECK(kiln_job_list_shard(listed.list, index, count, &none, nullptr) == KILN_USAGE);
  CHECK(kiln_job_list_describe(listed.list, 4, &text, &listed.error) == KILN_USAGE);
  CHECK_THAT(told(listed.error), Contains("4 jobs"));
  CHECK(std::string(kiln_job_list_call(listed.list, 4)).empty());
  CHECK(kiln_job_list_skipped_count(listed.list) + kiln_job_list_warning_count(listed.list) == 0);
  CHECK(std::string(kiln_job_list_skipped_call(listed.list, 0)).empty());
}

TEST_CASE("faults of a manifest are told at their places, and files by what they are") {
  Listed listed;
  std::ofstream(listed.manifest) << "{\n  \"jobs\": [\"k()\"],\n  \"no_such_field\": 1\n}\n";
  kiln_job_list *read = nullptr;
  CHECK(kiln_read_manifest(listed.manifest.c_str(), &read, &listed.error) == KILN_INPUT);
  CHECK(read == nullptr);
  CHECK(kiln_error_line(listed.error, 0) == 3);
  CHECK_THAT(told(listed.error), Contains("no_such_field"));
  CHECK(kiln_read_job_trace(listed.manifest.c_str(), &read, nullptr) == KILN_INPUT);
  CHECK(kiln_read_job_list("/no/such/file", &read, nullptr) == KILN_INPUT);
  CHECK(kiln_read_job_list(nullptr, &read, nullptr) == KILN_USAGE);
}

TEST_CASE("a trace's jobs are a list, with what was left out of it") {
  Scratch folder;
  const std::string trace = folder.path / "trace", file = folder.path / "k.jl";
  std::ofstream(file) << "using CUDA\nk(y) = (y[1] = 1; return)\n";
  kiln_session_options options = {};
  options.trace_jobs = trace.c_str();
  {
    OpenSession open(options);
    ok(kiln_load_file(open.session, file.c_str(), &open.error), open.error);
    kiln_artifact *artifact = nullptr;
    ok(kiln_compile(open.session, "k(CuDeviceVector{Int64,1})", nullptr, "obj", &artifact, &open.error),
       open.error);
    kiln_artifact_free(artifact);
  }
  std::ifstream in(trace);
  std::string line{std::istreambuf_iterator<char>(in), {}};
  std::string other = line;
  other.replace(other.rfind('}'), 1, ",\"cannot_repeat\":\"a closure is in it\"}");
  std::ofstream(trace, std::ios::app) << other << line.substr(0, 20);
  kiln_job_list *list = nullptr;
  kiln_error *error = nullptr;
  ok(kiln_read_job_list(trace.c_str(), &list, &error), error);
  CHECK(kiln_job_list_count(list) == 1);
  REQUIRE(kiln_job_list_skipped_count(list) == 1);
  CHECK(std::string(kiln_job_list_skipped_call(list, 0)) == kiln_job_list_call(list, 0));
  CHECK(std::string(kiln_job_list_skipped_reason(list, 0)) == "a closure is in it");
  REQUIRE(kiln_job_list_warning_count(list) == 1);
  CHECK_THAT(kiln_job_list_warning(list, 0), Contains("cut off"));
  kiln_job_list_free(list);
}

TEST_CASE("a list that is made by hand is compiled, and each job's error is its own") {
  Listed listed;
  kiln_job_list *made = nullptr;
  ok(kiln_job_list_new(&made, &listed.error), listed.error);
  const char *files[] = {"k.jl"};
  kiln_job_entry entry = {};
  entry.struct_size = sizeof entry;
  entry.files = files;
  entry.file_count = 1;
  const std::string folder = listed.folder.path;
  entry.folder = folder.c_str();
  for (const char *call : {"k(CuDeviceVector{Int64,1})", "k(Int64, Int64)", "k(CuDeviceVector{Int32,1})"}) {
    entry.call = call;
    ok(kiln_job_list_add(made, &entry, &listed.error), listed.error);
  }
  kiln_error *each[3] = {};
  const kiln_precompile_report report = listed.precompile(made, KILN_INPUT, each);
  CHECK(report.jobs == 3);
  CHECK(report.failed == 1);
  CHECK(each[0] == nullptr);
  CHECK(each[2] == nullptr);
  CHECK(std::string(kiln_error_kind(each[1], 0)) == "MethodError");
  kiln_error_free(each[1]);

  entry.call = nullptr;
  CHECK(kiln_job_list_add(made, &entry, nullptr) == KILN_USAGE);
  entry.call = "k()";
  entry.product = "llvm";
  CHECK(kiln_job_list_add(made, &entry, &listed.error) == KILN_USAGE);
  CHECK_THAT(told(listed.error), Contains("asm, obj or cubin"));
  entry.product = nullptr;
  entry.options_json = "{";
  CHECK(kiln_job_list_add(made, &entry, nullptr) == KILN_INPUT);
  CHECK(kiln_job_list_count(made) == 3);
  kiln_precompile_options options = {};
  options.struct_size = sizeof options;
  options.architectures = "sm_90";
  CHECK(kiln_precompile_list(made, &options, nullptr, nullptr, &listed.error) == KILN_USAGE);
  CHECK_THAT(told(listed.error), Contains("kiln_job_list_for_architectures"));
  kiln_job_list_free(made);
}

TEST_CASE("a list for architectures, and a job of it in a session") {
  Listed listed(
      R"json([{"call": "k(CuDeviceVector{Int64,1})", "targets": [{"target": "ptx", "arch": "sm_80"}]}])json");
  kiln_job_list *many = nullptr;
  ok(kiln_job_list_for_architectures(listed.list, "sm_80,sm_90a", &many, &listed.error), listed.error);
  REQUIRE(kiln_job_list_count(many) == 2);
  char *text = nullptr;
  ok(kiln_job_list_describe(many, 1, &text, &listed.error), listed.error);
  CHECK_THAT(text, Contains("sm_90a"));
  kiln_text_free(text);
  OpenSession open;
  kiln_job *job = nullptr;
  CHECK(kiln_job_list_hold(many, 1, open.session, &job, nullptr) == KILN_INPUT); // its files are not loaded
  ok(kiln_job_list_load_files(many, 1, open.session, &open.error), open.error);
  ok(kiln_job_list_hold(many, 1, open.session, &job, &open.error), open.error);
  kiln_artifact *artifact = nullptr;
  ok(kiln_job_compile(job, "asm", &artifact, &open.error), open.error);
  CHECK_THAT(static_cast<const char *>(kiln_artifact_data(artifact, nullptr)), Contains(".target sm_90a"));
  kiln_artifact_free(artifact);
  kiln_job_free(job);
  CHECK(kiln_job_list_for_architectures(listed.list, "sm_nothing", &many, &listed.error) == KILN_USAGE);
  CHECK(many == nullptr);
  kiln_error_free(listed.error);
  ok(kiln_iteration_space("64", nullptr, &text, &listed.error), listed.error);
  CHECK_THAT(text, Contains("64"));
  kiln_text_free(text);
  ok(kiln_iteration_space(nullptr, nullptr, &text, &listed.error), listed.error);
  CHECK(std::string(text).empty());
  kiln_text_free(text);
}

TEST_CASE("statistics, archives and sweeps of a folder are those of its files") {
  Listed listed;
  kiln_cache *cache = listed.open_cache();
  CHECK(kiln_cache_path(cache) == listed.cache);
  CHECK(kiln_cache_budget(cache) == uint64_t(1) << 30); // docs/cache.md: 1 GiB
  CHECK(kiln_cache_exists(cache) == 0);
  ok(kiln_cache_check_usable(cache, &listed.error), listed.error);
  CHECK(listed.precompile(listed.list).made == 4);
  CHECK(listed.precompile(listed.list).hits == 4);
  CHECK(kiln_cache_exists(cache) == 1);

  const Files files = entries_of(listed.cache);
  kiln_folder_statistics statistics = {};
  statistics.struct_size = sizeof statistics;
  ok(kiln_cache_statistics(cache, &statistics, &listed.error), listed.error);
  CHECK(statistics.entries == files.count);
  CHECK(statistics.bytes == files.bytes);
  CHECK(std::abs(double(statistics.oldest_use) - double(std::time(nullptr))) < 7200);

  const std::string archive = listed.folder.path / "archive";
  kiln_folder_archive moved = {};
  moved.struct_size = sizeof moved;
  ok(kiln_cache_export(cache, archive.c_str(), &moved, &listed.error), listed.error);
  CHECK(moved.entries == files.count);
  kiln_folder_sweep swept = {};
  swept.struct_size = sizeof swept;
  ok(kiln_cache_sweep(cache, &swept, &listed.error), listed.error);
  CHECK(swept.entries == files.count);
  CHECK(swept.dropped == 0);
  ok(kiln_cache_clear(cache, &swept, &listed.error), listed.error);
  CHECK(swept.dropped == files.count);
  CHECK(entries_of(listed.cache).count == 0);
  ok(kiln_cache_import(cache, archive.c_str(), nullptr, &listed.error), listed.error);
  CHECK(entries_of(listed.cache).count == files.count);
  CHECK(kiln_cache_import(cache, listed.manifest.c_str(), &moved, nullptr) == KILN_INPUT);
  CHECK(kiln_cache_export(cache, nullptr, &moved, nullptr) == KILN_USAGE);
  statistics.struct_size = 1;
  CHECK(kiln_cache_statistics(cache, &statistics, &listed.error) == KILN_USAGE);
  CHECK_THAT(told(listed.error), Contains("kiln_folder_statistics.struct_size"));
  kiln_cache_free(cache);
  CHECK(std::string(kiln_cache_path(cache)).empty());
  CHECK(kiln_cache_sweep(cache, nullptr, nullptr) == KILN_USAGE);
}

TEST_CASE("verifying finds the entry that was damaged, and explaining finds it missing") {
  Listed listed;
  listed.precompile(listed.list);
  kiln_cache *cache = listed.open_cache();
  std::vector<std::pair<std::string, std::string>> found;
  auto note = [](const char *what, const char *text, void *user) {
    static_cast<decltype(found) *>(user)->emplace_back(what, text);
  };
  kiln_folder_check check = {};
  check.struct_size = sizeof check;
  ok(kiln_cache_verify(cache, listed.list, 100, &check, note, &found, &listed.error), listed.error);
  CHECK(check.checked == 4);
  CHECK(check.entries == entries_of(listed.cache).count);
  CHECK(found.empty());

  std::vector<std::string> damaged;
  for (const auto &file : fs::recursive_directory_iterator(listed.cache))
    if (file.is_regular_file() && file.path().filename().string().size() == 30) {
      damaged.push_back(file.path().parent_path().filename().string() + file.path().filename().string());
      std::fstream bytes(file.path(), std::ios::in | std::ios::out | std::ios::binary);
      bytes.seekp(std::streamoff(file.file_size() / 2));
      const char before = char(bytes.get());
      bytes.seekp(std::streamoff(file.file_size() / 2));
      bytes.put(char(before ^ 1));
    }
  ok(kiln_cache_verify(cache, nullptr, 0, &check, note, &found, &listed.error), listed.error);
  CHECK(check.damaged == damaged.size());
  std::set<std::string> keys;
  for (const auto &[what, text] : found) {
    CHECK(what == "damaged");
    keys.insert(text);
  }
  CHECK(keys == std::set<std::string>(damaged.begin(), damaged.end()));
  ok(kiln_cache_verify(cache, listed.list, 100, &check, nullptr, nullptr, &listed.error), listed.error);
  CHECK(check.absent == 4);
  kiln_cache_free(cache);
}

TEST_CASE("an explanation tells a hit from a miss, and what differs") {
  Listed listed(R"json(["k(CuDeviceVector{Int64,1})"])json");
  listed.precompile(listed.list);
  kiln_cache *cache = listed.open_cache();
  OpenSession open;
  ok(kiln_job_list_load_files(listed.list, 0, open.session, &open.error), open.error);
  struct Explained {
    int calls = 0, is_hit = 0;
    std::string key, function, differences;
    static void take(const kiln_folder_explanation *e, void *user) {
      auto &of = *static_cast<Explained *>(user);
      of.calls++;
      of.is_hit = e->is_hit;
      of.key = e->key;
      if (e->nearest_function) of.function = e->nearest_function;
      for (size_t i = 0; i < e->difference_count; i++) of.differences += e->differences[i];
      CHECK(e->struct_size == sizeof *e);
      CHECK(e->cubin_key == nullptr);
    }
  } hit, miss;
  kiln_job *job = nullptr, *other = nullptr;
  ok(kiln_job_list_hold(listed.list, 0, open.session, &job, &open.error), open.error);
  ok(kiln_cache_explain(cache, open.session, job, "obj", Explained::take, &hit, &open.error), open.error);
  CHECK(hit.calls == 1);
  CHECK(hit.is_hit == 1);
  CHECK(hit.key.size() == 32);
  ok(kiln_job_open(open.session, kiln_job_list_call(listed.list, 0), "{\"O\": 1}", &other, &open.error),
     open.error);
  ok(kiln_cache_explain(cache, open.session, other, "obj", Explained::take, &miss, &open.error), open.error);
  CHECK(miss.is_hit == 0);
  CHECK(miss.key != hit.key);
  CHECK(miss.function == "k");
  CHECK_THAT(miss.differences, Contains("opt_level"));
  CHECK(kiln_cache_explain(cache, open.session, job, "llvm", Explained::take, &miss, nullptr) == KILN_USAGE);
  CHECK(kiln_cache_explain(cache, open.session, job, "obj", nullptr, nullptr, nullptr) == KILN_USAGE);
  CHECK(miss.calls == 1);
  kiln_job_free(job);
  kiln_job_free(other);
  kiln_cache_free(cache);
}

TEST_CASE("records are kept beyond a session that has a folder") {
  Listed listed;
  const std::string text("one\0two", 7);
  for (bool again : {false, true}) {
    OpenSession open(listed.options());
    CHECK(kiln_keeps_records(open.session) == 1);
    char *found = nullptr;
    size_t size = 99;
    ok(kiln_find_record(open.session, "mine", &found, &size, &open.error), open.error);
    CHECK((found != nullptr) == again);
    CHECK(size == (again ? text.size() : 0));
    if (again) {
      CHECK(std::string(found, size) == text);
      ok(kiln_drop_record(open.session, "mine", "a test", &open.error), open.error);
    } else {
      ok(kiln_keep_record(open.session, "mine", text.data(), text.size(), 1, &open.error), open.error);
    }
    kiln_text_free(found);
  }
  OpenSession none;
  CHECK(kiln_keeps_records(none.session) == 0);
  CHECK(kiln_keep_record(none.session, nullptr, "", 0, 0, nullptr) == KILN_USAGE);
}

TEST_CASE("the folder's path follows from the options") {
  kiln_session_options options = {};
  options.struct_size = sizeof options;
  options.cache_dir = "/tmp/some/where";
  char *text = nullptr;
  kiln_error *error = nullptr;
  ok(kiln_cache_folder_path(&options, &text, &error), error);
  CHECK(std::string(text) == "/tmp/some/where");
  kiln_text_free(text);
  options.cache_dir = "";
  kiln_cache *cache = nullptr;
  CHECK(kiln_cache_open(&options, &cache, nullptr) == KILN_USAGE);
  CHECK(cache == nullptr);
}

} // namespace cache_test
