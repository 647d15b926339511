# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Stands in the place of Metal.jl on a machine without such a device: its types have no values.
module Metal
functional() = false
struct MtlArray{T,N,S} <: AbstractArray{T,N}
    MtlArray{T,N,S}() where {T,N,S} = error("no Metal device")
end
struct MtlDeviceArray{T,N,A} <: AbstractArray{T,N}
    MtlDeviceArray{T,N,A}() where {T,N,A} = error("no Metal device")
end
end
