// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The two keys. One visit_fields a structure feeds digest and printing. Configs are visited by the rows of
// kiln/config.def, which declare their fields, too, so that no field can be missing in a key.
#pragma once

#include "job.h"

#include <kiln/extension/llvm/hooks.h>

namespace kiln {

/// The key has the names of Contraction's values, which are older than their numbers.
template <class T> const T &key_value(const T &value) { return value; }
inline std::string_view key_value(Contraction value) { return contraction_names[size_t(value)]; }

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
#define KILN_TARGET_OPTION(type, field, ...) visit(#field, key_value(target.field));
#include <kiln/config.def>
}
template <class Visitor> void visit_nested_fields(const NestedConfig &nested, Visitor &visit); ///< below

/// Parts of a config that are no plain values: visits whatever of them is in the key.
template <class Visitor> void visit_part(const TargetSpec &target, Visitor &visit) {
  visit_fields(target, visit);
}
inline std::string_view content_of(const LinkedFile &file) {
  return file.bytes ? std::string_view(*file.bytes) : std::string_view();
}
template <class Visitor> void visit_part(const std::vector<LinkedFile> &linked, Visitor &visit) {
  visit("linked", uint64_t(linked.size()));
  for (const LinkedFile &file : linked) {
    visit("linked.kind", file.kind);
    visit("linked.digest", file.digest[0]);
    visit("linked.digest", file.digest[1]);
    if constexpr (requires { visit.content(content_of(file)); }) visit.content(content_of(file));
  }
}
template <class Visitor> void visit_part(const std::shared_ptr<const JobHooks> &hooks, Visitor &visit) {
  if (!hooks) return;
  visit("hooks", hooks->name());
  visit("hooks_version", hooks->version());
}
template <class Visitor> void visit_part(const std::vector<NestedConfig> &nested, Visitor &visit) {
  if (nested.empty()) return;
  visit("nested", uint64_t(nested.size()));
  for (const NestedConfig &each : nested) visit_nested_fields(each, visit);
}

/// Visits every field of the config with its name, the target's among them.
template <class Visitor> void visit_fields(const CompilerConfig &config, Visitor &&visit) {
#define KILN_JOB_OPTION(type, field, ...) visit(#field, config.field);
#define KILN_JOB_PART(type, field, ...) visit_part(config.field, visit);
#include <kiln/config.def>
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
