// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A folder of the cache as an OCI image. What is in the files: test/system/package/cache_image.py.
#include "precompiled.h"

#include <kiln/cache.h>

#include <set>

#include <sys/stat.h>
#include <unistd.h>

namespace cache_image_test {

using namespace precompiled;
using Catch::Matchers::Contains;

namespace {

CacheFolder open(const Scratch &scratch, const char *cache = "cache") {
  return must(CacheFolder::open(scratch.session(cache)));
}

/// Names and contents of all files.
std::map<std::string, std::string> files_of(const fs::path &folder) {
  std::map<std::string, std::string> files;
  for (const auto &file : fs::recursive_directory_iterator(folder))
    if (file.is_regular_file())
      files[file.path().lexically_relative(folder)] = must(read_file(file.path().string()));
  return files;
}

} // namespace

TEST_CASE("equal entries give equal images, and an empty folder is filled") {
  Scratch scratch;
  fill(scratch, scratch.jobs(calls));
  const size_t entries = must(open(scratch).statistics()).entries;
  const fs::path first = scratch.path / "first", second = scratch.path / "second";
  CHECK(must(open(scratch).export_image(first.string())).entries == entries);
  fs::create_directory(second);
  fs::copy(scratch.path / "cache", scratch.path / "copy", fs::copy_options::recursive); // with other times
  CHECK(must(open(scratch, "copy").export_image(second.string() + "/")).entries == entries);
  const auto files = files_of(first);
  CHECK(files == files_of(second));
  CHECK(files.size() == 5); // layout, index, manifest, config, layer
  CHECK(files.contains("oci-layout"));
  CHECK(files.contains("index.json"));
}

TEST_CASE("an image is written whole or not at all") {
  Scratch scratch;
  const fs::path image = scratch.path / "image";
  auto refused = open(scratch).export_image(image.string());
  REQUIRE_FALSE(refused.ok());
  CHECK(refused.error().kind() == ErrorKind::Machine);
  CHECK_THAT(refused.error().what(), Contains("has no entries") && Contains("kiln precompile"));

  fill(scratch, scratch.jobs({calls[0]}));
  const auto names = [&] {
    std::set<std::string> found;
    for (const auto &file : fs::directory_iterator(scratch.path)) found.insert(file.path().filename());
    return found;
  };
  const auto before = names();
  auto fails = [&](const fs::path &place, const char *why) {
    CAPTURE(place.string());
    auto failed = open(scratch).export_image(place.string());
    REQUIRE_FALSE(failed.ok());
    CHECK(failed.error().kind() == ErrorKind::Input);
    CHECK_THAT(failed.error().what(), Contains(why));
  };
  fails(scratch.path / "program.jl", "exists and is no empty folder");
  fails(scratch.path / "cache", "exists and is no empty folder");
  fails(scratch.path / "nowhere" / "image", "No such file or directory");
  fails("/proc/image", "cannot write /proc/image");
  CHECK(names() == before);
}

TEST_CASE("a damaged entry is left out of an image") {
  Scratch scratch;
  fill(scratch, scratch.jobs(calls));
  const size_t entries = must(open(scratch).statistics()).entries;
  for (const auto &file : fs::recursive_directory_iterator(scratch.path / "cache"))
    if (file.is_regular_file() && file.path().filename().string().size() == 30) {
      write(file.path(), "damaged");
      break;
    }
  CHECK(must(open(scratch).export_image((scratch.path / "image").string())).entries == entries - 1);
}

} // namespace cache_image_test
