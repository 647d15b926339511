// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the tests of nested jobs share: hooks, a target that wraps one of Kiln's, sessions and configs.
#pragma once

#include "must.h"
#include "replace.h"
#include "scratch.h"

#include <catch2/catch.hpp>
#include <kiln/extension/llvm/hooks.h>
#include <kiln/extension/llvm/target.h>
#include <kiln/kiln.h>
#include <targets/targets.h>

#include <functional>
#include <mutex>

#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

namespace kiln::test {

/// Makes `to` of `from` wherever the module has that number.
class Replace final : public JobHooks {
public:
  Replace(int64_t from, int64_t to) : from_(from), to_(to) {}
  std::string name() const override { return "replace"; }
  std::string version() const override { return std::to_string(from_) + " " + std::to_string(to_); }
  Result<void> finish_module(const CompilerConfig &, llvm::Module &module, llvm::Function &) const override {
    replace_number(module, from_, to_);
    return {};
  }

private:
  int64_t from_, to_;
};

/// Notes the moments that it sees.
class Diary : public JobHooks {
public:
  std::string name() const override { return "diary"; }
  std::string version() const override { return "1"; }
  Result<void> prepare_job(const CompilerConfig &config) const override {
    return note(config.kernel ? "prepare_job of a kernel" : "prepare_job");
  }
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
  std::vector<std::string> take() const {
    std::lock_guard lock(mutex_);
    return std::exchange(seen_, {});
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

/// The target of this CPU or the ptx target, but for one function of the library and one rewrite.
struct WrappedOptions {
  static constexpr std::string_view target_name = "wrapped";
  bool operator==(const WrappedOptions &) const = default;
  template <class Self, class Visitor> static void visit(Self &, Visitor &&) {}
};

inline Result<void> answer(const Target &, const CompilerConfig &, llvm::Module &module) {
  for (llvm::Function &function : module)
    for (llvm::BasicBlock &block : function)
      for (llvm::Instruction &instruction : block)
        for (llvm::Use &use : instruction.operands())
          if (auto *number = llvm::dyn_cast<llvm::ConstantInt>(use);
              number && number->getBitWidth() == 64 && number->getSExtValue() == 5151)
            use.set(llvm::ConstantInt::getSigned(number->getType(), 42));
  return {};
}

class WrappedTarget final : public Target {
public:
  explicit WrappedTarget(TargetSpec inner, std::string version = "1")
      : spec_(std::move(inner)), version_(std::move(version)) {
    for (const Target *target : all_targets())
      if (target->name() == spec_.name()) inner_ = target;
    spec_ = must(inner_->check(spec_));
    overlay_ = "wrapped";
    if (!inner_->overlay().empty()) overlay_ += "+" + std::string(inner_->overlay());
  }
  std::string_view name() const override { return "wrapped"; }
  std::string_view version() const override { return version_; }
  Result<TargetSpec> check(TargetSpec spec) const override { return spec; }
  Result<TargetSpec> read_spec(const TargetOptionReader &read) const override {
    return read_options<WrappedOptions>(read);
  }
  std::string triple(const TargetSpec &) const override { return inner_->triple(spec_); }
  std::string cpu(const TargetSpec &) const override { return inner_->cpu(spec_); }
  std::string features(const TargetSpec &) const override { return inner_->features(spec_); }
  std::string data_layout(const TargetSpec &) const override { return inner_->data_layout(spec_); }
  TargetCapabilities capabilities(const TargetSpec &) const override { return inner_->capabilities(spec_); }
  std::string_view overlay() const override { return overlay_; }
  std::vector<EmbeddedSource> overlay_sources() const override {
    EmbeddedSource file;
    file.name = "wrapped.jl";
    file.text = "@inline laneid() = trunc_int(Int32, 77)\n";
    return {file};
  }
  std::vector<Rewrite> rewrites(RewritePhase phase) const override {
    if (phase == RewritePhase::Emitted) return {{"answer", answer, true}};
    return {};
  }

private:
  TargetSpec spec_;
  std::string version_, overlay_;
  const Target *inner_ = nullptr;
};

inline std::unique_ptr<Session> open(const std::string &folder = {}, const Target *target = nullptr,
                                     const std::string &trace = {}) {
  SessionOptions options;
  options.cache_dir = folder;
  options.verbosity = LogLevel::Error;
  if (target) options.targets = {target};
  if (!trace.empty()) options.trace_jobs = trace;
  return must(Session::open(options));
}

using Change = std::function<void(CompilerConfig &)>;

inline CompilerConfig changed(CompilerConfig config, const Change &change) {
  if (change) change(config);
  return config;
}
inline NestedConfig named(std::string name, CompilerConfig config = {}) {
  return {std::move(name), std::make_shared<const CompilerConfig>(std::move(config))};
}
inline CompilerConfig with_hooks(std::shared_ptr<const JobHooks> hooks) {
  return changed({}, [&](CompilerConfig &c) { c.hooks = std::move(hooks); });
}
inline CompilerConfig plain(std::vector<NestedConfig> nested = {}) {
  return changed({}, [&](CompilerConfig &c) {
    c.kernel = false;
    c.entry_abi = EntryAbi::Packed;
    c.nested = std::move(nested);
  });
}

template <class T> T call(Session &session, const char *what, const CompilerConfig &config, T x) {
  HostFunction function = must(session.prepare_function(what, config));
  T result{};
  const void *arguments[] = {&x};
  must(function.call(arguments, &result));
  return result;
}

inline std::string failure(Session &session, const char *what, const CompilerConfig &config,
                           ErrorKind kind = ErrorKind::Input) {
  auto failed = session.compile(
      what, config, config.target.is<PtxOptions>() ? ArtifactKind::Assembly : ArtifactKind::Object);
  if (failed.ok()) FAIL("it compiles: " << what);
  CHECK(failed.error().kind() == kind);
  return failed.error().what();
}

inline size_t count(const std::string &text, const std::string &what) {
  size_t n = 0;
  for (size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) n++;
  return n;
}

inline constexpr const char *nested_program = R"(
inner(x) = x + 7777
outer(x) = ccall(deferred_codegen_in(Val(:ad), inner, Int64), Int64, (Int64,), x) + inner(x)
)";

} // namespace kiln::test
