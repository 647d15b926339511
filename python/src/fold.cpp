// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Folds operations on literals, as Python's compiler does.
#include "converter.h"

#include <cmath>

namespace kiln::python {

namespace {

/// Folds an operation on two constants as CPython's compiler does, up to 128 bits of an integer. Empty if
/// CPython does not fold it. Numba compiles CPython's bytecode, in which `2**-1` is a float and `1 << 63` an
/// unsigned integer.
nb::object folded(Syntax op, nb::handle a, nb::handle b) {
  if ((op == Syntax::Pow || op == Syntax::LShift) && PyLong_Check(a.ptr()) && PyLong_Check(b.ptr())) {
    const double base = std::fabs(PyLong_AsDouble(a.ptr())), count = PyLong_AsDouble(b.ptr());
    const double bits = base < 2 ? 1 : std::log2(base);
    if (PyErr_Occurred() || !((op == Syntax::Pow ? bits * count : bits + count) <= 128)) {
      PyErr_Clear();
      return {};
    }
  }
  using Function = PyObject *(*)(PyObject *, PyObject *);
  Function function = nullptr;
  switch (op) {
  case Syntax::Add: function = PyNumber_Add; break;
  case Syntax::Sub: function = PyNumber_Subtract; break;
  case Syntax::Mult: function = PyNumber_Multiply; break;
  case Syntax::Div: function = PyNumber_TrueDivide; break;
  case Syntax::FloorDiv: function = PyNumber_FloorDivide; break;
  case Syntax::Mod: function = PyNumber_Remainder; break;
  case Syntax::Pow: function = [](PyObject *x, PyObject *y) { return PyNumber_Power(x, y, Py_None); }; break;
  case Syntax::LShift: function = PyNumber_Lshift; break;
  case Syntax::RShift: function = PyNumber_Rshift; break;
  case Syntax::BitOr: function = PyNumber_Or; break;
  case Syntax::BitXor: function = PyNumber_Xor; break;
  case Syntax::BitAnd: function = PyNumber_And; break;
  default: return {};
  }
  PyObject *made = function(a.ptr(), b.ptr());
  if (!made) PyErr_Clear();
  return nb::steal(made);
}

} // namespace

nb::object literal(nb::handle node) {
  const Names &n = names();
  const Syntax syntax = syntax_of(node);
  if (syntax == Syntax::Constant) {
    nb::object value = get(node, n.value);
    PyObject *v = value.ptr();
    return PyLong_Check(v) || PyFloat_CheckExact(v) || PyComplex_CheckExact(v) ? value : nb::object();
  }
  if (syntax == Syntax::UnaryOp) {
    const Syntax op = syntax_of(get(node, n.op));
    nb::object of = op == Syntax::Not ? nb::object() : literal(get(node, n.operand));
    if (!of) return {};
    PyObject *made = op == Syntax::USub   ? PyNumber_Negative(of.ptr())
                     : op == Syntax::UAdd ? PyNumber_Positive(of.ptr())
                                          : PyNumber_Invert(of.ptr());
    if (!made) PyErr_Clear();
    return nb::steal(made);
  }
  if (syntax != Syntax::BinOp) return {};
  nb::object left = literal(get(node, n.left));
  nb::object right = left ? literal(get(node, n.right)) : nb::object();
  return right ? folded(syntax_of(get(node, n.op)), left, right) : nb::object();
}

} // namespace kiln::python
