# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Finds reads of unset elements. Loaded only with KILN_CHECK_UNSET (engine.cpp). New device arrays then hold a pattern
# (kiln/cuda/_arrays.py), and kernels with debug=True report reads of the pattern.

const Checked = Union{Float16,Float32,Float64,ComplexF32,ComplexF64,Int32,UInt32,Int64,UInt64}
@inline is_unset(x::Float16) = bitcast(UInt16, x) === 0xffff
@inline is_unset(x::Float32) = bitcast(UInt32, x) === 0xffffffff
@inline is_unset(x::Float64) = bitcast(UInt64, x) === 0xffffffffffffffff
@inline is_unset(x::Int32) = bitcast(UInt32, x) === 0xcdcdcdcd
@inline is_unset(x::UInt32) = x === 0xcdcdcdcd
@inline is_unset(x::Int64) = bitcast(UInt64, x) === 0xcdcdcdcdcdcdcdcd
@inline is_unset(x::UInt64) = x === 0xcdcdcdcdcdcdcdcd
@inline is_unset(x::Complex) = is_unset(re(x)) || is_unset(im(x))
@inline function load(a::Arrays{T,N,1,R}, I::Tuple) where {T<:Checked,N,R}
    p = place(a, I)
    x = pointer_load(getfield(p, 1), getfield(p, 2), Val{0}())
    if debug_level() === trunc_int(Int32, 2) && is_unset(x)
        py_raise("RuntimeError: an element of a device array is read before anything was written to it (KILN_CHECK_UNSET)")
    end
    return x
end

