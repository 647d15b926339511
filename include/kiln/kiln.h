// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Includes Kiln's public API for sessions. Not included are programs (kiln/program.h), bundles
// (kiln/bundle.h, kiln/bundle_writer.h), and languages and targets of an embedder (kiln/extension).
//
// Threads: any number of threads may use a Session and its Devices, Kernels, Events and Streams at once. Only
// one thread at a time may use a Buffer or Graph object. All other types are plain values, Error and Result
// included: threads may read them at once. Sessions share only the cache's folder, which any number of
// sessions and processes may use at once.
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
#include <kiln/opencl.h>
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
