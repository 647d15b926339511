// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The subtype relation on cases that Julia's rules decide.
#include "fixture.h"

namespace subtype_test {

using namespace kiln_test;

namespace {

enum Relation { Below, Equal, Unrelated }; // a strictly below b; both ways; neither way
struct Case {
  const char *a;
  Relation relation;
  const char *b;
};

const Case cases[] = {
    // Nominal types and Any
    {"Int64", Below, "Real"},
    {"Int64", Below, "Any"},
    {"Union{}", Below, "Int64"},
    {"Int64", Unrelated, "Float64"},
    {"Int64", Unrelated, "AbstractFloat"},
    {"typeof(f)", Below, "Function"},
    {"typeof(f)", Unrelated, "typeof(g)"},
    {"T where T", Equal, "Any"},
    // Parameters are invariant, tuples covariant
    {"Array{Int64, 1}", Unrelated, "Array{Real, 1}"},
    {"Array{Int64, 1}", Below, "Array{<:Real, 1}"},
    {"Array{Int64, 1}", Below, "Array"},
    {"Array{Int64, 1}", Below, "Array{Int64}"},
    {"Array{Int64, 1}", Unrelated, "Array{Int64, 2}"},
    {"Array{Int64, 1}", Below, "AbstractArray{Int64, 1}"},
    {"Array{T, 1} where T", Below, "Array"},
    {"Array{Int64, 2}", Below, "DenseArray{Int64, 2}"},
    {"DenseArray{Int64, 2}", Below, "AbstractArray{Int64, 2}"},
    {"Array{Int64, 2}", Unrelated, "AbstractArray{Int64, 1}"},
    {"Array", Below, "AbstractArray"},
    // Values as parameters of tuples
    {"Tuple{2}", Below, "Tuple"},
    {"Tuple{2}", Below, "Tuple{Any}"},
    {"Tuple{2, Int64}", Below, "Tuple{Any, Real}"},
    {"Tuple{2}", Unrelated, "Tuple{3}"},
    {"Tuple{2}", Unrelated, "Tuple{Int64}"},
    {"Tuple{2}", Unrelated, "Tuple{Any, Any}"},
    {"Box{2}", Unrelated, "Box{Any}"},
    {"Val{Tuple{2}}", Below, "Val{T} where T<:Tuple"},
    {"Array{T, 1} where T<:Integer", Below, "AbstractArray{T} where T<:Real"},
    {"Point{Int64}", Below, "Shape{Int64}"},
    {"Point{Int64}", Unrelated, "Shape{Real}"},
    {"Tuple{Int64}", Below, "Tuple{Real}"},
    {"Tuple{Int64, Float64}", Below, "Tuple{Real, Real}"},
    {"Tuple{Int64}", Unrelated, "Tuple{Int64, Int64}"},
    {"Tuple{}", Below, "Tuple"},
    {"Tuple{}", Unrelated, "Tuple{Int64}"},
    {"Box{Tuple{Int64}}", Unrelated, "Box{Tuple{Real}}"},
    // Bounds
    {"Box{T} where T<:Integer", Below, "Box{T} where T<:Real"},
    {"Box{Integer}", Below, "Box{T} where Int64<:T<:Real"},
    {"Box{Int8}", Unrelated, "Box{T} where Int64<:T<:Real"},
    {"Box{T} where Int64<:T<:Integer", Below, "Box{T} where Int64<:T<:Real"},
    {"Box{Int64}", Unrelated, "Box{<:AbstractFloat}"},
    // Several variables
    {"Two{A, B} where {A, B}", Equal, "Two{A, B} where {B, A}"},
    {"Two{T, T} where T", Below, "Two"},
    {"Two{Int64, Int64}", Below, "Two{T, T} where T"},
    {"Two{Int64, Float64}", Unrelated, "Two{T, T} where T"},
    {"Two{Real, Int64}", Below, "Two{A, B} where {A, B<:A}"},
    {"Two{Int64, Real}", Unrelated, "Two{A, B} where {A, B<:A}"},
    {"Two{Array{Int64, 1}, Int64}", Below, "Two{A, T} where {T, A<:AbstractArray{T}}"},
    {"Two{Array{Int64, 1}, Int8}", Unrelated, "Two{A, T} where {T, A<:AbstractArray{T}}"},
    {"Tuple{Box{Int64}, Box{Int64}}", Below, "Tuple{Box{T}, Box{T}} where T"},
    {"Tuple{Box{Int64}, Box{Float64}}", Unrelated, "Tuple{Box{T}, Box{T}} where T"},
    {"Tuple{Box{T}, Box{T}} where T", Below, "Tuple{Box{A}, Box{B}} where {A, B}"},
    {"Tuple{Box{T}, Box{T}} where T", Below, "Tuple{Box, Box}"},
    {"Tuple{Box{A}, Box{B}} where {A, B}", Equal, "Tuple{Box, Box}"},
    // Where a variable is bound matters
    {"Box{Box{Int64}}", Below, "Box{Box{T}} where T"},
    {"Box{Box{Int64}}", Unrelated, "Box{Box{T} where T}"},
    {"Box{Box{T} where T}", Unrelated, "Box{Box{T}} where T"},
    {"Box{Box{T} where T}", Below, "Box"},
    {"Box{Box{T}} where T", Below, "Box{<:Box}"},
    {"Box{Box{T} where T}", Below, "Box{<:Box}"},
    {"Box{Box{T} where T}", Equal, "Box{Box{S} where S}"},
    {"Box{Two{A, B} where {A, B}}", Unrelated, "Box{Two{A, B} where A} where B"},
    {"Box{Two{Int64, B} where B}", Below, "Box{Two{A, B} where B} where A"},
    {"Tuple{Box{Box{T} where T}}", Unrelated, "Tuple{Box{Box{T}}} where T"},
    {"Box{Box{T}} where T", Below, "Box{A} where A<:Box"},
    // The diagonal rule
    {"Tuple{Int64, Int64}", Below, "Tuple{T, T} where T"},
    {"Tuple{Int64, Float64}", Unrelated, "Tuple{T, T} where T"},
    {"Tuple{Real, Real}", Unrelated, "Tuple{T, T} where T"},
    {"Tuple{T, T} where T", Below, "Tuple{Any, Any}"},
    {"Tuple{T, T} where T", Below, "Tuple{A, B} where {A, B}"},
    {"Tuple{A, B} where {A, B}", Equal, "Tuple{Any, Any}"},
    {"Tuple{T, T} where T<:Real", Below, "Tuple{T, T} where T"},
    {"Tuple{T, T} where T<:Real", Below, "Tuple{Real, Real}"},
    {"Tuple{T} where T<:Real", Equal, "Tuple{Real}"},
    {"Tuple{Union{Int64, Float64}, Union{Int64, Float64}}", Unrelated, "Tuple{T, T} where T"},
    {"Tuple{Int64, Float64, Box{Real}}", Below, "Tuple{T, T, Box{T}} where T"},
    {"Tuple{Int64, Float64, Box{Int64}}", Unrelated, "Tuple{T, T, Box{T}} where T"},
    {"Tuple{Int64, Tuple{Int64}}", Below, "Tuple{T, Tuple{T}} where T"},
    {"Tuple{Int64, Tuple{Float64}}", Unrelated, "Tuple{T, Tuple{T}} where T"},
    {"Tuple{Tuple{Int64, Int64}, Tuple{Float64, Float64}}", Below, "Tuple{Vararg{Tuple{T, T} where T}}"},
    {"Tuple{Box{Int64}, Int64}", Below, "Tuple{Box{T}, T} where T"},
    {"Tuple{Box{Real}, Int64}", Below, "Tuple{Box{T}, T} where T"},
    {"Tuple{Box{Int64}, Real}", Unrelated, "Tuple{Box{T}, T} where T"},
    // Unions
    {"Int64", Below, "Union{Int64, Float64}"},
    {"Union{Int64, Float64}", Below, "Real"},
    {"Union{Int64, Float64}", Unrelated, "Union{Int64, String}"},
    {"Tuple{Union{Int64, Float64}}", Equal, "Union{Tuple{Int64}, Tuple{Float64}}"},
    {"Tuple{Union{Int64, Float64}, Union{Int64, Float64}}", Equal,
     "Union{Tuple{Int64, Int64}, Tuple{Int64, Float64}, Tuple{Float64, Int64}, Tuple{Float64, Float64}}"},
    {"Union{Tuple{Int64, Int64}, Tuple{Int64, Float64}, Tuple{Float64, Int64}}", Below,
     "Tuple{Union{Int64, Float64}, Union{Int64, Float64}}"},
    {"Box{Union{Int64, Float64}}", Unrelated, "Union{Box{Int64}, Box{Float64}}"},
    {"Union{Box{Int64}, Box{Float64}}", Below, "Box{<:Union{Int64, Float64}}"},
    {"Box{Union{Int64, String}}", Below, "Box{Union{Int64, T}} where T"},
    {"Box{Int64}", Below, "Box{Union{Int64, T}} where T"},
    {"Box{String}", Unrelated, "Box{Union{Int64, T}} where T"},
    {"Array{Int64, 2}", Below, "Union{Array{T, 1}, Array{T, 2}} where T"},
    {"Union{Array{Int64, 1}, Array{Float64, 2}}", Below, "Union{Array{T, 1}, Array{T, 2}} where T"},
    {"Tuple{Nothing}", Below, "Tuple{Union{T, Nothing}} where T"},
    // Vararg and NTuple
    {"Tuple{Int64, Int64}", Below, "Tuple{Vararg{Int64}}"},
    {"Tuple{}", Below, "Tuple{Vararg{Int64}}"},
    {"Tuple{Vararg{Int64}}", Below, "Tuple{Vararg{Real}}"},
    {"Tuple{Int64, Vararg{Int64}}", Below, "Tuple{Vararg{Int64}}"},
    {"Tuple{Int64, Vararg{Int64}}", Below, "Tuple{Real, Vararg{Any}}"},
    {"Tuple{}", Unrelated, "Tuple{Int64, Vararg{Int64}}"},
    {"Tuple{Int64}", Below, "Tuple{Int64, Vararg{Float64}}"},
    {"Tuple{Vararg{Int64, N}} where N", Equal, "Tuple{Vararg{Int64}}"},
    {"NTuple{3, Int64}", Equal, "Tuple{Int64, Int64, Int64}"},
    {"NTuple{3, Int64}", Below, "NTuple"},
    {"NTuple{3, Int64}", Below, "NTuple{N, Int64} where N"},
    {"NTuple{3, Int64}", Below, "NTuple{3, Real}"},
    // One length for all types below T, and a length for each tuple
    {"Array{T, 1} where {N, T<:NTuple{N, Any}}", Below, "Array{T, 1} where T<:Tuple"},
    {"NTuple{N, Any} where N", Equal, "Tuple"},
    {"Tuple{Tuple{Vararg{Int64}}, Array{Int64, 2}}", Unrelated,
     "Tuple{NTuple{N, Int64}, Array{Int64, N}} where N"},
    {"Tuple{Tuple{Vararg{Int64}}, Tuple{Vararg{Int64}}}", Unrelated,
     "Tuple{NTuple{N, Int64}, NTuple{N, Float64}} where N"},
    {"Tuple{NTuple{N, Int64}, NTuple{N, Int64}} where N", Below,
     "Tuple{Tuple{Vararg{Int64}}, Tuple{Vararg{Int64}}}"},
    {"Tuple{Int64, Float64}", Unrelated, "NTuple"},
    {"Tuple{Int64, Float64}", Below, "NTuple{2, Real}"},
    {"Tuple{Int64, Float64}", Unrelated, "Tuple{Vararg{T}} where T"},
    {"Tuple{Array{Float64, 2}, NTuple{2, Int64}}", Below,
     "Tuple{Array{T, N}, NTuple{N, Int64}} where {T, N}"},
    {"Tuple{Array{Float64, 2}, NTuple{3, Int64}}", Unrelated,
     "Tuple{Array{T, N}, NTuple{N, Int64}} where {T, N}"},
    {"Tuple{NTuple{2, Int64}, Array{Float64, 2}}", Below,
     "Tuple{NTuple{N, Int64}, Array{T, N}} where {T, N}"},
    {"Tuple{NTuple{3, Int64}, Array{Float64, 2}}", Unrelated,
     "Tuple{NTuple{N, Int64}, Array{T, N}} where {T, N}"},
    {"Tuple{NTuple{2, Int64}, NTuple{2, Float64}}", Below, "Tuple{NTuple{N, Real}, NTuple{N, Real}} where N"},
    {"Tuple{NTuple{2, Int64}, NTuple{3, Int64}}", Unrelated,
     "Tuple{NTuple{N, Real}, NTuple{N, Real}} where N"},
    // Type{T} and the kinds
    {"Type{Int64}", Below, "DataType"},
    {"Type{Int64}", Below, "Type"},
    {"Type{Int64}", Below, "Type{<:Real}"},
    {"Type{Int64}", Unrelated, "Type{Real}"},
    {"Type{<:Integer}", Below, "Type{<:Real}"},
    {"Type{Array}", Below, "UnionAll"},
    {"Type{Array}", Unrelated, "DataType"},
    {"Type{Union{Int64, Float64}}", Below, "Union"},
    {"Type{Union{}}", Below, "TypeofBottom"},
    {"DataType", Below, "Type"},
    {"Tuple{Type{Int64}, Int64}", Below, "Tuple{Type{T}, T} where T"},
    {"Tuple{Type{Real}, Int64}", Below, "Tuple{Type{T}, T} where T"},
    {"Tuple{Type{Int64}, Float64}", Unrelated, "Tuple{Type{T}, T} where T"},
    {"Tuple{Type{Int64}, Type{Float64}}", Unrelated, "Tuple{Type{T}, Type{T}} where T"},
    {"Tuple{Type{T}, T} where T", Below, "Tuple{Type, Any}"},
    {"Tuple{Box{T}, T} where T", Below, "Tuple{Box, Any}"},
    {"Tuple{T, Type{T}} where T", Below, "Tuple{Any, Type}"},
    {"Tuple{Box, Box}", Unrelated, "Tuple{Box{T}, T} where T"},
    // Values as parameters
    {"Val{3}", Below, "Val"},
    {"Val{3}", Unrelated, "Val{4}"},
    {"Val{:a}", Unrelated, "Val{:b}"},
    {"Val{1}", Unrelated, "Val{true}"},
    {"Val{3}", Unrelated, "Val{N} where N<:Integer"},
    {"Tuple{Val{3}, Val{3}}", Below, "Tuple{Val{N}, Val{N}} where N"},
    {"Tuple{Val{3}, Val{4}}", Unrelated, "Tuple{Val{N}, Val{N}} where N"},
    {"Ptr{Int64}", Below, "Ptr"},
    {"LLVMPtr{Float32, 1}", Below, "LLVMPtr{T, 1} where T"},
    {"LLVMPtr{Float32, 1}", Unrelated, "LLVMPtr{T, 3} where T"},
};

} // namespace

TEST_CASE("subtype table") {
  Fixture x;
  for (const Case &c : cases) {
    INFO(c.a << (c.relation == Below   ? "  <:  "
                 : c.relation == Equal ? "  ==  "
                                       : "  is not related to  ")
             << c.b);
    CHECK(x.sub(c.a, c.b) == (c.relation != Unrelated));
    CHECK(x.sub(c.b, c.a) == (c.relation == Equal));
  }
}

TEST_CASE("each type of the table is below itself, below Any, and above Union{}") {
  Fixture x;
  for (const Case &c : cases)
    for (const char *text : {c.a, c.b}) {
      INFO(text);
      CHECK(x.sub(text, text)); // made twice: where-types with variables of their own
      CHECK(x.t(text) == x.t(text));
      CHECK(x.sub(text, "Any"));
      CHECK(x.sub("Union{}", text));
    }
}

TEST_CASE("a subtype has its values in common with its supertype") {
  Fixture x;
  for (const Case &c : cases) {
    if (c.relation == Unrelated || std::string_view(c.a) == "Union{}") continue;
    INFO(c.a << " and " << c.b);
    TypeRef a = x.t(c.a), b = x.t(c.b);
    CHECK(may_intersect(x.types, a, b));
    CHECK(may_intersect(x.types, b, a));
    CHECK(equal_types(x.types, intersect(x.types, a, b), a));
    CHECK(equal_types(x.types, intersect(x.types, b, a), a));
  }
}

TEST_CASE("named tuples are invariant in their tuple of types") {
  Fixture x;
  auto &types = x.types;
  Symbol names[] = {types.symbol("a"), types.symbol("b")};
  TypeRef ints[] = {x.t("Int64"), x.t("Int64")}, reals[] = {x.t("Real"), x.t("Real")};
  TypeRef n = types.named_tuple(names, ints), m = types.named_tuple(names, reals);
  CHECK(is_subtype(types, n, types.builtins().NamedTuple));
  CHECK(!is_subtype(types, n, m));
  const TypeVar *var = types.new_var(types.symbol("T"), types.bottom(), x.t("Tuple{Real, Real}"));
  TypeRef params[] = {n->as<DataType>()->params()[0], var};
  TypeRef open = types.union_all(var, types.data(*types.builtins().NamedTupleName, params));
  CHECK(is_subtype(types, n, open));
  CHECK(is_subtype(types, m, open));
  Symbol swapped[] = {names[1], names[0]};
  CHECK(!is_subtype(types, types.named_tuple(swapped, ints), open));
}

TEST_CASE("types that share no value do not intersect") {
  Fixture x;
  const std::pair<const char *, const char *> pairs[] = {{"Int64", "Float64"},
                                                         {"Int64", "AbstractFloat"},
                                                         {"Box{Int64}", "Box{Real}"},
                                                         {"Tuple{Int64}", "Tuple{Int64, Int64}"},
                                                         {"Tuple{Int64, Vararg{Int64}}", "Tuple{}"},
                                                         {"Val{1}", "Val{2}"},
                                                         {"Array{T, 1} where T", "Array{T, 2} where T"},
                                                         {"Union{Int64, String}", "Union{Float64, Char}"},
                                                         {"Type{Int64}", "Type{Float64}"},
                                                         {"Type{Int64}", "UnionAll"}};
  for (auto [a, b] : pairs) {
    INFO(a << " and " << b);
    CHECK(!may_intersect(x.types, x.t(a), x.t(b)));
    CHECK(intersect(x.types, x.t(a), x.t(b)) == x.types.bottom());
    CHECK(intersect(x.types, x.t(b), x.t(a)) == x.types.bottom());
  }
  CHECK(equal_types(
      x.types, intersect(x.types, x.t("Union{Int64, String, Float64}"), x.t("Union{Float64, Int64, Char}")),
      x.t("Union{Int64, Float64}")));
  CHECK(equal_types(x.types, intersect(x.types, x.t("Tuple{Int64, Real}"), x.t("Tuple{Integer, Float32}")),
                    x.t("Tuple{Int64, Float32}")));
}

TEST_CASE("several closed unions cost the sum of their members, not the product") {
  Fixture x;
  const std::string ints = "Union{Int8, Int16, Int32, Int64, UInt8, UInt16, UInt32, UInt64}";
  auto tuple_of = [](const std::string &first, const std::string &other, int count) {
    std::string text = "Tuple{" + first;
    for (int i = 0; i < count; i++) text += ", " + other;
    return text + "}";
  };
  // 8^12 combinations: a search through them would not end.
  CHECK(x.sub(tuple_of("Int64", ints, 12), tuple_of("Int64", "Any", 12)));
  CHECK(x.sub(tuple_of("Int64", ints, 12), tuple_of("Int64", "Integer", 12)));
  CHECK(x.sub(tuple_of("Int64", ints, 12), tuple_of("T", ints, 12) + " where T"));
  CHECK(!x.sub(tuple_of("Int64", ints, 12), tuple_of("String", ints, 12)));
  CHECK(!x.sub(tuple_of("Int64", "Integer", 12), tuple_of("Int64", ints, 12)));
  CHECK(x.sub("Tuple{Union{Int64, String}, " + ints + "}",
              "Union{Tuple{Int64, Integer}, Tuple{String, Integer}}"));
  CHECK(!x.sub("Tuple{Union{Int64, String}, " + ints + "}",
               "Union{Tuple{Int64, Integer}, Tuple{String, Signed}}"));
  CHECK(x.sub("Union{Tuple{Int64}, Tuple{String}}", "Tuple{Union{Int64, String}}"));
}

TEST_CASE("a renamed variable is the same one each time") {
  Fixture x;
  const TypeVar *t = x.types.new_var(x.types.symbol("T"), x.types.bottom(), x.types.builtins().Any);
  const TypeVar *renamed = x.types.renamed(t);
  CHECK(renamed != t);
  CHECK(renamed == x.types.renamed(t));
  CHECK(x.types.renamed(renamed) != renamed);
  CHECK(renamed->name() == t->name());
  CHECK(renamed->upper() == t->upper());
}

TEST_CASE("types with other free variables are other types") {
  Fixture x;
  const TypeVar *a = x.types.new_var(x.types.symbol("T"), x.types.bottom(), x.types.builtins().Any);
  const TypeVar *b = x.types.new_var(x.types.symbol("T"), x.types.bottom(), x.types.builtins().Any);
  TypeRef boxes[] = {x.t("Box"), x.t("Box")};
  TypeRef of[] = {a, b};
  for (int i = 0; i < 2; i++) boxes[i] = x.types.apply(boxes[i], {&of[i], 1}).value();
  CHECK(boxes[0] != boxes[1]);
  CHECK(boxes[0] == x.types.apply(x.t("Box"), {&of[0], 1}).value());
  CHECK(x.types.vararg(boxes[0]) != x.types.vararg(boxes[1]));
  CHECK(x.types.vararg(boxes[0]) == x.types.vararg(boxes[0]));
  CHECK(x.types.union_all(a, boxes[0]) ==
        x.types.union_all(b, boxes[1])); // up to the names of bound variables
  TypeRef inner[] = {x.types.tuple({boxes[0], a}), x.types.tuple({boxes[1], a})};
  CHECK(x.types.union_all(a, inner[0]) != x.types.union_all(a, inner[1]));
  CHECK(x.types.union_all(a, inner[1]) == x.types.union_all(a, inner[1]));
}

} // namespace subtype_test
