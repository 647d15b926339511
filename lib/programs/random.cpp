// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Host functions for random numbers of programs. runtime/library/program/compiled_random.jl draws the same
// numbers in compiled code.
#include "library.h"

#include <cmath>
#include <random>

namespace kiln {

uint64_t entropy() {
  std::random_device device; // 32 bits per call
  const uint64_t high = device();
  return high << 32 | device();
}

namespace {

using Draw = RandomNumbers::Draw;

/// One of the program's generators.
struct Engine {
  RandomNumbers &all;
  size_t which = 0;
  uint64_t operator()() { return all.word(which); }
};

std::string_view name_of(const Value &v) {
  const DataType *type = v.type()->as<DataType>();
  return type ? type->name().name.text() : std::string_view();
}

double number(Engine &engine, Draw draw) { return engine.all.number(engine.which, draw); }

/// Draws one random number of type `type` into `out`. False: the type is unsupported.
bool draw_into(TypeContext &types, Engine &engine, Draw draw, TypeRef type, std::byte *out) {
  const auto &b = types.builtins();
  auto put = [out](auto x) { std::memcpy(out, &x, sizeof x); };
  if (type == b.Float64) {
    put(number(engine, draw));
  } else if (type == b.Float32) {
    put(draw == Draw::Uniform ? float(engine() >> 40) * 0x1p-24f : float(number(engine, draw)));
  } else if (type == b.Float16) {
    put(_Float16(draw == Draw::Uniform ? float(engine() >> 54) * 0x1p-10f : float(number(engine, draw))));
  } else if (const DataType *data = type->as<DataType>(); data && data->name().name.text() == "Complex") {
    TypeRef part = data->params()[0];
    if (draw == Draw::Exponential || part->is<TypeVar>()) return false;
    const size_t size = layout_of(types, part)->size;
    if (!draw_into(types, engine, draw, part, out) || !draw_into(types, engine, draw, part, out + size))
      return false;
    if (draw == Draw::Normal)
      for (size_t k = 0; k < 2; ++k) { // scales so that the complex number's variance is 1
        if (part == b.Float64)
          reinterpret_cast<double *>(out)[k] *= M_SQRT1_2;
        else if (part == b.Float32)
          reinterpret_cast<float *>(out)[k] *= float(M_SQRT1_2);
        else
          return false;
      }
  } else if (draw == Draw::Uniform && type == b.Bool) {
    put(uint8_t(engine() >> 63));
  } else if (draw == Draw::Uniform && types.is_integer(type)) {
    const uint64_t words[2] = {engine(), engine()};
    std::memcpy(out, words, layout_of(types, type)->size);
  } else {
    return false;
  }
  return true;
}

/// True for a sampler of package Random, whose methods draw.
bool is_sampler(TypeContext &types, const Value &v) {
  const DataType *type = v.type()->as<DataType>();
  while (type && type->name().super) {
    if (type->name().name.text() == "Sampler" && type->name().module == "Base.Random") return true;
    const TypeRef super = types.super(type);
    type = super == type ? nullptr : super->as<DataType>();
  }
  return false;
}

/// True if a program or package defines the value's type.
bool is_of_program(const Value &v) {
  const DataType *type = v.type()->as<DataType>();
  const std::string_view module = type ? std::string_view(type->name().module) : "Core";
  const std::string_view root = module.substr(0, module.find('.'));
  return root != "Base" && root != "Core" && root != "CUDA";
}

/// A collection from which elements are drawn. An integer range is stored by its first element and count,
/// others as a list.
struct Items {
  uint64_t count = 0;
  int64_t first = 0;
  TypeRef element = nullptr;
  Value list; ///< none: a range
};

Result<Items> items_of(Library &l, const Value &from) {
  Items items;
  const std::string_view name = name_of(from);
  const std::vector<Value> *fields = from.is_primitive() ? nullptr : from.fields();
  if (fields && (name == "UnitRange" || name == "OneTo")) {
    auto first = name == "OneTo" ? std::optional<int64_t>(1) : integer_of(l.types, (*fields)[0]);
    auto last = integer_of(l.types, fields->back());
    if (first && last) {
      items.first = *first;
      items.count = *last < *first ? 0 : uint64_t(*last) - uint64_t(*first) + 1;
      items.element = fields->back().type();
    }
  }
  if (!items.element) {
    KILN_TRY(items.list, l.program.call("collect", std::span(&from, 1)));
    const HostArray *array = items.list.as_array();
    if (!array) return make_error(ErrorCode::ArgumentError, "Sampler for this object is not defined");
    items.count = uint64_t(array->length());
    items.element = array->element;
  }
  if (!items.count) return make_error(ErrorCode::ArgumentError, "collection must be non-empty");
  return items;
}

Result<Value> one_of(Library &l, Engine &engine, const Items &items) {
  const auto k = int64_t(engine.all.below(engine.which, items.count));
  if (items.list) return get_element(l.types, *items.list.as_array(), k);
  const int64_t value = int64_t(uint64_t(items.first) + uint64_t(k));
  return from_bytes(l.types, items.element, reinterpret_cast<const std::byte *>(&value));
}

/// Draws an element of `items`, which is plain bits of `size` bytes, into `out`.
void one_into(Engine &engine, const Items &items, size_t size, std::byte *out) {
  const uint64_t k = engine.all.below(engine.which, items.count);
  if (items.list) {
    std::memcpy(out, items.list.as_array()->bytes.data() + k * size, size);
    return;
  }
  const uint64_t words[2] = {uint64_t(items.first) + k, 0};
  std::memcpy(out, words, size);
}

struct Request {
  Engine engine;
  Args rest;
  Value generator = {}; ///< none: the default one
};

/// Splits a leading generator off the arguments of a call. Empty: the generator is not one of Kiln's.
std::optional<Request> read(Library &l, Args args) {
  Request r{{l.program.random}, args};
  if (args.empty() || args[0].as_type() || args[0].is_primitive()) return r;
  if (const auto *type = args[0].type() ? args[0].type()->as<DataType>() : nullptr;
      type && type->name().module == "CUDA" && type->name().name.text().ends_with("RNG"))
    return std::nullopt; // a generator for device arrays
  TypeRef rng = l.type("AbstractRNG");
  if (!rng || !is_subtype(l.types, args[0].type(), rng)) return r;
  const std::string_view name = name_of(args[0]);
  r.rest = args.subspan(1);
  r.generator = args[0];
  if (name == "DeviceRNG") return r;
  if ((name != "Xoshiro" && name != "MersenneTwister") || !args[0].fields()) return std::nullopt;
  r.engine.which = size_t((*args[0].fields())[0].low_bits());
  return r;
}

/// Returns the element type of a static array, and its length in `count`. Null: another type.
TypeRef static_element(TypeRef type, uint64_t &count) {
  const auto *data = type->as<DataType>();
  if (!data || data->name().name.text() != "SArray" || data->params().size() != 4) return nullptr;
  const auto *length = data->params()[3]->as<ConstType>();
  count = length ? length->value().low_bits() : 0;
  return length ? data->params()[1] : nullptr;
}

/// SVector{3} means SVector{3, Float64}.
Result<TypeRef> drawn_type(Library &l, TypeRef type) {
  const TypeRef all = l.type("StaticArray");
  if (!all || !is_subtype(l.types, type, all)) return type;
  const Value named = Value::type_value(l.types, type);
  KILN_TRY(Value zero, l.program.call("zero", std::span(&named, 1)));
  return zero.type();
}

/// True for a range of BigInts, from which a library method draws.
bool is_range_of_big_integers(const Value &v) {
  const auto *data = v.type()->as<DataType>();
  const auto *element = data && data->params().size() == 1 ? data->params()[0]->as<DataType>() : nullptr;
  return element && element->name().name.text() == "BigInt" && data->name().name.text() == "UnitRange";
}

/// A call of rand or a similar function.
struct Drawing {
  Library &l;
  Engine &engine;
  std::string_view function;
  Draw draw;
  Args generator; ///< first argument of the call, if it is a generator
};

/// Draws a value. Empty: only a method of the function, or the type's sampler, can.
Result<Value> draw_plain(const Drawing &how, TypeRef type) {
  TypeContext &types = how.l.types;
  std::byte one[64];
  if (types.is_isbits(type) && layout_of(types, type)->size <= sizeof one && type->as<DataType>() &&
      draw_into(types, how.engine, how.draw, type, one))
    return from_bytes(types, type, one);
  uint64_t count = 0;
  const TypeRef element = static_element(type, count);
  if (!element) return Value();
  std::vector<Value> parts;
  for (uint64_t i = 0; i < count; ++i) {
    KILN_TRY(Value part, draw_plain(how, element));
    if (!part) return part;
    parts.push_back(std::move(part));
  }
  const std::vector<TypeRef> of(parts.size(), element);
  const TypeRef tuple = types.tuple(of);
  return Value::structure(type,
                          {count ? Value::structure(tuple, std::move(parts)) : types.singleton_value(tuple)});
}

/// Draws a value, by a method of the function where the type needs one.
Result<Value> draw_value(const Drawing &how, TypeRef type) {
  KILN_TRY(Value plain, draw_plain(how, type));
  if (plain) return plain;
  std::vector<Value> arguments(how.generator.begin(), how.generator.end());
  arguments.push_back(Value::type_value(how.l.types, type));
  return how.l.program.call(how.function, arguments);
}

/// Draws by the sampler of package Random for the arguments. `function`: of generators.jl.
Result<Value> draw_by_sampler(Library &l, std::string_view function, const Request &request, Args rest) {
  std::vector<Value> arguments(rest.begin(), rest.end());
  const TypeRef rng = l.type("DeviceRNG");
  arguments.insert(arguments.begin(), request.generator ? request.generator : Value::singleton(rng));
  return l.program.call(function, arguments);
}

/// Implements rand and similar functions `f`: f(), f(T), f(T, dims...), f(dims...). For rand, a collection
/// may replace T. All forms may have a leading generator.
Result<Value> draw_values(Library &l, std::string_view function, Draw draw, Args args) {
  auto request = read(l, args);
  if (!request) return Value();
  TypeContext &types = l.types;
  TypeRef type = types.builtins().Float64;
  Args rest = request->rest;
  if (!rest.empty() && is_sampler(types, rest[0])) return Value(); // its method
  std::optional<Items> items;
  if (!rest.empty()) {
    const bool is_first_a_size =
        rest[0].is_primitive() ? integer_of(types, rest[0]).has_value()
                               : draw != Draw::Uniform && !rest[0].as_type() && name_of(rest[0]) == "Tuple";
    if (rest[0].as_type() == types.builtins().BFloat16 || is_range_of_big_integers(rest[0]))
      return Value(); // a library method draws it
    if (rest[0].as_type()) {
      KILN_TRY(type, drawn_type(l, rest[0].as_type()));
    } else if (draw == Draw::Uniform && !is_first_a_size) {
      if (rest[0].is_primitive())
        return make_error(ErrorCode::ArgumentError, "Sampler for this object is not defined");
      if (is_of_program(rest[0]) && find_base(l.interpreter, "__drawn").ok())
        return draw_by_sampler(l, "__drawn", *request, rest);
      KILN_TRY(items, items_of(l, rest[0]));
    }
    if (!is_first_a_size) rest = rest.subspan(1);
  }
  const Drawing how{l, request->engine, function, draw, args.first(args.size() - request->rest.size())};
  auto scalar = [&]() -> Result<Value> {
    if (items) return one_of(l, request->engine, *items);
    return draw_value(how, type);
  };
  if (rest.empty()) return items ? scalar() : draw_plain(how, type);
  auto dims = read_dims(types, rest);
  if (!dims) return Value();
  KILN_TRY(Value made, make_array(l.interpreter, items ? items->element : type, std::move(*dims)));
  HostArray &array = *made.as_array();
  const bool is_bits = types.is_isbits(array.element);
  const size_t size = is_bits ? layout_of(types, array.element)->size : 0;
  const auto *data = array.element->as<DataType>();
  for (int64_t i = 0, n = array.length(); i < n; ++i) {
    KILN_CHECK(l.check_interrupt());
    std::byte *out = is_bits ? array.bytes.data() + size_t(i) * size : nullptr;
    if (items && is_bits && size) {
      one_into(request->engine, *items, size, out);
      continue;
    }
    if (!items && is_bits && data && draw_into(types, request->engine, draw, type, out)) continue;
    KILN_TRY(Value v, scalar());
    KILN_CHECK(set_element(types, array, i, v));
  }
  return made;
}

/// Implements rand! and similar functions f!(A), and rand!(A, collection or type). Both forms may have a
/// leading generator.
Result<Value> fill_with(Library &l, std::string_view function, Draw draw, Args args) {
  auto request = read(l, args);
  if (!request || request->rest.empty() || request->rest.size() > 2) return Value();
  HostArray *array = request->rest[0].as_array();
  if (!array || (request->rest.size() == 2 && draw != Draw::Uniform)) return Value();
  TypeContext &types = l.types;
  std::optional<Items> items;
  if (request->rest.size() == 2 && !request->rest[1].as_type()) {
    if (is_sampler(types, request->rest[1]) || is_of_program(request->rest[1]))
      if (find_base(l.interpreter, "__drawn").ok())
        return draw_by_sampler(l, "__fill_drawn", *request, request->rest);
    KILN_TRY(items, items_of(l, request->rest[1]));
  }
  TypeRef type = request->rest.size() == 2 && !items ? request->rest[1].as_type() : array->element;
  const bool is_direct = !items && type == array->element && types.is_isbits(type);
  const size_t size = types.is_isbits(array->element) ? layout_of(types, array->element)->size : 0;
  const Drawing how{l, request->engine, function, draw, args.first(args.size() - request->rest.size())};
  for (int64_t i = 0, n = array->length(); i < n; ++i) {
    KILN_CHECK(l.check_interrupt());
    if (is_direct && draw_into(types, request->engine, draw, type, array->bytes.data() + size_t(i) * size))
      continue;
    Value v;
    if (items) {
      KILN_TRY(v, one_of(l, request->engine, *items));
    } else {
      KILN_TRY(v, draw_value(how, type));
    }
    KILN_TRY(Value converted, l.program.interpreter().convert(array->element, v));
    KILN_CHECK(set_element(types, *array, i, converted));
  }
  return request->rest[0];
}

} // namespace

void add_random(Library &l) {
  TypeContext &types = l.types;
  RandomNumbers &random = l.program.random;
  // __new_generator(seed): its number
  l.add("__new_generator", 1, [&](Interpreter &, Args a) -> Result<Value> {
    return types.int64(int64_t(random.make(a[0].low_bits())));
  });
  l.add("__random_seed", 0,
        [&](Interpreter &, Args) -> Result<Value> { return types.int64(int64_t(entropy())); });
  l.add("__seed", 2, [&](Interpreter &i, Args a) -> Result<Value> { // (generator, seed)
    const uint64_t which = a[0].low_bits(), seed = a[1].low_bits();
    random.seed(size_t(which), seed);
    if (which != 0) return l.nothing();
    i.set_seed(seed);
    return l.program.call("__seed_device", a.subspan(1));
  });
  // On the host, the device functions of runtime/library/base/random.jl use generator 0.
  l.add("seed_thread", 1, [&](Interpreter &i, Args a) -> Result<Value> {
    random.seed(0, a[0].low_bits());
    i.set_seed(a[0].low_bits());
    return l.nothing();
  });
  for (auto [name, draw] :
       {std::pair("rand", Draw::Uniform), {"randn", Draw::Normal}, {"randexp", Draw::Exponential}}) {
    l.add_any(name, [&l, name, draw](Interpreter &, Args a) { return draw_values(l, name, draw, a); });
    const std::string in_place = fmt::format("{}!", name);
    l.add_any(in_place,
              [&l, in_place, draw](Interpreter &, Args a) { return fill_with(l, in_place, draw, a); });
  }
}

} // namespace kiln
