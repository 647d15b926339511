// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Component support (layer 0): utilities for all other components, independent of compiling. Files:
//   result       Result<T>, Error, Diagnostic (public: kiln/result.h); rendering with carets
//   source       source files, spans, the map from a span to file:line:column (public:
//                kiln/extension/language/source.h)
//   fingerprint  128-bit content digests (XXH3)
//   timing       the stage timer and its table (public: kiln/timing.h)
//   log          levelled messages to the embedder (public: kiln/log.h)
//   cancellation  cancellation of a thread's work
//   callback     detects calls from within the embedder's callbacks
//   environment  access to environment variables
//   process      detection of forked children
//   file         whole-file reads and atomic writes
//   bytes        writes values as bytes and reads them, with checks
//   json         quotes JSON strings; parses JSON files into values with places
//   symbol       interned names
//   embedded     files of Kiln's library, embedded in the program with an index
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
