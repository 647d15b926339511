// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An embedder's hooks in the flow of single jobs (kiln/extension/llvm/hooks.h): when each is called, what it
// may change, what an error of it does, and that the keys know them.
#include "must.h"
#include "replace.h"
#include "scratch.h"

#include <catch2/catch.hpp>
#include <kiln/extension/llvm/hooks.h>
#include <kiln/ir_hooks.h>
#include <kiln/kiln.h>

#include <fstream>
#include <mutex>

#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/Bitcode/BitcodeWriter.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/raw_ostream.h>

namespace hooks_test {

using namespace kiln;
using Catch::Matchers::Contains;
using kiln::test::must;
using kiln::test::replace_number;

namespace {

/// Notes the moments that it sees.
class Diary : public JobHooks {
public:
  std::string name() const override { return "diary"; }
  std::string version() const override { return "1"; }
  Result<void> prepare_job(const CompilerConfig &) const override { return note("prepare_job"); }
  Result<void> finish_module(const CompilerConfig &, llvm::Module &, llvm::Function &entry) const override {
    return note("finish_module " + std::string(entry.isDeclaration() ? "declared" : "defined"));
  }
  Result<void> link_libraries(const CompilerConfig &, llvm::Module &) const override {
    return note("link_libraries");
  }
  Result<void> finish_linked_module(const CompilerConfig &, llvm::Module &) const override {
    return note("finish_linked_module");
  }
  Result<void> optimize_module(const CompilerConfig &, llvm::Module &, llvm::TargetMachine &) const override {
    return note("optimize_module");
  }
  Result<void> finish_ir(const CompilerConfig &, llvm::Module &) const override { return note("finish_ir"); }
  Result<void> validate_ir(const CompilerConfig &, const llvm::Module &) const override {
    return note("validate_ir");
  }
  void observe(const CompilerConfig &, ArtifactKind kind, const llvm::Module &) const override {
    (void)note(kind == ArtifactKind::Llvm ? "Llvm" : "LlvmOpt");
  }
  std::vector<std::string> seen() const {
    std::lock_guard lock(mutex_);
    return seen_;
  }

private:
  Result<void> note(std::string moment) const {
    std::lock_guard lock(mutex_);
    seen_.push_back(std::move(moment));
    return {};
  }
  mutable std::mutex mutex_;
  mutable std::vector<std::string> seen_;
};

/// Makes `to` of `from` wherever the program has that number.
class Replace final : public JobHooks {
public:
  Replace(int64_t from, int64_t to) : from_(from), to_(to) {}
  std::string name() const override { return "replace"; }
  std::string version() const override { return std::to_string(from_) + " " + std::to_string(to_); }
  Result<void> finish_linked_module(const CompilerConfig &, llvm::Module &module) const override {
    replace_number(module, from_, to_);
    return {};
  }

private:
  int64_t from_, to_;
};

std::unique_ptr<Session> open(const std::string &folder = {}, const std::string &trace = {}) {
  SessionOptions options;
  options.cache_dir = folder;
  options.verbosity = LogLevel::Error;
  if (!trace.empty()) options.trace_jobs = trace;
  return must(Session::open(options));
}

CompilerConfig plain(std::shared_ptr<const JobHooks> hooks = {}) {
  CompilerConfig config;
  config.kernel = false;
  config.entry_abi = EntryAbi::Packed;
  config.hooks = std::move(hooks);
  return config;
}

constexpr const char *program = "add(x) = x + 7777\n";

int64_t add(Session &session, const CompilerConfig &config) {
  HostFunction function = must(session.prepare_function("add(Int64)", config));
  int64_t x = 1, result = 0;
  const void *arguments[] = {&x};
  must(function.call(arguments, &result));
  return result;
}
int64_t add(Session &session, std::shared_ptr<const JobHooks> hooks) {
  return add(session, plain(std::move(hooks)));
}

/// Text in which every `from` is `to`.
std::string replaced(std::string text, std::string_view from, std::string_view to) {
  for (size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
  return text;
}

std::shared_ptr<const JobHooks> text_hooks(IrMoment moment, std::function<std::string(std::string)> change) {
  return must(
      make_hooks({.name = "text",
                  .version = std::to_string(int(moment)),
                  .moments = {moment},
                  .rewrite = [change](IrMoment, std::string_view ir) -> Result<std::optional<std::string>> {
                    return std::optional(change(std::string(ir)));
                  }}));
}

/// The bitcode with a change of its module.
std::string changed(const std::string &ir, const std::function<void(llvm::Module &)> &change) {
  llvm::LLVMContext context;
  auto module = llvm::parseBitcodeFile(llvm::MemoryBufferRef(ir, "job"), context);
  REQUIRE(bool(module));
  change(**module);
  std::string bytes;
  llvm::raw_string_ostream out(bytes);
  llvm::WriteBitcodeToFile(**module, out);
  return bytes;
}

std::shared_ptr<const JobHooks> bitcode_hooks(IrMoment moment, std::string version,
                                              std::function<void(llvm::Module &)> change) {
  return must(
      make_hooks({.name = "bits",
                  .version = std::move(version),
                  .moments = {moment},
                  .form = IrForm::Bitcode,
                  .rewrite = [change](IrMoment, std::string_view ir) -> Result<std::optional<std::string>> {
                    return std::optional(changed(std::string(ir), change));
                  }}));
}

} // namespace

TEST_CASE("hooks are called in the order of the pipeline") {
  auto session = open();
  must(session->load("add.jl", program));
  auto diary = std::make_shared<const Diary>();
  must(session->compile("add(Int64)", plain(diary), ArtifactKind::Object));
  CHECK(diary->seen() == std::vector<std::string>{"prepare_job", "finish_module defined", "Llvm",
                                                  "link_libraries", "finish_linked_module", "optimize_module",
                                                  "finish_ir", "validate_ir", "LlvmOpt"});
  must(session->compile("add(Int64)", plain(diary), ArtifactKind::Object));
  CHECK(diary->seen().size() == 9); // the second was found
}

TEST_CASE("hooks change a job, and neither memory nor the folder mixes it with others") {
  test::Scratch scratch;
  for (int turn = 0; turn < 2; turn++) {
    auto session = open(scratch.path.string());
    must(session->load("add.jl", program));
    CHECK(add(*session, nullptr) == 7778);
    CHECK(add(*session, std::make_shared<Replace>(7777, 100)) == 101);
    CHECK(add(*session, std::make_shared<Replace>(7777, 200)) == 201);
    CHECK(add(*session, nullptr) == 7778);
    CHECK(session->counters().compiled == (turn ? 0u : 3u));
    session->flush_cache();
  }
}

TEST_CASE("hooks of other names and versions than those of a target make another job of PTX too") {
  auto session = open();
  must(session->load("k.jl", "function k(y)\n  y[1] = 7777\n  return\nend\n"));
  CompilerConfig config;
  config.target = PtxOptions{};
  const char *call = "k(CuDeviceVector{Int64,1})";
  CHECK_THAT(must(session->compile(call, config, ArtifactKind::Assembly))->bytes, Contains("7777"));
  config.hooks = std::make_shared<Replace>(7777, 4321);
  CHECK_THAT(must(session->compile(call, config, ArtifactKind::Assembly))->bytes,
             Contains("4321") && !Contains("7777"));
}

TEST_CASE("an error of a hook ends the job, with its text") {
  struct Refusing final : Diary {
    Result<void> validate_ir(const CompilerConfig &, const llvm::Module &module) const override {
      return make_error(ErrorCode::KernelError, "no " + module.getName().str() + " today", {},
                        "come back tomorrow");
    }
  };
  auto session = open();
  must(session->load("add.jl", program));
  auto failed = session->compile("add(Int64)", plain(std::make_shared<Refusing>()), ArtifactKind::Object);
  REQUIRE(!failed.ok());
  CHECK(failed.error().kind() == ErrorKind::Input);
  CHECK_THAT(failed.error().what(), Contains("today") && Contains("come back tomorrow"));
  must(session->compile("add(Int64)", plain(), ArtifactKind::Object));
}

TEST_CASE("hooks name functions that may stay undefined") {
  struct Knows final : Diary {
    bool is_intrinsic(std::string_view function) const override { return function == "vendor_magic"; }
  };
  auto session = open();
  must(session->load("call.jl", "magic(x) = ccall(\"extern vendor_magic\", llvmcall, Int32, (Int32,), x)\n"));
  CompilerConfig config = plain();
  config.target = PtxOptions{};
  CHECK(!session->compile("magic(Int32)", config, ArtifactKind::Assembly).ok());
  config.hooks = std::make_shared<Knows>();
  CHECK_THAT(must(session->compile("magic(Int32)", config, ArtifactKind::Assembly))->bytes,
             Contains("vendor_magic"));
}

TEST_CASE("a trace tells that a job with hooks cannot be repeated from it") {
  test::Scratch scratch;
  const std::string trace = (scratch.path / "trace").string(), file = (scratch.path / "add.jl").string();
  std::ofstream(file) << program;
  {
    auto session = open((scratch.path / "cache").string(), trace);
    must(session->load_file(file));
    CHECK(add(*session, std::make_shared<Replace>(7777, 100)) == 101);
    CHECK(add(*session, nullptr) == 7778);
  }
  PrecompileList list = must(read_job_trace(trace));
  CHECK(list.jobs.size() == 1);
  REQUIRE(list.skipped.size() == 1);
  CHECK_THAT(list.skipped[0].why, Contains("hooks") && Contains("replace"));
}

TEST_CASE("hooks take and give LLVM's text at each moment") {
  auto session = open();
  must(session->load("add.jl", std::string(program) + "square(x) = x * x\nwhole(x) = square(x) + 7777\n"));
  for (IrMoment moment :
       {IrMoment::FinishModule, IrMoment::FinishLinkedModule, IrMoment::OptimizeModule, IrMoment::FinishIr}) {
    CHECK(add(*session, text_hooks(moment, [](std::string ir) { return replaced(ir, "7777", "100"); })) ==
          101);
    // As it was, printed and parsed: nothing of it is lost, debug lines neither.
    auto same = text_hooks(moment, [](std::string ir) { return ir; });
    CompilerConfig config = plain();
    config.debug_level = 2;
    const auto without = must(session->compile("whole(Int64)", config, ArtifactKind::Assembly));
    config.hooks = same;
    CHECK(must(session->compile("whole(Int64)", config, ArtifactKind::Assembly))->bytes == without->bytes);
  }
  CompilerConfig ptx;
  ptx.target = PtxOptions{};
  must(session->load("k.jl", "function k(y)\n  y[threadIdx().x] = sin(y[1])\n  return\nend\n"));
  const char *call = "k(CuDeviceVector{Float32,1})";
  const std::string plain_ptx = must(session->compile(call, ptx, ArtifactKind::Assembly))->bytes;
  ptx.hooks = text_hooks(IrMoment::FinishLinkedModule, [](std::string ir) { return ir; });
  CHECK(must(session->compile(call, ptx, ArtifactKind::Assembly))->bytes == plain_ptx);
}

TEST_CASE("hooks take and give bitcode at each moment") {
  auto session = open();
  must(session->load("add.jl", std::string(program) + "square(x) = x * x\nwhole(x) = square(x) + 7777\n"));
  for (IrMoment moment :
       {IrMoment::FinishModule, IrMoment::FinishLinkedModule, IrMoment::OptimizeModule, IrMoment::FinishIr}) {
    const std::string number = std::to_string(int(moment));
    auto hundred = [](llvm::Module &module) { replace_number(module, 7777, 100); };
    CHECK(add(*session, bitcode_hooks(moment, number, hundred)) == 101);
    CompilerConfig config = plain();
    config.debug_level = 2;
    const auto without = must(session->compile("whole(Int64)", config, ArtifactKind::Assembly));
    config.hooks = bitcode_hooks(moment, number + " same", [](llvm::Module &) {});
    CHECK(must(session->compile("whole(Int64)", config, ArtifactKind::Assembly))->bytes == without->bytes);
  }
}

TEST_CASE("bitcode that hooks give is refused in words where it cannot take the module's place") {
  auto session = open();
  must(session->load("add.jl", program));
  auto failure = [&](std::function<std::string(std::string)> change) {
    auto hooks = must(
        make_hooks({.name = "bits",
                    .version = "",
                    .moments = {IrMoment::FinishModule},
                    .form = IrForm::Bitcode,
                    .rewrite = [change](IrMoment, std::string_view ir) -> Result<std::optional<std::string>> {
                      return change(std::string(ir));
                    }}));
    auto failed = session->compile("add(Int64)", plain(hooks), ArtifactKind::Object);
    REQUIRE(!failed.ok());
    CHECK(failed.error().kind() == ErrorKind::Input);
    return failed.error().what();
  };
  auto with_module = [&](std::function<void(llvm::Module &)> change) {
    return failure([change](std::string ir) { return changed(ir, change); });
  };
  CHECK_THAT(failure([](std::string) { return "define void @f()"; }),
             Contains("bits") && Contains("is no bitcode: 16 bytes"));
  CHECK_THAT(failure([](std::string) { return ""; }), Contains("is no bitcode: 0 bytes"));
  CHECK_THAT(failure([](std::string ir) { return ir.substr(0, ir.size() / 2); }), Contains("bits.bc"));
  CHECK_THAT(
      with_module([](llvm::Module &module) { module.setTargetTriple(llvm::Triple("nvptx64-nvidia-cuda")); }),
      Contains("nvptx64-nvidia-cuda") && Contains("the job is for"));
  CHECK_THAT(with_module([](llvm::Module &module) { module.setDataLayout("e-p:32:32"); }),
             Contains("the data layout e-p:32:32"));
  CHECK_THAT(with_module([](llvm::Module &module) {
               for (llvm::Function &f : module) f.removeFnAttr("kiln.entry");
             }),
             Contains("kiln.entry"));
  CHECK(make_hooks({.name = "n",
                    .version = "",
                    .moments = {IrMoment::FinishIr},
                    .form = IrForm(2),
                    .rewrite = [](IrMoment, std::string_view) -> Result<std::optional<std::string>> {
                      return std::nullopt;
                    }})
            .error()
            .kind() == ErrorKind::Usage);
}

TEST_CASE("text that hooks give is refused in words where it cannot take the module's place") {
  auto session = open();
  must(session->load("add.jl", program));
  auto failure = [&](IrMoment moment, std::function<std::string(std::string)> change) {
    auto failed =
        session->compile("add(Int64)", plain(text_hooks(moment, std::move(change))), ArtifactKind::Object);
    REQUIRE(!failed.ok());
    CHECK(failed.error().kind() == ErrorKind::Input);
    return failed.error().what();
  };
  CHECK_THAT(failure(IrMoment::FinishModule, [](std::string) { return "\n\nnonsense"; }),
             Contains("text.ll:3") && Contains("is no IR"));
  CHECK_THAT(failure(IrMoment::FinishIr, [](std::string) { return ""; }), Contains("kiln.entry"));
  CHECK_THAT(failure(IrMoment::FinishIr,
                     [](std::string ir) { return replaced(ir, "target triple", "target triple = \"x\" ;"); }),
             Contains("triple"));
  CHECK_THAT(failure(IrMoment::FinishModule,
                     [](std::string) -> std::string { throw std::runtime_error("no luck"); }),
             Contains("no luck"));
  CHECK(!make_hooks({}).ok());
  CHECK(!make_hooks({.name = "n", .version = "", .moments = {}, .rewrite = {}}).ok());
  must(session->compile("add(Int64)", plain(), ArtifactKind::Object));
}

TEST_CASE("options name hooks that the session knows") {
  auto session = open();
  must(session->load("add.jl", program));
  must(session->add_hooks(std::make_shared<Replace>(7777, 100)));
  const std::string options = R"({"kernel": false, "hooks": "replace"})";
  CHECK(add(*session, must(session->read_config(options))) == 101);
  must(session->add_hooks(std::make_shared<Replace>(7777, 200))); // in place of the first
  CHECK(add(*session, must(session->read_config(options))) == 201);
  auto unknown = session->read_config(R"({"hooks": "nobody"})");
  REQUIRE(!unknown.ok());
  CHECK_THAT(unknown.error().what(), Contains("1:11") && Contains("nobody") && Contains("replace"));
  CHECK(!read_config(options).ok()); // without a session there are none
  CHECK(!session->add_hooks(nullptr).ok());
}

} // namespace hooks_test
