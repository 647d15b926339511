// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Static parameters: what a call's types bind a signature's variables to.
#include "fixture.h"

using namespace kiln_test;

namespace {

struct Case {
  const char *type, *signature;
  std::vector<const char *> values; ///< outermost first; "?" for a variable left open
};

const Case cases[] = {
    {"Tuple{Int64}", "Tuple{Real}", {}},
    {"Tuple{Int64}", "Tuple{T} where T", {"Int64"}},
    {"Tuple{Int64, Int64}", "Tuple{T, T} where T<:Real", {"Int64"}},
    {"Tuple{Int64, Array{Float32, 2}}", "Tuple{T, Array{S, N}} where {T, S, N}", {"Int64", "Float32", "2"}},
    {"Tuple{Array{Float32, 2}}", "Tuple{AbstractArray{T, N}} where {N, T}", {"2", "Float32"}},
    {"Tuple{Array{Float32, 2}, Float32}", "Tuple{Array{T}, T} where T", {"Float32"}},
    {"Tuple{Box{Real}, Int64}", "Tuple{Box{T}, T} where T", {"Real"}},
    {"Tuple{Type{Int32}}", "Tuple{Type{T}} where T", {"Int32"}},
    {"Tuple{Type{Int32}, Float32}",
     "Tuple{Type{T}, S} where {T<:Integer, S<:AbstractFloat}",
     {"Int32", "Float32"}},
    {"Tuple{Type{Array{Int64, 1}}}", "Tuple{Type{Array{T, N}}} where {T, N}", {"Int64", "1"}},
    {"Tuple{Type{Array}}", "Tuple{Type{T}} where T", {"Array"}},
    {"Tuple{Val{3}}", "Tuple{Val{N}} where N", {"3"}},
    {"Tuple{Val{:x}, Val{true}}", "Tuple{Val{A}, Val{B}} where {A, B}", {":x", "true"}},
    {"Tuple{Tuple{Int64, Int64, Int64}}", "Tuple{NTuple{N, T}} where {N, T}", {"3", "Int64"}},
    {"Tuple{Tuple{}}", "Tuple{NTuple{N, T}} where {N, T}", {"0", "?"}},
    {"Tuple{Int64, Int64}", "Tuple{Vararg{T, N}} where {T, N}", {"Int64", "2"}},
    {"Tuple{Int64, Float32, Float32}", "Tuple{A, Vararg{B}} where {A, B}", {"Int64", "Float32"}},
    {"Tuple{}", "Tuple{Vararg{T}} where T", {"?"}},
    {"Tuple{Int64}", "Tuple{Union{T, Nothing}} where T", {"Int64"}},
    {"Tuple{Nothing}", "Tuple{Union{T, Nothing}} where T", {"?"}},
    {"Tuple{Int64, Float64}", "Tuple{Union{T, Integer}, Vararg{T}} where T", {"Float64"}},
    {"Tuple{Point{Float32}}", "Tuple{Shape{T}} where T", {"Float32"}},
    {"Tuple{Point{Float32}}", "Tuple{S} where {T, S<:Shape{T}}", {"Float32", "Point{Float32}"}},
    {"Tuple{Array{Int64, 2}}",
     "Tuple{A} where {T, N, A<:AbstractArray{T, N}}",
     {"Int64", "2", "Array{Int64, 2}"}},
    {"Tuple{Two{Int64, Float32}, Two{Float32, Int64}}",
     "Tuple{Two{A, B}, Two{B, A}} where {A, B}",
     {"Int64", "Float32"}},
    {"Tuple{typeof(f), Int64}", "Tuple{F, T} where {F<:Function, T}", {"typeof(f)", "Int64"}},
    {"Tuple{Tuple{Int64, Float32}}", "Tuple{Tuple{A, B}} where {A, B}", {"Int64", "Float32"}},
    {"Tuple{LLVMPtr{Float32, 3}}", "Tuple{LLVMPtr{T, AS}} where {T, AS}", {"Float32", "3"}},
    {"Tuple{Tuple{Int64, Float32}}", "Tuple{T} where T<:Tuple", {"Tuple{Int64, Float32}"}},
    {"Tuple{Box{Union{Int64, Nothing}}}", "Tuple{Box{T}} where T", {"Union{Int64, Nothing}"}},
};

const std::pair<const char *, const char *> refused[] = {
    {"Tuple{Int64}", "Tuple{T} where T<:AbstractFloat"},
    {"Tuple{Int64, Float32}", "Tuple{T, T} where T"},
    {"Tuple{Array{Float32, 2}, Float64}", "Tuple{Array{T}, T} where T"},
    {"Tuple{Int64}", "Tuple{T, S} where {T, S}"},
    {"Tuple{Tuple{Int64, Float32}}", "Tuple{NTuple{N, T}} where {N, T}"},
    {"Tuple{Val{1}, Val{2}}", "Tuple{Val{N}, Val{N}} where N"},
    {"Tuple{Two{Int64, Float32}, Two{Int64, Float32}}", "Tuple{Two{A, B}, Two{B, A}} where {A, B}"},
    {"Tuple{Type{Int32}}", "Tuple{Type{T}} where T<:AbstractFloat"},
};

} // namespace

TEST_CASE("a match binds the variables") {
  Fixture x;
  for (const Case &c : cases) {
    INFO(c.type << " against " << c.signature);
    auto values = match_signature(x.types, x.t(c.type), x.t(c.signature));
    CHECK(values.has_value());
    if (!values) continue;
    CHECK(values->size() == c.values.size());
    for (size_t i = 0; i < std::min(values->size(), c.values.size()); ++i) {
      INFO("variable " << i << " is " << to_string((*values)[i]) << ", expected " << c.values[i]);
      if (std::string_view(c.values[i]) == "?")
        CHECK((*values)[i]->is<TypeVar>());
      else
        CHECK((*values)[i] == x.t(c.values[i]));
    }
  }
}

TEST_CASE("no match where the type is not a subtype") {
  Fixture x;
  for (auto [type, signature] : refused) {
    INFO(type << " against " << signature);
    CHECK(!match_signature(x.types, x.t(type), x.t(signature)));
    CHECK(!x.sub(type, signature));
  }
}
