// Precompiled for components of layer 4 and above: headers about types, code and jobs, which nearly all of
// them include. kiln/session.h is excluded, because an edit of it must not recompile everything.
#include "pch_std.h"

#include <kiln/extension/language/code_builder.h>
#include <kiln/extension/language/define.h>
#include <kiln/extension/language/frontend.h>
#include <kiln/extension/language/internal/stage_timer.h>
#include <kiln/extension/language/internal/world.h>
#include <kiln/extension/language/interpreter.h>
#include <kiln/extension/language/print.h>
#include <kiln/extension/language/type_context.h>
#include <kiln/extension/llvm/target.h>
#include <kiln/job.h>
