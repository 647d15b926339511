// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// kiln/cache.h: a folder of the cache, seen from outside a session.
#include "precompiled.h"

#include <kiln/cache.h>
#include <kiln/job_list.h>
#include <kiln/worker.h>

#include <algorithm>
#include <cfenv>

using namespace kiln;
using namespace precompiled;

namespace {

/// The files of entries: XX/ and the other 30 digits of the key.
std::vector<fs::path> entry_files(const fs::path &folder) {
  std::vector<fs::path> files;
  for (const auto &file : fs::recursive_directory_iterator(folder))
    if (file.is_regular_file() && file.path().filename().string().size() == 30 &&
        file.path().parent_path().filename().string().size() == 2)
      files.push_back(file.path());
  return files;
}

CacheFolder open(const Scratch &scratch, const char *cache = "cache") {
  return must(CacheFolder::open(scratch.session(cache)));
}

/// A session without a cache.
std::unique_ptr<Session> uncached(const Scratch &scratch) {
  SessionOptions options = scratch.session();
  options.cache_dir = "";
  return must(Session::open(options));
}

} // namespace

TEST_CASE("statistics of a folder are those of its files") {
  Scratch scratch;
  const CacheFolder folder = open(scratch);
  CHECK(folder.path() == (scratch.path / "cache").string());
  CHECK(folder.budget() == uint64_t(1) << 30); // docs/cache.md: 1 GiB
  CHECK_FALSE(folder.exists());
  CHECK_FALSE(folder.is_usable());
  CHECK(folder.check_usable().ok());
  CHECK(must(folder.statistics()).entries == 0);
  CHECK_FALSE(must(folder.statistics()).oldest_use);

  fill(scratch, scratch.jobs(calls));
  CHECK(folder.exists());
  CHECK(folder.is_usable());
  const std::vector<fs::path> files = entry_files(scratch.path / "cache");
  uint64_t bytes = 0;
  for (const fs::path &file : files) bytes += fs::file_size(file);
  const CacheStatistics found = must(folder.statistics());
  CHECK(found.entries == files.size());
  CHECK(found.bytes == bytes);
  CHECK(found.hits == 0);
  CHECK(found.misses >= calls.size());
  REQUIRE(found.oldest_use);
  const auto age = std::chrono::system_clock::now() - *found.oldest_use;
  CHECK(age < std::chrono::hours(2));
  CHECK(age > -std::chrono::hours(2));

  const CacheSweep kept = must(folder.sweep());
  CHECK(kept.entries == files.size());
  CHECK(kept.dropped == 0);
  CHECK(must(folder.clear()).dropped == files.size());
  CHECK(entry_files(scratch.path / "cache").empty());
}

TEST_CASE("entries of a folder are described, and reading them is no use of them") {
  Scratch scratch;
  const CacheFolder folder = open(scratch);
  CHECK(must(folder.entries()).empty());
  fill(scratch, scratch.jobs({calls[0], calls[3]}));
  const std::vector<fs::path> files = entry_files(scratch.path / "cache");
  const auto last_year = fs::file_time_type::clock::now() - std::chrono::hours(365 * 24);
  for (const fs::path &file : files) fs::last_write_time(file, last_year);

  std::vector<std::string> jobs;
  const std::vector<CacheEntry> entries = must(folder.entries());
  CHECK(entries.size() == files.size());
  for (const CacheEntry &entry : entries) {
    const fs::path file = scratch.path / "cache" / "v1" / entry.key.substr(0, 2) / entry.key.substr(2);
    REQUIRE(fs::exists(file));
    CHECK(entry.bytes == fs::file_size(file));
    CHECK(std::chrono::system_clock::now() - entry.last_use > std::chrono::hours(364 * 24));
    CHECK(fs::last_write_time(file) == last_year);
    if (entry.kind != "obj") continue;
    jobs.push_back(entry.job);
    CHECK(entry.target.starts_with("native"));
    CHECK(entry.build.starts_with("kiln "));
    CHECK(entry.compile_ms > 0);
  }
  std::ranges::sort(jobs);
  CHECK(jobs == std::vector<std::string>{"apply(CuDeviceArray{Float64, 1, 1}, typeof(-))",
                                         "scale(CuDeviceArray{Float32, 1, 1}, Val{1})"});

  fs::resize_file(files[0], fs::file_size(files[0]) - 1);
  const std::vector<CacheEntry> after = must(folder.entries());
  CHECK(after.size() == files.size());
  CHECK(std::ranges::count(after, "damaged", &CacheEntry::kind) == 1);
}

TEST_CASE("statistics count compiles by cause, until they are reset") {
  Scratch scratch;
  const CacheFolder folder = open(scratch);
  CHECK(folder.reset_statistics().ok()); // of a folder that does not exist
  const std::vector<PrecompileJob> jobs = scratch.jobs(calls);
  fill(scratch, jobs);
  CacheStatistics found = must(folder.statistics());
  CHECK(found.made.new_code == calls.size());
  CHECK(found.made.changed_callees + found.made.other_options + found.made.other_device_library == 0);

  CompilerConfig other;
  other.opt_level = 3;
  fill(scratch, scratch.jobs({calls[0]}, other));
  CHECK(must(folder.statistics()).made.other_options == 1);
  write(scratch.path / "parts.jl", "factor() = 5f0\n"); // scale calls it, apply does not
  fill(scratch, jobs);
  found = must(folder.statistics());
  CHECK(found.made.changed_callees == 2);
  CHECK(found.made.new_code == calls.size());
  CHECK(found.hits == 2);

  must(folder.reset_statistics());
  found = must(folder.statistics());
  CHECK(found.hits + found.misses + found.made.new_code + found.made.changed_callees +
            found.made.other_options ==
        0);
  CHECK(found.entries > calls.size());
}

TEST_CASE("an archive fills another machine's folder, and says what of it is damaged") {
  Scratch scratch;
  fill(scratch, scratch.jobs(calls));
  const std::string archive = (scratch.path / "archive").string();
  const size_t count = entry_files(scratch.path / "cache").size();
  const CacheExport written = must(open(scratch).export_to(archive));
  CHECK(written.entries == count);
  CHECK(written.without_cubin == 0);

  const CacheImport taken = must(open(scratch, "other").import_from(archive));
  CHECK(taken.entries == count);
  CHECK(taken.damaged == 0);
  CHECK(taken.lost == 0);
  CHECK_FALSE(taken.is_cut_off);
  CHECK(fill(scratch, scratch.jobs(calls), 2, "other").counts.hits == calls.size());

  const uint64_t size = fs::file_size(archive);
  fs::resize_file(archive, size - 1);
  const CacheImport cut = must(open(scratch, "third").import_from(archive));
  CHECK(cut.is_cut_off);
  CHECK(cut.entries == count - 1);

  CHECK(open(scratch).export_to((scratch.path / "nowhere/archive").string()).error().kind() ==
        ErrorKind::Input);
  CHECK(open(scratch, "empty").export_to(archive).error().kind() == ErrorKind::Machine);
  CHECK(open(scratch).import_from((scratch.path / "program.jl").string()).error().kind() == ErrorKind::Input);
}

TEST_CASE("folders that there cannot be") {
  Scratch scratch;
  SessionOptions none = scratch.session();
  none.cache_dir = "";
  CHECK(CacheFolder::open(none).error().kind() == ErrorKind::Usage);
  CHECK(cache_folder_path(none).empty());
  CHECK(cache_folder_path(scratch.session()) == (scratch.path / "cache").string());
  const CacheFolder file = open(scratch, "program.jl");
  CHECK(file.exists());
  CHECK_FALSE(file.is_usable());
  CHECK(file.check_usable().error().kind() == ErrorKind::Machine);
  CHECK(file.statistics().error().kind() == ErrorKind::Machine);
  CHECK(file.clear().error().kind() == ErrorKind::Machine);
  CHECK(file.verify(1).error().kind() == ErrorKind::Machine);
}

TEST_CASE("verifying finds an altered file, and compiles the jobs of a list again") {
  Scratch scratch;
  const std::vector<PrecompileJob> jobs = scratch.jobs(calls);
  fill(scratch, jobs);
  const CacheFolder folder = open(scratch);
  const VerifyReport right = must(folder.verify(jobs, 100));
  CHECK(right.checked == calls.size());
  CHECK(right.artifacts == calls.size());
  CHECK(right.damaged.empty());
  CHECK(right.wrong.empty());
  const std::vector<fs::path> files = entry_files(scratch.path / "cache");
  CHECK(right.entries == files.size());

  std::fstream(files[0], std::ios::in | std::ios::out | std::ios::binary)
      .seekp(long(fs::file_size(files[0]) / 2))
      .put('\x5a')
      .put('\xa5');
  const VerifyReport altered = must(folder.verify(0));
  REQUIRE(altered.damaged.size() == 1);
  CHECK(altered.damaged[0] == files[0].parent_path().filename().string() + files[0].filename().string());
  CHECK(altered.entries == files.size() - 1);
  CHECK(must(folder.verify(0)).damaged.empty());
}

TEST_CASE("an explanation names the nearest entry and what differs") {
  Scratch scratch;
  std::vector<PrecompileJob> jobs = scratch.jobs(calls);
  fill(scratch, jobs);
  const CacheFolder folder = open(scratch);
  auto session = uncached(scratch);
  must(load_files(*session, jobs[0].files));
  const CacheExplanation hit =
      must(folder.explain(*session, must(hold_job(*session, jobs[0])), ArtifactKind::Object));
  CHECK(hit.is_hit);
  CHECK(hit.key.size() == 32);
  const std::vector<fs::path> files = entry_files(scratch.path / "cache");
  CHECK(std::ranges::count(files, hit.key.substr(2),
                           [](const fs::path &file) { return file.filename().string(); }) == 1);
  CHECK_FALSE(hit.nearest);
  CHECK_FALSE(hit.cubin);
  CHECK(hit.compile_ms > 0);

  jobs[0].config.opt_level = 1;
  const Job slower = must(hold_job(*session, jobs[0]));
  const CacheExplanation miss = must(folder.explain(*session, slower, ArtifactKind::Object));
  CHECK_FALSE(miss.is_hit);
  CHECK_FALSE(miss.is_other_entry);
  CHECK(miss.key != hit.key);
  REQUIRE(miss.nearest);
  CHECK(miss.nearest->function == "scale");
  REQUIRE(miss.nearest->differences.size() == 1);
  CHECK(miss.nearest->differences[0] == "opt_level: 2 there, 1 here");
  CHECK_FALSE(must(folder.explain(*session, slower, ArtifactKind::Object)).is_hit); // nothing was stored

  CHECK(folder.explain(*session, slower, ArtifactKind::Typed).error().kind() == ErrorKind::Usage);
  auto other = uncached(scratch);
  CHECK(folder.explain(*other, slower, ArtifactKind::Object).error().kind() == ErrorKind::Usage);
}

TEST_CASE("the build's identity is 16 hexadecimal digits") {
  CHECK(build_id().size() == 16);
  CHECK(build_id().find_first_not_of("0123456789abcdef") == std::string_view::npos);
}

TEST_CASE("verifying compiles as sessions do, whatever the caller's rounding mode is") {
  Scratch scratch;
  // Inference folds the quotient: to nearest it is 0x3fd5555555555555, and upwards it ends in 6.
  write(scratch.path / "program.jl", "third(y) = (y[1] = 1.0 / 3.0; nothing)\n");
  const auto jobs = scratch.jobs({"third(CuDeviceVector{Float64,1})"});
  fill(scratch, jobs);
  const CacheFolder folder = open(scratch);
  auto session = uncached(scratch);
  must(load_files(*session, jobs[0].files));
  std::fesetround(FE_UPWARD);
  auto verified = folder.verify(jobs, 10);
  auto held = hold_job(*session, jobs[0]);
  const bool is_kept = std::fegetround() == FE_UPWARD;
  std::fesetround(FE_TONEAREST);
  CHECK(is_kept);
  REQUIRE(verified.ok());
  CHECK(verified->checked == 1);
  CHECK(verified->wrong.empty());
  REQUIRE(held.ok());
  CHECK(must(folder.explain(*session, *held, ArtifactKind::Object)).is_hit);
}
