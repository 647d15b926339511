// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "keys.h"

#include "product_name.h"

#include <algorithm>
#include <fmt/format.h>

namespace kiln {

namespace {

/// Adds fields to a digest. Each field is preceded by its name, so that exchanging the values of two fields
/// changes the digest.
struct DigestVisitor {
  Fingerprinter &into;
  template <class T> void operator()(std::string_view name, const T &value) {
    into.add(name);
    if constexpr (std::is_same_v<T, Symbol>)
      into.add(value.text());
    else
      into.add(value);
  }
  /// Content of a linked file, whose XXH3 digest is already added.
  void content(std::string_view bytes) { into.add_strong(bytes); }
};

struct PrintVisitor {
  std::string &out;
  template <class T> void operator()(std::string_view name, const T &value) {
    if (!out.empty()) out += ' ';
    if constexpr (std::is_same_v<T, Symbol>)
      out += fmt::format("{}={}", name, value.text());
    else if constexpr (std::is_enum_v<T>)
      out += fmt::format("{}={}", name, int(value));
    else
      out += fmt::format("{}={}", name, value);
  }
};

} // namespace

Result<Fingerprint> inference_key(TypeContext &types, const MethodInstance &source,
                                  const InferenceFacts &facts) {
  assert(source.method);
  KILN_TRY(Fingerprint method, source.method->digest(types));
  Fingerprinter into;
  into.add("kiln inference key 2").add(method);
  types.digest(into, source.arguments);
  into.add(uint64_t(source.static_params.size()));
  for (TypeRef param : source.static_params) types.digest(into, param);
  visit_fields(facts, DigestVisitor{into});
  return into.finish();
}

Fingerprint object_key(Fingerprint inference_key, Fingerprint callee_digest, const TargetIdentity &target,
                       const CompilerConfig &config, ArtifactKind kind, std::string_view toolchain) {
  Fingerprinter into;
  into.add("kiln object key 2")
      .add(inference_key)
      .add(callee_digest)
      .add(target.name)
      .add(target.version)
      .add(kind)
      .add(toolchain);
  visit_fields(config, DigestVisitor{into});
  return into.finish();
}

namespace {

struct ListVisitor {
  std::vector<KeyField> &out;
  template <class T> void operator()(std::string_view name, const T &value) {
    std::string text;
    PrintVisitor{text}(name, value);
    text.erase(0, text.find('=') + 1);
    // The elements of an array come as fields of one name: join them by commas.
    if (!out.empty() && out.back().name == name)
      out.back().value += "," + text;
    else
      out.push_back({std::string(name), std::move(text)});
  }
};

} // namespace

std::string_view field_value(const std::vector<KeyField> &fields, std::string_view name) {
  const auto found = std::ranges::find(fields, name, &KeyField::name);
  return found == fields.end() ? std::string_view() : found->value;
}

std::vector<KeyField> key_fields(TypeContext &types, const CompilerJob &job, const TargetIdentity &target,
                                 ArtifactKind kind, Fingerprint level1, Fingerprint callees,
                                 std::string_view toolchain) {
  std::string arguments;
  auto params = job.source->arguments->as<DataType>()->params();
  for (TypeRef type : params.subspan(1)) arguments += (arguments.empty() ? "" : ", ") + spell(type);
  Fingerprint method;
  if (auto digest = job.source->method->digest(types); digest.ok()) method = *digest;
  std::vector<KeyField> fields{{"function", std::string(job.source->method->name.text())},
                               {"arguments", arguments},
                               {"product", std::string(product_name(kind))},
                               {"source", method.hex()},
                               {"types and facts", level1.hex()},
                               {"callees", callees.hex()},
                               {"toolchain", std::string(toolchain)},
                               {"target_version", target.version}};
  visit_fields(job.config, ListVisitor{fields});
  return fields;
}

std::string to_string(const CompilerConfig &config) {
  std::string out;
  visit_fields(config, PrintVisitor{out});
  return out;
}

} // namespace kiln
