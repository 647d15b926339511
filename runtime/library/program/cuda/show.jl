# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: CUDA; with: program/cuda/host
# Prints device arrays: copies them to the host and prints the copy under the device array's header.

array_type_text(A::CuArray{T,N,M}) where {T,N,M} = string("CuArray{", T, ", ", N, ", CUDA.", nameof(M), "}")
Base.summary(A::CuArray) = string(size_text(size(A)), " ", array_type_text(A))
Base.__argument_text(A::CuArray) = string("::", array_type_text(A))
function Base.show(io::Base.IO, A::AnyCuArray)
    host = download(A)
    known = Base.get(io, :typeinfo, Any)
    show(known <: AbstractArray && A isa known && eltype(known) === eltype(A) ? Base.IOContext(io, :typeinfo => typeof(host)) : io, host)
    return nothing
end
Base.print(io::Base.IO, A::AnyCuArray) = (print(io, download(A)); nothing)
Base.show(io::Base.IO, mime::Base.MIME{Symbol("text/plain")}, A::AnyCuArray) = show_under(io, mime, Base.summary(A), download(A))
# Prints the elements of A below `header`.
function show_under(io, mime, header, A)
    print(io, header)
    length(A) == 0 && return nothing
    text = Base.sprint(show, mime, A; context=io)
    lines = findfirst(==('\n'), text)
    lines === nothing || print(io, ":", text[lines:end])
    return nothing
end

import KernelAbstractions: CUDABackend
module CUDAKernels
import KernelAbstractions: CUDABackend
export CUDABackend
end
export CUDABackend
