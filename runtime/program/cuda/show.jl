# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# How arrays of the device print: a copy on the host, under a header of their own.

array_type_text(A::CuArray{T,N,M}) where {T,N,M} = string("CuArray{", T, ", ", N, ", CUDA.", nameof(M), "}")
Base.summary(A::CuArray) = string(size_text(size(A)), " ", array_type_text(A))
Base.__argument_text(A::CuArray) = string("::", array_type_text(A))
Base.show(io::Base.IO, A::AnyCuArray) = (show(io, download(A)); nothing)
Base.print(io::Base.IO, A::AnyCuArray) = (print(io, download(A)); nothing)
Base.show(io::Base.IO, mime::Base.MIME{Symbol("text/plain")}, A::AnyCuArray) = show_under(io, mime, Base.summary(A), download(A))
# A's elements under another header.
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
