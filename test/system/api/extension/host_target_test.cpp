// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A target of an embedder's whose code runs in this process: plain functions run, and no door launches its
// kernels, which are not functions that run a block.
#include "must.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>
#include <kiln/extension/llvm/target.h>
#include <kiln/kiln.h>
#include <native/native.h>

using namespace kiln;
using Catch::Matchers::Contains;
using kiln::test::must;

namespace {

struct HostOptions {
  static constexpr std::string_view target_name = "host";
  bool operator==(const HostOptions &) const = default;
  template <class Self, class Visitor> static void visit(Self &, Visitor &&) {}
};

/// Says of this CPU what the native target says, and rewrites nothing.
class HostTarget final : public Target {
public:
  std::string_view name() const override { return "host"; }
  std::string_view version() const override { return "1"; }
  Result<TargetSpec> check(TargetSpec spec) const override { return spec; }
  std::string triple(const TargetSpec &) const override { return native_target().triple(cpu_); }
  std::string cpu(const TargetSpec &) const override { return native_target().cpu(cpu_); }
  std::string features(const TargetSpec &) const override { return native_target().features(cpu_); }
  std::string data_layout(const TargetSpec &) const override { return native_target().data_layout(cpu_); }
  TargetCapabilities capabilities(const TargetSpec &) const override { return {}; }
  bool is_intrinsic(std::string_view function) const override {
    return native_target().is_intrinsic(function);
  }

private:
  TargetSpec cpu_ = must(native_target().check(TargetSpec()));
};

} // namespace

TEST_CASE("plain functions of an embedder's CPU target run, and its kernels are refused at each launch") {
  HostTarget target;
  SessionOptions options;
  options.cache_dir = "";
  options.verbosity = LogLevel::Error;
  options.targets = {&target};
  auto session = must(Session::open(options));
  must(session->load("code.jl",
                     "using CUDA\n"
                     "product(a, b) = a * b\n"
                     "function count!(y)\n  @inbounds y[threadIdx().x] += Int32(1)\n  return\nend\n"));
  CompilerConfig config;
  config.target = HostOptions();

  HostFunction product = must(session->prepare_function("product(Int64, Int64)", config));
  const int64_t a = 6, b = 7;
  int64_t result = 0;
  const void *const factors[] = {&a, &b};
  must(product.call(factors, &result));
  CHECK(result == 42);

  constexpr const char *kernel = "count!(CuDeviceVector{Int32,1})";
  CHECK_THAT(must(session->compile(kernel, config, ArtifactKind::Assembly))->bytes, Contains("count"));
  auto refused = [](const auto &result) {
    REQUIRE(!result.ok());
    CHECK(result.error().kind() == ErrorKind::Usage);
    CHECK_THAT(result.error().what(), Contains("the CPU device cannot run kernels of the target host"));
  };
  refused(session->config_for(session->cpu(), config));
  refused(session->prepare(kernel, config));
  refused(must(session->job(kernel, config)).prepare(session->cpu()));
  const std::vector<CompileRequest> requests{{.call = kernel, .config = config}};
  refused(session->prepare_many(requests, session->cpu())[0]);
  std::vector<int32_t> counts(4, 0);
  refused(session->launch("count!", {.threads = {4, 1, 1}}, {Argument::array(counts.data(), {4})}, config));
  CHECK(counts == std::vector<int32_t>{0, 0, 0, 0});
}
