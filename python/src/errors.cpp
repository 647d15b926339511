// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Errors as Python's exceptions: kiln.errors.from_kiln makes them of what is told here.
#include "dispatcher.h"

#include "library.h"

namespace kiln::python {

namespace {

nb::object place(const Location &at) {
  // The library's own code is no place of the program's.
  if (!at || at.file->is_library() || at.file_name() == library_name) return nb::none();
  const uint32_t line = at.line();
  return nb::make_tuple(std::string(at.file_name()), line, at.column(), std::string(at.file->line(line)),
                        at.end - at.begin);
}

nb::object exception_of(const Error &error) {
  nb::list all;
  for (const Diagnostic &each : error.diagnostics()) {
    nb::list stack;
    for (const StackFrame &frame : each.stack)
      stack.append(nb::make_tuple(frame.function, place(frame.at), frame.file, frame.line));
    nb::list notes;
    for (const Note &note : each.notes) notes.append(nb::make_tuple(note.text, place(note.at)));
    all.append(nb::make_tuple(each.name, each.message, place(each.at), stack, notes, each.hint));
  }
  return nb::module_::import_("kiln.errors").attr("from_kiln")(int(error.kind()), all);
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
