// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Links an object file as an image for a bundle. It uses JITLink, LLVM's linker of objects into a process,
// with a buffer as the memory of that process. JITLink finds live code, makes the GOT and stubs, and lays out
// segments.
//
// The linked addresses are offsets: the first segment starts at `base`. Each symbol outside the image gets an
// address so far away that JITLink always uses the GOT for it. Every edge that is a full address then becomes
// a relocation or an import of the image. All other edges must be distances within the image.
#include "image_linker.h"

#include <bundle/bundle.h>
#include <host/host.h>
#include <llvm_support/llvm_support.h>
#include <support/support.h>

#include <fmt/format.h>
#include <llvm/ExecutionEngine/JITLink/JITLink.h>
#include <llvm/ExecutionEngine/JITLink/JITLinkMemoryManager.h>
#include <llvm/ExecutionEngine/JITLink/aarch64.h>
#include <llvm/ExecutionEngine/JITLink/x86_64.h>

#include <algorithm>
#include <map>
#include <span>
#include <tuple>

namespace kiln {

using namespace bundle;
namespace jitlink = llvm::jitlink;

namespace {

constexpr uint64_t base = uint64_t(1) << 32, outside = uint64_t(1) << 46, step = 16;

uint64_t paged(uint64_t bytes, uint64_t page) { return (bytes + page - 1) / page * page; }

/// Properties of an architecture that an image can be for.
struct Architecture {
  uint32_t machine;                                     ///< of the image's header
  llvm::StringRef got, stubs;                           ///< names of JITLink's sections
  jitlink::Edge::Kind address;                          ///< kind of an edge that is a full address
  std::span<const jitlink::Edge::Kind> short_addresses; ///< kinds that an image cannot have
};

/// Null: bundles have no code for this architecture.
const Architecture *architecture_of(const llvm::Triple &triple) {
  using namespace jitlink;
  static constexpr jitlink::Edge::Kind short_x86[] = {x86_64::Pointer32, x86_64::Pointer32Signed,
                                                      x86_64::Pointer16, x86_64::Pointer8};
  static constexpr jitlink::Edge::Kind short_aarch64[] = {aarch64::Pointer32, aarch64::MoveWide16};
  static const Architecture x86{machine_x86_64, x86_64::GOTTableManager::getSectionName(),
                                x86_64::PLTTableManager::getSectionName(), x86_64::Pointer64, short_x86};
  static const Architecture aarch64{machine_aarch64, aarch64::GOTTableManager::getSectionName(),
                                    aarch64::PLTTableManager::getSectionName(), aarch64::Pointer64,
                                    short_aarch64};
  switch (triple.getArch()) {
  case llvm::Triple::x86_64: return &x86;
  case llvm::Triple::aarch64: return &aarch64;
  default: return nullptr;
  }
}

/// Result of one link.
struct Linked {
  explicit Linked(const Architecture &architecture)
      : architecture(architecture), header{.machine = architecture.machine} {}
  const Architecture &architecture;
  ImageHeader header;
  std::array<std::string, SegmentCount> content;
  std::vector<Relocation> relocations;
  struct Wanted {
    std::string name;
    uint32_t place;
    int64_t addend;
  };
  std::vector<Wanted> imports;
  /// `failure`: JITLink's error message. `missing`: names of the functions that this system lacks.
  std::string failure, missing;
};

ImageSegment segment_of(llvm::orc::MemProt protection) {
  using llvm::orc::MemProt;
  const auto has = [&](MemProt what) { return (unsigned(protection) & unsigned(what)) != 0; };
  return has(MemProt::Exec) ? Text : has(MemProt::Write) ? Variables : Constants;
}

class ImageMemory final : public jitlink::JITLinkMemoryManager {
public:
  explicit ImageMemory(Linked &linked) : linked_(linked) {}
  using JITLinkMemoryManager::allocate;
  using JITLinkMemoryManager::deallocate;

  void allocate(const jitlink::JITLinkDylib *, jitlink::LinkGraph &graph, OnAllocatedFunction done) override {
    const uint64_t page = image_page(linked_.header.machine);
    jitlink::BasicLayout layout(graph);
    // JITLink's segments with equal protection but different lifetimes are placed one after the other in one
    // segment.
    std::array<uint64_t, SegmentCount> sizes{};
    struct Place {
      jitlink::BasicLayout::Segment *segment;
      ImageSegment which;
      uint64_t offset;
    };
    std::vector<Place> places;
    for (auto &[group, segment] : layout.segments()) {
      const ImageSegment which = segment_of(group.getMemProt());
      if (segment.Alignment.value() > page) return done(llvm::createStringError("an alignment above a page"));
      uint64_t &size = sizes[which];
      size = llvm::alignTo(size, segment.Alignment);
      places.push_back({&segment, which, size});
      size += segment.ContentSize + segment.ZeroFillSize;
    }
    std::array<uint64_t, SegmentCount> begins{};
    uint64_t end = 0;
    for (size_t i = 0; i < SegmentCount; i++) {
      begins[i] = end;
      end += paged(sizes[i], page);
      if (end > max_image_bytes) return done(llvm::createStringError("more code than an image holds"));
      linked_.header.segments[i] = {uint32_t(sizes[i]), uint32_t(paged(sizes[i], page))};
      linked_.content[i].assign(sizes[i], '\0');
    }
    for (const Place &place : places) {
      place.segment->Addr = llvm::orc::ExecutorAddr(base + begins[place.which] + place.offset);
      place.segment->WorkingMem = linked_.content[place.which].data() + place.offset;
    }
    if (llvm::Error error = layout.apply()) return done(std::move(error));
    done(std::make_unique<Alloc>());
  }
  void deallocate(std::vector<FinalizedAlloc> memory, OnDeallocatedFunction done) override {
    for (FinalizedAlloc &each : memory) each.release();
    done(llvm::Error::success());
  }

private:
  struct Alloc final : InFlightAlloc {
    void abandon(OnAbandonedFunction done) override { done(llvm::Error::success()); }
    void finalize(OnFinalizedFunction done) override { done(FinalizedAlloc(llvm::orc::ExecutorAddr(base))); }
  };
  Linked &linked_;
};

class ImageContext final : public jitlink::JITLinkContext {
public:
  ImageContext(Linked &linked, const std::string &entry)
      : JITLinkContext(nullptr), linked_(linked), entry_(entry), memory_(linked) {}

  jitlink::JITLinkMemoryManager &getMemoryManager() override { return memory_; }
  void notifyFailed(llvm::Error error) override { linked_.failure = llvm::toString(std::move(error)); }
  void lookup(const LookupMap &symbols,
              std::unique_ptr<jitlink::JITLinkAsyncLookupContinuation> next) override {
    jitlink::AsyncLookupResult found;
    std::vector<std::string> names;
    for (const auto &each : symbols) names.push_back((*each.first).str());
    std::sort(names.begin(), names.end()); // sorted: the map's order varies between runs
    for (const std::string &name : names) {
      // Functions with this prefix are host functions, whose addresses the bundle's loader provides.
      if (!name.starts_with(abi::HostFunctionPrefix) && !find_host_symbol(name))
        linked_.missing += (linked_.missing.empty() ? "" : ", ") + name;
      const llvm::orc::ExecutorAddr address(outside + step * ++given_);
      for (const auto &each : symbols)
        if (*each.first == name) found[each.first] = {address, llvm::JITSymbolFlags::Exported};
    }
    next->run(std::move(found));
  }
  llvm::Error notifyResolved(jitlink::LinkGraph &) override { return llvm::Error::success(); }
  void notifyFinalized(jitlink::JITLinkMemoryManager::FinalizedAlloc memory) override { memory.release(); }

  jitlink::LinkGraphPassFunction getMarkLivePass(const llvm::Triple &) const override {
    return [entry = entry_](jitlink::LinkGraph &graph) {
      for (jitlink::Symbol *symbol : graph.defined_symbols())
        symbol->setLive(symbol->hasName() && *symbol->getName() == entry);
      return llvm::Error::success();
    };
  }
  llvm::Error modifyPassConfig(jitlink::LinkGraph &, jitlink::PassConfiguration &passes) override {
    // The section .eh_frame is removed, since no exception unwinds through a kernel. Its references would
    // also keep dead code alive.
    passes.PrePrunePasses.insert(passes.PrePrunePasses.begin(), [](jitlink::LinkGraph &graph) {
      if (auto *frames = graph.findSectionByName(".eh_frame")) graph.removeSection(*frames);
      return llvm::Error::success();
    });
    // This pass comes after JITLink's own pass that makes the GOT and stubs.
    passes.PostPrunePasses.push_back([&architecture = linked_.architecture](jitlink::LinkGraph &graph) {
      order_entries(graph, architecture, architecture.got);
      order_entries(graph, architecture, architecture.stubs);
      return llvm::Error::success();
    });
    passes.PostFixupPasses.push_back([this](jitlink::LinkGraph &graph) { return take(graph); });
    return llvm::Error::success();
  }

private:
  /// Returns the target of a GOT entry or stub as a sort key: the symbol's name, its address and the addend.
  static std::tuple<std::string, uint64_t, int64_t> goal_of(const Architecture &architecture,
                                                            const jitlink::Block &entry) {
    for (const jitlink::Edge &edge : entry.edges()) {
      const jitlink::Symbol &target = edge.getTarget();
      if (target.isDefined() && !target.hasName() && target.getBlock().edges_size() == 1 &&
          target.getBlock().getSection().getName() == architecture.got)
        return goal_of(architecture, target.getBlock());
      return {target.hasName() ? (*target.getName()).str() : std::string(),
              target.isDefined() ? target.getAddress().getValue() : 0, edge.getAddend()};
    }
    return {};
  }
  /// Sorts GOT entries and stubs by their targets, so that equal objects give equal images. JITLink makes
  /// these entries in the order of a set of pointers, which differs between processes, and lays out a section
  /// by block address.
  static void order_entries(jitlink::LinkGraph &graph, const Architecture &architecture,
                            llvm::StringRef section_name) {
    jitlink::Section *section = graph.findSectionByName(section_name);
    if (!section) return;
    std::vector<jitlink::Block *> entries(section->blocks().begin(), section->blocks().end());
    std::sort(entries.begin(), entries.end(), [&](const auto *a, const auto *b) {
      return goal_of(architecture, *a) < goal_of(architecture, *b);
    });
    uint64_t next = 0;
    for (jitlink::Block *entry : entries) {
      entry->setAddress(llvm::orc::ExecutorAddr(next));
      next += entry->getSize();
    }
  }

  llvm::Error take(jitlink::LinkGraph &graph) {
    for (jitlink::Symbol *symbol : graph.defined_symbols())
      if (symbol->hasName() && *symbol->getName() == entry_)
        linked_.header.entry = uint32_t(symbol->getAddress().getValue() - base);
    for (jitlink::Block *block : graph.blocks()) {
      if (block->getSection().getMemLifetime() == llvm::orc::MemLifetime::NoAlloc) continue;
      for (jitlink::Edge &edge : block->edges()) {
        if (!edge.isRelocation()) continue;
        const jitlink::Symbol &target = edge.getTarget();
        const uint64_t place = (block->getAddress() + edge.getOffset()).getValue() - base;
        if (edge.getKind() == linked_.architecture.address) {
          if (target.isDefined()) {
            const uint64_t to = target.getAddress().getValue() + uint64_t(edge.getAddend()) - base;
            linked_.relocations.push_back({uint32_t(place), uint32_t(to)});
          } else {
            linked_.imports.push_back({(*target.getName()).str(), uint32_t(place), edge.getAddend()});
          }
        } else if (!target.isDefined() || is_short_address(edge.getKind())) {
          return llvm::createStringError(
              fmt::format("{} in a function of {}: the code is not position-independent",
                          graph.getEdgeKindName(edge.getKind()), entry_));
        }
      }
    }
    return llvm::Error::success();
  }
  bool is_short_address(jitlink::Edge::Kind kind) const {
    return llvm::is_contained(linked_.architecture.short_addresses, kind);
  }

  Linked &linked_;
  const std::string entry_;
  ImageMemory memory_;
  uint64_t given_ = 0;
};

template <class T> void append(std::string &out, const T &value) {
  out.append(reinterpret_cast<const char *>(&value), sizeof value);
}

std::string write(Linked &linked) {
  std::sort(linked.relocations.begin(), linked.relocations.end(),
            [](const Relocation &a, const Relocation &b) { return a.place < b.place; });
  std::sort(linked.imports.begin(), linked.imports.end(), [](const auto &a, const auto &b) {
    return std::tie(a.name, a.place) < std::tie(b.name, b.place);
  });
  std::string names;
  std::map<std::string, uint32_t> offsets;
  for (const auto &import : linked.imports)
    if (auto [at, is_new] = offsets.emplace(import.name, uint32_t(names.size())); is_new)
      names += import.name + '\0';
  ImageHeader &header = linked.header;
  header.relocations = uint32_t(linked.relocations.size());
  header.imports = uint32_t(linked.imports.size());
  header.name_bytes = uint32_t(names.size());
  for (size_t i = 0; i < SegmentCount; i++) { // trailing zeros are not stored
    std::string &content = linked.content[i];
    content.resize(content.find_last_not_of('\0') + 1);
    header.segments[i].file_bytes = uint32_t(content.size());
  }
  std::string out;
  append(out, header);
  for (const Relocation &each : linked.relocations) append(out, each);
  for (const auto &each : linked.imports)
    append(out, Import{.place = each.place, .name = offsets[each.name], .addend = each.addend});
  out += names;
  for (const std::string &content : linked.content) out += content;
  return out;
}

} // namespace

Result<std::string> link_image(std::string_view object, const std::string &entry) {
  const std::string bytes(object);
  // The graph must not be the last owner of its symbol names. JITLink reads the names of its symbol look-up
  // after it has destroyed the graph.
  const auto names = std::make_shared<llvm::orc::SymbolStringPool>();
  auto graph = jitlink::createLinkGraphFromObject(llvm::MemoryBufferRef(bytes, entry), names);
  if (!graph) return to_error(graph.takeError(), "reading an object");
  const Architecture *const architecture = architecture_of((*graph)->getTargetTriple());
  if (!architecture)
    return machine_error("bundles hold CPU code for x86-64 and AArch64 alone",
                         "leave the native target out of the list on this machine");
  Linked linked(*architecture);
  jitlink::link(std::move(*graph), std::make_unique<ImageContext>(linked, entry));
  if (!linked.failure.empty()) return internal_error(fmt::format("linking {}: {}", entry, linked.failure));
  if (!linked.missing.empty())
    return machine_error(fmt::format("{} calls what this system does not have: {}", entry, linked.missing));
  std::string image = write(linked);
  // Check of the result: parse the image as a program that loads the bundle will.
  const std::span<const std::byte> blob{reinterpret_cast<const std::byte *>(image.data()), image.size()};
  if (auto read = read_image(blob); !read.ok())
    return internal_error(fmt::format("linking {}: {}", entry, read.error().diagnostics()[0].message));
  return image;
}

} // namespace kiln
