// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kiln's public API for sessions. Apart from it: programs (kiln/program.h), bundles (kiln/bundle.h,
// kiln/bundle_writer.h), languages and targets of an embedder's own (kiln/extension).
//
// Threads: a Session, and the Devices, Kernels, Events and Streams that it gives, may be used by any number
// of threads at once. An object of Buffer or Graph is not thread-safe: one thread at a time; several threads
// may each have their own. All else is plain values, as Error and Result too: reading them together is fine.
// Sessions share nothing but the cache's folder, of which every process
// and every session may use the same at once.
#pragma once

#include <kiln/abi.h>
#include <kiln/advise.h>
#include <kiln/allocator.h>
#include <kiln/cache.h>
#include <kiln/compile.h>
#include <kiln/device.h>
#include <kiln/error_code.h>
#include <kiln/executor.h>
#include <kiln/feature.h>
#include <kiln/foreign.h>
#include <kiln/host_mirror.h>
#include <kiln/interrupt.h>
#include <kiln/ir_hooks.h>
#include <kiln/job.h>
#include <kiln/job_list.h>
#include <kiln/log.h>
#include <kiln/packages.h>
#include <kiln/precompile.h>
#include <kiln/records.h>
#include <kiln/result.h>
#include <kiln/session.h>
#include <kiln/stop.h>
#include <kiln/store.h>
#include <kiln/stream.h>
#include <kiln/timing.h>
#include <kiln/tune.h>
#include <kiln/worker.h>
