// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <catch2/catch.hpp>
#include <job/job.h>

#include <set>

using namespace kiln;

static const TargetIdentity ptx{"ptx", "1"};

TEST_CASE("every field of the config changes the object key") {
  using Change = std::function<void(CompilerConfig &)>;
  const std::vector<Change> changes = {
      [](CompilerConfig &c) {},
      [](CompilerConfig &c) { c.target = PtxOptions(); },
      [](CompilerConfig &c) { c.target.edit<NativeOptions>().cpu = "znver3"; },
      [](CompilerConfig &c) { c.target.edit<NativeOptions>().features = "znver3"; },
      [](CompilerConfig &c) { c.target.edit<PtxOptions>().sm = 80; },
      [](CompilerConfig &c) { c.target.edit<PtxOptions>().arch_specific = true; },
      [](CompilerConfig &c) { c.target.edit<PtxOptions>().family_specific = true; },
      [](CompilerConfig &c) { c.target.edit<PtxOptions>().ptx_isa = 80; },
      [](CompilerConfig &c) { c.target.edit<PtxOptions>().max_threads = {7, 0, 0}; },
      [](CompilerConfig &c) { c.target.edit<PtxOptions>().max_threads = {0, 7, 0}; },
      [](CompilerConfig &c) { c.target.edit<PtxOptions>().required_threads = {7, 0, 0}; },
      [](CompilerConfig &c) { c.target.edit<PtxOptions>().min_blocks = 7; },
      [](CompilerConfig &c) { c.target.edit<PtxOptions>().max_registers = 7; },
      [](CompilerConfig &c) { c.target.edit<PtxOptions>().coarse_bytes = 32; },
      [](CompilerConfig &c) { c.target.fast_math = true; },
      [](CompilerConfig &c) { c.target.contract = Contraction::On; },
      [](CompilerConfig &c) { c.target.contract = Contraction::Off; },
      [](CompilerConfig &c) { c.kernel = false; },
      [](CompilerConfig &c) { c.name = "znver3"; },
      [](CompilerConfig &c) { c.entry_abi = EntryAbi::Packed; },
      [](CompilerConfig &c) { c.always_inline = true; },
      [](CompilerConfig &c) { c.opt_level = 3; },
      [](CompilerConfig &c) { c.debug_level = 2; },
      [](CompilerConfig &c) { c.libraries = false; },
      [](CompilerConfig &c) { c.linked = {LinkedFile{.digest = {1, 2}}}; },
      [](CompilerConfig &c) { c.linked = {LinkedFile{.digest = {1, 3}}}; },
      [](CompilerConfig &c) { c.linked = {LinkedFile{.kind = LinkedKind::Ptx, .digest = {1, 2}}}; },
      [](CompilerConfig &c) { c.linked = {LinkedFile{.digest = {1, 2}}, LinkedFile{.digest = {1, 3}}}; },
      [](CompilerConfig &c) { c.target.edit<PtxOptions>().cluster = {2, 1, 1}; },
      [](CompilerConfig &c) { c.invariant_arguments = true; },
      [](CompilerConfig &c) { c.coarsen = true; },
      [](CompilerConfig &c) { c.first_tier = true; },
      [](CompilerConfig &c) { c.optimize = false; },
      [](CompilerConfig &c) { c.cleanup = false; },
      [](CompilerConfig &c) { c.validate = false; },
      [](CompilerConfig &c) { c.strip = true; },
  };
  std::set<Fingerprint> keys;
  std::set<std::string> texts;
  for (const Change &change : changes) {
    CompilerConfig config;
    change(config);
    keys.insert(object_key({1, 2}, {3, 4}, ptx, config, ArtifactKind::Assembly, "tools"));
    texts.insert(to_string(config));
  }
  CHECK(keys.size() == changes.size());
  CHECK(texts.size() == changes.size());
}

TEST_CASE("every other part of the object key counts too") {
  CompilerConfig c;
  std::set<Fingerprint> keys = {object_key({1, 2}, {3, 4}, ptx, c, ArtifactKind::Assembly, "tools"),
                                object_key({1, 9}, {3, 4}, ptx, c, ArtifactKind::Assembly, "tools"),
                                object_key({1, 2}, {9, 4}, ptx, c, ArtifactKind::Assembly, "tools"),
                                object_key({1, 2}, {3, 4}, ptx, c, ArtifactKind::Object, "tools"),
                                object_key({1, 2}, {3, 4}, ptx, c, ArtifactKind::Assembly, "tool"),
                                object_key({3, 4}, {1, 2}, ptx, c, ArtifactKind::Assembly, "tools"),
                                object_key({1, 2}, {3, 4}, {"ptx", "2"}, c, ArtifactKind::Assembly, "tools"),
                                object_key({1, 2}, {3, 4}, {"ptx2", "1"}, c, ArtifactKind::Assembly, "tools"),
                                object_key({1, 2}, {3, 4}, {"ptx1", ""}, c, ArtifactKind::Assembly, "tools")};
  CHECK(keys.size() == 9);
  CHECK(keys.count(object_key({1, 2}, {3, 4}, ptx, c, ArtifactKind::Assembly, "tools")) == 1);
}

namespace {

/// A session's world, with f(x) returning a number.
struct Process {
  TypeContext types;
  SourceMap sources;
  CompilerWorld world{types, sources};
  Value function = *world.function(*world.main(), types.symbol("f"), {});

  const Method &define(int64_t returns, Span at = {}) {
    auto m = std::make_unique<Method>();
    m->name = types.symbol("f");
    m->module = world.main();
    m->signature = types.tuple({function.type(), types.builtins().Any});
    m->argument_names = {types.symbol("x")};
    m->nargs = 2;
    m->at = at;
    m->lower = [this, returns, at]() -> Result<CodeInfo> {
      CodeBuilder b(types, types.symbol("f"), at);
      b.add_argument(types.symbol("#self#"));
      b.add_argument(types.symbol("x"));
      b.set_span(at);
      b.return_(b.constant(types.int64(returns)));
      return b.finish();
    };
    auto defined = world.define(std::move(m));
    REQUIRE(defined);
    return **defined;
  }

  Fingerprint key(const Method &m, TypeRef argument, InferenceFacts facts = {}) {
    MethodInstance instance{&m, types.tuple({function.type(), argument}), {}};
    auto key = inference_key(types, instance, facts);
    REQUIRE(key);
    return *key;
  }
};

} // namespace

TEST_CASE("the inference key sees content, types and facts, and nothing else") {
  Process one, two; // as two processes would have them
  const auto &b = one.types.builtins();
  const Method &m = one.define(1), &elsewhere = one.define(1, {3, 40, 50}), &other = one.define(2),
               &m2 = two.define(1);
  Fingerprint key = one.key(m, b.Int64);
  CHECK(key == one.key(m, b.Int64));
  CHECK(key == one.key(elsewhere, b.Int64));
  CHECK(key == two.key(m2, two.types.builtins().Int64));
  CHECK(key != one.key(other, b.Int64));
  CHECK(key != one.key(m, b.Int32));
  InferenceFacts facts;
  facts.always_inline = true;
  CHECK(key != one.key(m, b.Int64, facts));
  facts = {};
  facts.overlay = one.types.symbol("ptx");
  CHECK(key != one.key(m, b.Int64, facts));
  facts = {};
  facts.target = one.types.symbol("ptx");
  CHECK(key != one.key(m, b.Int64, facts));
  facts = {};
  facts.target_version = one.types.symbol("2");
  CHECK(key != one.key(m, b.Int64, facts));
}
