// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program, the edits of it that dependants_test.cpp makes, and which of its kernels depend on each.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

namespace dependants {

// A kernel a way in which one definition reaches another; none reaches what another one does.
inline constexpr const char *dependants_program = R"(
using CUDA
module Deep
const LIMIT = 7f0
const TABLE = (1f0, 2f0, 3f0)
inner(x) = x + LIMIT
end

direct_callee(x) = x + 1f0
direct(y) = (y[1] = direct_callee(y[1]); return)

deferred_callee(x) = x * 3f0
deferred(y) = (y[1] = ccall(deferred_codegen(deferred_callee, Float32), Float32, (Float32,), y[1]); return)

held_callee(x) = x - 4f0
const HELD = (held_callee, 5)
held(y) = (y[1] = HELD[1](y[1]); return)

struct Wrapped{F}
    f::F
end
wrapped_callee(x) = 6f0 / x
const WRAPPED = Wrapped(wrapped_callee)
wrapped(y) = (y[1] = WRAPPED.f(y[1]); return)

constant_of_module(y) = (y[1] = Deep.inner(y[1]); return)
table_of_module(y) = (y[1] = Deep.TABLE[2]; return)

generator_helper(n) = n + 1
@generated function generated_callee(x)
    k = Float32(generator_helper(1))
    return :(x * $k)
end
generated(y) = (y[1] = generated_callee(y[1]); return)

invoked_callee(x::Real) = x + 8f0
invoked_callee(x::Float32) = x + 9f0
invoked(y) = (y[1] = invoke(invoked_callee, Tuple{Real}, y[1]); return)

struct Layout
    a::Float32
    b::Float32
end
layout(y) = (s = Layout(y[1], 2f0); y[1] = s.a + s.b; return)
layout_size(y) = (y[1] = Float32(sizeof(Layout)); return)

macro scaled(e)
    return :($(esc(e)) * 10f0)
end
macro_user(y) = (y[1] = @scaled(y[1]); return)

@noinline hinted_callee(x) = x * x + 11f0
hinted(y) = (y[1] = hinted_callee(y[1]); return)

Base.@propagate_inbounds bounds_callee(y, i) = y[i]
bounds(y) = (@inbounds y[1] = bounds_callee(y, 2); return)

printing_callee(x) = (@cuprintf("value %f\n", Float64(x)); nothing)
printing(y) = (printing_callee(y[1]); return)

abstract type Animal end
struct Dog <: Animal end
struct Cat <: Animal end
speed(::Animal) = 12f0
speed(::Dog) = 13f0
most_specific(y) = (y[1] = speed(Dog()) + y[1]; return)
fallback(y) = (y[1] = speed(Cat()) + y[1]; return)

struct Meters
    v::Float32
end
Base.:+(a::Meters, b::Meters) = Meters(a.v + b.v)
Base.convert(::Type{Meters}, x::Float32) = Meters(x)
operators(y) = (y[1] = (Meters(y[1]) + Meters(14f0)).v; return)

keyword_callee(x; by = 15f0) = x + by
keyword(y) = (y[1] = keyword_callee(y[1]); return)

default_callee(x, by = 16f0) = x + by
default(y) = (y[1] = default_callee(y[1]); return)

closure_helper(v) = v + 17f0
closure(y) = (f = v -> closure_helper(v); y[1] = f(y[1]); return)

chain_c(x) = x + 18f0
chain_b(x) = chain_c(x) * 2f0
chain_a(x) = chain_b(x) - 1f0
chain(y) = (y[1] = chain_a(y[1]); return)

folded_callee() = 19
folded(y) = (y[1] = Float32(ntuple(i -> i, Val(folded_callee()))[end]); return)

typed_callee(::Type{T}) where {T} = T(20)
typed(y) = (y[1] = typed_callee(Float32); return)

branch_callee() = true
dead_callee(x) = x + 21f0
branch(y) = (if branch_callee(); y[1] = 1f0; else; y[1] = dead_callee(y[1]); end; return)

const ALIAS = direct_callee
aliased(y) = (y[1] = ALIAS(y[1]); return)

const WIDTH = 4
shared(y) = (s = CuStaticSharedArray(Float32, WIDTH); s[1] = y[1]; sync_threads(); y[1] = s[1]; return)

module Exporting
export exported_callee
exported_callee(x) = x + 22f0
end
using .Exporting
exported(y) = (y[1] = exported_callee(y[1]); return)

const Element = Float32
alias_of_type(y) = (y[1] = Float32(zero(Element) + sizeof(Element)); return)

const LAMBDA = v -> v + 23f0
lambda(y) = (y[1] = LAMBDA(y[1]); return)

for (name, factor) in ((:evaluated_a, 24f0), (:evaluated_b, 25f0))
    @eval $name(x) = x * $factor
end
evaluated_first(y) = (y[1] = evaluated_a(y[1]); return)
evaluated_second(y) = (y[1] = evaluated_b(y[1]); return)

struct Checked
    v::Float32
    Checked(v) = new(v + 26f0)
end
constructed(y) = (y[1] = Checked(y[1]).v; return)

abstract type Shape end
struct Round <: Shape end
subtype_test(y) = (y[1] = Round <: Shape ? 27f0 : 0f0; return)

has_no_method(x) = applicable(optional_method, x)
optional_method(x::Int) = x
asks_for_method(y) = (y[1] = has_no_method(y[1]) ? 28f0 : 29f0; return)

struct Promoted
    v::Float32
end
Base.promote_rule(::Type{Promoted}, ::Type{Float32}) = Promoted
Base.convert(::Type{Promoted}, x::Float32) = Promoted(x)
Base.:*(a::Promoted, b::Promoted) = Promoted(a.v * b.v)
Base.:*(a::Promoted, b::Float32) = *(promote(a, b)...)
promoting(y) = (y[1] = (Promoted(y[1]) * 30f0).v; return)

const MODE = :fast
by_symbol(y) = (y[1] = MODE === :fast ? 31f0 : 32f0; return)

macro_helper(x) = x + 33
macro helped()
    return Float32(macro_helper(0))
end
macro_with_helper(y) = (y[1] = @helped(); return)

struct Callable
    k::Float32
end
(c::Callable)(x) = x + c.k
const CALLABLE = Callable(34f0)
calling(y) = (y[1] = CALLABLE(y[1]); return)

struct Inner
    v::Float32
end
struct Outer
    i::Inner
    n::Int32
end
nested_layout(y) = (y[1] = Float32(sizeof(Tuple{Outer,Int8})); return)

threaded(y) = (y[1] = reduce(threaded_op, (y[1], 1f0, 2f0)); return)
threaded_op(a, b) = a + b * 35f0

throwing(y) = (y[1] < 0f0 && throw_it(); return)
throw_it() = error("too small")

returned_type(y) = (y[1] = Float32(sizeof(Base.promote_op(returning, Float32))); return)
returning(x) = Float64(x)

unrelated(x) = x
)";

inline const std::vector<std::string> kernels{"direct",
                                              "deferred",
                                              "held",
                                              "wrapped",
                                              "constant_of_module",
                                              "table_of_module",
                                              "generated",
                                              "invoked",
                                              "layout",
                                              "layout_size",
                                              "macro_user",
                                              "hinted",
                                              "bounds",
                                              "printing",
                                              "most_specific",
                                              "fallback",
                                              "operators",
                                              "keyword",
                                              "default",
                                              "closure",
                                              "chain",
                                              "folded",
                                              "typed",
                                              "branch",
                                              "aliased",
                                              "shared",
                                              "exported",
                                              "alias_of_type",
                                              "lambda",
                                              "evaluated_first",
                                              "evaluated_second",
                                              "constructed",
                                              "subtype_test",
                                              "asks_for_method",
                                              "promoting",
                                              "by_symbol",
                                              "macro_with_helper",
                                              "calling",
                                              "nested_layout",
                                              "threaded",
                                              "throwing",
                                              "returned_type"};

inline std::vector<std::string> all_but(const std::vector<std::string> &others) {
  std::vector<std::string> rest = kernels;
  std::erase_if(rest, [&](const std::string &each) {
    return std::find(others.begin(), others.end(), each) != others.end();
  });
  return rest;
}

struct Edit {
  std::string_view from, to;
  std::vector<std::string> dependants; ///< that are compiled again
};

inline const std::vector<Edit> edits{
    {"direct_callee(x) = x + 1f0", "direct_callee(x) = x + 1.5f0", {"direct", "aliased"}},
    {"deferred_callee(x) = x * 3f0", "deferred_callee(x) = x * 3.5f0", {"deferred"}},
    {"held_callee(x) = x - 4f0", "held_callee(x) = x - 4.5f0", {"held"}},
    {"const HELD = (held_callee, 5)", "const HELD = (direct_callee, 5)", {"held"}},
    {"wrapped_callee(x) = 6f0 / x", "wrapped_callee(x) = 6.5f0 / x", {"wrapped"}},
    {"const LIMIT = 7f0", "const LIMIT = 7.5f0", {"constant_of_module"}},
    {"const TABLE = (1f0, 2f0, 3f0)", "const TABLE = (1f0, 2.5f0, 3f0)", {"table_of_module"}},
    {"inner(x) = x + LIMIT", "inner(x) = x - LIMIT", {"constant_of_module"}},
    {"generator_helper(n) = n + 1", "generator_helper(n) = n + 2", {"generated"}},
    {"return :(x * $k)", "return :(x + $k)", {"generated"}},
    {"invoked_callee(x::Real) = x + 8f0", "invoked_callee(x::Real) = x + 8.5f0", {"invoked"}},
    {"invoked_callee(x::Float32) = x + 9f0", "invoked_callee(x::Float32) = x + 9.5f0", {}},
    {"    b::Float32\nend", "    b::Float64\nend", {"layout", "layout_size"}},
    {":($(esc(e)) * 10f0)", ":($(esc(e)) * 10.5f0)", {"macro_user"}},
    {"@noinline hinted_callee", "@inline hinted_callee", {"hinted"}},
    {"Base.@propagate_inbounds bounds_callee", "bounds_callee", {"bounds"}},
    {"(@inbounds y[1] = bounds_callee", "(y[1] = bounds_callee", {"bounds"}},
    {"value %f", "values %f", {"printing"}},
    {"speed(::Dog) = 13f0", "speed(::Dog) = 13.5f0", {"most_specific"}},
    {"speed(::Dog) = 13f0", "", {"most_specific"}},
    {"speed(::Animal) = 12f0", "speed(::Animal) = 12.5f0", {"fallback"}},
    {"speed(::Animal) = 12f0", "speed(::Animal) = 12f0\nspeed(::Cat) = 11f0", {"fallback"}},
    {"struct Cat <: Animal end",
     "abstract type Feline <: Animal end\nstruct Cat <: Feline end",
     {"fallback"}},
    {"Meters(a.v + b.v)", "Meters(a.v - b.v)", {"operators"}},
    {"keyword_callee(x; by = 15f0)", "keyword_callee(x; by = 15.5f0)", {"keyword"}},
    {"default_callee(x, by = 16f0)", "default_callee(x, by = 16.5f0)", {"default"}},
    {"closure_helper(v) = v + 17f0", "closure_helper(v) = v + 17.5f0", {"closure"}},
    {"f = v -> closure_helper(v)", "f = v -> closure_helper(v) + 1f0", {"closure"}},
    {"chain_c(x) = x + 18f0", "chain_c(x) = x + 18.5f0", {"chain"}},
    {"folded_callee() = 19", "folded_callee() = 18", {"folded"}},
    {"= T(20)", "= T(20.5)", {"typed"}},
    {"branch_callee() = true", "branch_callee() = false", {"branch"}},
    {"dead_callee(x) = x + 21f0", "dead_callee(x) = x + 21.5f0", {}},
    {"const ALIAS = direct_callee", "const ALIAS = closure_helper", {"aliased"}},
    {"const WIDTH = 4", "const WIDTH = 8", {"shared"}},
    {"unrelated(x) = x", "unrelated(x) = x + 1", {}},
    {"unrelated(x) = x", "Base.:+(a::Meters, b::Float32) = a", {}},
    {"unrelated(x) = x", "speed(::Int) = 1f0", {}},
    {"unrelated(x) = x", "# a remark\n\n\nunrelated(x) = x", {}},
    {"unrelated(x) = x",
     "Base.sqrt(x::Meters) = x\nBase.getindex(m::Meters, i) = m.v\nBase.length(m::Meters) = 1",
     {}},
    {"exported_callee(x) = x + 22f0", "exported_callee(x) = x + 22.5f0", {"exported"}},
    {"using .Exporting\n", "exported_callee(x) = x - 22f0\n", {"exported"}},
    {"const Element = Float32", "const Element = Float64", {"alias_of_type"}},
    {"const LAMBDA = v -> v + 23f0", "const LAMBDA = v -> v + 23.5f0", {"lambda"}},
    {"(:evaluated_b, 25f0)", "(:evaluated_b, 25.5f0)", {"evaluated_second"}},
    {"new(v + 26f0)", "new(v + 26.5f0)", {"constructed"}},
    {"struct Round <: Shape end", "struct Round end", {"subtype_test"}},
    {"optional_method(x::Int) = x", "optional_method(x::Float32) = x", {"asks_for_method"}},
    {"optional_method(x::Int) = x", "optional_method(x::Int) = x + 1", {}},
    {"promote_rule(::Type{Promoted}, ::Type{Float32}) = Promoted",
     "promote_rule(::Type{Promoted}, ::Type{Float32}) = Float32\nBase.convert(::Type{Float32}, x::Promoted) = x.v\nBase.getproperty(x::Float32, s::Symbol) = x",
     {"promoting"}},
    {"convert(::Type{Promoted}, x::Float32) = Promoted(x)",
     "convert(::Type{Promoted}, x::Float32) = Promoted(x + 1f0)",
     {"promoting"}},
    {"const MODE = :fast", "const MODE = :slow", {"by_symbol"}},
    {"macro_helper(x) = x + 33", "macro_helper(x) = x + 34", {"macro_with_helper"}},
    {"(c::Callable)(x) = x + c.k", "(c::Callable)(x) = x - c.k", {"calling"}},
    {"Callable(34f0)", "Callable(34.5f0)", {"calling"}},
    {"struct Inner\n    v::Float32", "struct Inner\n    v::Float64", {"nested_layout"}},
    {"threaded_op(a, b) = a + b * 35f0", "threaded_op(a, b) = a + b * 35.5f0", {"threaded"}},
    {"error(\"too small\")", "error(\"much too small\")", {"throwing"}},
    {"returning(x) = Float64(x)", "returning(x) = Int8(1)", {"returned_type"}},
    {"unrelated(x) = x",
     "Base.setindex!(y::CuDeviceVector{Float32,1}, v::Float32, i::Int64) = (unsafe_store!(pointer(y), 2v); y)",
     all_but({"printing", "throwing"})},
};

} // namespace dependants
