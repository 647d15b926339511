// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Records of searches: there and back, damaged ones, the store.
#include "must.h"
#include "scratch.h"

#include <tune/record.h>

#include <set>

using namespace kiln;
using namespace kiln::test;

namespace {

TuneRecord example() {
  TuneRecord record;
  record.is_finished = true;
  record.ceiling = 4.1e12;
  RecordedCandidate one;
  one.candidate.values = {"16", "a \"quoted\" text"};
  one.candidate.state = TuneState::Dropped;
  one.candidate.shape = {.blocks = {3, 2, 1}, .threads = {256, 1, 1}, .shared_bytes = 1 << 16};
  one.candidate.samples = {123.456, 1.0 / 3, 5e9};
  one.candidate.resources = {.registers = 40,
                             .stack_bytes = 8,
                             .spill_store_bytes = 4,
                             .spill_load_bytes = 12,
                             .shared_bytes = 1024,
                             .constant_bytes = 600,
                             .barriers = 1};
  one.candidate.occupancy = 0.75;
  one.candidate.occupancy_limit = "registers";
  one.is_verified = true;
  record.candidates[{1, 2}] = one;
  RecordedCandidate two;
  two.candidate.values = {"32", "b"};
  two.candidate.state = TuneState::Wrong;
  two.candidate.reason = "argument 1[1] is 2,\n and the reference has 3";
  record.candidates[{0xffffffffffffffff, 0}] = two;
  return record;
}

std::string replaced(std::string text, const std::string &from, const std::string &to) {
  const size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

} // namespace

TEST_CASE("a record is read as it was written") {
  const TuneRecord before = example();
  const TuneRecord after = must(TuneRecord::read(before.write()));
  CHECK(after.is_finished);
  CHECK(after.ceiling == before.ceiling);
  REQUIRE(after.candidates.size() == 2);
  const RecordedCandidate &one = after.candidates.at({1, 2});
  const TuneCandidate &was = before.candidates.at({1, 2}).candidate;
  CHECK(one.is_verified);
  CHECK(one.candidate.values == was.values);
  CHECK(one.candidate.state == TuneState::Dropped);
  CHECK(one.candidate.shape == was.shape);
  CHECK(one.candidate.samples == was.samples); // to the last bit
  CHECK(one.candidate.resources.registers == 40);
  CHECK(one.candidate.resources.barriers == 1);
  CHECK(one.candidate.occupancy == 0.75);
  CHECK(one.candidate.occupancy_limit == "registers");
  const RecordedCandidate &two = after.candidates.at({0xffffffffffffffff, 0});
  CHECK_FALSE(two.is_verified);
  CHECK(two.candidate.state == TuneState::Wrong);
  CHECK(two.candidate.reason == "argument 1[1] is 2,\n and the reference has 3");
  CHECK(must(TuneRecord::read(TuneRecord().write())).candidates.empty());
}

TEST_CASE("every state has a name of its own, which is read back") {
  std::set<std::string_view> names;
  for (int i = 0; i <= int(TuneState::Wrong); i++) {
    TuneRecord record = example();
    record.candidates.at({1, 2}).candidate.state = TuneState(i);
    CHECK(names.insert(tune_state_name(TuneState(i))).second);
    CHECK(must(TuneRecord::read(record.write())).candidates.at({1, 2}).candidate.state == TuneState(i));
  }
}

TEST_CASE("what is no record is refused, wherever it is damaged") {
  const std::string text = example().write();
  for (size_t end = 0; end + 1 < text.size(); end++) CHECK_FALSE(TuneRecord::read(text.substr(0, end)).ok());
  for (const auto &[from, to] :
       std::vector<std::pair<std::string, std::string>>{{"\"kiln_tune\":1", "\"kiln_tune\":2"},
                                                        {"dropped", "lost"},
                                                        {"123.456", "-1"},
                                                        {"123.456", "\"x\""},
                                                        {"[256,1,1]", "[256,1]"},
                                                        {"\"verified\":true", ""},
                                                        {"40,8", "40.5,8"},
                                                        {"00000001", "0000000x"},
                                                        {"\"finished\":true", "\"finished\":1"},
                                                        {"[256,1,1]", "[-1,1,1]"}})
    CHECK_FALSE(TuneRecord::read(replaced(text, from, to)).ok());
  CHECK_FALSE(TuneRecord::read("[]").ok());
  CHECK_FALSE(TuneRecord::read("").ok());
}

TEST_CASE("the store keeps records; a damaged one is a warning and not there") {
  Scratch scratch;
  std::vector<std::string> warnings;
  auto session =
      must(Session::open({.cache_dir = scratch.path.string(),
                          .verbosity = LogLevel::Warning,
                          .log = [&](LogLevel, std::string_view text) { warnings.emplace_back(text); }}));
  const Fingerprint key{7, 8}, other{7, 9};
  const RecordStore store(*session, key);
  CHECK(store.exists());
  CHECK_FALSE(store.load());
  store.save(example(), true);
  REQUIRE(store.load());
  CHECK(store.load()->candidates.size() == 2);
  CHECK_FALSE(RecordStore(*session, other).load());
  keep_record(*session, key.hex(), "{\"kiln_tune\":1}", true);
  CHECK(warnings.empty());
  CHECK_FALSE(store.load());
  REQUIRE(warnings.size() == 1);
  CHECK(warnings[0].find("it is no record of a search by this version of Kiln") != std::string::npos);
  CHECK_FALSE(store.load()); // dropped
  CHECK(warnings.size() == 1);
  auto without_cache = must(Session::open({.cache_dir = ""}));
  const RecordStore none(*without_cache, key);
  none.save(example(), true);
  CHECK_FALSE(none.exists());
  CHECK_FALSE(none.load());
}
