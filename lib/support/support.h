// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Component support (layer 0): what every other component stands on, with no notion of compiling.
//   result       Result<T>, Error, Diagnostic (public: kiln/result.h); rendering with carets
//   source       source files, spans, the map from a span to file:line:column (public:
//                kiln/extension/language/source.h)
//   fingerprint  128-bit content digests (XXH3)
//   timing       the stage timer and its table (public: kiln/timing.h)
//   log          levelled messages to the embedder (public: kiln/log.h)
//   cancellation  work that may be told to stop, and the thread that asks
//   callback     which callbacks of the embedder's the thread is in
//   environment  the one place that reads environment variables
//   process      which process this is, after a fork too
//   file         whole-file reads and atomic writes
//   bytes        values as bytes and back, with bounds
//   json         quoting of JSON strings; values of a JSON file with their places
//   symbol       interned names
//   embedded     files of the library as bytes in the program, indexed
//   dynlib       dynamic libraries, looked up at run time
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
