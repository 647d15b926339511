// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Component support (layer 0): base of all other components. It knows nothing of compiling.
//   result       Result<T>, Error, Diagnostic (public: kiln/result.h); rendering with carets
//   source       source files, spans, the map from a span to file:line:column (public:
//                kiln/extension/language/source.h)
//   fingerprint  128-bit content digests (XXH3)
//   timing       the stage timer and its table (public: kiln/timing.h)
//   log          levelled messages to the embedder (public: kiln/log.h)
//   cancellation  cancellable work, and the switch of the thread
//   callback     embedder's callbacks that the thread is in
//   environment  access to environment variables
//   process      identity of this process, also after a fork
//   file         whole-file reads and atomic writes
//   bytes        values as bytes and back, with bounds
//   json         quoting of JSON strings; values of a JSON file with their places
//   symbol       interned names
//   embedded     files of the library as bytes in the program, indexed
//   dynlib       dynamic libraries loaded at run time
#pragma once

#include "callback.h"
#include "dynlib.h"
#include "environment.h"
#include "file.h"
#include "json.h"
#include "log.h"
#include "process.h"
#include "render.h"

#include <kiln/extension/language/embedded.h>
#include <kiln/extension/language/fingerprint.h>
#include <kiln/extension/language/internal/stage_timer.h>
#include <kiln/extension/language/source.h>
#include <kiln/extension/language/symbol.h>
#include <kiln/result.h>
