// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kiln's public API for sessions. Separate headers have programs (kiln/program.h), bundles (kiln/bundle.h,
// kiln/bundle_writer.h), and an embedder's own languages and targets (kiln/extension).
//
// Threads: any number of threads may use a Session, and its Devices, Kernels, Events and Streams, at once.
// Only one thread at a time may use an object of Buffer or Graph; several threads may each have their own.
// Everything else is a plain value, also Error and Result: reading them concurrently is fine. Sessions share
// only the cache folder, which any number of processes and sessions may use at once.
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
