// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The interface between compiled code and host, byte for byte. Everything here is plain data with a
// static_assert on its size; compiled code reaches the fields by these offsets.
#pragma once

#include <kiln/version.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace kiln::inline KILN_API_VERSION {

/// Grid and block of a launch.
struct LaunchShape {
  std::array<uint32_t, 3> blocks{1, 1, 1};
  std::array<uint32_t, 3> threads{1, 1, 1};
  uint64_t shared_bytes = 0; ///< dynamic shared memory of a block
  bool operator==(const LaunchShape &) const = default;
};

} // namespace kiln::inline KILN_API_VERSION

namespace kiln::abi {

/// CuDeviceArray{T,N,A} as it is passed by value: pointer, maxsize in bytes, N dimensions, length.
/// N + 3 words of 8 bytes.
template <int N> struct ArrayHeader {
  void *pointer;
  int64_t max_size;
  int64_t dims[N];
  int64_t length;
};
static_assert(sizeof(ArrayHeader<1>) == 32 && sizeof(ArrayHeader<3>) == 48);

/// A Symbol as a parameter: 8 bytes that identify its text (FNV-1a). Compiled code only compares them.
constexpr uint64_t symbol_identity(std::string_view text) {
  uint64_t hash = 0xcbf29ce484222325;
  for (char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return hash;
}

/// The first exception of a launch. Written once (status goes 0 -> 1 by compare-and-swap, then 2 when
/// complete).
struct ExceptionRecord {
  uint32_t status;    ///< 0 none, 1 being written, 2 complete
  uint32_t kind;      ///< index into ExceptionKind
  uint32_t thread[3]; ///< 0-based
  uint32_t block[3];  ///< 0-based
  uint64_t name; ///< address (in the module's memory) or 0 of a zero-terminated string: the exception's text
  uint64_t location; ///< the same: "function|file|line" of each frame, innermost first, separated by '\n'
  char text[192];    ///< copies of both, name first, each zero-terminated, where the target can copy
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

/// The kernel state on ptx: passed by value as the first kernel parameter.
struct PtxKernelState {
  uint64_t exception; ///< device address of an ExceptionRecord, or 0
};
static_assert(sizeof(PtxKernelState) == 8);

/// Reason why a thread of a native kernel waits.
enum class WaitKind : uint32_t {
  Barrier,    ///< sync_threads: all threads of the block that have not ended, at this place
  BarrierId,  ///< the same, at the barrier with number `lane`
  Grid,       ///< all blocks that have not ended
  ActiveMask, ///< the lanes of the warp that reach this place, too; value becomes their mask
  Spin,       ///< another thread's write. `value` is the number of idle turns in a row, which write nothing
              ///< and change no value on which the loop's end depends; 0 after another turn
  // The others: all lanes of `mask` that have not ended, for the same operation with the same mask.
  SyncWarp,
  Shuffle,  ///< value becomes that of lane `lane`, or stays if that lane does not take part
  Ballot,   ///< value becomes the mask of lanes with a value other than 0
  MatchAny, ///< value becomes the mask of lanes with the same value
  MatchAll, ///< value becomes the mask of all lanes if their values are equal, else 0
  Count
};

/// A place in a kernel where threads wait. `index` rises in program order; `location` is as
/// ExceptionRecord's, or null.
struct WaitSite {
  WaitKind kind;
  uint32_t index;
  const char *location;
};
static_assert(sizeof(WaitSite) == 16 && offsetof(WaitSite, location) == 8);

/// A wait of one thread of the block. Compiled code writes it; the executor leaves the result in `value`.
struct Wait {
  const WaitSite *site; ///< null: the thread has ended
  uint64_t value;
  uint32_t mask, lane;
};
static_assert(sizeof(Wait) == 24 && offsetof(Wait, mask) == 16 && offsetof(Wait, lane) == 20);

/// Begins the memory at NativeThread::abort_thread.
struct Unwinding {
  const void *lowest_frame; ///< a recursive function whose frame is below this address throws
  uint32_t ending;          ///< for compiled code, 0 outside: the running thread ends, and its calls return
};
static_assert(sizeof(Unwinding) == 16 && offsetof(Unwinding, ending) == 8);

/// A bit of NativeThread::more, for kernels whose artifact has blocks_along_y.
inline constexpr uint64_t MoreInY = uint64_t(1) << 63;

/// The kernel state on native: compiled code gets a pointer to one for the running thread.
/// thread* and block* are 0-based; compiled code adds the 1 of the language.
struct NativeThread {
  uint32_t thread[3];
  uint32_t block[3];
  uint32_t block_dim[3];
  uint32_t grid_dim[3];
  void *shared; ///< dynamic shared memory of the block
  uint64_t shared_bytes;
  ExceptionRecord *exception; ///< never null
  void *abort_thread; ///< an Unwinding, then data of the executor: the runtime's throw function jumps there
  Wait *waits; ///< one for each thread of the block, by linear index; only in kernels whose threads wait
  void *run;   ///< the executor's own: the run of the block
  const uint32_t *stop; ///< never null; other than 0 when the launch has outlived its time limit
  uint64_t more; ///< following blocks in x that the same call may run; with MoreInY they follow in y. Code
                 ///< that runs one decrements it and increments block[0] or block[1]; other code leaves both.
                 ///< Code for one axis must not run if the blocks follow along the other
};
static_assert(sizeof(NativeThread) == 112 && offsetof(NativeThread, more) == 104 &&
              offsetof(NativeThread, waits) == 80 && offsetof(NativeThread, shared) == 48 &&
              offsetof(NativeThread, stop) == 96);

/// A native kernel as the loader finds it under the artifact's entry name: runs the threads [first, count) of
/// a block of `count` threads, in order of their linear index x + y*X + z*X*Y. `first` is 0 but where the
/// thread before it has left by NativeThrowSymbol. args[i] points to the i-th non-ghost argument.
using NativeKernel = void (*)(NativeThread *state, void *const *args, uint32_t first, uint32_t count);
/// A native plain function under the packed ABI; state is for exceptions.
using NativeFunction = void (*)(NativeThread *state, void *const *args, void *ret);

/// Name of the host function that compiled native code calls to end a thread after it reported.
inline constexpr const char *NativeThrowSymbol = "kiln_native_throw";

/// A kernel whose threads wait is a coroutine. Its NativeKernel requests space for the threads' frames
/// (aligned to 16; this also sets NativeThread::waits). It runs each thread up to its first wait, and passes
/// them to the executor, which wakes them by their frames until all have ended.
///   void *kiln_native_frames(NativeThread *, uint64_t frame_bytes, uint32_t threads);
///   void kiln_native_rounds(NativeThread *, void (*wake)(void *frame));
inline constexpr const char *NativeFramesSymbol = "kiln_native_frames";
inline constexpr const char *NativeRoundsSymbol = "kiln_native_rounds";

/// Code that calls the host function f reads its address, at each call, from a variable with the name of this
/// prefix and f. Who loads the code provides the variable.
inline constexpr std::string_view HostFunctionPrefix = "kiln.host.";

enum class AccessKind : uint32_t { Read, Write, Atomic, AtomicStore };

/// A place where a checked kernel accesses memory. `location` is as ExceptionRecord's, or null.
struct AccessSite {
  AccessKind kind;
  uint32_t space;      ///< 3: shared memory; 1: global memory; 0: either, or a variable of the thread's own
  uint32_t align;      ///< in bytes, as the language wants it
  uint32_t index;      ///< rises in program order
  uint32_t first, end; ///< the shared array that is meant, as a range of the block's shared memory; end is 0
                       ///< where it is not known
  const char *location;
};
static_assert(sizeof(AccessSite) == 32 && offsetof(AccessSite, location) == 24);

/// Called before each access of a kernel compiled with CompilerConfig::check, with the thread's linear index;
/// 0: it must not be made, and the thread ends.
///   uint32_t kiln_native_access(NativeThread *, uint32_t thread, const void *address, uint64_t bytes, const
///   AccessSite *);
inline constexpr const char *NativeAccessSymbol = "kiln_native_access";
/// Called by a loop of an interruptible kernel that found *NativeThread::stop set; the thread ends after it.
///   void kiln_native_overdue(NativeThread *, uint32_t thread, const char *location);
inline constexpr const char *NativeOverdueSymbol = "kiln_native_overdue";

} // namespace kiln::abi
