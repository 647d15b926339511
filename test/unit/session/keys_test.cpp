// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every field that a key is made of, changed one at a time: always a miss. A field that has no change here
// fails the test.
#include "cached.h"
#include "host_cpu.h"

#include <job/job.h>

#include <set>
#include <thread>

namespace keys_test {

using namespace kiln;
using namespace cached;

namespace {

constexpr const char *program = R"(
using CUDA
function scale(y, a)
    i = threadIdx().x
    if i <= length(y)
        @inbounds y[i] = a * sqrt(y[i]) + 1f0
    end
    return
end
plain(x) = 2f0 * x + 1f0
)";

struct Change {
  const char *field; ///< as visit_fields tells it
  std::function<void(CompilerConfig &)> apply;
};

NestedConfig nested_in(const CompilerConfig &job, std::string name, int opt_level) {
  auto config = std::make_shared<CompilerConfig>();
  config->target = job.target;
  config->opt_level = opt_level;
  return {std::move(name), std::move(config)};
}

const std::vector<Change> common_changes{
    {"name", [](CompilerConfig &c) { c.name = "another"; }},
    {"always_inline", [](CompilerConfig &c) { c.always_inline = true; }},
    {"opt_level", [](CompilerConfig &c) { c.opt_level = 0; }},
    {"opt_level", [](CompilerConfig &c) { c.opt_level = 1; }},
    {"opt_level", [](CompilerConfig &c) { c.opt_level = 3; }},
    {"debug_level", [](CompilerConfig &c) { c.debug_level = 1; }},
    {"debug_level", [](CompilerConfig &c) { c.debug_level = 2; }},
    {"cleanup", [](CompilerConfig &c) { c.cleanup = false; }},
    {"validate", [](CompilerConfig &c) { c.validate = false; }},
    {"optimize", [](CompilerConfig &c) { c.optimize = false; }},
    {"strip", [](CompilerConfig &c) { c.strip = true; }},
    {"fast_math", [](CompilerConfig &c) { c.target.fast_math = true; }},
    {"contract", [](CompilerConfig &c) { c.target.contract = Contraction::On; }},
    {"contract", [](CompilerConfig &c) { c.target.contract = Contraction::Off; }},
    {"nested", [](CompilerConfig &c) { c.nested = {nested_in(c, "one", 2)}; }},
    {"nested", [](CompilerConfig &c) { c.nested = {nested_in(c, "two", 2)}; }},
    {"nested", [](CompilerConfig &c) { c.nested = {nested_in(c, "one", 1)}; }},
    {"nested", [](CompilerConfig &c) { c.nested = {nested_in(c, "one", 2), nested_in(c, "two", 2)}; }},
};
LinkedFile text_file(std::string name) {
  return linked_file("some.ll", "define float @" + name + "(float %x) {\n  ret float %x\n}\n").ok()
             ? *linked_file("some.ll", "define float @" + name + "(float %x) {\n  ret float %x\n}\n")
             : LinkedFile();
}
const std::vector<Change> linked_changes{
    {"linked", [](CompilerConfig &c) { c.linked = {text_file("one")}; }},
    {"linked.digest", [](CompilerConfig &c) { c.linked = {text_file("two")}; }},
    {"linked.digest", [](CompilerConfig &c) { c.linked = {text_file("one"), text_file("two")}; }},
    {"linked.digest", [](CompilerConfig &c) { c.linked = {text_file("two"), text_file("one")}; }},
};
const std::vector<Change> native_changes{
    {"cpu", [](CompilerConfig &c) { c.target.edit<NativeOptions>().cpu = "x86-64"; }},
    {"cpu", [](CompilerConfig &c) { c.target.edit<NativeOptions>().cpu = "x86-64-v2"; }},
    {"features",
     [](CompilerConfig &c) { c.target.edit<NativeOptions>().features = std::string("-") + host_feature; }},
    {"libraries", [](CompilerConfig &c) { c.libraries = false; }},
    {"check", [](CompilerConfig &c) { c.check = true; }},
    {"interruptible", [](CompilerConfig &c) { c.interruptible = true; }},
    {"first_tier", [](CompilerConfig &c) { c.first_tier = true; }},
};
const std::vector<Change> ptx_changes{
    {"sm", [](CompilerConfig &c) { c.target.edit<PtxOptions>().sm = 80; }},
    {"sm", [](CompilerConfig &c) { c.target.edit<PtxOptions>().sm = 70; }},
    {"arch_specific", [](CompilerConfig &c) { c.target.edit<PtxOptions>().arch_specific = true; }},
    {"family_specific", [](CompilerConfig &c) { c.target = PtxOptions{.sm = 100, .family_specific = true}; }},
    {"ptx_isa", [](CompilerConfig &c) { c.target.edit<PtxOptions>().ptx_isa = 80; }},
    {"max_threads", [](CompilerConfig &c) { c.target.edit<PtxOptions>().max_threads = {64, 1, 1}; }},
    {"max_threads", [](CompilerConfig &c) { c.target.edit<PtxOptions>().max_threads = {1, 64, 1}; }},
    {"max_threads", [](CompilerConfig &c) { c.target.edit<PtxOptions>().max_threads = {1, 1, 64}; }},
    {"required_threads",
     [](CompilerConfig &c) { c.target.edit<PtxOptions>().required_threads = {64, 1, 1}; }},
    {"required_threads",
     [](CompilerConfig &c) { c.target.edit<PtxOptions>().required_threads = {1, 64, 1}; }},
    {"required_threads",
     [](CompilerConfig &c) { c.target.edit<PtxOptions>().required_threads = {1, 1, 64}; }},
    {"cluster", [](CompilerConfig &c) { c.target.edit<PtxOptions>().cluster = {2, 1, 1}; }},
    {"cluster", [](CompilerConfig &c) { c.target.edit<PtxOptions>().cluster = {1, 2, 1}; }},
    {"cluster", [](CompilerConfig &c) { c.target.edit<PtxOptions>().cluster = {1, 1, 2}; }},
    {"min_blocks",
     [](CompilerConfig &c) {
       c.target.edit<PtxOptions>().max_threads = {64, 1, 1}, c.target.edit<PtxOptions>().min_blocks = 2;
     }},
    {"min_blocks",
     [](CompilerConfig &c) {
       c.target.edit<PtxOptions>().max_threads = {64, 1, 1}, c.target.edit<PtxOptions>().min_blocks = 3;
     }},
    {"max_registers", [](CompilerConfig &c) { c.target.edit<PtxOptions>().max_registers = 40; }},
    {"coarse_bytes",
     [](CompilerConfig &c) {
       c.coarsen = true, c.target.edit<PtxOptions>().sm = 100, c.target.edit<PtxOptions>().coarse_bytes = 32;
     }},
    {"invariant_arguments", [](CompilerConfig &c) { c.invariant_arguments = true; }},
    {"coarsen", [](CompilerConfig &c) { c.coarsen = true; }},
};

CompilerConfig base(TargetSpec kind) {
  CompilerConfig config;
  config.target = kind;
  config.debug_level = 0; // a test may then move the text
  return config;
}

constexpr const char *call = "scale(CuDeviceVector{Float32,1}, Float32)";
ArtifactKind product(TargetSpec kind) {
  return kind.is<PtxOptions>() ? ArtifactKind::Assembly : ArtifactKind::Object;
}

std::unique_ptr<Session> loaded(const std::filesystem::path &folder, const std::string &file = "test.jl") {
  auto session = open(folder);
  must(session->load(file, program));
  return session;
}

struct NameVisitor {
  std::set<std::string> &names;
  template <class T> void operator()(std::string_view name, const T &) {
    if (!name.starts_with("nested.")) names.emplace(name); // those are fields of another config
  }
};

} // namespace

TEST_CASE("a change of any one field of the config and the target is a miss, and found again") {
  // Fields that no change of a config of one target reaches: they have tests of their own below.
  std::set<std::string> changed{"target", "kernel", "entry_abi", "linked.kind"}, fields;
  CompilerConfig all;
  all.linked.resize(1);
  all.nested = {nested_in(all, "one", 2)};
  for (const TargetSpec &target : {TargetSpec(NativeOptions()), TargetSpec(PtxOptions())}) {
    all.target = target;
    visit_fields(std::as_const(all), NameVisitor{fields});
  }
  for (TargetSpec kind : {TargetSpec(NativeOptions()), TargetSpec(PtxOptions())}) {
    std::vector<Change> changes = common_changes;
    for (const auto *more : {&linked_changes, kind.is<PtxOptions>() ? &ptx_changes : &native_changes})
      changes.insert(changes.end(), more->begin(), more->end());
    Scratch folder;
    std::vector<std::string> products;
    auto compile = [&](Session &session, const CompilerConfig &config) {
      return must(session.compile(call, config, product(kind)))->bytes;
    };
    {
      auto session = loaded(folder.path);
      CHECK(compiles(*session, [&] { compile(*session, base(kind)); }));
    }
    auto session = loaded(folder.path);
    CHECK(!compiles(*session, [&] { compile(*session, base(kind)); }));
    for (const Change &change : changes) {
      INFO(kind.name() << " " << change.field);
      CompilerConfig config = base(kind);
      change.apply(config);
      // A session that knows the others, and one that has seen nothing but the folder.
      CHECK(compiles(*session, [&] { products.push_back(compile(*session, config)); }));
      CHECK(!compiles(*session, [&] { compile(*session, config); }));
      changed.insert(change.field);
    }
    session->flush_cache();
    auto warm = loaded(folder.path, "elsewhere.jl");
    for (size_t i = 0; i < changes.size(); i++) {
      INFO(kind.name() << " " << changes[i].field);
      CompilerConfig config = base(kind);
      changes[i].apply(config);
      std::string bytes;
      if (config.debug_level == 0) {
        CHECK(!compiles(*warm, [&] { bytes = compile(*warm, config); }));
        CHECK(bytes == products[i]);
      } else { // the file's name counts
        CHECK(compiles(*warm, [&] { compile(*warm, config); }));
      }
    }
  }
  CHECK(changed == fields); // a field that was added needs a change above
}

TEST_CASE("target, entry, argument types, product: each is a job of its own") {
  Scratch folder;
  using Job = std::function<void(Session &)>;
  auto compile = [](Session &s, const char *what, CompilerConfig config, ArtifactKind kind) {
    must(s.compile(what, config, kind));
  };
  CompilerConfig function = base(NativeOptions());
  function.kernel = false;
  CompilerConfig packed = function;
  packed.entry_abi = EntryAbi::Packed;
  const std::vector<Job> jobs{
      [&](Session &s) { compile(s, call, base(NativeOptions()), ArtifactKind::Object); },
      [&](Session &s) { compile(s, call, base(NativeOptions()), ArtifactKind::Assembly); },
      [&](Session &s) { compile(s, call, base(PtxOptions()), ArtifactKind::Assembly); },
      [&](Session &s) {
        compile(s, "scale(CuDeviceVector{Float64,1}, Float32)", base(NativeOptions()), ArtifactKind::Object);
      },
      [&](Session &s) {
        compile(s, "scale(CuDeviceVector{Float32,1}, Float64)", base(NativeOptions()), ArtifactKind::Object);
      },
      [&](Session &s) {
        compile(s, "scale(CuDeviceVector{Float32,3}, Float32)", base(NativeOptions()), ArtifactKind::Object);
      },
      [&](Session &s) {
        compile(s, "scale(CuDeviceMatrix{Float32,1}, Float32)", base(NativeOptions()), ArtifactKind::Object);
      },
      [&](Session &s) { compile(s, "plain(Float32)", function, ArtifactKind::Object); },
      [&](Session &s) { compile(s, "plain(Float32)", packed, ArtifactKind::Object); },
      [&](Session &s) { compile(s, "plain(Int64)", function, ArtifactKind::Object); },
      [&](Session &s) { compile(s, call, function, ArtifactKind::Object); },
  };
  for (size_t i = 0; i < jobs.size(); i++) {
    INFO(i);
    auto session = loaded(folder.path);
    for (size_t before = 0; before < i; before++) CHECK(!compiles(*session, [&] { jobs[before](*session); }));
    CHECK(compiles(*session, [&] { jobs[i](*session); }));
  }
}

TEST_CASE("another build of Kiln shares the folder, and no entry") {
  Scratch folder;
  auto compile = [&](std::string_view toolchain) {
    auto session = loaded(folder.path);
    if (!toolchain.empty()) jobs_of(*session).compiler().toolchain = toolchain;
    return compiles(*session,
                    [&] { must(session->compile(call, base(PtxOptions()), ArtifactKind::Assembly)); });
  };
  CHECK(compile(""));
  CHECK(compile("kiln 0.1.0 (0123456789abcdef) llvm 22.1.8"));
  CHECK(compile("kiln 0.1.0 (0123456789abcdef) llvm 22.1.9"));
  CHECK(!compile("kiln 0.1.0 (0123456789abcdef) llvm 22.1.8"));
  CHECK(!compile(""));
}

TEST_CASE("threads, their number and order do not count") {
  Scratch folder;
  const std::vector<std::string> calls{call, "scale(CuDeviceVector{Float64,1}, Float32)",
                                       "scale(CuDeviceVector{Float32,1}, Int32)"};
  {
    auto session = loaded(folder.path);
    for (const std::string &each : calls)
      must(session->compile(each, base(PtxOptions()), ArtifactKind::Assembly));
  }
  SessionOptions options;
  options.cache_dir = folder.path.string();
  options.cpu_threads = 3;
  options.cpu_order = 17;
  auto session = must(Session::open(options));
  must(session->load("test.jl", program));
  std::vector<std::thread> threads;
  for (size_t t = 0; t < 6; t++)
    threads.emplace_back([&, t] {
      for (size_t i = 0; i < calls.size(); i++)
        (void)session->compile(calls[(i + t) % calls.size()], base(PtxOptions()), ArtifactKind::Assembly);
    });
  for (std::thread &each : threads) each.join();
  CHECK(session->counters().compiled == 0);
  CHECK(session->counters().disk_hits == calls.size());
}

TEST_CASE("folders that were filled in different orders hold the same entries") {
  const std::vector<std::string> calls{call, "scale(CuDeviceVector{Float64,1}, Float32)",
                                       "scale(CuDeviceVector{Float32,1}, Int32)",
                                       "scale(CuDeviceMatrix{Float32,1}, Float32)"};
  // Contents by key, but for what the compile cost.
  auto contents = [&](bool backward) {
    Scratch folder;
    auto session = loaded(folder.path);
    for (size_t i = 0; i < calls.size(); i++)
      for (TargetSpec kind : {TargetSpec(NativeOptions()), TargetSpec(PtxOptions())})
        must(session->compile(calls[backward ? calls.size() - 1 - i : i], base(kind), product(kind)));
    session->flush_cache();
    FolderStore store({.path = folder.path.string()});
    std::vector<std::pair<Fingerprint, std::string>> found;
    for (const FolderStore::EntryFile &file : store.list()) {
      std::string content = must(open_entry(file.key, *get_blob(store, file.key)));
      if (auto artifact = read_artifact(content); artifact.ok()) {
        artifact->note.compile_ms = 0;
        content = artifact_content(artifact->artifact, artifact->note);
      }
      found.emplace_back(file.key, std::move(content));
    }
    return found;
  };
  const auto forward = contents(false);
  CHECK(forward.size() == 4 * calls.size()); // an artifact and edges for each
  CHECK(forward == contents(true));
}

} // namespace keys_test
