// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "session_state.h"

#include <kiln/records.h>

namespace kiln {

static Fingerprint key_of(std::string_view name) { return Fingerprinter().add("record").add(name).finish(); }

bool KILN_API_VERSION::keeps_records(Session &session) {
  const PersistentCache *const cache = jobs_of(session).persistent();
  return cache && cache->has_store();
}

std::optional<std::string> KILN_API_VERSION::find_record(Session &session, std::string_view name) {
  const CallScope call(gate_of(session));
  PersistentCache *const cache = jobs_of(session).persistent();
  if (!cache || !call.check().ok()) return std::nullopt;
  return cache->find_content(key_of(name));
}

void KILN_API_VERSION::keep_record(Session &session, std::string_view name, const std::string &text,
                                   bool waits) {
  const CallScope call(gate_of(session));
  PersistentCache *const cache = jobs_of(session).persistent();
  if (!cache || !call.check().ok()) return;
  cache->publish_content(key_of(name), text);
  if (waits) cache->flush();
}

void KILN_API_VERSION::drop_record(Session &session, std::string_view name, const Error &reason) {
  const CallScope call(gate_of(session));
  PersistentCache *const cache = jobs_of(session).persistent();
  if (cache && call.check().ok()) cache->drop_damaged(key_of(name), reason);
}

} // namespace kiln
