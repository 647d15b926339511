# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# @static_assert: what is true is gone, also where nothing is optimised; what is not, or not known, is a fault unless it is
# in code that is never reached.
#
# RUN: %kiln compile %s 'holds(CuDeviceVector{Float32,1})' --target ptx | %filecheck %s --check-prefix=HOLDS
# RUN: %kiln compile %s 'holds(CuDeviceVector{Float32,1})' --target ptx -O0 | %filecheck %s --check-prefix=HOLDS
# HOLDS-NOT: kiln.static_error
# HOLDS: st.global.b32
# HOLDS-NOT: kiln.static_error
# RUN: %status 1 %kiln compile %s 'fails(CuDeviceVector{Float32,1})' --target ptx 2>&1 | %filecheck %s --check-prefix=FAILS
# RUN: %status 1 %kiln compile %s 'fails(CuDeviceVector{Float32,1})' --target ptx -O0 2>&1 | %filecheck %s --check-prefix=FAILS
# RUN: %status 1 %kiln compile %s 'fails(CuDeviceVector{Float32,1})' 2>&1 | %filecheck %s --check-prefix=FAILS
# FAILS: static_assert.jl:[[@LINE+24]]:{{[0-9]+}}: InvalidIRError[123]: static assertion failed: eight bytes
# FAILS: [1] eight @ {{.*}}static_assert.jl:[[@LINE+23]]
# FAILS: [2] fails @ {{.*}}static_assert.jl:[[@LINE+33]]
# RUN: %status 1 %kiln compile %s 'unknown(CuDeviceVector{Float32,1}, Int64)' --target ptx 2>&1 | %filecheck %s --check-prefix=UNKNOWN
# UNKNOWN: InvalidIRError[123]: {{.*}}positive
# Of several each is told.
# RUN: %status 1 %kiln compile %s 'both(CuDeviceVector{Float32,1}, Int64)' --target ptx 2>&1 | %filecheck %s --check-prefix=BOTH
# RUN: %status 1 %kiln compile %s 'both(CuDeviceVector{Float32,1}, Int64)' -O0 2>&1 | %filecheck %s --check-prefix=BOTH
# BOTH: InvalidIRError[123]: static assertion failed: two bytes
# BOTH: InvalidIRError[123]: static assertion failed: eight bytes
# BOTH: InvalidIRError[123]: static assertion failed: even
# BOTH-NOT: InvalidIRError
# A branch that is never taken.
# RUN: %kiln compile %s 'dead(CuDeviceVector{Float32,1})' --target ptx -o %t.ptx
# RUN: %kiln compile %s 'dead(CuDeviceVector{Float32,1})' --target ptx -O0 -o %t.ptx

using CUDA

function holds(y)
    @static_assert sizeof(eltype(y)) == 4 "four bytes"
    @inbounds y[1] = 1f0
    return
end

@inline eight(y) = @static_assert sizeof(eltype(y)) == 8 "eight bytes"

function dead(y)
    if sizeof(eltype(y)) == 8
        @static_assert false "never"
    end
    @inbounds y[1] = 1f0
    return
end

function fails(y)
    eight(y)
    return
end

function unknown(y, n)
    @static_assert n > 0 "positive"
    @inbounds y[1] = n
    return
end

function both(y, n)
    @static_assert sizeof(eltype(y)) == 2 "two bytes"
    eight(y)
    @static_assert n % 2 == 0 "even"
    @inbounds y[1] = 1f0
    return
end
