// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Implements join rules, by which a language in C decides about the join of two types.
#include "language.h"

#include <stdexcept>

using namespace kiln;
using namespace kiln::c;

namespace {

/// Calls the embedder's join callback for the types `a` and `b`. Throws if it fails; inference reports the
/// exception.
TypeRef ask(kiln_session *session, ValueTable &table, const kiln_join_rule &rule, TypeRef a, TypeRef b) {
  Pinned<SessionObject> object(session);
  if (!object) throw std::runtime_error("its session is being closed");
  TypeContext &types = table.world.types();
  kiln_value *given[2] = {};
  for (size_t i = 0; i < 2; i++)
    if (auto made = table.give(&given[i], Value::type_value(types, i ? b : a)); !made.ok())
      throw std::runtime_error(made.error().diagnostics()[0].message);
  const kiln_value *answer = rule.join(given[0], given[1], rule.user);
  if (!answer) return nullptr;
  Result<TypeRef> joined = type_of(table, answer, "kiln_join_rule.join's answer");
  if (!joined.ok()) throw std::runtime_error(joined.error().diagnostics()[0].message);
  return *joined;
}

} // namespace

extern "C" {

int kiln_define_join_rule(kiln_session *session, const kiln_join_rule *given, kiln_error **error) {
  return call(error, [&]() -> Result<void> {
    KILN_NOT_NULL("kiln_define_join_rule", given);
    KILN_TABLE(table, session);
    KILN_TRY(const kiln_join_rule rule, read_struct(given, "kiln_join_rule"));
    // This function takes ownership of the rule's `user` object, even if it fails.
    std::shared_ptr<void> user(rule.user, [release = rule.release](void *p) {
      if (release) release(p);
    });
    if (!rule.name || !*rule.name) return null_argument("kiln_define_join_rule", "rule->name");
    if (!rule.version) return null_argument("kiln_define_join_rule", "rule->version");
    if (!rule.join) return null_argument("kiln_define_join_rule", "rule->join");
    auto made = std::make_shared<JoinRule>();
    made->name = rule.name;
    made->version = rule.version;
    KILN_TRY(made->convert, value_of(table, rule.convert, "kiln_join_rule.convert"));
    made->join = [session, &table, rule, user](TypeContext &, TypeRef a, TypeRef b) {
      return ask(session, table, rule, a, b);
    };
    std::lock_guard lock(table.rules_mutex);
    if (!table.rules.emplace(made->name, made).second)
      return usage_error(fmt::format("there is a join rule `{}` already: one that answers otherwise has "
                                     "another name",
                                     rule.name));
    return {};
  });
}
}
