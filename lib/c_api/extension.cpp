// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Implements C functions that extend compilation: functions written in LLVM IR, hooks that receive LLVM IR,
// and observers of products.
#include "session_call.h"

#include <kiln/c_language.h>

#include <sstream>
#include <vector>

using namespace kiln;
using namespace kiln::c;

namespace {

/// Names of --emit, by ArtifactKind.
constexpr const char *product_names[] = {"lowered", "typed", "llvm", "llvm-opt", "asm", "obj", "cubin"};

} // namespace

extern "C" {

int kiln_define_ir(kiln_session *session, const kiln_ir_function *function, kiln_error **error) {
  return call(error, [&]() -> Result<void> {
    KILN_PIN(SessionObject, object, session);
    KILN_NOT_NULL("kiln_define_ir", function);
    KILN_TRY(const kiln_ir_function read, read_struct(function, "kiln_ir_function"));
    if (!read.name) return null_argument("kiln_define_ir", "function->name");
    if (!read.ir) return null_argument("kiln_define_ir", "function->ir");
    if (read.argument_count && !read.arguments) return null_argument("kiln_define_ir", "function->arguments");
    IrFunction wanted{.name = read.name,
                      .ir = std::string(static_cast<const char *>(read.ir), read.ir_size),
                      .symbol = text_or_empty(read.symbol),
                      .file = text_or_empty(read.file),
                      .line = std::max(read.line, 1u)};
    if (read.returns) wanted.returns = read.returns;
    for (size_t i = 0; i < read.argument_count; ++i) {
      if (!read.arguments[i])
        return null_argument("kiln_define_ir", "function->arguments[" + std::to_string(i) + "]");
      wanted.arguments.emplace_back(read.arguments[i]);
    }
    return object->session->define_ir(wanted);
  });
}

int kiln_define_host_function(kiln_session *session, const char *name, const kiln_host_signature *signature,
                              void *function, kiln_error **error) {
  return call(error, [&]() -> Result<void> {
    KILN_PIN(SessionObject, object, session);
    KILN_NOT_NULL("kiln_define_host_function", name);
    HostSignature wanted;
    if (!signature) return object->session->define_host_function(name, wanted, function);
    KILN_TRY(const kiln_host_signature read, read_struct(signature, "kiln_host_signature"));
    if (read.returns) wanted.returns = read.returns;
    auto read_texts = [](const char *const *texts, size_t count, const char *field,
                         std::vector<std::string> &into) -> Result<void> {
      for (size_t i = 0; i < count; ++i) {
        if (!texts || !texts[i])
          return null_argument("kiln_define_host_function", fmt::format("signature->{}[{}]", field, i));
        into.emplace_back(texts[i]);
      }
      return {};
    };
    KILN_CHECK(read_texts(read.arguments, read.argument_count, "arguments", wanted.arguments));
    KILN_CHECK(read_texts(read.raises, read.raise_count, "raises", wanted.raises));
    return object->session->define_host_function(name, wanted, function);
  });
}

int kiln_session_add_hooks(kiln_session *session, const kiln_ir_hooks *hooks, kiln_error **error) {
  return call(error, [&]() -> Result<void> {
    KILN_PIN(SessionObject, object, session);
    KILN_NOT_NULL("kiln_session_add_hooks", hooks);
    KILN_TRY(const kiln_ir_hooks read, read_struct(hooks, "kiln_ir_hooks"));
    std::shared_ptr<void> user(read.user, [release = read.release](void *p) {
      if (release) release(p);
    });
    if (!read.name) return null_argument("kiln_session_add_hooks", "hooks->name");
    if (!read.rewrite) return null_argument("kiln_session_add_hooks", "hooks->rewrite");
    IrHooks wanted{.name = read.name, .version = text_or_empty(read.version), .moments = {}, .rewrite = {}};
    for (unsigned moment = 0; moment < 32; ++moment)
      if (read.moments >> moment & 1) {
        if (moment > KILN_FINISH_IR)
          return usage_error(fmt::format("hooks->moments has bit {}: there is no such moment", moment));
        wanted.moments.push_back(IrMoment(moment));
      }
    if (read.form != KILN_IR_TEXT && read.form != KILN_IR_BITCODE)
      return usage_error(
          fmt::format("hooks->form is {}, and there are KILN_IR_TEXT and KILN_IR_BITCODE", read.form));
    wanted.form = IrForm(read.form);
    wanted.rewrite = [rewrite = read.rewrite,
                      user](IrMoment moment, std::string_view ir) -> Result<std::optional<std::string>> {
      const std::string text(ir); // terminated by NUL
      std::optional<std::string> given;
      const int status = rewrite(int(moment), text.c_str(), text.size(), take_text, &given, user.get());
      if (status) return input_error(given ? *given : fmt::format("the hooks' rewrite returned {}", status));
      return given;
    };
    KILN_TRY(std::shared_ptr<const JobHooks> made, make_hooks(std::move(wanted)));
    return object->session->add_hooks(std::move(made));
  });
}

int kiln_session_observe(kiln_session *session, const char *products,
                         void (*observer)(const kiln_product *product, void *user), void *user,
                         kiln_observation **out, kiln_error **error) {
  return call(error, [&]() -> Result<void> {
    KILN_OUT("kiln_session_observe", out);
    KILN_PIN(SessionObject, object, session);
    KILN_NOT_NULL("kiln_session_observe", observer);
    KILN_CHECK(object->session->check());
    std::vector<ArtifactKind> kinds;
    std::istringstream words(text_or_empty(products));
    for (std::string word; words >> word;) {
      KILN_TRY(ArtifactKind kind, read_stage(word));
      kinds.push_back(kind);
    }
    auto show = [observer, user](const ObservedProduct &seen) {
      const std::string function(seen.function), signature(seen.signature), bytes(seen.bytes);
      const kiln_product product{.struct_size = sizeof(kiln_product),
                                 .product = product_names[size_t(seen.kind)],
                                 .function = function.c_str(),
                                 .signature = signature.c_str(),
                                 .data = bytes.c_str(),
                                 .size = bytes.size()};
      observer(&product, user);
    };
    return give<ObservationObject>(out, object->session->observe(std::move(show), kinds));
  });
}

void kiln_observation_free(kiln_observation *observation) {
  free_handle(HandleKind::Observation, observation);
}
}
