// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "value_type.h"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <array>
#include <functional>
#include <memory>
#include <unordered_map>

namespace nb = nanobind;

namespace kiln::python {

namespace {

struct NumberType {
  const char *name;
  uint8_t size, align;
};
constexpr NumberType numbers[] = {
    {"int8", 1, 1},    {"int16", 2, 2},    {"int32", 4, 4},     {"int64", 8, 8},       {"uint8", 1, 1},
    {"uint16", 2, 2},  {"uint32", 4, 4},   {"uint64", 8, 8},    {"float16", 2, 2},     {"float32", 4, 4},
    {"float64", 8, 8}, {"bfloat16", 2, 2}, {"complex64", 8, 4}, {"complex128", 16, 8}, {"bool", 1, 1}};

/// NumPy's time units, coarsest first, with their names in python/library (dates.jl).
constexpr std::array<std::string_view, 2> units[] = {
    {"Y", "year"},   {"M", "month"},  {"W", "week"},   {"D", "day"},          {"h", "hour"},
    {"m", "minute"}, {"s", "second"}, {"ms", "milli"}, {"us", "micro"},       {"ns", "nano"},
    {"ps", "pico"},  {"fs", "femto"}, {"as", "atto"},  {"generic", "generic"}};

/// All types, by the hash of their structure. Guarded by the GIL; never destroyed.
std::unordered_multimap<size_t, std::unique_ptr<ValueType>> &interned() {
  static auto *held = new std::unordered_multimap<size_t, std::unique_ptr<ValueType>>;
  return *held;
}

size_t hash_of(const TypeStructure &t) {
  size_t made = 0;
  const auto add = [&](size_t part) { made = (made ^ part) * 0x9e3779b97f4a7c15u + (made >> 29); };
  add(size_t(t.kind)), add(size_t(t.layout)), add(t.is_read_only), add(t.character_size), add(size_t(t.rank));
  add(t.count), add(std::hash<const void *>()(t.element)), add(std::hash<std::string>()(t.name));
  for (int64_t n : t.shape) add(size_t(n));
  for (const TypeField &field : t.fields)
    add(std::hash<std::string>()(field.name)), add(std::hash<const void *>()(field.type)), add(field.offset);
  return made;
}

/// Computes the offsets of a tuple's items in order, each at its alignment, and the tuple's size.
void place_items(TypeStructure &tuple, ValueType &layout) {
  for (TypeField &item : tuple.fields) {
    item.offset = (layout.size + item.type->align - 1) / item.type->align * item.type->align;
    layout.size = item.offset + item.type->size;
    layout.align = std::max(layout.align, item.type->align);
  }
  layout.size = (layout.size + layout.align - 1) / layout.align * layout.align;
}

void set_layout(ValueType &type) {
  switch (type.kind) {
  case ValueKind::Number:
    for (const NumberType &each : numbers)
      if (type.name == each.name) type.size = each.size, type.align = each.align;
    break;
  case ValueKind::Datetime:
  case ValueKind::Timedelta:
  case ValueKind::Pointer: type.size = type.align = 8; break;
  case ValueKind::Text: type.size = type.count * type.character_size, type.align = type.character_size; break;
  case ValueKind::Record: type.size = type.count; break; // align stays 1: fields may have any offset
  case ValueKind::Nested:
    type.size = type.element->size, type.align = type.element->align;
    for (int64_t n : type.shape) type.size *= uint64_t(n);
    break;
  case ValueKind::Vector:
    type.size = type.element->size * type.count, type.align = type.element->align;
    break;
  case ValueKind::Array: // words: the pointer, the shape, and strides if the layout is 'A'
    type.size = 8 * (1 + uint64_t(type.rank) * (type.layout == 'A' ? 2 : 1)), type.align = 8;
    break;
  case ValueKind::Tuple:
  case ValueKind::NamedTuple: place_items(type, type); break;
  case ValueKind::None:
  case ValueKind::Other: break;
  }
}

} // namespace

const ValueType *intern(TypeStructure structure) {
  for (size_t i = 0; structure.kind == ValueKind::Tuple && i < structure.fields.size(); i++)
    structure.fields[i].name = std::to_string(i);
  auto made = std::make_unique<ValueType>();
  static_cast<TypeStructure &>(*made) = std::move(structure);
  set_layout(*made);
  const size_t hash = hash_of(*made);
  auto [begin, end] = interned().equal_range(hash);
  for (auto it = begin; it != end; ++it)
    if (static_cast<const TypeStructure &>(*it->second) == *made) return it->second.get();
  return interned().emplace(hash, std::move(made))->second.get();
}

const ValueType *number_type(std::string_view name) {
  static auto *known = new std::array<const ValueType *, std::size(numbers)>{};
  for (size_t i = 0; i < std::size(numbers); i++)
    if (name == numbers[i].name) {
      if (!(*known)[i]) (*known)[i] = intern({.kind = ValueKind::Number, .name = std::string(name)});
      return (*known)[i];
    }
  return nullptr;
}

const ValueType *array_type(const ValueType *element, int rank, char layout, bool is_read_only) {
  return intern({.kind = ValueKind::Array,
                 .layout = layout,
                 .is_read_only = is_read_only,
                 .rank = rank,
                 .element = element});
}

std::string_view library_unit(std::string_view unit) {
  for (const auto &[name, in_library] : units)
    if (name == unit) return in_library;
  return {};
}

static PyTypeObject *type_class = nullptr;

const ValueType *type_of_object(PyObject *object) {
  return Py_TYPE(object) == type_class ? nb::inst_ptr<ValueType>(object) : nullptr;
}

const ValueType *checked_type(nb::handle object) {
  const ValueType *type = type_of_object(object.ptr());
  if (!type) throw nb::type_error("kiln._kiln.Type is missing where it describes an argument");
  return type;
}

std::string to_text(const ValueType &type) {
  const auto items = [&](const auto &text) {
    std::string all;
    for (const TypeField &field : type.fields) all += (all.empty() ? "" : ", ") + text(field);
    return all;
  };
  const std::string count = std::to_string(type.count);
  switch (type.kind) {
  case ValueKind::Datetime: return "datetime64" + (type.name == "generic" ? "" : "[" + type.name + "]");
  case ValueKind::Timedelta: return "timedelta64" + (type.name == "generic" ? "" : "[" + type.name + "]");
  case ValueKind::Text: return (type.character_size == 4 ? "[unichr x " : "[char x ") + count + "]";
  case ValueKind::Record:
    return "Record(" + items([](const TypeField &field) {
             return field.name + "[type=" + to_text(*field.type) + ";offset=" + std::to_string(field.offset) +
                    "]";
           }) +
           ")";
  case ValueKind::Nested: {
    std::string shape;
    for (int64_t n : type.shape) shape += (shape.empty() ? "" : ", ") + std::to_string(n);
    return "nestedarray(" + to_text(*type.element) + ", (" + shape + (type.shape.size() == 1 ? ",))" : "))");
  }
  case ValueKind::Vector: return to_text(*type.element) + "x" + count;
  case ValueKind::Pointer: return to_text(*type.element) + "*";
  case ValueKind::Array:
    return "array(" + to_text(*type.element) + ", " + std::to_string(type.rank) + "d, " + type.layout +
           (type.is_read_only ? ", readonly)" : ")");
  case ValueKind::Tuple:
  case ValueKind::NamedTuple:
    return "Tuple(" + items([](const TypeField &field) { return to_text(*field.type); }) + ")";
  case ValueKind::None: return "none";
  case ValueKind::Number:
  case ValueKind::Other: break;
  }
  return type.name;
}

// ---- the class in Python

namespace {

constexpr const char *kind_names[] = {"number",      "datetime", "timedelta", "text",  "record",
                                      "nested",      "vector",   "pointer",   "array", "plain_tuple",
                                      "named_tuple", "none",     "other"};

const ValueType *checked_number(const std::string &name) {
  const ValueType *found = number_type(name);
  if (!found) throw nb::value_error(("no number type has the name " + name).c_str());
  return found;
}

template <ValueKind kind> const ValueType *time_type(const std::string &unit) {
  if (library_unit(unit).empty()) throw nb::value_error(("NumPy has no unit " + unit).c_str());
  return intern({.kind = kind, .name = unit});
}

const ValueType *text_type(uint64_t count, int character_size) {
  if (character_size != 1 && character_size != 4) throw nb::value_error("a character has 1 or 4 bytes");
  return intern({.kind = ValueKind::Text, .character_size = uint8_t(character_size), .count = count});
}

const ValueType *record_type(nb::iterable fields, uint64_t size) {
  TypeStructure made{.kind = ValueKind::Record, .count = size};
  for (nb::handle each : fields) {
    TypeField field{nb::cast<std::string>(each[0]), checked_type(nb::object(each[1])),
                    nb::cast<uint64_t>(each[2])};
    if (field.offset + field.type->size > size) throw nb::value_error("a field ends after its record");
    made.fields.push_back(std::move(field));
  }
  return intern(std::move(made));
}

const ValueType *nested_type(const ValueType *element, const std::vector<int64_t> &shape) {
  return intern({.kind = ValueKind::Nested, .element = element, .shape = shape});
}

const ValueType *checked_array(const ValueType *element, int rank, const std::string &layout,
                               bool is_read_only) {
  if (layout != "C" && layout != "F" && layout != "A") throw nb::value_error("a layout is 'C', 'F' or 'A'");
  if (rank < 0) throw nb::value_error("an array has no negative number of dimensions");
  return array_type(element, rank, layout[0], is_read_only);
}

const ValueType *tuple_type(const std::vector<const ValueType *> &items) {
  TypeStructure made{.kind = ValueKind::Tuple};
  for (const ValueType *item : items) made.fields.push_back({.type = item});
  return intern(std::move(made));
}

const ValueType *named_tuple_type(const std::vector<std::string> &names,
                                  const std::vector<const ValueType *> &items) {
  if (names.size() != items.size()) throw nb::value_error("a named tuple has a name for each item");
  TypeStructure made{.kind = ValueKind::NamedTuple};
  for (size_t i = 0; i < items.size(); i++) made.fields.push_back({.name = names[i], .type = items[i]});
  return intern(std::move(made));
}

nb::object object_of(const ValueType *type) { return nb::cast(type, nb::rv_policy::reference); }

nb::tuple fields_of(const ValueType &type) {
  nb::list made;
  for (const TypeField &field : type.fields)
    made.append(
        nb::make_tuple(nb::str(field.name.c_str(), field.name.size()), object_of(field.type), field.offset));
  return nb::tuple(made);
}

/// Returns the arguments that recreate the type, for the method of Type with the name of the type's kind.
nb::tuple parameters_of(const ValueType &type) {
  nb::list names, items, shape;
  for (const TypeField &field : type.fields) {
    names.append(nb::str(field.name.c_str(), field.name.size()));
    items.append(object_of(field.type));
  }
  for (int64_t n : type.shape) shape.append(n);
  switch (type.kind) {
  case ValueKind::Number:
  case ValueKind::Datetime:
  case ValueKind::Timedelta:
  case ValueKind::Other: return nb::make_tuple(type.name);
  case ValueKind::Text: return nb::make_tuple(type.count, int(type.character_size));
  case ValueKind::Record: return nb::make_tuple(fields_of(type), type.size);
  case ValueKind::Nested: return nb::make_tuple(object_of(type.element), nb::tuple(shape));
  case ValueKind::Vector: return nb::make_tuple(object_of(type.element), type.count);
  case ValueKind::Pointer: return nb::make_tuple(object_of(type.element));
  case ValueKind::Array:
    return nb::make_tuple(object_of(type.element), type.rank, std::string(1, type.layout), type.is_read_only);
  case ValueKind::Tuple: return nb::make_tuple(nb::tuple(items));
  case ValueKind::NamedTuple: return nb::make_tuple(nb::tuple(names), nb::tuple(items));
  case ValueKind::None: break;
  }
  return nb::make_tuple();
}

} // namespace

void add_types(nb::module_ &m) {
  constexpr auto shared = nb::rv_policy::reference; // types are never freed
  nb::class_<ValueType> type(m, "Type", nb::is_final());
  type_class = reinterpret_cast<PyTypeObject *>(type.ptr());
  type.def_static("number", &checked_number, nb::arg("name"), shared)
      .def_static("datetime", &time_type<ValueKind::Datetime>, nb::arg("unit"), shared)
      .def_static("timedelta", &time_type<ValueKind::Timedelta>, nb::arg("unit"), shared)
      .def_static("text", &text_type, nb::arg("count"), nb::arg("character_size"), shared)
      .def_static("record", &record_type, nb::arg("fields"), nb::arg("size"), shared)
      .def_static("nested", &nested_type, nb::arg("element"), nb::arg("shape"), shared)
      .def_static(
          "vector",
          [](const ValueType *element, uint64_t count) {
            return intern({.kind = ValueKind::Vector, .count = count, .element = element});
          },
          nb::arg("element"), nb::arg("count"), shared)
      .def_static(
          "pointer",
          [](const ValueType *element) { return intern({.kind = ValueKind::Pointer, .element = element}); },
          nb::arg("element"), shared)
      .def_static("array", &checked_array, nb::arg("element"), nb::arg("ndim"), nb::arg("layout"),
                  nb::arg("readonly") = false, shared)
      .def_static("plain_tuple", &tuple_type, nb::arg("items"), shared)
      .def_static("named_tuple", &named_tuple_type, nb::arg("names"), nb::arg("items"), shared)
      .def_static(
          "none", [] { return intern({.kind = ValueKind::None}); }, shared)
      .def_static(
          "other", [](const std::string &name) { return intern({.kind = ValueKind::Other, .name = name}); },
          nb::arg("name"), shared)
      .def_prop_ro("kind", [](const ValueType &self) { return kind_names[size_t(self.kind)]; })
      .def_prop_ro("parameters", &parameters_of, nb::sig("def parameters(self, /) -> tuple[typing.Any, ...]"))
      .def_ro("size", &ValueType::size)
      .def_ro("alignment", &ValueType::align)
      .def_prop_ro("fields", &fields_of, nb::sig("def fields(self, /) -> tuple[tuple[str, Type, int], ...]"))
      .def("__repr__", [](const ValueType &self) { return to_text(self); })
      .def("__reduce__", [](const ValueType &self) {
        nb::object make = nb::module_::import_("operator").attr("methodcaller");
        return nb::make_tuple(make(kind_names[size_t(self.kind)], *parameters_of(self)),
                              nb::make_tuple(nb::type<ValueType>()));
      });
  m.def("time_units", [] {
    nb::dict made;
    for (const auto &[unit, in_library] : units)
      made[nb::str(unit.data(), unit.size())] = nb::str(in_library.data(), in_library.size());
    return made;
  });
}

} // namespace kiln::python
