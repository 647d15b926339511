// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <packages/packages.h>

#include "scratch.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <fstream>

namespace kiln::julia::test {

using kiln::test::Scratch;

TEST_CASE("the folder of a version in a depot is Julia's") {
  // Versions of the General registry, and the folders in which Julia 1.6 to 1.11 install them.
  CHECK(version_slug("7876af07-990d-54b4-ab0e-23690620f79a", "46e44e869b4d90b96bd8ed1fdcf32244fddfb6cc") ==
        "aqsx3");
  CHECK(version_slug("682c06a0-de6a-54ab-a142-c8b1cf79cde6", "3c837543ddb02250ef42f4738347454f95079d4e") ==
        "NeJ9k");
  CHECK(version_slug("682C06A0-DE6A-54AB-A142-C8B1CF79CDE6", "31e996f0a15c7b280ba9f76636b3ff9e2ae58c9a") ==
        "93Ea8");
  CHECK(version_slug("682c06a0-de6a-54ab-a142-c8b1cf79cde6", "31e996f0a15c7b280ba9f76636b3ff9e2ae58c9a", 4) ==
        "93Ea");
  CHECK(!version_slug("682c06a0", "31e996f0a15c7b280ba9f76636b3ff9e2ae58c9a"));
  CHECK(!version_slug("682c06a0-de6a-54ab-a142-c8b1cf79cde6", "31e9"));
}

TEST_CASE("a UUID has dashes in their places") {
  CHECK(read_uuid("682C06A0-de6a-54ab-a142-c8b1cf79cde6") == "682c06a0-de6a-54ab-a142-c8b1cf79cde6");
  CHECK(!read_uuid("682c06a0de6a-54ab-a142-c8b1cf79cde6-"));
  CHECK(!read_uuid("682c06a0-de6a-54ab-a142-c8b1cf79cdeg"));
}

namespace {

struct Folders : Scratch {
  void write(const std::string &file, std::string_view text) const {
    std::filesystem::create_directories((path / file).parent_path());
    std::ofstream(path / file) << text;
  }
  std::string at(const std::string &folder) const { return (path / folder).string(); }
};

std::string why(const Result<std::shared_ptr<const Package>> &found) {
  return found.ok() ? "found" : found.error().diagnostics().front().message;
}

constexpr std::string_view a = "aaaaaaaa-0000-4000-8000-000000000001",
                           b = "bbbbbbbb-0000-4000-8000-000000000002";

} // namespace

TEST_CASE("a folder of packages") {
  Folders folders;
  folders.write("one/A/src/A.jl", "");
  folders.write("one/B.jl/src/B.jl", "");
  folders.write("two/A/src/A.jl", "");
  folders.write("two/C.jl", "");
  const PackageResolver resolver({{folders.at("one"), folders.at("two")}, "", {}});
  CHECK((*resolver.find("A", nullptr))->file == folders.at("one/A/src/A.jl")); // the first one that has it
  CHECK((*resolver.find("B", nullptr))->folder == folders.at("one/B.jl"));
  CHECK((*resolver.find("C", nullptr))->file == folders.at("two/C.jl"));
  CHECK(why(resolver.find("D", nullptr)) ==
        "the package `D` was looked for in " + folders.at("one") + ", " + folders.at("two"));
}

#ifdef KILN_HAS_TOML

TEST_CASE("a package sees its dependencies alone") {
  Folders folders;
  folders.write("A/Project.toml", fmt::format("name = \"A\"\nuuid = \"{}\"\n[deps]\nB = \"{}\"\n", a, b));
  folders.write("A/src/A.jl", "");
  folders.write("B/Project.toml", fmt::format("name = \"B\"\nuuid = \"{}\"\n", b));
  folders.write("B/src/B.jl", "");
  folders.write("C.jl", "");
  const PackageResolver resolver({{folders.path.string()}, "", {}});
  auto found = resolver.find("A", nullptr);
  REQUIRE(found.ok());
  CHECK((*resolver.find("B", found->get()))->uuid == b);
  CHECK(
      why(resolver.find("C", found->get())).starts_with("the package `A` has no `C` among its dependencies"));
  CHECK(resolver.find("C", nullptr).ok());
}

TEST_CASE("manifests: both formats, dependencies by name and by UUID") {
  const std::string format = GENERATE(as<std::string>(), "", "deps.");
  const std::string deps = GENERATE(as<std::string>(), "deps = [\"B\"]\n", "[[deps]]");
  Folders folders;
  folders.write("Project.toml", fmt::format("[deps]\nA = \"{}\"\n", a));
  folders.write("a/src/A.jl", "");
  folders.write("b/src/B.jl", "");
  std::string manifest = format.empty() ? "" : "manifest_format = \"2.0\"\n";
  manifest += fmt::format("[[{}A]]\nuuid = \"{}\"\npath = \"a\"\n", format, a);
  manifest += deps.starts_with("deps") ? deps : fmt::format("[{}A.deps]\nB = \"{}\"\n", format, b);
  manifest += fmt::format("[[{}B]]\nuuid = \"{}\"\npath = \"b\"\nversion = \"1.2.3\"\n", format, b);
  folders.write("Manifest.toml", manifest);
  const PackageResolver resolver({{}, folders.path.string(), {}});
  auto found = resolver.find("A", nullptr);
  INFO(why(found));
  REQUIRE(found.ok());
  auto dep = resolver.find("B", found->get());
  INFO(why(dep));
  REQUIRE(dep.ok());
  CHECK((*dep)->version == "1.2.3");
  CHECK(why(resolver.find("B", nullptr)).starts_with("the package `B` was looked for in"));
}

TEST_CASE("files that are wrong say where") {
  Folders folders;
  auto error = [&](std::string_view project, std::string_view manifest) {
    folders.write("Project.toml", project);
    folders.write("Manifest.toml", manifest);
    return why(PackageResolver({{}, folders.path.string(), {}}).find("A", nullptr));
  };
  using Catch::Contains;
  const std::string good = fmt::format("[deps]\nA = \"{}\"\n", a);
  CHECK_THAT(error("[deps\n", ""), Contains("Project.toml:1:"));
  CHECK_THAT(error("[deps]\nA = \"x\"\n", ""), Contains("the UUID of A in [deps] is `x`, which is none"));
  CHECK_THAT(error("[deps]\nA = 1\n", ""), Contains("[deps]: A takes a UUID as text"));
  CHECK_THAT(error("[extensions]\nE = 1\n", ""),
             Contains("E takes the name of a package, or a list of names"));
  CHECK_THAT(error(good, "a = [\n"), Contains("Manifest.toml:"));
  CHECK_THAT(error(good, "[[A]]\nuuid = \"1\"\n"), Contains("the UUID of A is `1`"));
  CHECK_THAT(error(good, ""), Contains("the manifest disagrees with its project"));
  CHECK_THAT(error(good, fmt::format("[[A]]\nuuid = \"{}\"\ngit-tree-sha1 = \"1\"\n", a)),
             Contains("40 hexadecimal"));
  CHECK_THAT(error(good, fmt::format("[[A]]\nuuid = \"{}\"\n", a)),
             Contains("one of Julia's standard libraries"));
  CHECK_THAT(error(good, fmt::format("[[A]]\nuuid = \"{}\"\npath = \"none\"\n", a)),
             Contains("it is not there: looked for it in"));
}

#else

TEST_CASE("a build without programs names the option that reads packages") {
  Folders folders;
  folders.write("Project.toml", fmt::format("[deps]\nA = \"{}\"\n", a));
  CHECK_THAT(why(PackageResolver({{}, folders.path.string(), {}}).find("A", nullptr)),
             Catch::Contains("KILN_BUILD_PROGRAMS=ON"));
}

#endif

} // namespace kiln::julia::test
