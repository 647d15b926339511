// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A target like ptx whose products tell who made them.
#pragma once

#include <targets/targets.h>

#include <catch2/catch.hpp>
#include <fmt/format.h>

namespace kiln::test {

/// As ptx, but it signs what it makes.
class SigningTarget final : public Target {
public:
  SigningTarget(std::string name, std::string version, std::string tool)
      : name_(std::move(name)), version_(std::move(version)), tool_(std::move(tool)) {}
  std::string_view name() const override { return name_; }
  std::string_view version() const override { return version_; }
  Result<TargetSpec> check(TargetSpec spec) const override { return ptx().check(spec); }
  TargetCapabilities capabilities(const TargetSpec &spec) const override { return ptx().capabilities(spec); }
  std::string triple(const TargetSpec &spec) const override { return ptx().triple(spec); }
  std::string cpu(const TargetSpec &spec) const override { return ptx().cpu(spec); }
  std::string features(const TargetSpec &spec) const override { return ptx().features(spec); }
  std::string data_layout(const TargetSpec &spec) const override { return ptx().data_layout(spec); }
  std::string_view overlay() const override {
    return ptx().overlay();
  } // one overlay: nothing but the identity tells them apart
  Result<void> finish_module(const CompilerConfig &config, llvm::Module &module,
                             llvm::Function &entry) const override {
    return ptx().finish_module(config, module, entry);
  }
  bool is_intrinsic(std::string_view function) const override { return ptx().is_intrinsic(function); }
  std::string library_digest() const override { return "library of " + signature(); }
  Result<std::string> finish_assembly(const CompilerConfig &, std::string text) const override {
    return is_silent ? text : text + "// by " + signature() + "\n";
  }
  std::vector<std::string> assembler_files() const override { return {tool_}; }
  Result<std::unique_ptr<Assembler>> make_assembler() const override {
    return std::unique_ptr<Assembler>(new Signer(signature(), merges));
  }

  std::string signature() const { return name_ + "/" + version_; }
  bool merges = false;    ///< its assembler takes several texts
  bool is_silent = false; ///< the text of all such targets is the same, what they assemble is not

private:
  /// All such assemblers have one name.
  struct Signer final : Assembler {
    Signer(std::string by, bool merges) : by(std::move(by)), merges(merges) {}
    const std::string &identity() const override { return name; }
    const std::string &path() const override { return name; }
    Result<AssembledObject> assemble(const CompilerConfig &, const std::string &, std::string_view,
                                     const SourceMap &) const override {
      return AssembledObject{"assembled by " + by, {}};
    }
    bool can_merge(const CompilerConfig &, std::string_view text) const override {
      return merges && text.find("alone") == text.npos;
    }
    /// Where a text says so it fails, as a tool does that meets one broken kernel.
    Result<MergedObject> assemble_merged(const CompilerConfig &, std::span<const AssemblerInput> inputs,
                                         const SourceMap &) const override {
      MergedObject object{"merged:", {}};
      for (const AssemblerInput &input : inputs) {
        if (input.entry.find("refuse") != input.entry.npos)
          return make_error(ErrorCode::AssemblerError, "one of them is broken");
        object.bytes += fmt::format("[{} by {}]", input.entry, by);
        object.resources.push_back({.registers = uint32_t(input.text.size())});
      }
      return object;
    }
    std::string by, name = "signer 1";
    bool merges;
  };
  static const Target &ptx() { return find_target(PtxOptions()); }
  std::string name_, version_, tool_;
};

} // namespace kiln::test
