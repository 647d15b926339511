// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// kiln/c_cache.h: the cache's folder as an OCI image, and the shard of a process that a launcher started.
#include "open.h"
#include "scratch.h"
#include "variables.h"

#include <kiln/c_cache.h>

namespace cache_image_test {

using Catch::Matchers::Contains;
using namespace kiln::test;

TEST_CASE("the folder is written as an image, and what is in the way is an error") {
  Scratch folder;
  const std::string cache = folder.path / "cache", image = folder.path / "image";
  kiln_session_options options = {};
  options.struct_size = sizeof options;
  options.cache_dir = cache.c_str();
  kiln_cache *opened = nullptr;
  kiln_error *error = nullptr;
  ok(kiln_cache_open(&options, &opened, &error), error);
  CHECK(kiln_cache_export_image(opened, image.c_str(), nullptr, &error) == KILN_MACHINE);
  CHECK_THAT(told(error), Contains("has no entries"));
  {
    OpenSession open(options);
    ok(open.load("using CUDA\nk(y) = (y[1] = 1; return)\n", &open.error), open.error);
    kiln_artifact *artifact = nullptr;
    ok(kiln_compile(open.session, "k(CuDeviceVector{Int64,1})", nullptr, "obj", &artifact, &open.error),
       open.error);
    kiln_artifact_free(artifact);
  }
  kiln_folder_archive written = {};
  written.struct_size = sizeof written;
  ok(kiln_cache_export_image(opened, image.c_str(), &written, &error), error);
  kiln_folder_statistics statistics = {};
  statistics.struct_size = sizeof statistics;
  ok(kiln_cache_statistics(opened, &statistics, &error), error);
  CHECK(written.entries == statistics.entries);
  CHECK(std::filesystem::exists(image + "/index.json"));
  CHECK(kiln_cache_export_image(opened, image.c_str(), nullptr, &error) == KILN_INPUT);
  CHECK_THAT(told(error), Contains("no empty folder"));
  CHECK(kiln_cache_export_image(opened, nullptr, nullptr, nullptr) == KILN_USAGE);
  kiln_cache_free(opened);
}

TEST_CASE("a process has the shard of its rank") {
  const Variable rank("JOB_COMPLETION_INDEX", "2");
  kiln_error *error = nullptr;
  unsigned index = 0, count = 0;
  ok(kiln_shard_of_rank(3, &index, &count, &error), error);
  CHECK(index == 3);
  CHECK(count == 3);
  CHECK(kiln_shard_of_rank(2, &index, &count, &error) == KILN_USAGE);
  CHECK_THAT(told(error), Contains("JOB_COMPLETION_INDEX=2 is no rank of 2 processes"));
  CHECK(kiln_shard_of_rank(3, nullptr, &count, nullptr) == KILN_USAGE);
  CHECK(kiln_shard_of_rank(3, &index, nullptr, nullptr) == KILN_USAGE);
}

} // namespace cache_image_test
