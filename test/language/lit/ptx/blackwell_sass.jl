# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The machine's instructions that ptxas makes of blackwell.jl's kernels, by NVIDIA's names. GPUs of compute
# capability 11 and 12 have no instruction for two Float32: ptxas makes two.
#
# REQUIRES: ptxas, nvdisasm
# DEFINE: %{arch} =
# DEFINE: %{call} =
# DEFINE: %{sass} = %kiln compile %S/blackwell.jl %{call} --target ptx --arch %{arch} -g0 -o %t.ptx && %ptxas -arch=%{arch} %t.ptx -o %t.cubin && %nvdisasm -c %t.cubin
#
# REDEFINE: %{call} = 'fp8(CuDeviceVector{UInt16,1}, CuDeviceVector{Float16,1}, CuDeviceVector{Float32,1})'
# REDEFINE: %{arch} = sm_90
# RUN: %{sass} | %filecheck %s --check-prefix=FP8
# REDEFINE: %{arch} = sm_100
# RUN: %{sass} | %filecheck %s --check-prefix=FP8
# FP8-DAG: F2FP.SATFINITE.E4M3.F32.PACK_AB_MERGE_C
# FP8-DAG: F2FP.SATFINITE.E5M2.F32.PACK_AB_MERGE_C
# FP8-DAG: F2FP.F16.E4M3.UNPACK_B
# FP8-DAG: F2FP.F16.E5M2.UNPACK_B
#
# REDEFINE: %{call} = 'fp6(CuDeviceVector{UInt16,1}, CuDeviceVector{Float16,1}, CuDeviceVector{BFloat16,1}, CuDeviceVector{Float32,1})'
# REDEFINE: %{arch} = sm_100a
# RUN: %{sass} | %filecheck %s --check-prefix=FP6
# REDEFINE: %{arch} = sm_120a
# RUN: %{sass} | %filecheck %s --check-prefix=FP6
# FP6-DAG: F2FP.SATFINITE.E2M3.F32
# FP6-DAG: F2FP.SATFINITE.E3M2.F32
# FP6-DAG: F2FP.SATFINITE.E2M1.F32
# FP6-DAG: F2FP.SATFINITE.E8.F32.PACK_AB_MERGE_C.RZ
# FP6-DAG: F2FP.SATFINITE.E8.F32.PACK_AB_MERGE_C.RP
# FP6-DAG: F2FP.F16.E2M3.UNPACK_B
# FP6-DAG: F2FP.F16.E3M2.UNPACK_B
# FP6-DAG: F2FP.F16.E2M1.UNPACK_B
# FP6-DAG: F2FP.BF16.E8.UNPACK_B
#
# REDEFINE: %{call} = 'packed(CuDeviceVector{Float32,1}, CuDeviceVector{Float32,1})'
# REDEFINE: %{arch} = sm_100
# RUN: %{sass} | %filecheck %s --check-prefix=PACKED
# REDEFINE: %{arch} = sm_103
# RUN: %{sass} | %filecheck %s --check-prefix=PACKED
# PACKED-DAG: FMUL {{R[0-9]+}}
# PACKED-DAG: FADD2
# PACKED-DAG: FADD2
# PACKED-DAG: FFMA2
#
# REDEFINE: %{call} = 'wide(CuDeviceVector{UInt64,1}, CuDeviceVector{UInt64,1}, Type{NTuple{4,UInt64}}, Val{:plain})'
# REDEFINE: %{arch} = sm_100
# RUN: %{sass} | %filecheck %s --check-prefix=WIDE
# REDEFINE: %{arch} = sm_120
# RUN: %{sass} | %filecheck %s --check-prefix=WIDE
# WIDE-DAG: LDG.E{{.*}}.256
# WIDE-DAG: STG.E{{.*}}.256
#
# REDEFINE: %{call} = 'control(CuDeviceVector{Int32,1})'
# REDEFINE: %{arch} = sm_100
# RUN: %{sass} | %filecheck %s --check-prefix=CONTROL
# REDEFINE: %{arch} = sm_120
# RUN: %{sass} | %filecheck %s --check-prefix=CONTROL
# CONTROL-DAG: UGETNEXTWORKID
#
# REDEFINE: %{call} = 'tensor(CuDeviceVector{Float32,1}, CuDeviceVector{Float32,1})'
# REDEFINE: %{arch} = sm_100a
# RUN: %{sass} | %filecheck %s --check-prefix=TENSOR
# REDEFINE: %{arch} = sm_103a
# RUN: %{sass} | %filecheck %s --check-prefix=TENSOR
# REDEFINE: %{arch} = sm_110a
# RUN: %{sass} | %filecheck %s --check-prefix=TENSOR
# TENSOR-DAG: UTCATOMSWS.FIND_AND_SET
# TENSOR-DAG: STTM
# TENSOR-DAG: LDTM
#
# REDEFINE: %{call} = 'products(CuDeviceVector{UInt32,1})'
# REDEFINE: %{arch} = sm_100a
# RUN: %{sass} | %filecheck %s --check-prefix=PRODUCTS
# REDEFINE: %{arch} = sm_103a
# RUN: %{sass} | %filecheck %s --check-prefix=PRODUCTS
# REDEFINE: %{arch} = sm_110a
# RUN: %{sass} | %filecheck %s --check-prefix=PRODUCTS
# PRODUCTS-DAG: UTCHMMA
# PRODUCTS-DAG: UTCQMMA
# PRODUCTS-DAG: UTCBAR
#
# REDEFINE: %{call} = 'bytes(CuDeviceVector{UInt32,1})'
# REDEFINE: %{arch} = sm_100a
# RUN: %{sass} | %filecheck %s --check-prefix=BYTES
# REDEFINE: %{arch} = sm_110a
# RUN: %{sass} | %filecheck %s --check-prefix=BYTES
# BYTES-DAG: UTCIMMA
