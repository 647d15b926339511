// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "help.h"

#include <fmt/format.h>

namespace kiln::tool {

HelpFormatter::HelpFormatter() { label("OPTIONS", "OPTIONS"); }

std::string HelpFormatter::first_form(const CLI::App &app) const {
  const auto found = commands_.find(&app);
  return found == commands_.end() ? std::string() : CLI::detail::split(found->second->usage, '\n')[0];
}

std::string HelpFormatter::make_usage(const CLI::App *app, std::string name) const {
  const auto found = commands_.find(app);
  if (found == commands_.end()) return Formatter::make_usage(app, std::move(name));
  std::string text;
  for (const std::string &form : CLI::detail::split(found->second->usage, '\n'))
    text += fmt::format("{} {}\n", text.empty() ? "Usage:" : "      ", form);
  return text;
}

std::string HelpFormatter::make_subcommand(const CLI::App *app) const {
  std::ostringstream out;
  const std::string about = app->get_description();
  CLI::detail::format_help(out, app->get_display_name(true), about.substr(0, about.find('\n')),
                           column_width_ / 2);
  return out.str();
}

std::string HelpFormatter::make_footer(const CLI::App *app) const {
  const auto found = commands_.find(app);
  if (found == commands_.end() || !*found->second->example) return Formatter::make_footer(app);
  return fmt::format("Example:\n  {}\n", found->second->example);
}

} // namespace kiln::tool
