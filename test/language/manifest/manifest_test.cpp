// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Manifest lines of library files: the order that they give, what waits for what, and each fault with its
// place and what to do. docs/library.md is where the expected values come from.
#include <embed/manifest.h>

#include <catch2/catch.hpp>

using namespace kiln;
using namespace kiln::embed;

namespace {

const std::string licence = "# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception\n";

/// A table of files: (path, manifest line). "" leaves the line out.
struct Files {
  SourceMap map;
  std::vector<std::shared_ptr<const SourceFile>> sources;
  Result<std::vector<ManifestEntry>> read(std::vector<std::pair<std::string, std::string>> files) {
    for (auto &[path, line] : files)
      sources.push_back(map.add(path + ".jl", licence + (line.empty() ? "" : line + "\n") + "f(x) = x\n"));
    return read_manifest(sources);
  }
};

std::vector<std::string> order(std::vector<std::pair<std::string, std::string>> files) {
  Files all;
  auto entries = all.read(std::move(files));
  if (!entries.ok()) FAIL(entries.error().what());
  std::vector<std::string> paths;
  for (const ManifestEntry &entry : *entries) paths.push_back(entry.source->name());
  return paths;
}

/// "FILE:LINE:COLUMN message; hint" of each fault.
std::vector<std::string> faults(std::vector<std::pair<std::string, std::string>> files) {
  Files all;
  auto entries = all.read(std::move(files));
  std::vector<std::string> texts;
  if (!entries.ok())
    for (const Diagnostic &d : entries.error().diagnostics())
      texts.push_back(
          fmt::format("{}:{}:{} {}; {}", d.at.file_name(), d.at.line(), d.at.column(), d.message, d.hint));
  return texts;
}

using Paths = std::vector<std::string>;

} // namespace

TEST_CASE("files load in the order that `after` states, whatever their names") {
  CHECK(order({{"base/a", "# module: Base; after: base/b"},
               {"base/b", "# module: Base; after: base/c"},
               {"base/c", "# module: Base"}}) == Paths{"base/c.jl", "base/b.jl", "base/a.jl"});
}

TEST_CASE("what a session loads comes before overlays, waiting files and those of programs") {
  CHECK(order({{"program/a", "# module: Base; when: Dates"},
               {"program/b", "# module: Base"},
               {"base/c", "# module: Base; when: rand*"},
               {"device/d", "# module: CUDA; overlay: ptx"},
               {"device/e", "# module: CUDA"}}) ==
        Paths{"device/e.jl", "device/d.jl", "base/c.jl", "program/b.jl", "program/a.jl"});
}

TEST_CASE("an entry has its module, its triggers and the files that it needs and brings") {
  Files all;
  auto entries =
      all.read({{"base/random", "# module: Base; when: rand*, Random"},
                {"base/styles", "# module: Base; when: [package], Style; after: base/random, base/x"},
                {"base/x", "# module: Base"},
                {"program/random", "# module: CUDA; with: base/random"}});
  REQUIRE(entries.ok());
  REQUIRE(entries->size() == 4); // x, random, styles, program/random
  const ManifestEntry &random = (*entries)[1], &styles = (*entries)[2], &host = (*entries)[3];
  CHECK_FALSE((*entries)[0].waits);
  CHECK(random.names == std::vector<std::string>{"rand*", "Random"});
  CHECK(random.waits);
  CHECK(random.brings == std::vector<size_t>{3});
  CHECK(styles.loads_with_packages);
  CHECK(styles.names == std::vector<std::string>{"Style"});
  CHECK(styles.needs == std::vector<size_t>{1}); // base/x does not wait
  CHECK_FALSE(random.loads_with_packages);
  CHECK(host.module == "CUDA");
  CHECK(host.is_for_programs);
  CHECK(host.needs == std::vector<size_t>{1});
}

TEST_CASE("a fault of a manifest line has its place and says what to do") {
  const std::string page = "docs/library.md explains the manifest line";
  struct Case {
    std::vector<std::pair<std::string, std::string>> files;
    std::string fault;
  };
  const Case cases[] = {
      {{{"base/a", ""}},
       "base/a.jl:1:1 the file has no manifest line; write `# module: Base` under the licence line; "
       "docs/library.md has the other clauses"},
      {{{"base/a", "# module: Base\n# module: CUDA"}},
       "base/a.jl:3:1 a second manifest line; delete one of the two"},
      {{{"base/a", "# module: Bse"}},
       "base/a.jl:2:11 unknown module `Bse`; a library file belongs to Base, CUDA or KernelAbstractions; "
       "modules inside them are made in the file"},
      {{{"base/a", "# module: Base; wen: rand"}},
       "base/a.jl:2:17 unknown clause `wen: rand`; clauses are `module:`, `after:`, `when:`, `with:` and "
       "`overlay:`, separated by `; `"},
      {{{"base/a", "# module: Base; when:"}}, "base/a.jl:2:17 `when:` has no value; " + page},
      {{{"base/a", "# module: Base; when: a; when: b"}},
       "base/a.jl:2:26 `when:` stands twice; write its values in one list"},
      {{{"base/a", "# module: Base; when: rand, SA["}},
       "base/a.jl:2:29 `SA[` is no name; a trigger is a name, a beginning of names such as rand*, or "
       "[package]"},
      {{{"base/a", "# module: Base; when: @SVector"}},
       "base/a.jl:2:23 the trigger `@SVector` begins with @; write `SVector`, which means the macro too"},
      {{{"base/a", "# module: Base; when: [packages]"}},
       "base/a.jl:2:23 unknown event `[packages]`; the only event is [package]"},
      {{{"base/a", "# module: Base; when: a, a"}},
       "base/a.jl:2:26 the trigger `a` stands twice; delete one of the two"},
      {{{"base/a", "# module: Base; after: base/b"}},
       "base/a.jl:2:24 there is no file `base/b`; files are named by their paths in runtime/library without "
       ".jl: base/range"},
      {{{"base/a", "# module: Base; after: base/a"}},
       "base/a.jl:2:24 the file names itself; name a file that loads before it"},
      {{{"base/a", "# module: Base; after: base/b"}, {"base/b", "# module: Base; after: base/a"}},
       "base/a.jl:2:1 files follow each other in a circle: base/a after base/b after base/a; delete one "
       "`after:` of the circle"},
      {{{"base/a", "# module: Base; after: base/b"}, {"base/b", "# module: Base; when: x"}},
       "base/a.jl:2:24 `base/b` waits, and this file does not; a file that loads when a session opens can "
       "only follow files that do"},
      {{{"base/a", "# module: Base; with: base/b"}, {"base/b", "# module: Base"}},
       "base/a.jl:2:23 `base/b` does not wait; write `after:` in place of `with:`"},
      {{{"base/a", "# module: Base; with: base/b; when: y"}, {"base/b", "# module: Base; when: x"}},
       "base/a.jl:2:23 the file has both `when:` and `with:`; keep `when:`, and write the file of `with:` into "
       "`after:`"},
      {{{"base/a", "# module: Base; when: x; after: program/b"}, {"program/b", "# module: Base"}},
       "base/a.jl:2:33 `program/b` is for programs, and this file is for all sessions; move the file to "
       "runtime/library/program, or what it needs out of there"},
      {{{"device/a", "# module: CUDA; overlay: ptx; when: x"}},
       "device/a.jl:2:26 a file of an overlay cannot wait; it loads with its target; delete `when:` and "
       "`with:`"},
      {{{"device/a", "# module: CUDA; after: device/b"}, {"device/b", "# module: CUDA; overlay: ptx"}},
       "device/a.jl:2:24 `device/b` loads with the overlay ptx; only files of that overlay can follow it"},
  };
  for (const Case &each : cases) CHECK(faults(each.files) == std::vector<std::string>{each.fault});
}

TEST_CASE("all faults of all files are reported at once") {
  CHECK(faults({{"base/a", ""}, {"base/b", "# module: Bse; when: 1x, y z"}}).size() == 4);
}
