// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which of two signatures is preferred, as Julia's manual tells it.
#include "fixture.h"

using namespace kiln_test;

namespace {

const std::pair<const char *, const char *> ordered[] = {
    // more specific first
    {"Tuple{Int64}", "Tuple{Integer}"},
    {"Tuple{Int64}", "Tuple{Any}"},
    {"Tuple{Int64, Int64}", "Tuple{Int64, Any}"},
    {"Tuple{Int64, Any}", "Tuple{Any, Any}"},
    {"Tuple{Int64}", "Tuple{Union{Int64, String}}"},
    {"Tuple{Union{Int64, Float64}}", "Tuple{Real}"},
    {"Tuple{T} where T<:Real", "Tuple{Any}"},
    {"Tuple{Int64}", "Tuple{T} where T"},
    // Parameters
    {"Tuple{Array{Int64, 1}}", "Tuple{Array{T, 1}} where T"},
    {"Tuple{Array{Int64, 1}}", "Tuple{AbstractArray}"},
    {"Tuple{Array{T, 1}} where T<:Real", "Tuple{Array{T, 1}} where T"},
    {"Tuple{Array{T, 1}} where T", "Tuple{AbstractArray{T, 1}} where T"},
    {"Tuple{Array{T, 1}} where T", "Tuple{Array}"},
    {"Tuple{Tuple{Int64, Int64}}", "Tuple{Tuple}"},
    {"Tuple{Val{1}}", "Tuple{Val{N}} where N"},
    // Variables that tie arguments together
    {"Tuple{T, T} where T", "Tuple{Any, Any}"},
    {"Tuple{T, T} where T", "Tuple{A, B} where {A, B}"},
    {"Tuple{T, T} where T<:Real", "Tuple{Real, Real}"},
    {"Tuple{T, T} where T<:Integer", "Tuple{T, T} where T<:Real"},
    {"Tuple{Array{T, 1}, T} where T", "Tuple{Array, Any}"},
    {"Tuple{Array{T, 1}, Array{T, 1}} where T", "Tuple{Array{A, 1}, Array{B, 1}} where {A, B}"},
    {"Tuple{Int64, Int64}", "Tuple{T, T} where T"},
    // Type{T}
    {"Tuple{Type{Int64}}", "Tuple{DataType}"},
    {"Tuple{Type{Int64}}", "Tuple{Type{T}} where T"},
    {"Tuple{Type{T}} where T<:Integer", "Tuple{Type{T}} where T"},
    {"Tuple{Type{Int64}, Int64}", "Tuple{Type{T}, T} where T"},
    {"Tuple{Type{T}, T} where T", "Tuple{Type, Any}"},
    {"Tuple{Type{T}} where T<:Real", "Tuple{Any}"},
    {"Tuple{Type{T}} where {N, T<:NTuple{N, Any}}", "Tuple{Type{T}} where T<:Tuple"},
    // Fixed arity before Vararg
    {"Tuple{Any}", "Tuple{Vararg{Any}}"},
    {"Tuple{Any, Vararg{Any}}", "Tuple{Vararg{Any}}"},
    {"Tuple{Any, Any, Vararg{Any}}", "Tuple{Any, Vararg{Any}}"},
    {"Tuple{Int64, Vararg{Any}}", "Tuple{Any, Vararg{Any}}"},
    {"Tuple{Vararg{Int64}}", "Tuple{Vararg{Any}}"},
    {"Tuple{Int64, Vararg{Int64}}", "Tuple{Vararg{Int64}}"},
    {"Tuple{Int64, Int64}", "Tuple{Int64, Vararg{Int64}}"},
    {"Tuple{}", "Tuple{Vararg{Any}}"},
    {"Tuple{T, T} where T", "Tuple{Vararg{Any}}"},
    {"Tuple{Vararg{T}} where T<:Real", "Tuple{Vararg{Real}}"},
    {"Tuple{NTuple{2, Int64}}", "Tuple{NTuple{N, Int64}} where N"},
};

const std::pair<const char *, const char *> unordered[] = {
    {"Tuple{Int64, Any}", "Tuple{Any, Int64}"},
    {"Tuple{Int64}", "Tuple{Float64}"},
    {"Tuple{Int64}", "Tuple{Int64, Int64}"},
    {"Tuple{Type{Int64}, Any}", "Tuple{Any, Int64}"},
    {"Tuple{Integer, Real}", "Tuple{Real, Integer}"},
    {"Tuple{Array{Int64, 1}, Any}", "Tuple{Any, Array{Int64, 1}}"},
    {"Tuple{Union{Int64, String}}", "Tuple{Union{Int64, Float64}}"},
};

} // namespace

TEST_CASE("the more specific signature comes first") {
  Fixture x;
  for (auto [a, b] : ordered) {
    INFO(a << " before " << b);
    CHECK(is_more_specific(x.types, x.t(a), x.t(b)));
    CHECK(!is_more_specific(x.types, x.t(b), x.t(a)));
  }
}

TEST_CASE("neither is more specific") {
  Fixture x;
  for (auto [a, b] : unordered) {
    INFO(a << " and " << b);
    CHECK(!is_more_specific(x.types, x.t(a), x.t(b)));
    CHECK(!is_more_specific(x.types, x.t(b), x.t(a)));
  }
}

TEST_CASE("the order is strict on every pair") {
  Fixture x;
  std::vector<const char *> all;
  for (auto [a, b] : ordered) all.insert(all.end(), {a, b});
  for (auto [a, b] : unordered) all.insert(all.end(), {a, b});
  for (const char *a : all)
    for (const char *b : all) {
      INFO(a << " and " << b);
      CHECK(!(is_more_specific(x.types, x.t(a), x.t(b)) && is_more_specific(x.types, x.t(b), x.t(a))));
    }
}
