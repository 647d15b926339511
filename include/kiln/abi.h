// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Binary interface between compiled kernels and the host program. The structures are plain data with fixed
// sizes, checked by static_assert. Compiled code accesses their fields by offset.
#pragma once

#include <kiln/version.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace kiln::inline KILN_API_VERSION {

/// Number of blocks of a launch, threads of each block, and dynamic shared memory of a block.
struct LaunchShape {
  std::array<uint32_t, 3> blocks{1, 1, 1};
  std::array<uint32_t, 3> threads{1, 1, 1};
  uint64_t shared_bytes = 0; ///< dynamic shared memory of a block
  bool operator==(const LaunchShape &) const = default;
};

} // namespace kiln::inline KILN_API_VERSION

namespace kiln::abi {

/// The Julia type CuDeviceArray{T,N,A} as a kernel receives it by value. N + 3 words of 8 bytes: data
/// pointer, size in bytes, N dimensions, number of elements.
template <int N> struct ArrayHeader {
  void *pointer;
  int64_t max_size;
  int64_t dims[N];
  int64_t length;
};
static_assert(sizeof(ArrayHeader<1>) == 32 && sizeof(ArrayHeader<3>) == 48);

/// A Julia Symbol as a kernel receives it by value: the 8-byte FNV-1a hash of its text. Compiled code only
/// compares symbols for equality.
constexpr uint64_t symbol_identity(std::string_view text) {
  uint64_t hash = 0xcbf29ce484222325;
  for (char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return hash;
}

/// The first exception that a thread of a launch throws; later ones are not recorded. The thread claims the
/// record by a compare-and-swap of `status` from 0 to 1, fills it, and sets 2.
struct ExceptionRecord {
  uint32_t status;    ///< 0 none, 1 being written, 2 complete
  uint32_t kind;      ///< index into ExceptionKind
  uint32_t thread[3]; ///< 0-based
  uint32_t block[3];  ///< 0-based
  /// Address of the exception's text in the memory of the loaded module, zero-terminated; 0: no text.
  uint64_t name;
  /// Address of the source stack, likewise: "function|file|line" for each frame, innermost first, separated
  /// by '\n'.
  uint64_t location;
  /// Copies of the two strings, `name` first, each zero-terminated. Empty on targets whose code cannot copy
  /// strings.
  char text[192];
};
static_assert(sizeof(ExceptionRecord) == 240);

enum class ExceptionKind : uint32_t {
  None,
  Unknown,
  BoundsError,
  DivideError,
  InexactError,
  DomainError,
  ArgumentError,
  OverflowError,
  UndefVarError,
  AssertionError,
  MethodError,
  TypeError,
  ErrorException,
  OutOfMemoryError,
  Count
};

/// State that every kernel for ptx receives by value as its first parameter.
struct PtxKernelState {
  uint64_t exception; ///< device address of an ExceptionRecord, or 0
};
static_assert(sizeof(PtxKernelState) == 8);

/// Reason why a thread of a kernel on the CPU (target native) waits.
enum class WaitKind : uint32_t {
  Barrier, ///< sync_threads: until all threads of the block that have not ended reach this place
  /// Numbered barrier: until all threads of the block that have not ended reach a barrier with the number in
  /// `Wait::lane`.
  BarrierId,
  Grid,       ///< grid barrier: until all blocks that have not ended reach it
  ActiveMask, ///< collects the lanes of the warp that reach this place; `value` becomes their mask
  /// A spin loop that waits for another thread's write. `value` counts the latest consecutive idle
  /// iterations. An idle iteration writes nothing and changes no value on which the loop's exit depends.
  Spin,
  // The kinds below wait until all lanes of `Wait::mask` that have not ended reach the same operation with
  // the same mask.
  SyncWarp,
  Shuffle,  ///< `value` becomes the value of lane `lane`; unchanged if that lane does not take part
  Ballot,   ///< `value` becomes the mask of lanes whose value is not 0
  MatchAny, ///< `value` becomes the mask of lanes with an equal value
  MatchAll, ///< `value` becomes the mask of all lanes if all their values are equal, else 0
  Count
};

/// A place in a kernel where threads wait. `index` increases in program order. `location` has the form of
/// ExceptionRecord::location, or is null.
struct WaitSite {
  WaitKind kind;
  uint32_t index;
  const char *location;
};
static_assert(sizeof(WaitSite) == 16 && offsetof(WaitSite, location) == 8);

/// The current wait of one thread of a block. Compiled code fills it in. The executor stores the result in
/// `value` before it resumes the thread.
struct Wait {
  const WaitSite *site; ///< null: the thread has ended
  uint64_t value;
  uint32_t mask, lane;
};
static_assert(sizeof(Wait) == 24 && offsetof(Wait, mask) == 16 && offsetof(Wait, lane) == 20);

/// First part of the structure that NativeThread::abort_thread points to: limits and state of a throwing
/// thread.
struct Unwinding {
  /// Stack limit: a recursive function whose frame lies below this address throws an exception.
  const void *lowest_frame;
  /// Not 0 while the running thread ends: each function on its stack then returns at once. Only compiled code
  /// uses it.
  uint32_t ending;
};
static_assert(sizeof(Unwinding) == 16 && offsetof(Unwinding, ending) == 8);

/// Flag in NativeThread::more for kernels with Artifact::blocks_along_y: the further blocks lie along y, not
/// x.
inline constexpr uint64_t MoreInY = uint64_t(1) << 63;

/// State of the running thread on native; compiled code receives a pointer to it. Thread and block indices
/// are 0-based; compiled code adds 1 where the language counts from 1.
struct NativeThread {
  uint32_t thread[3];
  uint32_t block[3];
  uint32_t block_dim[3];
  uint32_t grid_dim[3];
  void *shared; ///< dynamic shared memory of the block
  uint64_t shared_bytes;
  ExceptionRecord *exception; ///< never null
  /// Points to an Unwinding, which private data of the executor follow. The host's throw function jumps to
  /// the point saved there.
  void *abort_thread;
  /// One Wait for each thread of the block, by linear index. Set only for kernels whose threads wait.
  Wait *waits;
  void *run;            ///< private to the executor: the running block
  const uint32_t *stop; ///< never null; *stop is not 0 once the launch has exceeded its time limit
  /// Number of further blocks along x that the same call may run; with MoreInY set, along y. Code that moves
  /// on to the next block decrements `more` and increments block[0] or block[1]. Code that runs one block
  /// changes neither. A kernel is compiled to move along one axis. If the blocks lie along the other axis, a
  /// call runs one block.
  uint64_t more;
};
static_assert(sizeof(NativeThread) == 112 && offsetof(NativeThread, more) == 104 &&
              offsetof(NativeThread, waits) == 80 && offsetof(NativeThread, shared) == 48 &&
              offsetof(NativeThread, stop) == 96);

/// Signature of a native kernel, a symbol with the artifact's entry name. Runs the threads [first, count) of
/// a block of `count` threads, in order of their linear index x + y*X + z*X*Y. `first` is not 0 only after
/// thread `first` - 1 has thrown (NativeThrowSymbol). args[i] points to the i-th argument that has bytes.
using NativeKernel = void (*)(NativeThread *state, void *const *args, uint32_t first, uint32_t count);
/// Signature of a native function that is no kernel. args[i] points to the i-th argument that has bytes,
/// `ret` to space for the result. Exceptions are reported through `state`.
using NativeFunction = void (*)(NativeThread *state, void *const *args, void *ret);

/// Name of the host function that compiled native code calls to end a thread, after it wrote the exception to
/// the ExceptionRecord.
inline constexpr const char *NativeThrowSymbol = "kiln_native_throw";

/// A kernel whose threads wait is a coroutine. Its NativeKernel first calls kiln_native_frames for the
/// threads' coroutine frames (aligned to 16); that call also sets NativeThread::waits. It then runs each
/// thread up to its first wait and calls kiln_native_rounds, which resumes threads by their frames until all
/// have ended.
///   void *kiln_native_frames(NativeThread *, uint64_t frame_bytes, uint32_t threads);
///   void kiln_native_rounds(NativeThread *, void (*wake)(void *frame));
inline constexpr const char *NativeFramesSymbol = "kiln_native_frames";
inline constexpr const char *NativeRoundsSymbol = "kiln_native_rounds";

/// Prefix of variables with addresses of host functions. Code that calls host function `f` reads the address
/// from the variable "kiln.host.f" at each call. The loader of the code provides that variable.
inline constexpr std::string_view HostFunctionPrefix = "kiln.host.";

enum class AccessKind : uint32_t { Read, Write, Atomic, AtomicStore };

/// A memory access in the code of a checked kernel (CompilerConfig::check). `location` has the form of
/// ExceptionRecord::location, or is null.
struct AccessSite {
  AccessKind kind;
  uint32_t space; ///< 3: shared memory; 1: global memory; 0: unknown, or a thread's local variable
  uint32_t align; ///< alignment that the language requires, in bytes
  uint32_t index; ///< rises in program order
  /// Byte range of the accessed shared array within the block's shared memory. `end` is 0 if the array is
  /// unknown.
  uint32_t first, end;
  const char *location;
};
static_assert(sizeof(AccessSite) == 32 && offsetof(AccessSite, location) == 24);

/// Name of a host function. A kernel compiled with CompilerConfig::check calls it before each access of
/// memory that may be global or shared. `thread` is a linear index. The function returns 0 for a forbidden
/// access: the kernel then ends the thread without making the access.
///   uint32_t kiln_native_access(NativeThread *, uint32_t thread, const void *address, uint64_t bytes, const
///   AccessSite *);
inline constexpr const char *NativeAccessSymbol = "kiln_native_access";
/// Name of the host function that a loop of an interruptible kernel calls when *NativeThread::stop is not 0.
/// The thread ends after the call.
///   void kiln_native_overdue(NativeThread *, uint32_t thread, const char *location);
inline constexpr const char *NativeOverdueSymbol = "kiln_native_overdue";

} // namespace kiln::abi
