; kiln.throw becomes a call of one cold function of the module. Level 0 passes nothing; above it the exception's kind, text and
; frames, of which emission made fewer for a GPU at level 1. No form of it is a trap.
; RUN: %opt --rewrite throw -g 0 %s | %filecheck %s --check-prefixes=SIGNAL --implicit-check-not=kiln.throw --implicit-check-not=trap
; RUN: %opt --rewrite throw -g 1 %s | %filecheck %s --check-prefixes=FRAMES,CPU --implicit-check-not=kiln.throw --implicit-check-not=trap
; RUN: %opt --rewrite throw -g 1 --target ptx %s | %filecheck %s --check-prefixes=FRAMES,GPU --implicit-check-not=kiln.throw --implicit-check-not=trap
; RUN: %opt --rewrite throw -g 2 --target ptx %s | %filecheck %s --check-prefixes=FRAMES --implicit-check-not=kiln.throw

@name = private constant [12 x i8] c"BoundsError\00"
@frames = private constant [9 x i8] c"f|a.jl|3\00"

; Both throws call the same function, and what stands behind them stays.
; SIGNAL-COUNT-2: call void @kiln_signal_exception() #[[ENDS:[0-9]+]]
; SIGNAL: define internal void @kiln_signal_exception() #[[COLD:[0-9]+]]
; SIGNAL: attributes #[[COLD]] = { cold noinline noreturn nounwind }
; FRAMES-COUNT-2: call void @kiln_report_exception(i32 2, ptr @name, ptr @frames)
define void @f(i1 %bad) "kiln.entry" {
  br i1 %bad, label %one, label %two
one:
  call void @kiln.throw(i32 2, ptr @name, ptr @frames)
  unreachable
two:
  call void @kiln.throw(i32 2, ptr @name, ptr @frames)
  unreachable
}
declare void @kiln.throw(i32, ptr, ptr)

; On the CPU the record lies behind the state, at NativeThread::exception. The first exception takes the record: its status
; goes from 0 to 1. Its fields are those of abi::ExceptionRecord; status 2 comes last, released. Then the thread jumps back.
; CPU: define internal void @kiln_report_exception(i32 %0, ptr %1, ptr %2)
; CPU: %state = call ptr @kiln.state()
; CPU-NEXT: [[AT:%[0-9]+]] = getelementptr inbounds i8, ptr %state, i64 64
; CPU-NEXT: %record = load ptr, ptr [[AT]]
; CPU: cmpxchg ptr {{%[0-9]+}}, i32 0, i32 1 acq_rel acquire
; CPU: [[KIND:%[0-9]+]] = getelementptr inbounds i8, ptr %record, i64 4
; CPU-NEXT: store i32 %0, ptr [[KIND]]
; CPU: [[TEXT:%[0-9]+]] = getelementptr inbounds i8, ptr %record, i64 32
; CPU-NEXT: store i64 {{%[0-9]+}}, ptr [[TEXT]]
; CPU: [[STATUS:%[0-9]+]] = getelementptr inbounds i8, ptr %record, i64 0
; CPU-NEXT: store atomic i32 2, ptr [[STATUS]] release
; CPU: call void @kiln_native_throw(ptr %state)
; CPU-NEXT: unreachable

; On a GPU the state is the record's address, or null where nobody asks. The thread alone ends.
; GPU: define internal void @kiln_report_exception(i32 %0, ptr %1, ptr %2)
; GPU: %record = addrspacecast ptr %state to ptr addrspace(1)
; GPU-NEXT: [[NONE:%[0-9]+]] = icmp eq ptr %state, null
; GPU-NEXT: br i1 [[NONE]], label %end, label %claim
; GPU: cmpxchg ptr addrspace(1) %{{[0-9]+}}, i32 0, i32 1 acq_rel acquire, align 4
; GPU: call void @kiln.system_fence()
; GPU: store volatile i32 2
; GPU: call void @kiln.end_thread()
; GPU-NEXT: unreachable

