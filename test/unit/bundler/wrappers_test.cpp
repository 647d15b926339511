// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The header of wrappers is C++ whatever the kernels, their parameters and their structs are called: the C++
// compiler says so.
#include "bundle_fixture.h"

#include <kiln/bundle_writer.h>

#include <cctype>
#include <random>
#include <set>

using namespace kiln;
using namespace kiln::test;
using Catch::Matchers::Contains;

namespace {

BundledParameter parameter(uint32_t argument, std::string name, CppType type = {"int64_t", false}) {
  return {.argument = argument,
          .size = 8,
          .align = 8,
          .type = "Int64",
          .name = std::move(name),
          .parts = {},
          .cpp = std::move(type)};
}
BundledKernel kernel(std::string name, std::vector<std::string> parameters = {"x"}) {
  BundledKernel made;
  made.name = std::move(name);
  made.signature = "Int64";
  for (std::string &each : parameters)
    made.parameters.push_back(parameter(uint32_t(made.parameters.size() + 1), std::move(each)));
  return made;
}

/// What the compiler says of a header; empty: it is right.
std::string complaints(const std::string &header) {
  Scratch folder;
  const std::string source = (folder.path / "use.cpp").string(), log = (folder.path / "log").string();
  std::ofstream(folder.path / "made.h") << header;
  std::ofstream(source) << "#include \"made.h\"\n";
  const std::string command =
      std::string(KILN_CXX) +
      " -std=c++20 -fsyntax-only -Wall -Werror -Wno-gnu-anonymous-struct -I" KILN_SOURCE "/include '" +
      source + "' > '" + log + "' 2>&1";
  if (std::system(command.c_str()) == 0) return {};
  std::ifstream file(log);
  return {std::istreambuf_iterator<char>(file), {}};
}
std::string complaints(const std::vector<BundledKernel> &kernels) {
  return complaints(write_wrappers(kernels, "made.kiln", "made"));
}

} // namespace

TEST_CASE("kernels may have the names of what their classes have") {
  std::vector<BundledKernel> kernels;
  for (const char *name :
       {"kernel", "load", "launch", "name", "signature", "kernel_", "kiln", "made", "class", "saxpy!", "∇",
        "a\"b\\", "line\nbreak\\", "int64_t", "operator", "bool", "std"})
    kernels.push_back(kernel(name));
  CHECK(complaints(kernels) == "");
}

TEST_CASE("parameters may have the names of what a launch uses") {
  CHECK(complaints({kernel("f", {"stream", "shape", "options", "arguments", "kernel", "kernel_", "name",
                                 "signature", "launch", "load", "f", "kiln", "this", "x", "x", ""}),
                    kernel("g", {"arguments"}), kernel("h", {}), kernel("h", {"int64_t", "y"})}) == "");
}

TEST_CASE("structs may have the names of kernels, of their fields and of each other's fields") {
  BundledKernel f = kernel("Point", {});
  f.structs = {{.name = "Point",
                .of = "Point",
                .size = 16,
                .align = 8,
                .fields = {{"int64_t", "Point", 0}, {"int64_t", "x", 8}}},
               {.name = "Pair",
                .of = "Pair",
                .size = 40,
                .align = 8,
                .fields = {{"Point", "Point", 0}, {"Point", "other", 16}, {"int64_t", "int64_t", 32}}},
               {.name = "Opaque", .of = "Union{A, B}", .size = 24, .align = 8, .fields = {}}};
  f.parameters = {parameter(1, "Point", {"Point", true}), parameter(2, "q", {"Pair", true}),
                  parameter(3, "Pair", {"int64_t", false}),
                  parameter(4, "points", {"kiln::DeviceArray<Point, 1>", false})};
  f.parameters[0].size = 16, f.parameters[1].size = 40, f.parameters[3].size = 32;
  CHECK(complaints({f}) == "");
  BundledKernel g = f; // its Point is another type, by the same name
  g.structs[0].of = "Other.Point";
  g.structs[0].fields = {{"double", "weight", 0}, {"double", "height", 8}};
  const std::string header = write_wrappers(std::vector{f, g}, "made.kiln", "made");
  CHECK_THAT(header, Contains("double weight;") && Contains("int64_t x;"));
  CHECK(complaints(header) == "");
}

TEST_CASE("every text becomes a name of C++") {
  const auto is_name = [](const std::string &name) {
    return !name.empty() && !std::isdigit(static_cast<unsigned char>(name[0])) &&
           name.find("__") == std::string::npos && name[0] != '_' &&
           std::all_of(name.begin(), name.end(),
                       [](unsigned char c) { return c < 128 && (std::isalnum(c) || c == '_'); });
  };
  std::mt19937 random(1);
  std::string header = "namespace made {\n";
  std::set<std::string> declared;
  const auto add = [&](const std::string &text) {
    const std::string name = cpp_name(text);
    INFO(text);
    REQUIRE(is_name(name));
    CHECK(cpp_name(name) == name); // a name stays as it is
    if (declared.insert(name).second) header += "inline int " + name + " = 0;\n";
  };
  for (const char *word : {"alignas", "char8_t",    "co_await", "concept", "constinit",
                           "import",  "final",      "int",      "NULL",    "thread_local",
                           "xor_eq",  "__x",        "_X",       "a__b",    "x_",
                           "9",       "é",          "x́",        "+",       "a b",
                           "a.b",     "Foo{Int, 2}"})
    add(word);
  for (int round = 0; round < 3000; round++) {
    std::string text;
    for (size_t i = random() % 8; i > 0; i--)
      text += char(random() % 4 ? "ab_ 1{"[random() % 6] : random() % 256);
    add(text);
  }
  CHECK(complaints(header + "}\n") == "");
}
