// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Implements access to error handles. A string of an error is owned by the error, and lives as long as its
// handle.
#include "call.h"

#include <kiln/error_code.h>

using namespace kiln;
using namespace kiln::c;

namespace {

/// Returns the result of `get` for the error's diagnostic number `i`; `none` if the error does not have so
/// many. Never throws.
template <class T, class F> T of_diagnostic(const kiln_error *error, size_t i, T none, F &&get) {
  Pinned<ErrorObject> object(error);
  if (!object || i >= object->error.diagnostics().size()) return none;
  return get(object->error.diagnostics()[i]);
}
template <class T, class F> T of_frame(const kiln_error *error, size_t i, size_t frame, T none, F &&get) {
  return of_diagnostic(error, i, none, [&](const Diagnostic &d) {
    return frame < d.stack.size() ? get(d.stack[frame]) : none;
  });
}
template <class T, class F> T of_note(const kiln_error *error, size_t i, size_t note, T none, F &&get) {
  return of_diagnostic(
      error, i, none, [&](const Diagnostic &d) { return note < d.notes.size() ? get(d.notes[note]) : none; });
}
const char *file_of(const Location &at) { return at ? at.file_name().data() : ""; }

} // namespace

extern "C" {

size_t kiln_error_count(const kiln_error *error) {
  Pinned<ErrorObject> object(error);
  return object ? object->error.diagnostics().size() : 0;
}

int kiln_error_status(const kiln_error *error) {
  Pinned<ErrorObject> object(error);
  return object ? int(object->error.kind()) : KILN_OK;
}

const char *kiln_error_kind(const kiln_error *error, size_t i) {
  return of_diagnostic(error, i, "", [](const Diagnostic &d) { return d.name().data(); });
}
unsigned kiln_error_code(const kiln_error *error, size_t i) {
  return of_diagnostic(error, i, 0u, [](const Diagnostic &d) { return unsigned(d.code); });
}
const char *kiln_error_message(const kiln_error *error, size_t i) {
  return of_diagnostic(error, i, "", [](const Diagnostic &d) { return d.message.c_str(); });
}
const char *kiln_error_hint(const kiln_error *error, size_t i) {
  return of_diagnostic(error, i, "", [](const Diagnostic &d) { return d.hint.c_str(); });
}
const char *kiln_error_file(const kiln_error *error, size_t i) {
  return of_diagnostic(error, i, "", [](const Diagnostic &d) { return file_of(d.at); });
}
unsigned kiln_error_line(const kiln_error *error, size_t i) {
  return of_diagnostic(error, i, 0u, [](const Diagnostic &d) { return d.at.line(); });
}
unsigned kiln_error_column(const kiln_error *error, size_t i) {
  return of_diagnostic(error, i, 0u, [](const Diagnostic &d) { return d.at.column(); });
}

size_t kiln_error_frame_count(const kiln_error *error, size_t i) {
  return of_diagnostic(error, i, size_t(0), [](const Diagnostic &d) { return d.stack.size(); });
}
const char *kiln_error_frame_function(const kiln_error *error, size_t i, size_t frame) {
  return of_frame(error, i, frame, "", [](const StackFrame &f) { return f.function.c_str(); });
}
const char *kiln_error_frame_file(const kiln_error *error, size_t i, size_t frame) {
  return of_frame(error, i, frame, "",
                  [](const StackFrame &f) { return f.at ? file_of(f.at) : f.file.c_str(); });
}
unsigned kiln_error_frame_line(const kiln_error *error, size_t i, size_t frame) {
  return of_frame(error, i, frame, 0u, [](const StackFrame &f) { return f.at ? f.at.line() : f.line; });
}
unsigned kiln_error_frame_column(const kiln_error *error, size_t i, size_t frame) {
  return of_frame(error, i, frame, 0u, [](const StackFrame &f) { return f.at.column(); });
}

size_t kiln_error_note_count(const kiln_error *error, size_t i) {
  return of_diagnostic(error, i, size_t(0), [](const Diagnostic &d) { return d.notes.size(); });
}
const char *kiln_error_note_text(const kiln_error *error, size_t i, size_t note) {
  return of_note(error, i, note, "", [](const Note &n) { return n.text.c_str(); });
}
const char *kiln_error_note_file(const kiln_error *error, size_t i, size_t note) {
  return of_note(error, i, note, "", [](const Note &n) { return file_of(n.at); });
}
unsigned kiln_error_note_line(const kiln_error *error, size_t i, size_t note) {
  return of_note(error, i, note, 0u, [](const Note &n) { return n.at.line(); });
}

const char *kiln_error_text(const kiln_error *error) {
  Pinned<ErrorObject> object(error);
  return object ? object->text.c_str() : "";
}

void kiln_error_free(kiln_error *error) { free_handle(HandleKind::Error, error); }
}
