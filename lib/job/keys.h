// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The two keys. One visit_fields a structure feeds digest and printing; it takes the structure apart by name,
// so that a forgotten field is a compile error.
#pragma once

#include "job.h"

#include <kiln/extension/llvm/hooks.h>

namespace kiln {

/// Visits every option of the target with its name: the target's name, its own options, and what all targets
/// have.
template <class Visitor> void visit_fields(const TargetSpec &target, Visitor &&visit) {
  struct Options final : TargetOptionVisitor {
    Visitor &visit;
    explicit Options(Visitor &visitor) : visit(visitor) {}
    void option(std::string_view name, bool value) override { visit(name, value); }
    void option(std::string_view name, int64_t value) override { visit(name, value); }
    void option(std::string_view name, std::string_view value) override { visit(name, value); }
    void option(std::string_view name, std::span<const uint32_t> values) override {
      for (uint32_t value : values) visit(name, value);
    }
  } options(visit);
  visit("target", target.name());
  target.visit(options);
  visit("fast_math", target.fast_math);
  visit("contract", contraction_names[size_t(target.contract)]);
}
template <class Visitor> void visit_nested_fields(const NestedConfig &nested, Visitor &visit); ///< below

/// Visits every field of the config with its name, the target's among them. A visitor of a config that is not
/// const may change the fields, but for the target and the files that are linked, which it does not see.
template <class Config, class Visitor>
  requires std::is_same_v<std::remove_const_t<Config>, CompilerConfig>
void visit_fields(Config &c, Visitor &&visit) {
  auto &[target, kernel, name, entry_abi, always_inline, opt_level, debug_level, libraries, linked, optimize,
         cleanup, validate, strip, invariant_arguments, coarsen, check, interruptible, hooks, nested] = c;
  if constexpr (std::is_const_v<Config>) visit_fields(target, visit);
  visit("kernel", kernel);
  visit("name", name);
  visit("entry_abi", entry_abi);
  visit("always_inline", always_inline);
  visit("opt_level", opt_level);
  visit("debug_level", debug_level);
  visit("libraries", libraries);
  if constexpr (std::is_const_v<Config>) {
    visit("linked", uint64_t(linked.size()));
    for (const LinkedFile &file : linked) {
      visit("linked.kind", file.kind);
      visit("linked.digest", file.digest[0]);
      visit("linked.digest", file.digest[1]);
    }
  }
  visit("optimize", optimize);
  visit("cleanup", cleanup);
  visit("validate", validate);
  visit("strip", strip);
  visit("invariant_arguments", invariant_arguments);
  visit("coarsen", coarsen);
  visit("check", check);
  visit("interruptible", interruptible);
  if constexpr (std::is_const_v<Config>)
    if (hooks) {
      visit("hooks", hooks->name());
      visit("hooks_version", hooks->version());
    }
  if constexpr (std::is_const_v<Config>)
    if (!nested.empty()) {
      visit("nested", uint64_t(nested.size()));
      for (const NestedConfig &each : nested) visit_nested_fields(each, visit);
    }
}

/// Shows the fields of a nested config as "nested.<name>.<field>".
template <class Visitor> struct NestedVisitor {
  Visitor &outer; ///< of the job's own config, however deep this one is
  std::string prefix;
  template <class T> void operator()(std::string_view name, const T &value) {
    outer(std::string_view(prefix + std::string(name)), value);
  }
};
template <class Visitor> void visit_nested_fields(const NestedConfig &nested, Visitor &visit) {
  if constexpr (requires { visit.prefix; }) {
    NestedVisitor<std::remove_reference_t<decltype(visit.outer)>> inner{
        visit.outer, visit.prefix + "nested." + nested.name + "."};
    visit_fields(*nested.config, inner);
  } else {
    NestedVisitor<Visitor> inner{visit, "nested." + nested.name + "."};
    visit_fields(*nested.config, inner);
  }
}

template <class Visitor> void visit_fields(const InferenceFacts &f, Visitor &&visit) {
  const auto &[target, target_version, overlay, always_inline, nested] = f;
  visit("target", target);
  visit("target_version", target_version);
  visit("overlay", overlay);
  visit("always_inline", always_inline);
  if (!nested) return;
  visit("nested", uint64_t(nested->configs.size()));
  for (const auto &[name, facts] : nested->configs) {
    visit("nested.name", name);
    visit_fields(facts, visit);
  }
}

/// Level 1. Inference may depend on nothing that is not in here: the method's content, the argument types by
/// structure, and the facts of the target that inference may see. Keep that rule.
Result<Fingerprint> inference_key(TypeContext &types, const MethodInstance &source,
                                  const InferenceFacts &facts);

/// Level 2: level 1, the digest of everything reached along the edges, the target, the whole config, the
/// toolchain.
Fingerprint object_key(Fingerprint inference_key, Fingerprint callee_digest, const TargetIdentity &target,
                       const CompilerConfig &config, ArtifactKind kind, std::string_view toolchain);

/// A part of what a key is made of, by name.
struct KeyField {
  std::string name, value;
  bool operator==(const KeyField &) const = default;
};
/// What an object key is made of, by name, for messages that say how two jobs differ. `callees` as in
/// object_key.
std::vector<KeyField> key_fields(TypeContext &types, const CompilerJob &job, const TargetIdentity &target,
                                 ArtifactKind kind, Fingerprint level1, Fingerprint callees,
                                 std::string_view toolchain);

/// Every field as name=value, in one line: for messages that say how two jobs differ.
std::string to_string(const CompilerConfig &config);

} // namespace kiln
