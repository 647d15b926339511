# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Public names of Numba 0.61.2 and numba-cuda 0.30.4. docs/guide/numba-names.md is made of these lists by test/system/docs/numba_names.py."""

#: (module, names) that Kiln has.
SUPPORTED = (
    ("numba", """
ByteCodeSupportError CompilerError ConstantInferenceError DeprecationError ForbiddenConstruct ForceLiteralArg IRError InternalError
InternalTargetMismatchError LiteralTypingError LoweringError NonexistentTargetError NotDefinedError NumbaAssertionError NumbaAttributeError
NumbaDebugInfoWarning NumbaDeprecationWarning NumbaError NumbaExperimentalFeatureWarning NumbaIRAssumptionWarning NumbaIndexError
NumbaInvalidConfigWarning NumbaKeyError NumbaNotImplementedError NumbaParallelSafetyWarning NumbaPedanticWarning NumbaPendingDeprecationWarning
NumbaPerformanceWarning NumbaRuntimeError NumbaSystemWarning NumbaTypeError NumbaTypeSafetyWarning NumbaValueError NumbaWarning RedefinedError
RequireLiteralValue TypingError UnsupportedBytecodeError UnsupportedError UnsupportedParforsError UnsupportedRewriteError UntypedAttributeError
VerificationError b1 bool_ boolean byte c16 c8 carray char complex128 complex64 config core cuda double errors experimental extending f4 f8 farray
float32 float64 get_num_threads get_thread_id guvectorize i1 i2 i4 i8 int16 int32 int64 int8 int_ intc intp jit literal_unroll literally long_
longlong njit none objmode optional pndindex prange set_num_threads short size_t ssize_t typed typeof types u1 u2 u4 u8 uchar uint uint16 uint32
uint64 uint8 uintc uintp ulong ulonglong ushort vectorize version_info void
"""),
    ("numba.core.types", """
Array Boolean CPointer Complex DictType Float Integer List ListType NPDatetime NPTimedelta NestedArray NoneType Number Optional Record Set Tuple Type
UniTuple b1 bool_ boolean byte c16 c8 char complex128 complex64 complex_domain double ellipsis f2 f4 f8 float16 float32 float64 i1 i2 i4 i8 int16
int32 int64 int8 int_ intc integer_domain intp long_ longlong none number_domain optional pyobject real_domain short signed_domain size_t ssize_t u1
u2 u4 u8 uchar uint uint16 uint32 uint64 uint8 uintc uintp ulong ulonglong unicode_type unsigned_domain ushort void voidptr
"""),
    ("numba.core.errors", """
ByteCodeSupportError CompilerError ConstantInferenceError DeprecationError ForbiddenConstruct ForceLiteralArg IRError InternalError
InternalTargetMismatchError LiteralTypingError LoweringError NonexistentTargetError NotDefinedError NumbaAssertionError NumbaAttributeError
NumbaDebugInfoWarning NumbaDeprecationWarning NumbaError NumbaExperimentalFeatureWarning NumbaIRAssumptionWarning NumbaIndexError
NumbaInvalidConfigWarning NumbaKeyError NumbaNotImplementedError NumbaParallelSafetyWarning NumbaPedanticWarning NumbaPendingDeprecationWarning
NumbaPerformanceWarning NumbaRuntimeError NumbaSystemWarning NumbaTypeError NumbaTypeSafetyWarning NumbaValueError NumbaWarning RedefinedError
RequireLiteralValue TypingError UnsupportedBytecodeError UnsupportedError UnsupportedParforsError UnsupportedRewriteError UntypedAttributeError
VerificationError
"""),
    ("numba.core.config", """
ALWAYS_WARN_UNINIT_VAR ANNOTATE BOUNDSCHECK CACHE_DIR CHROME_TRACE COLOR_SCHEME CPU_FEATURES CPU_NAME CUDA_ARRAY_INTERFACE_SYNC CUDA_DEALLOCS_COUNT
CUDA_DEALLOCS_RATIO CUDA_DEBUGINFO_DEFAULT CUDA_DEBUG_POLY CUDA_DEBUG_POLY_USE_TYPED_CONST CUDA_DEFAULT_PTX_CC CUDA_DRIVER
CUDA_ENABLE_MINOR_VERSION_COMPATIBILITY CUDA_ENABLE_NRT CUDA_INCLUDE_PATH CUDA_LOG_API_ARGS CUDA_LOG_LEVEL CUDA_LOG_SIZE CUDA_LOW_OCCUPANCY_WARNINGS
CUDA_MEMORY_MANAGER CUDA_NRT_STATS CUDA_NVRTC_EXTRA_SEARCH_PATHS CUDA_PER_THREAD_DEFAULT_STREAM CUDA_USE_NVIDIA_BINDING CUDA_VERBOSE_JIT_LOG
CUDA_WARN_ON_IMPLICIT_COPY DEBUG DEBUGINFO_DEFAULT DEBUG_ARRAY_OPT DEBUG_ARRAY_OPT_RUNTIME DEBUG_ARRAY_OPT_STATS DEBUG_CACHE DEBUG_FRONTEND
DEBUG_INLINE_CLOSURE DEBUG_JIT DEBUG_NRT DEBUG_PRINT_AFTER DEBUG_PRINT_BEFORE DEBUG_PRINT_WRAP DEBUG_TYPEINFER DEVELOPER_MODE DIFF_IR DISABLE_CUDA
DISABLE_INTEL_SVML DISABLE_JIT DISABLE_PERFORMANCE_WARNINGS DUMP_ASSEMBLY DUMP_BYTECODE DUMP_CFG DUMP_FUNC_OPT DUMP_IR DUMP_LLVM DUMP_OPTIMIZED
DUMP_SSA ENABLE_AVX ENABLE_CUDASIM ENABLE_PROFILING ENABLE_SYS_MONITORING EXTEND_VARIABLE_LIFETIMES FORCE_CUDA_CC FULL_TRACEBACKS FUNCTION_CACHE_SIZE
GDB_BINARY HIGHLIGHT_DUMPS HTML IS_32BITS IS_OSX IS_WIN32 JIT_COVERAGE LLVM_PASS_TIMINGS LLVM_REFPRUNE_FLAGS LLVM_REFPRUNE_PASS LOOP_VECTORIZE
MACHINE_BITS NRT_STATS NUMBA_DEFAULT_NUM_THREADS NUMBA_NUM_THREADS OPT PARALLEL_DIAGNOSTICS PARFOR_MAX_TUPLE_SIZE PYVERSION RUNNING_UNDER_PROFILER
SHOW_HELP SLP_VECTORIZE THREADING_LAYER THREADING_LAYER_PRIORITY TRACE USE_LEGACY_TYPE_SYSTEM USE_LLVMLITE_MEMORY_MANAGER USING_SVML reload_config
"""),
    ("numba.np.numpy_support", """
as_dtype carray farray from_dtype
"""),
    ("numba.typed", """
List Dict
"""),
    ("numba.experimental", """
jitclass
"""),
    ("numba.extending", """
is_jitted register_jitable
"""),
    ("numba.cuda", """
Archive BaseCUDAMemoryManager CUSource Cubin CudaSupportError Fatbin HostOnlyCUDAMemoryManager In InOut LTOIR LinkableCode MemoryInfo MemoryPointer
Object Out PTXSource Reduce activemask all_sync any_sync as_cuda_array atomic b1 ballot_sync bfloat16 blockDim blockIdx bool_ boolean brev byte c16 c8
cbrt cg char char1 char2 char3 char4 close clz compile compile_all compile_for_current_device compile_ptx compile_ptx_for_current_device compiler
complex128 complex64 config const cudadrv current_context declare_device default_stream defer_cleanup detect device_array device_array_like double
double1 double2 double3 double4 eq_sync errors event event_elapsed_time external_stream f4 f8 ffs float1 float2 float3 float32 float32x1 float32x2
float32x3 float32x4 float4 float64 float64x1 float64x2 float64x3 float64x4 fma from_cuda_array_interface get_current_device gpus grid gridDim gridsize
guvectorize i1 i2 i4 i8 int1 int16 int16x1 int16x2 int16x3 int16x4 int2 int3 int32 int32x1 int32x2 int32x3 int32x4 int4 int64 int64x1 int64x2 int64x3
int64x4 int8 int8x1 int8x2 int8x3 int8x4 int_ intc intp is_available is_bfloat16_supported is_cuda_array is_float16_supported is_supported_version jit
kernels laneid lanemask_lt ldca ldcg ldcs ldcv ldlu legacy_default_stream libdevice list_devices literal_unroll local long1 long2 long3 long4 long_
longlong longlong1 longlong2 longlong3 longlong4 managed_array mapped_array mapped_array_like match_all_sync match_any_sync nanosleep none optional
per_thread_default_stream pinned pinned_array pinned_array_like popc profile_start profile_stop profiling reduce select_device selp set_memory_manager
shared shfl_down_sync shfl_sync shfl_up_sync shfl_xor_sync short short1 short2 short3 short4 size_t ssize_t stcg stcs stream stwb stwt synchronize
syncthreads syncthreads_and syncthreads_count syncthreads_or syncwarp threadIdx threadfence threadfence_block threadfence_system to_device types u1 u2
u4 u8 uchar uchar1 uchar2 uchar3 uchar4 uint uint1 uint16 uint16x1 uint16x2 uint16x3 uint16x4 uint2 uint3 uint32 uint32x1 uint32x2 uint32x3 uint32x4
uint4 uint64 uint64x1 uint64x2 uint64x3 uint64x4 uint8 uint8x1 uint8x2 uint8x3 uint8x4 uintc uintp ulong ulong1 ulong2 ulong3 ulong4 ulonglong
ulonglong1 ulonglong2 ulonglong3 ulonglong4 ushort ushort1 ushort2 ushort3 ushort4 vectorize void warpsize
"""),
    ("numba.cuda.atomic", """
add and_ cas compare_and_swap dec exch inc max min nanmax nanmin or_ sub xor
"""),
    ("numba.cuda.shared", """
array
"""),
    ("numba.cuda.local", """
array
"""),
    ("numba.cuda.const", """
array_like
"""),
    ("numba.cuda.gpus", """
current lst
"""),
    ("numba.cuda.cg", """
this_grid
"""),
    ("numba.cuda.fp16", """
habs hadd hceil hcos hdiv heq hexp hexp10 hexp2 hfloor hfma hge hgt hle hlog hlog10 hlog2 hlt hmax hmin hmul hne hneg hrcp hrint hrsqrt hsin hsqrt
hsub htrunc
"""),
    ("numba.cuda.bf16", """
bfloat16 bfloat162char_rz bfloat162float bfloat162int_rd bfloat162int_rn bfloat162int_ru bfloat162int_rz bfloat162ll_rd bfloat162ll_rn bfloat162ll_ru
bfloat162ll_rz bfloat162short_rd bfloat162short_rn bfloat162short_ru bfloat162short_rz bfloat162uchar_rz bfloat162uint_rd bfloat162uint_rn
bfloat162uint_ru bfloat162uint_rz bfloat162ull_rd bfloat162ull_rn bfloat162ull_ru bfloat162ull_rz bfloat162ushort_rd bfloat162ushort_rn
bfloat162ushort_ru bfloat162ushort_rz bfloat16_as_int16 bfloat16_as_short bfloat16_as_uint16 bfloat16_as_ushort bfloat16_to_float32
bfloat16_to_int16_rd bfloat16_to_int16_rn bfloat16_to_int16_ru bfloat16_to_int16_rz bfloat16_to_int32_rd bfloat16_to_int32_rn bfloat16_to_int32_ru
bfloat16_to_int32_rz bfloat16_to_int64_rd bfloat16_to_int64_rn bfloat16_to_int64_ru bfloat16_to_int64_rz bfloat16_to_int8_rz bfloat16_to_uint16_rd
bfloat16_to_uint16_rn bfloat16_to_uint16_ru bfloat16_to_uint16_rz bfloat16_to_uint32_rd bfloat16_to_uint32_rn bfloat16_to_uint32_ru
bfloat16_to_uint32_rz bfloat16_to_uint64_rd bfloat16_to_uint64_rn bfloat16_to_uint64_ru bfloat16_to_uint64_rz bfloat16_to_uint8_rz double2bfloat16
float2bfloat16 float2bfloat16_rd float2bfloat16_rn float2bfloat16_ru float2bfloat16_rz float32_to_bfloat16 float32_to_bfloat16_rd
float32_to_bfloat16_rn float32_to_bfloat16_ru float32_to_bfloat16_rz float64_to_bfloat16 habs hadd hadd_rn hadd_sat hceil hcos hdiv heq hequ hexp
hexp10 hexp2 hfloor hfma hfma_relu hfma_sat hge hgeu hgt hgtu hisinf hisnan hle hleu hlog hlog10 hlog2 hlt hltu hmax hmax_nan hmin hmin_nan hmul
hmul_rn hmul_sat hne hneg hneu hrcp hrint hrsqrt hsin hsqrt hsub hsub_rn hsub_sat htanh htanh_approx htrunc int16_as_bfloat16 int16_to_bfloat16_rd
int16_to_bfloat16_rn int16_to_bfloat16_ru int16_to_bfloat16_rz int2bfloat16_rd int2bfloat16_rn int2bfloat16_ru int2bfloat16_rz int32_to_bfloat16_rd
int32_to_bfloat16_rn int32_to_bfloat16_ru int32_to_bfloat16_rz int64_to_bfloat16_rd int64_to_bfloat16_rn int64_to_bfloat16_ru int64_to_bfloat16_rz
ll2bfloat16_rd ll2bfloat16_rn ll2bfloat16_ru ll2bfloat16_rz short2bfloat16_rd short2bfloat16_rn short2bfloat16_ru short2bfloat16_rz short_as_bfloat16
uint16_as_bfloat16 uint16_to_bfloat16_rd uint16_to_bfloat16_rn uint16_to_bfloat16_ru uint16_to_bfloat16_rz uint2bfloat16_rd uint2bfloat16_rn
uint2bfloat16_ru uint2bfloat16_rz uint32_to_bfloat16_rd uint32_to_bfloat16_rn uint32_to_bfloat16_ru uint32_to_bfloat16_rz uint64_to_bfloat16_rd
uint64_to_bfloat16_rn uint64_to_bfloat16_ru uint64_to_bfloat16_rz ull2bfloat16_rd ull2bfloat16_rn ull2bfloat16_ru ull2bfloat16_rz ushort2bfloat16_rd
ushort2bfloat16_rn ushort2bfloat16_ru ushort2bfloat16_rz ushort_as_bfloat16
"""),
    ("numba.cuda.libdevice", """
abs acos acosf acosh acoshf asin asinf asinh asinhf atan atan2 atan2f atanf atanh atanhf brev brevll byte_perm cbrt cbrtf ceil ceilf clz clzll
copysign copysignf cos cosf cosh coshf cospi cospif dadd_rd dadd_rn dadd_ru dadd_rz ddiv_rd ddiv_rn ddiv_ru ddiv_rz dmul_rd dmul_rn dmul_ru dmul_rz
double2float_rd double2float_rn double2float_ru double2float_rz double2hiint double2int_rd double2int_rn double2int_ru double2int_rz double2ll_rd
double2ll_rn double2ll_ru double2ll_rz double2loint double2uint_rd double2uint_rn double2uint_ru double2uint_rz double2ull_rd double2ull_rn
double2ull_ru double2ull_rz double_as_longlong drcp_rd drcp_rn drcp_ru drcp_rz dsqrt_rd dsqrt_rn dsqrt_ru dsqrt_rz erf erfc erfcf erff exp exp10
exp10f exp2 exp2f expf expm1 expm1f fabs fabsf fadd_rd fadd_rn fadd_ru fadd_rz fast_cosf fast_exp10f fast_expf fast_fdividef fast_log10f fast_log2f
fast_logf fast_powf fast_sincosf fast_sinf fast_tanf fdim fdimf fdiv_rd fdiv_rn fdiv_ru fdiv_rz ffs ffsll finitef float2half_rn float2int_rd
float2int_rn float2int_ru float2int_rz float2ll_rd float2ll_rn float2ll_ru float2ll_rz float2uint_rd float2uint_rn float2uint_ru float2uint_rz
float2ull_rd float2ull_rn float2ull_ru float2ull_rz float_as_int floor floorf fma fma_rn fmaf fmaf_rn fmax fmaxf fmin fminf fmod fmodf fmul_rd fmul_rn
fmul_ru fmul_rz frcp_rd frcp_rn frcp_ru frcp_rz frexp frexpf frsqrt_rn fsqrt_rd fsqrt_rn fsqrt_ru fsqrt_rz fsub_rd fsub_rn fsub_ru fsub_rz hadd
half2float hiloint2double hypot hypotf ilogb ilogbf int2double_rn int2float_rd int2float_rn int2float_ru int2float_rz int_as_float isfinited isinfd
isinff isnand isnanf ldexp ldexpf lgamma lgammaf ll2double_rn ll2float_rn llabs llmax llmin llrint llrintf llround llroundf log log10 log10f log1p
log1pf log2 log2f logb logbf logf longlong_as_double max min modf modff mul24 mul64hi mulhi nearbyint nearbyintf nextafter nextafterf normcdf normcdff
popc popcll pow powf powi powif rcbrt rcbrtf remainder remainderf remquo remquof rhadd rint rintf round roundf rsqrt rsqrtf sad saturatef scalbn
scalbnf signbitd signbitf sin sincos sincosf sincospi sincospif sinf sinh sinhf sinpi sinpif sqrt sqrtf tan tanf tanh tanhf tgamma tgammaf trunc
truncf uhadd uint2double_rn uint2float_rd uint2float_rn uint2float_ru uint2float_rz ull2double_rn ull2float_rn ullmax ullmin umax umin umul24 umul64hi
umulhi urhadd usad
"""),
    ("numba.cuda.random", """
create_xoroshiro128p_states init_xoroshiro128p_states init_xoroshiro128p_states_cpu xoroshiro128p_dtype xoroshiro128p_next
xoroshiro128p_normal_float32 xoroshiro128p_normal_float64 xoroshiro128p_type xoroshiro128p_uniform_float32 xoroshiro128p_uniform_float64
"""),
    ("numba.cuda.compiler", """
compile compile_all compile_for_current_device compile_ptx compile_ptx_for_current_device
"""),
    ("numba.cuda.kernels.reduction", """
Reduce
"""),
    ("numba.cuda.kernels.transpose", """
transpose
"""),
    ("numba.cuda.cudadrv.devicearray", """
DeviceNDArray DeviceNDArrayBase DeviceRecord array_core auto_device errmsg_contiguous_buffer from_array_like from_record_like is_contiguous
is_cuda_ndarray require_cuda_ndarray verify_cuda_ndarray_interface
"""),
    ("numba.cuda.cudadrv.devices", """
get_context gpus require_context reset
"""),
    ("numba.cuda.cudadrv.driver", """
AutoFreePointer CudaAPIError CudaDriverError CudaSupportError Device Event LinkerError MemoryInfo MemoryPointer OwnedPointer Stream device_memory_size
device_memset device_to_device device_to_host host_memory_extents host_memory_size host_to_device is_device_memory require_device_memory
"""),
    ("numba.cuda.cudadrv.error", """
CudaDriverError CudaRuntimeError CudaSupportError NvrtcCompilationError NvrtcError NvrtcSupportError NvvmError NvvmSupportError NvvmWarning
"""),
)
#: (module, advice, names) that Kiln refuses.
REFUSED = (
    ("numba", "host functions run as Python on one thread; use multiprocessing or concurrent.futures", """
get_parallel_chunksize set_parallel_chunksize parallel_chunksize threading_layer
"""),
    ("numba", "write the loop with the neighbours' indices", """
stencil stencils
"""),
    ("numba", "Kiln makes no C function of a Python function; use ctypes.CFUNCTYPE", """
cfunc
"""),
    ("numba", "decorate each function", """
jit_module
"""),
    ("numba", "use cuda-gdb with cuda.jit(debug=True)", """
gdb gdb_breakpoint gdb_init
"""),
    ("numba.experimental", "use NumPy's structured arrays, whose elements kernels take", """
structref function_type
"""),
    ("numba.cuda", "use multiprocessing.shared_memory and cuda.to_device in each process", """
open_ipc_array IpcHandle GetIpcHandleMixin
"""),
    ("numba.cuda", "allocate with cuda.mapped_array", """
mapped MappedMemory PinnedMemory
"""),
    ("numba.cuda", "ask cuda.get_current_device().compute_capability", """
is_fp8_supported config_default_cc
"""),
    ("numba.cuda.fp16", "convert with float32(x) and use math", """
exp2 htanh htanh_approx
"""),
    ("numba.cuda.fp16", "use cuda.atomic.add on float32", """
atomicAdd
"""),
    ("numba.cuda.libdevice", "Kiln has no such function", """
erfinv erfcinv erfinvf erfcinvf erfcx erfcxf normcdfinv normcdfinvf j0 j0f j1 j1f jn jnf y0 y0f y1 y1f yn ynf fma_rd fma_ru fma_rz fmaf_rd fmaf_ru
fmaf_rz ll2double_rd ll2double_ru ll2double_rz ull2double_rd ull2double_ru ull2double_rz ll2float_rd ll2float_ru ll2float_rz ull2float_rd ull2float_ru
ull2float_rz
"""),
    ("numba.cuda.random", "the states and their functions are kernels' own: use create_xoroshiro128p_states", """
init_xoroshiro128p_state rotl uint64_to_unit_float32 uint64_to_unit_float64 xoroshiro128p_jump
"""),
)
#: (module, names) that belong to Numba's compiler and its driver layer.
INTERNAL = (
    ("numba", """
deferred_type ffi ffi_forced_object parfors
"""),
    ("numba.core.types", """
Any ArrayCTypes ArrayCompatible ArrayFlags ArrayIterator BaseAnonymousTuple BaseContainerIterator BaseContainerPayload BaseFunction BaseNamedTuple
BaseTuple BooleanLiteral BoundFunction ByteArray Bytes Callable CharSeq ClassDataType ClassInstanceType ClassType CompileResultWAP ConstSized
Container ContextManager Conversion DType DTypeSpec DeferredType DictItemsIterableType DictIteratorType DictKeysIterableType DictValuesIterableType
Dispatcher Dummy EllipsisType EnumClass EnumMember EnumerateType EphemeralArray EphemeralPointer ExceptionClass ExceptionInstance ExternalFunction
ExternalFunctionPointer Function FunctionPrototype FunctionType Generator Hashable InitialValue IntEnumClass IntEnumMember IntegerLiteral Iterable
IterableType IteratorType ListIter ListPayload ListTypeIterableType ListTypeIteratorType Literal LiteralList LiteralStrKeyDict LiteralTypingError
MakeFunctionLiteral MappingProxyType MemInfoPointer MemoryView Module MutableSequence NamedTuple NamedTupleClass NamedUniTuple
NumPyRandomBitGeneratorType NumPyRandomGeneratorType NumberClass NumpyFlatType NumpyNdEnumerateType NumpyNdIndexType NumpyNdIterType ObjModeDispatcher
Object Omitted Opaque Pair Phantom Poison PolynomialType PyArray PyObject RangeIteratorType RangeType RawPointer RecursiveCall Sequence SetEntry
SetIter SetPayload SimpleIterableType SimpleIteratorType Sized SliceLiteral SliceType StarArgTuple StarArgUniTuple StringLiteral StructRef
StructRefPayload TypeRef TypingError UndefVar Undefined UndefinedFunctionType UndefinedType UniTupleIter UnicodeCharSeq UnicodeIteratorType
UnicodeType UnionType VarArg WeakType WrapperAddressProtocol ZipType abstract all_str argsnkwargs_to_str c_bool c_float16 c_float32 c_float64 c_int16
c_int32 c_int64 c_int8 c_intp c_uint16 c_uint32 c_uint64 c_uintp common containers deferred_type ffi ffi_forced_object function_type functions
get_hashable_key ir is_homogeneous iterators literal maybe_literal np_bool_ np_char np_complex128 np_complex64 np_complex_domain np_double np_float16
np_float32 np_float64 np_float_ np_int16 np_int32 np_int64 np_int8 np_int_ np_intc np_integer_domain np_intp np_long np_longlong np_number_domain
np_real_domain np_short np_signed_domain np_uchar np_uint np_uint16 np_uint32 np_uint64 np_uint8 np_uintc np_uintp np_ulong np_ulonglong
np_unsigned_domain np_ushort npy_bitgen npy_rng npytypes old_scalars parse_integer_bitwidth parse_integer_signed py2_string_type py_bool py_complex
py_complex_domain py_float py_int py_integer_domain py_number_domain py_real_domain py_signed_domain pyfunc_type range_iter32_type range_iter64_type
range_state32_type range_state64_type scalars slice2_type slice3_type undefined unknown unliteral unsigned_range_iter64_type
unsigned_range_state64_type
"""),
    ("numba.core.errors", """
NOPColorScheme WarningsFixer
"""),
    ("numba.np.numpy_support", """
FROM_DTYPE TypingError UFuncLoopSpec as_struct_dtype check_is_integer from_struct_dtype is_array is_contiguous is_fortran is_nonelike lt_complex
lt_floats map_arrayscalar_type map_layout re_datetimestr re_typestr resolve_output_type select_array_wrapper sizeof_unicode_char supported_ufunc_loop
type_can_asarray type_is_scalar ufunc_can_cast ufunc_find_matching_loop
"""),
    ("numba.typed", """
typedlist typeddict typedobjectutils
"""),
    ("numba.extending", """
BoundLiteralArgs NativeValue ReduceMixin SentryLiteralArgs as_numba_type box get_cython_function_address include_path infer infer_getattr intrinsic
lower_builtin lower_cast lower_getattr lower_getattr_generic lower_setattr lower_setattr_generic make_attribute_wrapper models overload_attribute
overload_classmethod overload_method reflect register_model sentry_literal_args type_callable typeof_impl unbox uuid
"""),
    ("numba.cuda", """
Dim3 GridGroup KernelRuntimeError api cache_hints cgutils codegen core cuda_error cuda_paths datamodel debuginfo decorators deferred_type descriptor
device_init devicearray deviceufunc dim3 dispatcher extending ffi ffi_forced_object flags grid_group implementation initialize intrinsics
itanium_mangler launchconfig literal lowering mathimpl memory_management models nvvm nvvmutils prepare_shape_strides_dtype reduction require_context
runtime simulator stubs target typeconv ufuncs vectorizers
"""),
    ("numba.cuda.cg", """
GridGroup GridGroupClass grid_group intrinsic nvvmutils overload_method
"""),
    ("numba.cuda.fp16", """
ceil_ol cos_ol exp2_ol exp_ol fabs_ol floor_ol log10_ol log2_ol log_ol sin_ol sqrt_ol tanh_ol target_registry trunc_ol typing_registry
"""),
    ("numba.cuda.bf16", """
ceil_ol cos_ol exp2_ol exp_ol floor_ol log10_ol log_ol sin_ol sqrt_ol tanh_ol target_registry trunc_ol typing_registry
"""),
    ("numba.cuda.random", """
TWO_PI_FLOAT32 TWO_PI_FLOAT64
"""),
    ("numba.cuda.vector_types", """
ConcreteTemplate CudaLoweringError ImplRegistry TypingRegistry VectorType build_constructor_overloads cgutils enable_vector_type_ctor impl_registry
lower make_attribute_wrapper make_vector_type models register register_attr register_global register_model stubs typing_registry vector_types
"""),
    ("numba.cuda.compiler", """
AnnotateTypes BaseNativeLowering CR_FIELDS CUDABackend CUDABytecodeInterpreter CUDACABICallConv CUDACallConv CUDACompileResult CUDACompiler CUDAFlags
CUDANativeLowering CUDATranslateBytecode CompilerBase CreateLibrary DeadBranchPrune DefaultPassBuilder ExternFunction ExternalCodeLibrary
FindLiterallyCalls FixupArgs FunctionPass GenericRewrites IRLegalization IRProcessing InlineClosureLikes InlineInlinables InlineOverloads Interpreter
LinkableCode LiteralPropagationSubPipelinePass LiteralUnroll LoweringPass MakeFunctionToJitFunction NativeLowering NoPythonSupportedFeatureValidation
NopythonRewrites NopythonTypeInference NumbaInvalidConfigWarning NumbaWarning ParallelOptions PassManager PreLowerStripPhis ReconstructSSA
RewriteDynamicRaises RewriteSemanticConstants TranslateByteCode WithLifting add_exception_store_helper bytecode catch_warnings cgutils compile_cuda
compile_extra compile_internal compile_ir cuda_compile_result cuda_target declare_device_function funcdesc get_current_device global_compiler_lock
inline_closurecall ir kernel_fixup launchconfig lowering numba_ir nvrtc nvvm nvvmutils postproc register_pass run_frontend
sanitize_compile_result_entries sigutils simplefilter
"""),
    ("numba.cuda.cudadrv.devicearray", """
IpcArrayHandle ManagedNDArray MappedNDArray NumbaPerformanceWarning StridedMemoryView check_array_compatibility dummyarray prepare_shape_strides_dtype
sentry_contiguous to_fixed_tuple
"""),
    ("numba.cuda.cudadrv.driver", """
BaseCUDAMemoryManager CUDA_CORE_GE_1_0 CUDA_CORE_GT_0_6 CU_STREAM_DEFAULT Context CudaPythonFunction CudaPythonModule DRIVER_LOAD_ERROR_MSG
DRIVER_NOT_FOUND_MSG DeadMemoryError Driver ERROR_MAP ExperimentalDevice ExperimentalStream FILE_EXTENSION_MAP Fatbin FuncAttr Function
GetIpcHandleMixin GraphBuilder HostOnlyCUDAMemoryManager IpcHandle LTOIR LinkableCode Linker LinkerOptions MIN_REQUIRED_CC ManagedMemory
ManagedOwnedPointer MappedMemory MappedOwnedPointer NumbaCUDAMemoryManager Object ObjectCode PinnedMemory SUPPORTS_IPC binding cached_file_read
cu_stream_callback_pyobj device_ctypes_pointer device_extents device_memory_depends device_pointer event_elapsed_time find_driver
get_cuda_native_handle get_devptr_for_active_ctx get_version host_pointer inspect_obj_content load_driver load_module_image locate_driver_and_loader
make_logger memory_size_from_info mviewbuf nvrtc profile_start profile_stop profiling set_memory_manager
"""),
    ("numba.cuda.cudadrv.error", """
CCSupportError NvrtcBuiltinOperationFailure
"""),
    ("numba.cuda.extending", """
BoundLiteralArgs NativeValue ReduceMixin SentryLiteralArgs as_numba_type box core_models infer infer_getattr intrinsic is_jitted lower_builtin
lower_cast lower_getattr lower_getattr_generic lower_setattr lower_setattr_generic make_attribute_wrapper models overload_attribute
overload_classmethod overload_method reflect register_jitable register_model sentry_literal_args type_callable typeof_impl unbox uuid
"""),
)
