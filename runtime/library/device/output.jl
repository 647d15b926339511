# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: CUDA; after: device/warp
# Printing in kernels: @cuprintf and functions that use it. The format string is built at compile time from the
# arguments' types.

# C's default argument promotions: small integers become Int32, Float32 becomes Float64.
@inline promote_c_argument(x) = x
@inline promote_c_argument(x::Union{Bool,Int8,Int16,UInt8,UInt16}) = rem(x, Int32)
@inline promote_c_argument(x::Union{Float16,Float32}) = Float64(x)
@inline promote_c_argument(text::Val) = device_string(text)

@inline _cuprintf(format::Val, args...) = print_promoted(format, map(promote_c_argument, args))
# A GPU target overlays this.
@inline print_promoted(::Val{format}, args::Tuple) where {format} =
    foreign_call(:printf, Int32, Tuple{Ptr{UInt8},Vararg{Any}}, device_string(Val(format)), args...)

@inline _cuprint(parts...) = _cuprintf(Val(symbol_concat(map(print_format, parts)...)), print_values(parts...)...)
@inline _cuprintln(parts...) = _cuprint(parts..., Val(Symbol("\n")))
@inline _cushow(text, value) = (_cuprint(text, value, Val(Symbol("\n"))); value)

print_format(::Val{text}) where {text} = Symbol(text)
print_format(x::Symbol) = x
print_format(::Type{T}) where {T} = Symbol(T)
for (T, text) in (
    (:Int8, "%c"), (:UInt8, "%u"), (:Int16, "%hd"), (:UInt16, "%hu"), (:Int32, "%d"), (:UInt32, "%u"), (:Int64, "%ld"), (:UInt64, "%lu"),
    (:Bool, "%d"), (:Float16, "%f"), (:Float32, "%f"), (:Float64, "%f"), (:(Ptr), "%p"), (:(LLVMPtr), "%p"), (:Nothing, "nothing"))
    @eval print_format(::$T) = Symbol($text)
end
print_format(x::Tuple) = symbol_concat("(", tuple_format(x...), ")")
tuple_format() = Symbol("")
tuple_format(x) = symbol_concat(print_format(x), ",")
tuple_format(x, y) = symbol_concat(print_format(x), ", ", print_format(y))
tuple_format(x, rest...) = symbol_concat(print_format(x), ", ", tuple_format(rest...))
print_format(x) = static_error("@cuprint does not support values of type ", typeof(x))

@inline print_values() = ()
@inline print_values(x, rest...) = (print_value(x)..., print_values(rest...)...)
@inline print_value(x) = (x,)
@inline print_value(::Union{Val,Type,Symbol,Nothing}) = ()
@inline print_value(x::Tuple) = print_values(x...)
