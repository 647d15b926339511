// Precompiled header of the components in layer 4 and above (cmake/components.txt). It has headers about
// types, code and jobs. kiln/session.h is left out, because an edit of that file must not recompile
// everything.
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
