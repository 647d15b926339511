// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Converts the Python objects that free names refer to into constants of kernels. As in Numba, the values are
// those at the function's first compile.
#include "converter.h"

namespace kiln::python {

namespace {

std::unordered_map<PyObject *, Registered> &registered_objects() {
  static auto *all = new std::unordered_map<PyObject *, Registered>; // owns a reference to each
  return *all;
}
std::unordered_map<PyObject *, std::shared_ptr<Function>> &functions() {
  static auto *all =
      new std::unordered_map<PyObject *, std::shared_ptr<Function>>; // owns a reference to each
  return *all;
}
uint64_t cycles = 0; ///< counter that makes the identities of recursive functions unique

constexpr int deepest = 32; ///< levels of nested tuples

} // namespace

const Registered *find_registered(nb::handle object) {
  auto found = registered_objects().find(object.ptr());
  return found == registered_objects().end() ? nullptr : &found->second;
}

void register_object(nb::handle object, std::string kind, std::string name,
                     std::vector<std::string> parameters) {
  using What = Registered::What;
  const What what = kind == "property"    ? What::Property
                    : kind == "namespace" ? What::Namespace
                                          : What::Function;
  auto [entry, is_new] = registered_objects().try_emplace(object.ptr());
  if (is_new) object.inc_ref();
  entry->second = {what, std::move(name), std::move(parameters), nullptr};
}

void register_type(nb::handle object, const ValueType *type) {
  auto [entry, is_new] = registered_objects().try_emplace(object.ptr());
  if (is_new) object.inc_ref();
  entry->second = {Registered::What::Type, to_text(*type), {}, type};
}

void forget_functions() {
  new std::unordered_map<PyObject *, std::shared_ptr<Function>>(
      std::move(functions())); // of the parent's session
  functions() = {};
  forget_texts();
}

Result<std::optional<Value>> value_of(Engine &engine, nb::handle object) {
  TypeContext &types = engine.types();
  if (object.is_none()) return std::optional(types.nothing());
  if (PyBool_Check(object.ptr())) return std::optional(types.boolean(object.ptr() == Py_True));
  if (PyLong_CheckExact(object.ptr())) {
    int overflow = 0;
    const long long value = PyLong_AsLongLongAndOverflow(object.ptr(), &overflow);
    if (!overflow) return std::optional(types.int64(value));
    const unsigned long long wide = overflow > 0 ? PyLong_AsUnsignedLongLong(object.ptr()) : 0;
    if (overflow < 0 || PyErr_Occurred()) {
      PyErr_Clear();
      return make_error(ErrorCode::TypingError, "an integer of more than 64 bits");
    }
    return std::optional(Value::primitive(types.builtins().UInt64, {wide, 0}));
  }
  if (PyFloat_CheckExact(object.ptr())) return std::optional(types.float64(PyFloat_AsDouble(object.ptr())));
  if (PyComplex_CheckExact(object.ptr())) {
    KILN_TRY(TypeRef complex, engine.type(*number_type("complex128")));
    return std::optional(Value::structure(complex, {types.float64(PyComplex_RealAsDouble(object.ptr())),
                                                    types.float64(PyComplex_ImagAsDouble(object.ptr()))}));
  }
  if (PyUnicode_CheckExact(object.ptr())) {
    Py_ssize_t size = 0;
    const char *bytes = PyUnicode_AsUTF8AndSize(object.ptr(), &size);
    if (!bytes) {
      PyErr_Clear();
      return make_error(ErrorCode::TypingError, "a text that is not Unicode");
    }
    KILN_TRY(Value text, engine.val(std::string_view(bytes, size_t(size))));
    return std::optional(text);
  }
  if (PyBytes_CheckExact(object.ptr())) {
    KILN_TRY(Value text, engine.val(std::string_view(PyBytes_AsString(object.ptr()),
                                                     size_t(PyBytes_Size(object.ptr())))));
    return std::optional(text);
  }
  return std::optional<Value>();
}

/// Returns the Python object that a name or a module's attribute refers to. An empty object if it is known
/// only at run time.
Result<nb::object> Converter::fixed(nb::handle node) {
  const Names &n = names();
  const Syntax syntax = syntax_of(node);
  if (syntax == Syntax::Name) {
    nb::object identifier = get(node, n.id);
    if (is_local(identifier)) return nb::object();
    for (const Converter *around = outer_; around; around = around->outer_)
      if (around->is_local(identifier)) return nb::object();
    return free_name(node, identifier);
  }
  if (syntax != Syntax::Attribute && syntax != Syntax::Subscript) return nb::object();
  KILN_TRY(nb::object base, fixed(get(node, n.value)));
  if (!base) return nb::object();
  if (syntax == Syntax::Subscript) return enum_member(base, node);
  const Registered *registered = find_registered(base);
  const bool is_type = PyType_Check(base.ptr());
  if (!PyModule_Check(base.ptr()) && !is_type &&
      !(registered && registered->what != Registered::What::Property)) {
    if (!nb::cast<bool>(hooks().attr("has_fixed_attributes")(base))) return nb::object();
  }
  nb::object name = get(node, n.attr);
  PyObject *value = PyObject_GetAttr(base.ptr(), name.ptr());
  if (!value) {
    PyErr_Clear();
    const std::string of = PyModule_Check(base.ptr())
                               ? "module " + nb::cast<std::string>(nb::str(base.attr("__name__")))
                               : nb::cast<std::string>(nb::repr(base));
    return error(node, ErrorCode::TypingError,
                 of + " has no attribute `" + nb::cast<std::string>(name) + "`");
  }
  return nb::steal(value);
}

/// Returns the member of an enum class in Color["red"]. Invalid for other subscripts.
Result<nb::object> Converter::enum_member(nb::handle base, nb::handle node) {
  nb::object index = get(node, names().slice);
  if (!PyType_Check(base.ptr()) || syntax_of(index) != Syntax::Constant) return nb::object();
  nb::object key = get(index, names().value);
  nb::object members = nb::getattr(base, "__members__", nb::none());
  if (members.is_none() || !PyUnicode_CheckExact(key.ptr())) return nb::object();
  if (PyObject *member = PyObject_GetItem(members.ptr(), key.ptr())) return nb::steal(member);
  PyErr_Clear();
  return error(node, ErrorCode::TypingError,
               nb::cast<std::string>(nb::str(base.attr("__name__"))) + " has no member " +
                   nb::cast<std::string>(nb::repr(key)));
}

Result<nb::object> Converter::free_name(nb::handle node, nb::handle identifier) {
  const auto text = nb::cast<std::string>(identifier);
  if (auto found = cells_.find(text); found != cells_.end()) return found->second;
  if (PyObject *value = PyDict_GetItemWithError(globals_.ptr(), identifier.ptr())) return nb::borrow(value);
  static auto *builtins = new nb::object(nb::module_::import_("builtins")); // outlives the interpreter
  if (PyObject *value = PyObject_GetAttr(builtins->ptr(), identifier.ptr())) return nb::steal(value);
  PyErr_Clear();
  return error(node, ErrorCode::TypingError, "name `" + text + "` is not defined");
}

Result<Node> Converter::frozen(nb::handle object, nb::handle node, int depth) {
  if (depth > deepest)
    return error(node, ErrorCode::TypingError,
                 "tuples are nested more than " + std::to_string(deepest) + " deep");
  Node made = make(Kind::Constant, node);
  if (const Registered *known = find_registered(object)) {
    using What = Registered::What;
    if (known->what == What::Type) {
      KILN_TRY(TypeRef type, engine_.type(*known->type));
      made.value = Value::type_value(engine_.types(), type);
      return made;
    }
    const bool is_value = engine_.has_library(known->name);
    if (known->what == What::Namespace && !is_value)
      return error(node, ErrorCode::TypingError,
                   "`" + known->name + "` is no value: call one of its functions");
    made.kind = known->what == What::Function ? Kind::Library : Kind::Property;
    made.name = engine_.symbol(known->name);
    if (!is_value)
      return error(node, ErrorCode::UnsupportedError,
                   "`" + nb::cast<std::string>(nb::repr(object)) + "` is not supported in kernels");
    return made;
  }
  auto value = value_of(engine_, object);
  if (!value.ok()) return error(node, value.error().code(), value.error().diagnostics()[0].message);
  if (*value) {
    made.value = std::move(**value);
    return made;
  }
  if (object.ptr() == Py_Ellipsis) {
    KILN_TRY(TypeRef type, engine_.library_type("Dots"));
    made.value = Value::singleton(type);
    return made;
  }
  if (PyTuple_CheckExact(object.ptr())) {
    made.kind = Kind::Tuple;
    bool is_constant = true;
    for (nb::handle each : object) {
      KILN_TRY(Node item, frozen(each, node, depth + 1));
      is_constant &= item.kind == Kind::Constant;
      made.items.push_back(std::move(item));
    }
    if (!is_constant) return made;
    std::vector<Value> values;
    std::vector<TypeRef> types;
    for (Node &item : made.items) {
      types.push_back(engine_.types().type_of(item.value));
      values.push_back(std::move(item.value));
    }
    for (const Value &each : values)
      if (each.as_type()) { // a tuple with types in it is constructed where it is used
        for (size_t i = 0; i < values.size(); i++) made.items[i].value = std::move(values[i]);
        return made;
      }
    made.items.clear();
    made.kind = Kind::Constant;
    made.value = Value::structure(engine_.types().tuple(types), std::move(values));
    return made;
  }
  // Leaves bound methods out, which also have __code__. (PyMethod_Check is not in the stable ABI.)
  if (!nb::hasattr(object, "__func__") && nb::hasattr(object, "__code__") &&
      nb::hasattr(object, "__globals__")) {
    KILN_TRY(made.function, function_of(engine_, object, false, {}));
    made.kind = Kind::Known;
    return made;
  }
  return described(object, node, depth);
}

/// Converts a result of kiln._resolve.describe: ("value", object), ("function", object), ("type", Type),
/// ("number", Type, bytes), ("array", element Type, shape, bytes), ("placed", element Type, address, shape,
/// strides or layout), ("error", message).
Result<Node> Converter::described(nb::handle object, nb::handle node, int depth) {
  nb::object said = hooks().attr("describe")(object);
  const auto kind = nb::cast<std::string>(said[0]);
  Node made = make(Kind::Constant, node);
  if (kind == "value") return frozen(nb::object(said[1]), node, depth + 1);
  if (kind == "function") {
    KILN_TRY(made.function, function_of(engine_, nb::object(said[1]), false, {}));
    made.kind = Kind::Known;
    return made;
  }
  if (kind == "error") return error(node, ErrorCode::TypingError, nb::cast<std::string>(said[1]));
  KILN_TRY(TypeRef type, engine_.type(*checked_type(nb::object(said[1]))));
  if (kind == "type") {
    made.value = Value::type_value(engine_.types(), type);
    return made;
  }
  if (kind == "placed") { // becomes a call of placed_array(T, address, shape, strides or layout)
    Node call = make(Kind::Call, node), callee = make(Kind::Constant, node);
    callee.kind = Kind::Library;
    callee.name = engine_.symbol("placed_array");
    made.value = Value::type_value(engine_.types(), type);
    call.items.push_back(std::move(callee));
    call.items.push_back(std::move(made));
    for (int i = 2; i < 5; i++) {
      KILN_TRY(Node part, frozen(nb::object(said[i]), node, depth + 1));
      call.items.push_back(std::move(part));
    }
    call.names.resize(4);
    return call;
  }
  const nb::bytes data = nb::cast<nb::bytes>(said[kind == "array" ? 3 : 2]);
  if (kind == "number") {
    KILN_TRY(made.value, from_bytes(engine_.types(), type, reinterpret_cast<const std::byte *>(data.data())));
    return made;
  }
  // constant_array(T, shape, bytes)
  Node shape = make(Kind::Constant, node), bytes = shape, callee = shape;
  KILN_TRY(shape, frozen(nb::object(said[2]), node, depth + 1));
  KILN_TRY(bytes.value, engine_.val(std::string_view(static_cast<const char *>(data.data()), data.size())));
  callee.kind = Kind::Library;
  callee.name = engine_.symbol("constant_array");
  made.value = Value::type_value(engine_.types(), type);
  Node call = make(Kind::Call, node);
  for (Node *each : {&callee, &made, &shape, &bytes}) call.items.push_back(std::move(*each));
  call.names.resize(3);
  return call;
}

void Converter::note(const Node &node) {
  identity_.add(node.kind);
  if (node.value) engine_.types().digest(identity_, node.value);
  if (node.name) identity_.add(node.name.text());
  for (const Node &item : node.items) note(item);
  if (!node.function) return;
  if (node.kind == Kind::Known) into_->callees.push_back(node.function);
  if (node.function == into_)
    identity_.add("itself");
  else if (node.function->is_converting)
    identity_.add(node.function->qualified).add(++cycles);
  else
    identity_.add(node.function->identity);
}

Result<std::shared_ptr<Function>> function_of(Engine &engine, nb::handle object, bool is_kernel,
                                              MethodHints hints) {
  if (!is_kernel)
    if (auto found = functions().find(object.ptr()); found != functions().end()) return found->second;
  auto made = std::make_shared<Function>();
  std::string name = nb::cast<std::string>(object.attr("__name__"));
  made->is_lambda = name == "<lambda>";
  made->name = engine.symbol(made->is_lambda ? "lambda" : name);
  made->is_kernel = is_kernel;
  made->hints = hints;
  made->is_converting = true;
  if (!is_kernel) {
    functions().emplace(object.ptr(), made);
    object.inc_ref();
  }
  auto converted = Converter(engine, object, made).convert();
  made->is_converting = false;
  if (!converted.ok()) {
    if (!is_kernel) functions().erase(object.ptr());
    return converted.take_error();
  }
  return made;
}

Result<std::shared_ptr<Function>> convert_function(Engine &engine, nb::handle function, bool is_kernel,
                                                   MethodHints hints) {
  return function_of(engine, function, is_kernel, hints);
}

} // namespace kiln::python
