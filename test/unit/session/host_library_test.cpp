// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The seam for host libraries, without Kiln's own: what a session without one refuses, what one adds to keys,
// and when its functions and files come.
#include "cached.h"

#include <kiln/extension/language/internal/host_library.h>

#include <fstream>

using namespace kiln;
using namespace cached;

namespace {

constexpr std::string_view overlay_text = "cbrt(x::Float64) = 42.0\n";
constexpr std::string_view modules[] = {"Base"};
constexpr EmbeddedStatement statements[] = {{0, uint32_t(overlay_text.size() - 1), 0, false}};
constexpr LibraryFile host_files[] = {
    {.source = {.name = "host.jl", .text = overlay_text, .modules = modules, .now = statements},
     .overlay = "mine"}};

/// One host function, and an overlay with one method.
class Host final : public HostLibrary {
public:
  int bound = 0;
  std::span<const LibraryFile> files() const override { return host_files; }
  std::string_view overlay() const override { return "mine"; }
  ArrayPolicy array_policy() const override { return ArrayPolicy::HostArray; }
  std::string_view digest() const override { return {}; }
  Result<std::shared_ptr<void>> bind(Session &session) override {
    ++bound;
    World &world = session.world();
    KILN_CHECK(interpreter_of(session).add_host_function(
        *world.base(), "host_number",
        [&world](Interpreter &, std::span<const Value>) -> Result<Value> { return world.types().int64(7); }));
    return std::shared_ptr<void>();
  }
};

constexpr const char *code = "f(x) = cbrt(x) + 1\nfunction k(y, x)\n    y[1] = cbrt(x)\n    return\nend\n";
constexpr const char *plain_call = "f(Float64)";
constexpr const char *kernel_call = "k(CuDeviceVector{Float64,1}, Float64)";

std::unique_ptr<Session> open_with(HostLibrary *host, const std::string &load_path = {}) {
  SessionOptions options;
  options.cache_dir = "";
  options.host_library = host;
  options.packages = PackageOptions{};
  if (!load_path.empty()) options.packages->load_path = {load_path};
  return must(Session::open(options));
}

CompilerConfig config_of(bool kernel) {
  CompilerConfig config;
  config.kernel = kernel;
  return config;
}

KeyExplanation key_of(Session &session, const char *call, bool kernel) {
  JobService &jobs = jobs_of(session);
  auto use = jobs.use();
  const CompilerJob job = must(jobs.job(call, config_of(kernel)));
  return must(jobs.explain_key(job, ArtifactKind::Assembly));
}

std::string assembly_of(Session &session, const char *call, bool kernel) {
  return std::string(must(session.compile(call, config_of(kernel), ArtifactKind::Assembly))->bytes);
}

/// Packages: Plain only defines; Runs calls the host while it loads.
void write_packages(const Scratch &scratch) {
  for (const auto &[name, text] : {std::pair("Plain", "module Plain\nexport twice\ntwice(x) = 2x\nend\n"),
                                   {"Runs", "module Runs\nexport seven\n@eval seven() = $(host_number())\n"
                                            "[host_number()]\nend\n"}}) {
    std::filesystem::create_directories(scratch.path / name / "src");
    std::ofstream(scratch.path / name / "src" / (std::string(name) + ".jl")) << text;
  }
}

} // namespace

TEST_CASE("without a host library, a package that runs code is a Usage error, and one that defines loads") {
  const Scratch scratch;
  write_packages(scratch);
  auto session = open_with(nullptr, scratch.path.string());
  must(session->load("plain.jl", "using Plain\ng(x) = twice(x)\n"));
  CHECK(must(session->compile("g(Float32)", config_of(false), ArtifactKind::Typed)));
  auto refused = session->load("runs.jl", "using Runs\n");
  REQUIRE_FALSE(refused.ok());
  CHECK(refused.error().kind() == ErrorKind::Usage);
  const Diagnostic &said = refused.error().diagnostics().front();
  CHECK_THAT(said.message, Catch::Contains("the package `Runs` runs code while it loads") &&
                               Catch::Contains("SessionOptions::host_library = &programs_library()"));
  CHECK(said.at.line() == 1);
}

TEST_CASE("a host library is bound once, for the first package, and its files load then") {
  const Scratch scratch;
  write_packages(scratch);
  Host host;
  auto session = open_with(&host, scratch.path.string());
  must(session->load("code.jl", code));
  const Value f = must(evaluate(*session, "f", "f"));
  const Value one[] = {must(evaluate(*session, "x", "1.0"))};
  CHECK(must(call_function(*session, f, one)).low_bits() == std::bit_cast<uint64_t>(2.0));
  CHECK(host.bound == 0);
  const LoadSummary loaded = must(session->load("more.jl", "using Plain, Runs\nh() = seven()\n"));
  CHECK(loaded.warnings == std::vector<std::string>());
  CHECK(host.bound == 1);
  CHECK(must(call_function(*session, must(evaluate(*session, "h", "h")), {})).low_bits() == 7);
  // The overlay's method holds in plain functions, and not in kernels.
  CHECK(must(call_function(*session, f, one)).low_bits() == std::bit_cast<uint64_t>(43.0));
  double y = 0;
  must(session->launch("k", {}, {Argument::array(&y, {1}), Argument::scalar(8.0)}));
  CHECK(y == 2);
}

TEST_CASE("a host library is in the keys of plain functions alone, and their code stays the same") {
  Host host;
  auto without = open_with(nullptr), with = open_with(&host);
  for (Session *session : {without.get(), with.get()}) must(session->load("code.jl", code));
  const KeyExplanation kernels[] = {key_of(*without, kernel_call, true), key_of(*with, kernel_call, true)};
  CHECK(kernels[0].key == kernels[1].key);
  const KeyExplanation plain[] = {key_of(*without, plain_call, false), key_of(*with, plain_call, false)};
  CHECK(plain[0].key != plain[1].key);
  REQUIRE(plain[0].fields.size() == plain[1].fields.size());
  for (size_t i = 0; i < plain[0].fields.size(); ++i) {
    INFO(plain[0].fields[i].name);
    const bool is_of_inference = plain[0].fields[i].name == "types and facts" ||
                                 plain[0].fields[i].name == "callees" || plain[0].fields[i].name == "edges";
    CHECK((is_of_inference || plain[0].fields[i].value == plain[1].fields[i].value));
  }
  CHECK(assembly_of(*without, plain_call, false) == assembly_of(*with, plain_call, false));
  CHECK(assembly_of(*without, kernel_call, true) == assembly_of(*with, kernel_call, true));
}
