// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "supplied.h"

#include "session_call.h"

#include <stdexcept>

namespace kiln::c {

namespace {

/// Copy of a structure of callbacks that an embedder supplied. Its destructor calls the embedder's function
/// `closed`.
template <class T> struct Supplied {
  explicit Supplied(const T &copy) : c(copy) {}
  ~Supplied() {
    if (c.closed) c.closed(c.user);
  }
  Supplied(const Supplied &) = delete;
  Supplied &operator=(const Supplied &) = delete;
  const T c;
};

/// Throws an exception if a function that the embedder supplied returned a failure.
void expect_success(int status, const char *function) {
  if (status) throw std::runtime_error(fmt::format("{} returned {}", function, status));
}

Error missing(const char *function) {
  return usage_error(fmt::format("{} is a null pointer, and is needed", function));
}

struct Executor final : CpuExecutor {
  explicit Executor(const kiln_executor &given) : supplied(given) {}
  unsigned threads() const override { return supplied.c.threads; }
  void parallel_for(uint64_t count, void (*body)(void *, uint64_t, uint64_t), void *context) override {
    expect_success(supplied.c.parallel_for(count, body, context, supplied.c.user),
                   "kiln_executor.parallel_for");
  }
  void submit(void (*work)(void *), void *context) override {
    expect_success(supplied.c.submit(work, context, supplied.c.user), "kiln_executor.submit");
  }
  Supplied<kiln_executor> supplied;
};

struct Allocator final : DeviceAllocator {
  explicit Allocator(const kiln_device_allocator &given) : supplied(given) {}
  uint64_t allocate(uint64_t bytes, void *context, void *stream) override {
    return supplied.c.allocate(bytes, context, stream, supplied.c.user);
  }
  void release(uint64_t address, uint64_t bytes, void *context, void *stream) override {
    supplied.c.release(address, bytes, context, stream, supplied.c.user);
  }
  Supplied<kiln_device_allocator> supplied;
};

struct Store final : CacheStore {
  explicit Store(const kiln_store &given) : supplied(given) {}
  static const unsigned char *bytes_of(const Key &key) {
    return reinterpret_cast<const unsigned char *>(key.data());
  }
  std::optional<std::string> get(const Key &key) override {
    std::optional<std::string> found;
    auto give = [](void *context, const void *data, size_t size) {
      static_cast<std::optional<std::string> *>(context)->emplace(static_cast<const char *>(data), size);
    };
    expect_success(supplied.c.get(bytes_of(key), give, &found, supplied.c.user), "kiln_store.get");
    return found;
  }
  void put(const Key &key, std::string_view bytes) override {
    expect_success(supplied.c.put(bytes_of(key), bytes.data(), bytes.size(), supplied.c.user),
                   "kiln_store.put");
  }
  void drop(const Key &key) override {
    expect_success(supplied.c.drop(bytes_of(key), supplied.c.user), "kiln_store.drop");
  }
  std::vector<std::optional<std::string>> get_many(std::span<const Key> keys) override {
    if (!supplied.c.get_many) return CacheStore::get_many(keys);
    std::vector<std::optional<std::string>> found(keys.size());
    auto give = [](void *context, size_t index, const void *data, size_t size) {
      auto &to = *static_cast<std::vector<std::optional<std::string>> *>(context);
      if (index < to.size()) to[index].emplace(static_cast<const char *>(data), size);
    };
    static_assert(sizeof(Key) == 16);
    const auto *bytes = reinterpret_cast<const unsigned char *>(keys.data());
    expect_success(supplied.c.get_many(bytes, keys.size(), give, &found, supplied.c.user),
                   "kiln_store.get_many");
    return found;
  }
  void put_with(const Key &key, std::string_view bytes, const StorePut &options) override {
    if (!supplied.c.put_with) return put(key, bytes);
    expect_success(supplied.c.put_with(bytes_of(key), bytes.data(), bytes.size(),
                                       uint64_t(options.time_to_live.count()), options.token,
                                       supplied.c.user),
                   "kiln_store.put_with");
  }
  StoreLease acquire_lease(const Key &key, std::chrono::milliseconds time_to_live) override {
    if (!supplied.c.acquire_lease) return {};
    uint64_t token = 0;
    expect_success(
        supplied.c.acquire_lease(bytes_of(key), uint64_t(time_to_live.count()), &token, supplied.c.user),
        "kiln_store.acquire_lease");
    return {token ? StoreLease::State::Granted : StoreLease::State::Held, token};
  }
  bool renew_lease(const Key &key, uint64_t token, std::chrono::milliseconds time_to_live) override {
    return supplied.c.renew_lease(bytes_of(key), token, uint64_t(time_to_live.count()), supplied.c.user) == 0;
  }
  void release_lease(const Key &key, uint64_t token) override {
    expect_success(supplied.c.release_lease(bytes_of(key), token, supplied.c.user),
                   "kiln_store.release_lease");
  }
  std::optional<StoreStatistics> statistics() override {
    if (!supplied.c.statistics) return std::nullopt;
    kiln_store_statistics now{};
    now.struct_size = sizeof now;
    expect_success(supplied.c.statistics(&now, supplied.c.user), "kiln_store.statistics");
    return StoreStatistics{now.entries, now.bytes};
  }
  Supplied<kiln_store> supplied;
};

} // namespace

Result<std::shared_ptr<CpuExecutor>> read_executor(const kiln_executor &given) {
  KILN_TRY(kiln_executor read, read_struct(&given, "kiln_executor"));
  if (!read.parallel_for) return missing("kiln_executor.parallel_for");
  if (!read.submit) return missing("kiln_executor.submit");
  return std::shared_ptr<CpuExecutor>(std::make_shared<Executor>(read));
}

Result<std::shared_ptr<DeviceAllocator>> read_device_allocator(const kiln_device_allocator &given) {
  KILN_TRY(kiln_device_allocator read, read_struct(&given, "kiln_device_allocator"));
  if (!read.allocate) return missing("kiln_device_allocator.allocate");
  if (!read.release) return missing("kiln_device_allocator.release");
  return std::shared_ptr<DeviceAllocator>(std::make_shared<Allocator>(read));
}

Result<std::shared_ptr<CacheStore>> read_store(const kiln_store &given) {
  KILN_TRY(kiln_store read, read_struct(&given, "kiln_store"));
  if (!read.get) return missing("kiln_store.get");
  if (!read.put) return missing("kiln_store.put");
  if (!read.drop) return missing("kiln_store.drop");
  const bool has_leases = read.acquire_lease || read.renew_lease || read.release_lease;
  if (has_leases && !read.acquire_lease) return missing("kiln_store.acquire_lease");
  if (has_leases && !read.renew_lease) return missing("kiln_store.renew_lease");
  if (has_leases && !read.release_lease) return missing("kiln_store.release_lease");
  return std::shared_ptr<CacheStore>(std::make_shared<Store>(read));
}

} // namespace kiln::c
