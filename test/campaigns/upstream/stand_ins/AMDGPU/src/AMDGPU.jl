# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Stands in the place of AMDGPU.jl on a machine without such a device: its types have no values.
module AMDGPU
functional() = false
struct ROCArray{T,N} <: AbstractArray{T,N}
    ROCArray{T,N}() where {T,N} = error("no AMD device")
end
struct ROCDeviceArray{T,N,B} <: AbstractArray{T,N}
    ROCDeviceArray{T,N,B}() where {T,N,B} = error("no AMD device")
end
module Runtime
module Mem
abstract type HIPBuffer end
end
end
end
