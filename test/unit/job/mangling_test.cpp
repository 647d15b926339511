// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The C++ runtime's demangler is the independent judge of every name.
#include <catch2/catch.hpp>
#include <job/job.h>

#include <cstdlib>
#include <cxxabi.h>

using namespace kiln;

namespace {

std::string demangle(const std::string &name) {
  int status = 0;
  char *text = abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status);
  std::string out = text ? text : "not a mangled name: " + name;
  std::free(text);
  return out;
}

struct Names {
  TypeContext types;
  const TypeContext::Builtins &b = types.builtins();

  std::string mangled(std::string_view function, std::vector<TypeRef> arguments, TypeRef callee = nullptr) {
    Method method;
    method.name = types.symbol(function);
    arguments.insert(arguments.begin(), callee ? callee : types.new_function_type(method.name, "Main"));
    MethodInstance instance{&method, types.tuple(arguments), {}};
    return mangle(types, instance);
  }
  std::string demangled(std::vector<TypeRef> arguments) {
    return demangle(mangled("k", std::move(arguments)));
  }

  /// An invariant parametric struct with `count` parameters.
  const TypeName *parametric(const char *name, int count) {
    TypeName *n = types.new_type_name(types.symbol(name), "Main");
    for (int i = 0; i < count; ++i)
      n->params.push_back(types.new_var(types.symbol(std::string(1, char('T' + i))), types.bottom(), b.Any));
    n->super = b.Any;
    n->fields_defined = true;
    types.finish_type_name(*n);
    return n;
  }
  TypeRef of(const TypeName *name, std::vector<TypeRef> params) { return types.data(*name, params); }
};

} // namespace

TEST_CASE_METHOD(Names, "names as GPUCompiler.jl and the Itanium ABI have them") {
  CHECK(mangled("kernel", {}) == "_Z6kernelv");
  CHECK(mangled("kernel", {b.Int64}) == "_Z6kernel5Int64");
  CHECK(mangled("kernel", {b.Int64, b.Int64}) == "_Z6kernel5Int64S_");
  CHECK(mangled("saxpy!", {b.Float32}) == "_Z6saxpy_7Float32");
  CHECK(mangled("+", {b.Int64, b.Int64}) == "_Zpl5Int64S_");
  const TypeName *array = parametric("CuDeviceArray", 3);
  TypeRef vector = of(array, {b.Float32, types.constant(1), types.constant(1)});
  CHECK(mangled("saxpy", {vector, vector, b.Float32}) == "_Z5saxpy13CuDeviceArrayI7Float32Ll1ELl1EES1_S0_");
}

TEST_CASE_METHOD(Names, "what is written is what demanglers read") {
  const TypeName *val = parametric("Val", 1);
  auto val_of = [&](const Value &v) { return of(val, {types.constant(v)}); };
  CHECK(demangled({b.Nothing}) == "k(Nothing)");
  CHECK(demangled({val_of(types.int64(1))}) == "k(Val<1l>)");
  CHECK(demangled({val_of(types.int64(-1))}) == "k(Val<-1l>)");
  CHECK(demangled({val_of(types.int64(INT64_MIN))}) == "k(Val<-9223372036854775808l>)");
  CHECK(demangled({val_of(types.int32(-7))}) == "k(Val<-7>)");
  CHECK(demangled({val_of(types.boolean(true))}) == "k(Val<true>)");
  CHECK(demangled({val_of(types.boolean(false))}) == "k(Val<false>)");
  CHECK(demangled({val_of(Value::symbol(types, types.symbol("x")))}) == "k(Val<x>)");
  CHECK(demangled({of(val, {b.Int64})}) == "k(Val<Int64>)");
  CHECK(mangled("k", {val_of(types.float32(1.0f))}) == "_Z1k3ValILf3f800000EE");
  CHECK(demangle(mangled("k", {val_of(types.float64(-0.5))})) != "not a mangled name");
  CHECK(demangled({types.type_of_type(b.Float32)}) == "k(Type<Float32>)");
  CHECK(demangled({types.tuple({})}) == "k(Tuple<>)");
  CHECK(demangled({types.tuple({b.Int64, types.tuple({b.Int64, b.Float32})})}) ==
        "k(Tuple<Int64, Tuple<Int64, Float32> >)");
  CHECK(demangled({types.new_function_type(types.symbol("sin"), "Base")}) == "k(typeof<sin>)");
  CHECK(demangled({types.new_function_type(types.symbol("+"), "Base")}) == "k(typeof<operator+>)");
  CHECK(demangled({types.union_of({b.Int32, b.Float64})}).find("k(Union<") == 0);
}

TEST_CASE_METHOD(Names, "pointers and address spaces") {
  TypeRef f = types.data(*b.PtrName, std::vector<TypeRef>{b.Float32});
  CHECK(mangled("k", {f}) == "_Z1kP7Float32");
  CHECK(mangled("k", {types.data(*b.PtrName, std::vector<TypeRef>{b.Nothing})}) == "_Z1kPv");
  TypeRef global = types.data(*b.LLVMPtrName, std::vector<TypeRef>{b.Float32, types.constant(1)});
  CHECK(mangled("k", {global}) == "_Z1kPU3AS17Float32");
  CHECK(demangled({global, f, global, f}) == "k(Float32 AS1*, Float32*, Float32 AS1*, Float32*)");
}

TEST_CASE_METHOD(Names, "values made of values") {
  const TypeName *val = parametric("Val", 1);
  Value pair = Value::structure(types.tuple({b.Int64, b.Bool}), {types.int64(3), types.boolean(true)});
  CHECK(demangled({of(val, {types.constant(pair)})}) == "k(Val<Tuple<3l, true> >)");
  const TypeName *point = parametric("Point", 1);
  Value p = Value::structure(of(point, {b.Int64}), {types.int64(1), types.int64(2)});
  CHECK(demangled({of(val, {types.constant(p)})}) == "k(Val<Point<Int64>{1l, 2l}>)");
  Value c = Value::primitive(b.Char, {0x61000000, 0});
  CHECK(demangled({of(val, {types.constant(c)})}) == "k(Val<Char{1627389952ul}>)");
}

TEST_CASE_METHOD(Names, "more than 36 substitutions stay readable") {
  std::vector<TypeRef> arguments;
  std::string expected = "k(";
  for (int round = 0; round < 2; ++round)
    for (int i = 0; i < 45; ++i) {
      std::string name = "T" + std::to_string(i);
      if (round == 0)
        arguments.push_back(of(parametric(name.c_str(), 1), {types.constant(i)}));
      else
        arguments.push_back(arguments[size_t(i)]);
      expected += (expected.size() > 2 ? ", " : "") + name + "<" + std::to_string(i) + "l>";
    }
  CHECK(demangled(arguments) == expected + ")");
}

TEST_CASE_METHOD(Names, "entry names") {
  Method method;
  method.name = types.symbol("f!");
  MethodInstance instance{&method, types.tuple({types.new_function_type(method.name, "Main"), b.Int32}), {}};
  CompilerJob job{&instance, {}, 1};
  CHECK(entry_name(types, job) == "_Z2f_5Int32");
  job.config.kernel = false;
  CHECK(entry_name(types, job) == "f_");
  job.config.name = "mine";
  CHECK(entry_name(types, job) == "mine");
  CHECK(safe_name("÷") == "_");
  CHECK(safe_name("#1#kernel") == "_1_kernel");
  CHECK(safe_name("2x") == "_2x");
  CHECK(safe_name("") == "_");
}
