// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Describes Kiln's errors to kiln.errors.from_kiln, the Python function that makes the exceptions.
#include "dispatcher.h"

#include "library.h"

namespace kiln::python {

namespace {

/// Decodes a message. It may not be UTF-8, because messages may quote bytes literals.
nb::object text(std::string_view from) {
  return nb::steal(PyUnicode_DecodeUTF8(from.data(), Py_ssize_t(from.size()), "backslashreplace"));
}

nb::object place(const Location &at) {
  // Locations in Kiln's library are left out: they are not in the user's program.
  if (!at || at.file->is_library() || at.file_name() == library_name) return nb::none();
  const uint32_t line = at.line();
  return nb::make_tuple(std::string(at.file_name()), line, at.column(), text(at.file->line(line)),
                        at.end - at.begin);
}

nb::object index(const std::array<uint32_t, 3> &of) { return nb::make_tuple(of[0], of[1], of[2]); }

nb::object exception_of(const Error &error) {
  nb::list all;
  for (const Diagnostic &each : error.diagnostics()) {
    nb::list stack;
    for (const StackFrame &frame : each.stack)
      stack.append(nb::make_tuple(text(frame.function), place(frame.at), frame.file, frame.line));
    nb::list notes;
    for (const Note &note : each.notes) notes.append(nb::make_tuple(text(note.text), place(note.at)));
    nb::object thread = nb::none();
    if (each.thread) thread = nb::make_tuple(index(each.thread->thread), index(each.thread->block));
    all.append(nb::make_tuple(text(each.name()), text(each.message), place(each.at), stack, notes,
                              text(each.hint), uint32_t(each.code), text(each.subject), thread));
  }
  return hooks().attr("from_kiln")(int(error.kind()), all);
}

} // namespace

void set_error(const Error &error) {
  try {
    nb::object made = exception_of(error);
    PyErr_SetObject(reinterpret_cast<PyObject *>(Py_TYPE(made.ptr())), made.ptr());
  } catch (nb::python_error &failed) {
    failed.restore();
  }
}

void raise(const Error &error) {
  set_error(error);
  throw nb::python_error();
}

} // namespace kiln::python
