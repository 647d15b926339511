// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Defines the built-in types: those that literals, layouts and intrinsics use.
#include "context_state.h"

namespace kiln {

void TypeContext::make_builtins() {
  Builtins &b = builtins_;
  auto bind = [&](std::string_view name, TypeRef type) {
    state_->bindings.push_back({symbol(name), type});
    return type;
  };
  auto define = [&](std::string_view name, TypeRef super, auto configure) {
    TypeName *made = new_type_name(symbol(name), "Core");
    made->super = super;
    made->fields_defined = true;
    configure(*made);
    return bind(name, finish_type_name(*made));
  };
  auto abstract = [&](std::string_view name, TypeRef super) {
    return define(name, super, [](TypeName &n) { n.is_abstract = true; });
  };
  auto primitive = [&](std::string_view name, TypeRef super, uint32_t bits) {
    return define(name, super, [&](TypeName &n) { n.primitive_bits = bits; });
  };
  // Types of values that only the compiler uses; they are neither bits nor singletons.
  auto opaque = [&](std::string_view name, TypeRef super) {
    return define(name, super, [](TypeName &n) { n.is_mutable = true; });
  };

  b.Any = abstract("Any", nullptr);
  b.Number = abstract("Number", b.Any);
  b.Real = abstract("Real", b.Number);
  b.Integer = abstract("Integer", b.Real);
  b.Signed = abstract("Signed", b.Integer);
  b.Unsigned = abstract("Unsigned", b.Integer);
  b.AbstractFloat = abstract("AbstractFloat", b.Real);
  b.Function = abstract("Function", b.Any);
  b.AbstractString = abstract("AbstractString", b.Any);
  b.AbstractChar = abstract("AbstractChar", b.Any);

  b.Bool = primitive("Bool", b.Integer, 8);
  b.Int8 = primitive("Int8", b.Signed, 8);
  b.Int16 = primitive("Int16", b.Signed, 16);
  b.Int32 = primitive("Int32", b.Signed, 32);
  b.Int64 = primitive("Int64", b.Signed, 64);
  b.Int128 = primitive("Int128", b.Signed, 128);
  b.UInt8 = primitive("UInt8", b.Unsigned, 8);
  b.UInt16 = primitive("UInt16", b.Unsigned, 16);
  b.UInt32 = primitive("UInt32", b.Unsigned, 32);
  b.UInt64 = primitive("UInt64", b.Unsigned, 64);
  b.UInt128 = primitive("UInt128", b.Unsigned, 128);
  b.Float16 = primitive("Float16", b.AbstractFloat, 16);
  b.BFloat16 = primitive("BFloat16", b.AbstractFloat, 16);
  b.Float32 = primitive("Float32", b.AbstractFloat, 32);
  b.Float64 = primitive("Float64", b.AbstractFloat, 64);
  b.Char = primitive("Char", b.AbstractChar, 32);
  bind("Int", b.Int64);
  bind("UInt", b.UInt64);

  // Define Tuple and Type first: Type{T} is the supertype of DataType, UnionAll and Union.
  TypeName *tuple_name = new_type_name(symbol("Tuple"), "Core");
  tuple_name->is_tuple = tuple_name->fields_defined = true;
  tuple_name->super = b.Any;
  b.TupleName = tuple_name;
  TypeRef any_rest = vararg(b.Any);
  b.Tuple = bind("Tuple", tuple({&any_rest, 1}));
  bind("Vararg", any_rest);

  auto parametric = [&](std::string_view name,
                        const std::vector<std::pair<std::string_view, TypeRef>> &params, auto configure) {
    TypeName *made = new_type_name(symbol(name), "Core");
    made->super = b.Any;
    made->fields_defined = true;
    for (auto [param, upper] : params) made->params.push_back(new_var(symbol(param), bottom_, upper));
    configure(*made);
    bind(name, finish_type_name(*made));
    return made;
  };
  TypeName *type_name =
      parametric("Type", {{"T", b.Any}}, [](TypeName &n) { n.is_type = n.is_abstract = true; });
  b.TypeTypeName = type_name;
  b.Type = type_name->wrapper;
  b.DataType = opaque("DataType", b.Type);
  b.UnionAll = opaque("UnionAll", b.Type);
  b.Union = opaque("Union", b.Type);
  b.TypeofBottom = opaque("TypeofBottom", b.Type);
  b.TypeVar = opaque("TypeVar", b.Any);
  b.Symbol = opaque("Symbol", b.Any);
  b.String = opaque("String", b.AbstractString);
  b.Module = opaque("Module", b.Any);
  b.Expr = opaque("Expr", b.Any);
  b.LineNumberNode = define("LineNumberNode", b.Any, [&](TypeName &n) {
    n.field_names = {symbol("line"), symbol("file")};
    n.field_types = {b.Int64, b.Any};
  });
  b.QuoteNode = opaque("QuoteNode", b.Any);
  b.GlobalRef = define("GlobalRef", b.Any, [&](TypeName &n) {
    n.field_names = {symbol("mod"), symbol("name")};
    n.field_types = {b.Module, b.Symbol};
  });
  b.Nothing = define("Nothing", b.Any, [](TypeName &) {});

  TypeName *named = parametric("NamedTuple", {{"names", b.Any}, {"T", b.Tuple}},
                               [](TypeName &n) { n.is_named_tuple = true; });
  b.NamedTupleName = named;
  b.NamedTuple = named->wrapper;

  TypeName *ptr = parametric("Ptr", {{"T", b.Any}}, [](TypeName &n) { n.primitive_bits = 64; });
  b.PtrName = ptr;
  b.Ptr = ptr->wrapper;
  TypeName *llvm_ptr =
      parametric("LLVMPtr", {{"T", b.Any}, {"AS", b.Any}}, [](TypeName &n) { n.primitive_bits = 64; });
  b.LLVMPtrName = llvm_ptr;
  b.LLVMPtr = llvm_ptr->wrapper;

  // A tuple of VecElements has the layout of a hardware vector (layout.cpp).
  b.VecElementName = parametric("VecElement", {{"T", b.Any}}, [&](TypeName &n) {
    n.field_names.push_back(symbol("value"));
    n.field_types.push_back(n.params[0]);
  });

  // Array{T,N} <: DenseArray{T,N} <: AbstractArray{T,N}, as in Julia's Core.
  auto array_type = [&](std::string_view name, const TypeName *super, auto configure) {
    return parametric(name, {{"T", b.Any}, {"N", b.Any}}, [&](TypeName &n) {
      std::vector<TypeRef> params(n.params.begin(), n.params.end());
      if (super) n.super = data(*super, params);
      configure(n);
    });
  };
  auto set_abstract = [](TypeName &n) { n.is_abstract = true; };
  const TypeName *abstract_array = array_type("AbstractArray", nullptr, set_abstract);
  const TypeName *dense_array = array_type("DenseArray", abstract_array, set_abstract);
  TypeName *array = array_type("Array", dense_array, [](TypeName &n) { n.is_mutable = true; });
  b.ArrayName = array;
  b.Array = array->wrapper;

  const TypeVar *count = new_var(symbol("N"), bottom_, b.Any),
                *element = new_var(symbol("T"), bottom_, b.Any);
  TypeRef repeated = vararg(element, count);
  b.NTuple = bind("NTuple", union_all(count, union_all(element, tuple({&repeated, 1}))));
}

} // namespace kiln
