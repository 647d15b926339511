; Kernels of the tests of OpenCL devices, with the entry ABI of runtime/opencl/opencl_program.h. The build makes
; SPIR-V of them (CMakeLists.txt); opencl_fixture.h describes their parameters.
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-n8:16:32:64-G1"
target triple = "spirv64v1.2-unknown-unknown"

declare spir_func i64 @_Z13get_global_idj(i32)
declare spir_func i64 @_Z12get_local_idj(i32)
declare spir_func i64 @_Z14get_local_sizej(i32)
declare spir_func void @_Z7barrierj(i32) convergent

@table = internal addrspace(3) global [256 x i64] zeroinitializer, align 8

; scale(array, count, factor): array[i] *= factor
define spir_kernel void @scale(ptr byval({ [2 x i64], i64, i64, float }) align 8 %args, ptr addrspace(3) %local) {
  %array_at = getelementptr i8, ptr %args, i64 16
  %count_at = getelementptr i8, ptr %args, i64 24
  %factor_at = getelementptr i8, ptr %args, i64 32
  %address = load i64, ptr %array_at, align 8
  %count = load i64, ptr %count_at, align 8
  %factor = load float, ptr %factor_at, align 4
  %i = call spir_func i64 @_Z13get_global_idj(i32 0)
  %inside = icmp ult i64 %i, %count
  br i1 %inside, label %body, label %end
body:
  %array = inttoptr i64 %address to ptr addrspace(1)
  %at = getelementptr float, ptr addrspace(1) %array, i64 %i
  %x = load float, ptr addrspace(1) %at, align 4
  %y = fmul float %x, %factor
  store float %y, ptr addrspace(1) %at, align 4
  br label %end
end:
  ret void
}

; throws(thread): this thread reports an exception
define spir_kernel void @throws(ptr byval({ [2 x i64], i64 }) align 8 %args, ptr addrspace(3) %local) {
  %state = load i64, ptr %args, align 8
  %thread_at = getelementptr i8, ptr %args, i64 16
  %thread = load i64, ptr %thread_at, align 8
  %i = call spir_func i64 @_Z13get_global_idj(i32 0)
  %throws = icmp eq i64 %i, %thread
  br i1 %throws, label %body, label %end
body:
  %record = inttoptr i64 %state to ptr addrspace(1)
  %kind = getelementptr i8, ptr addrspace(1) %record, i64 4
  store i32 3, ptr addrspace(1) %kind, align 4
  %x = getelementptr i8, ptr addrspace(1) %record, i64 8
  %i32 = trunc i64 %i to i32
  store i32 %i32, ptr addrspace(1) %x, align 4
  %t0 = getelementptr i8, ptr addrspace(1) %record, i64 48
  store i64 8234098975657322820, ptr addrspace(1) %t0, align 8
  %t1 = getelementptr i8, ptr addrspace(1) %record, i64 56
  store i64 7308071597874769778, ptr addrspace(1) %t1, align 8
  %t2 = getelementptr i8, ptr addrspace(1) %record, i64 64
  store i64 7812107576902250098, ptr addrspace(1) %t2, align 8
  %t3 = getelementptr i8, ptr addrspace(1) %record, i64 72
  store i64 13180, ptr addrspace(1) %t3, align 8
  store i32 2, ptr addrspace(1) %record, align 4
  br label %end
end:
  ret void
}

; reversed(array): each block reverses its part of an array of i64, through the dynamic local memory
define spir_kernel void @reversed(ptr byval({ [2 x i64], i64 }) align 8 %args, ptr addrspace(3) %local) convergent {
  %array_at = getelementptr i8, ptr %args, i64 16
  %address = load i64, ptr %array_at, align 8
  %array = inttoptr i64 %address to ptr addrspace(1)
  %i = call spir_func i64 @_Z13get_global_idj(i32 0)
  %lane = call spir_func i64 @_Z12get_local_idj(i32 0)
  %size = call spir_func i64 @_Z14get_local_sizej(i32 0)
  %at = getelementptr i64, ptr addrspace(1) %array, i64 %i
  %x = load i64, ptr addrspace(1) %at, align 8
  %mine = getelementptr i64, ptr addrspace(3) %local, i64 %lane
  store i64 %x, ptr addrspace(3) %mine, align 8
  call spir_func void @_Z7barrierj(i32 1) convergent
  %last = sub i64 %size, 1
  %other = sub i64 %last, %lane
  %theirs = getelementptr i64, ptr addrspace(3) %local, i64 %other
  %y = load i64, ptr addrspace(3) %theirs, align 8
  store i64 %y, ptr addrspace(1) %at, align 8
  ret void
}

; with_table(array): as reversed, but through 2 KiB of static local memory
define spir_kernel void @with_table(ptr byval({ [2 x i64], i64 }) align 8 %args, ptr addrspace(3) %local) convergent {
  %array_at = getelementptr i8, ptr %args, i64 16
  %address = load i64, ptr %array_at, align 8
  %array = inttoptr i64 %address to ptr addrspace(1)
  %lane = call spir_func i64 @_Z12get_local_idj(i32 0)
  %at = getelementptr i64, ptr addrspace(1) %array, i64 %lane
  %x = load i64, ptr addrspace(1) %at, align 8
  %mine = getelementptr i64, ptr addrspace(3) @table, i64 %lane
  store i64 %x, ptr addrspace(3) %mine, align 8
  call spir_func void @_Z7barrierj(i32 1) convergent
  %last = call spir_func i64 @_Z14get_local_sizej(i32 0)
  %end = sub i64 %last, 1
  %other = sub i64 %end, %lane
  %theirs = getelementptr i64, ptr addrspace(3) @table, i64 %other
  %y = load i64, ptr addrspace(3) %theirs, align 8
  store i64 %y, ptr addrspace(1) %at, align 8
  ret void
}

; linear(array): thread (x, y, z) of the block writes x + 100 * y + 10000 * z, at the index of its place in the
; sub-groups
declare spir_func i64 @_Z17get_global_offsetj(i32)
define spir_kernel void @linear(ptr byval({ [2 x i64], i64 }) align 8 %args, ptr addrspace(3) %local) !intel_reqd_sub_group_size !0 {
  %array_at = getelementptr i8, ptr %args, i64 16
  %address = load i64, ptr %array_at, align 8
  %array = inttoptr i64 %address to ptr addrspace(1)
  %i = call spir_func i64 @_Z12get_local_idj(i32 0)
  %width = call spir_func i64 @_Z17get_global_offsetj(i32 0)
  %height = call spir_func i64 @_Z17get_global_offsetj(i32 1)
  %x = urem i64 %i, %width
  %rows = udiv i64 %i, %width
  %y = urem i64 %rows, %height
  %z = udiv i64 %rows, %height
  %y100 = mul i64 %y, 100
  %z10000 = mul i64 %z, 10000
  %xy = add i64 %x, %y100
  %value = add i64 %xy, %z10000
  %at = getelementptr i64, ptr addrspace(1) %array, i64 %i
  store i64 %value, ptr addrspace(1) %at, align 8
  ret void
}
!0 = !{i32 32}

; foreign(array): an entry of another compiler, with one argument
define spir_kernel void @foreign(ptr addrspace(1) %array) {
  store i64 1, ptr addrspace(1) %array, align 8
  ret void
}
