// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the functions of kiln/c_language.h share.
#pragma once

#include "session_call.h"

#include <kiln/c_language.h>
#include <kiln/extension/language/code_builder.h>
#include <kiln/extension/language/internal/world.h>
#include <kiln/extension/language/print.h>

#include <shared_mutex>
#include <unordered_map>

namespace kiln::c {

/// Values that were handed out, one handle for each, and the World they are of. Thread-safe.
struct ValueTable {
  explicit ValueTable(World &world) : world(world) {}
  ~ValueTable(); ///< frees the handles
  World &world;
  std::shared_mutex mutex; ///< of what follows
  std::unordered_multimap<uint64_t, kiln_value *> handles;

  Result<void> give(kiln_value **out, const Value &value);

  std::shared_mutex rules_mutex;                                          ///< of what follows
  std::unordered_map<std::string, std::shared_ptr<const JoinRule>> rules; ///< by name

  std::mutex sources_mutex;                                                ///< of what follows
  std::unordered_map<uint32_t, std::shared_ptr<const SourceFile>> sources; ///< until kiln_source_free
};

struct ValueObject : Object {
  static constexpr HandleKind kind = HandleKind::Value;
  ValueObject(ValueTable &table, Value value) : table(&table), value(std::move(value)) {}
  ValueTable *table;
  Value value;
};

/// A body that is being built. Keeps its session.
struct CodeObject : Object {
  static constexpr HandleKind kind = HandleKind::Code;
  CodeObject(Kept<SessionObject> session, ValueTable &table, Symbol name, Span at)
      : session(std::move(session)), table(table), builder(table.world.types(), name, at) {
    builder.code().stmts.reserve(64);
    builder.code().constants.reserve(32);
    builder.add_argument(table.world.types().symbol("#self#"));
  }
  Kept<SessionObject> session;
  ValueTable &table;
  CodeBuilder builder;
  std::vector<Diagnostic> faults; ///< kiln_code_fail's, and misuse that the builder does not see
  bool has_failed = false;        ///< by kiln_code_fail

  void fail(std::string message) {
    faults.push_back({.code = ErrorCode::Input,
                      .message = std::move(message),
                      .at = table.world.sources().locate(builder.span())});
  }
  /// The code, or everything that is wrong about it. It is used up.
  Result<CodeInfo> finish();
};

/// Made at the first use. Of a session that is open.
Result<ValueTable *> table_of(SessionObject &session);
/// The same for a language that the session calls, which must not call the session.
ValueTable &values_of(SessionObject &session, World &world);
/// The value behind a handle. Errors: Usage, for one that is none, or of another session.
Result<Value> value_of(const ValueTable &table, const kiln_value *handle, std::string_view what);
/// The same, a type. Errors: Usage too for what is none.
Result<TypeRef> type_of(const ValueTable &table, const kiln_value *handle, std::string_view what);
Result<std::vector<TypeRef>> types_of(const ValueTable &table, const kiln_value *const *handles, size_t count,
                                      std::string_view what);
/// A module, or Main for null.
Result<Module *> module_of(const ValueTable &table, const kiln_value *handle);

/// Error: Usage, for a name that is null or empty.
Result<Symbol> name_of(ValueTable &table, std::string_view function, const char *name);
/// Runs on a session's definitions, in order with those of other threads.
template <class F> Result<void> define(SessionObject &session, F &&body) {
  if (&session == language_of_thread) return body(); // the session's language is called in order already
  return session.session->define([&](World &) -> Result<void> { return body(); });
}

#define KILN_CONCAT_(a, b) a##b
#define KILN_CONCAT(a, b) KILN_CONCAT_(a, b)
/// `TABLE`: of the session behind a handle, which is in use until the end of the scope.
#define KILN_TABLE(TABLE, SESSION)                                                                           \
  Pinned<SessionObject> KILN_CONCAT(object_of_, TABLE)(SESSION);                                             \
  if (!KILN_CONCAT(object_of_, TABLE)) return bad_handle(SessionObject::kind, SESSION);                      \
  KILN_CHECK(check_definer(*KILN_CONCAT(object_of_, TABLE)));                                                \
  KILN_TRY(ValueTable *KILN_CONCAT(pointer_to_, TABLE), table_of(*KILN_CONCAT(object_of_, TABLE)));          \
  ValueTable &TABLE = *KILN_CONCAT(pointer_to_, TABLE)

} // namespace kiln::c
