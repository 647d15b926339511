// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Computes the two cache keys. One function visit_fields per structure serves both digests and printing.
// Configs are visited by the rows of kiln/config.def, which also declare the fields, so that no field can be
// missing in a key.
#pragma once

#include "job.h"

#include <kiln/extension/llvm/hooks.h>

namespace kiln {

/// Value of a field as keys contain it. A Contraction is given by name, since older keys contained the name.
template <class T> const T &key_value(const T &value) { return value; }
inline std::string_view key_value(Contraction value) { return contraction_names[size_t(value)]; }

/// Calls `visit` with name and value of each option of a target: its name, its own options, and those common
/// to all targets.
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

/// Visits the properties that keys contain of those fields of a config which are not plain values.
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

/// Calls `visit` with name and value of each field of the config and its target.
template <class Visitor> void visit_fields(const CompilerConfig &config, Visitor &&visit) {
#define KILN_JOB_OPTION(type, field, ...) visit(#field, config.field);
#define KILN_JOB_PART(type, field, ...) visit_part(config.field, visit);
#include <kiln/config.def>
}

/// Visitor that names the fields of a nested config "nested.<name>.<field>".
template <class Visitor> struct NestedVisitor {
  Visitor &outer; ///< visitor of the job's own config, at any depth
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

/// Key of level 1. It consists of everything that inference may depend on: the method's content, the argument
/// types by structure, and the target's inference facts.
Result<Fingerprint> inference_key(TypeContext &types, const MethodInstance &source,
                                  const InferenceFacts &facts);

/// Key of level 2. Its parts: the key of level 1, the digest of all code that the job reaches, the target,
/// the config, the kind of product, the toolchain.
Fingerprint object_key(Fingerprint inference_key, Fingerprint callee_digest, const TargetIdentity &target,
                       const CompilerConfig &config, ArtifactKind kind, std::string_view toolchain);

/// A part of a key, by name, as messages show it.
struct KeyField {
  std::string name, value;
  bool operator==(const KeyField &) const = default;
};
/// Value of a field of a key; empty, if there is no field of this name.
std::string_view field_value(const std::vector<KeyField> &fields, std::string_view name);
/// Returns the parts of an object key by name, for messages that explain why two keys differ. `callees`: the
/// callee digest, as in object_key().
std::vector<KeyField> key_fields(TypeContext &types, const CompilerJob &job, const TargetIdentity &target,
                                 ArtifactKind kind, Fingerprint level1, Fingerprint callees,
                                 std::string_view toolchain);

/// Returns all fields as "name=value" in one line, for messages that explain why two jobs differ.
std::string to_string(const CompilerConfig &config);

} // namespace kiln
