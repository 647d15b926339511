// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random configs come back from every form that a config takes as they were.
#include "random_config.h"

#include "../../../../tools/kiln/options.h"
#include "must.h"

#include <pipeline/worker_jobs.h>
#include <targets/targets.h>

using namespace kiln;
using namespace kiln::test;

namespace {

constexpr int num_configs = 300;

} // namespace

TEST_CASE("random configs come back from a trace's JSON") {
  RandomConfigs random(1);
  for (int i = 0; i < num_configs; i++) {
    CompilerConfig config = random.next(true);
    if (random.below(4) == 0)
      config.nested = {{"inner", std::make_shared<const CompilerConfig>(random.next(true))}};
    const std::string json = config_json(config);
    INFO(json);
    const JsonValue object = must(parse_json(std::make_shared<const SourceFile>(0, "config", json)));
    const CompilerConfig back = must(config_from_json(object, own_targets()));
    CHECK(difference(config, back) == "");
    CHECK(config == back);
  }
}

TEST_CASE("random configs come back from a message to a worker process") {
  RandomConfigs random(2);
  const std::vector<AssemblerInput> inputs{{.entry = "entry", .text = "text"}};
  for (int i = 0; i < num_configs; i++) {
    CompilerConfig config = random.next(true);
    if (random.below(4) == 0)
      config.linked = {{.kind = LinkedKind::Ptx,
                        .name = "file.ptx",
                        .bytes = std::make_shared<const std::string>("bytes"),
                        .digest = {random.below(100), 7}}};
    const AssembleRequest back = must(read_assemble(write_assemble(config, inputs), own_targets()));
    CHECK(difference(config, back.config) == "");
    CHECK(config == back.config);
  }
}

TEST_CASE("random configs come back from options in JSON") {
  RandomConfigs random(3);
  for (int i = 0; i < num_configs; i++) {
    const CompilerConfig config = random.next(false);
    std::string json = "{";
    for (const Written &option : written(config)) {
      const bool is_plain = option.is_flag || (option.is_number && random.below(2));
      json += fmt::format("{}\"{}\": {}", json.size() > 1 ? ", " : "", option.name,
                          is_plain ? option.value : json_string(option.value));
    }
    json += "}";
    INFO(json);
    const CompilerConfig back = must(read_config(json));
    CHECK(difference(config, back) == "");
    CHECK(config == back);
    const std::vector<CompilerConfig> each = must(read_configs(json));
    REQUIRE(each.size() == 1);
    CHECK(difference(config, each[0]) == "");
  }
}

TEST_CASE("random configs come back from the command line") {
  RandomConfigs random(4);
  for (int i = 0; i < num_configs; i++) {
    CompilerConfig config = random.next(false);
    std::vector<std::string> words;
    std::string line;
    for (const Written &option : written(config)) {
      if (!option.is_on_command_line) continue;
      words.push_back(option.name.size() == 1 ? fmt::format("-{}{}", option.name, option.value)
                      : option.is_flag        ? fmt::format("--{}", option.name)
                                              : fmt::format("--{}={}", option.name, option.value));
      line += words.back() + "\n";
    }
    config.check = config.interruptible = false; // kiln run has flags of its own
    INFO(line);
    CLI::App app;
    tool::CompileOptions options;
    options.add_to(app);
    std::ranges::reverse(words);
    REQUIRE_NOTHROW(app.parse(words));
    const CompilerConfig back = must(options.config(true));
    CHECK(difference(config, back) == "");
    CHECK(config == back);
  }
}

TEST_CASE("every door says the same about an option that is not one") {
  struct Case {
    const char *name, *value, *wanted;
  };
  const Case cases[] = {
      {"maxregs", "256", " takes a whole number from 0 to 255, not `256`"},
      {"O", "4", " takes a whole number from 0 to 3, not `4`"},
      {"contract", "maybe", " takes default, off or on, not `maybe`"},
      {"maxthreads", "0", " takes X[,Y[,Z]], numbers above 0, not `0`"},
      {"ptx-isa", "x", " takes a version such as 8.5, not `x`"},
      {"arch", "hopper", " takes sm_<number>, such as sm_90, sm_90a or sm_100f, not `hopper`"},
      {"features", "+avx2", " is for the target native, not ptx"},
      {"target", "vax", " takes native, ptx or spirv, not `vax`"},
  };
  for (const Case &c : cases) {
    const std::string target = c.name == std::string("target") ? "" : "\"target\": \"ptx\", ";
    const auto of_json = read_config(fmt::format("{{{}\"{}\": \"{}\"}}", target, c.name, c.value));
    REQUIRE(!of_json.ok());
    CHECK(of_json.error().diagnostics()[0].message == fmt::format("\"{}\"{}", c.name, c.wanted));
    tool::CompileOptions options;
    options.set_option("target", "ptx");
    options.set_option(c.name, c.value);
    const auto of_line = options.config(true);
    REQUIRE(!of_line.ok());
    CHECK(of_line.error().kind() == ErrorKind::Usage);
    CHECK(of_line.error().diagnostics()[0].message ==
          fmt::format("{}{}{}", c.name[1] ? "--" : "-", c.name, c.wanted));
  }
  CHECK_THAT(read_config(R"({"maxreg": 1})").error().diagnostics()[0].message,
             Catch::Equals("there is no option \"maxreg\""));
  CHECK_THAT(read_config(R"({"target": "ptx", "maxreg": 1})").error().diagnostics()[0].message,
             Catch::Equals("there is no option \"maxreg\"; did you mean \"maxregs\"?"));
}

TEST_CASE("a message with fields that do not fit is refused") {
  const std::vector<ConfigField> fields = plain_fields(CompilerConfig());
  const auto refused = [&](std::string_view name, FieldValue value) {
    std::vector<ConfigField> changed = fields;
    std::ranges::find(changed, name, &ConfigField::name)->value = std::move(value);
    return !config_from_fields(changed, own_targets()).ok();
  };
  CHECK(!refused("opt_level", int64_t(3)));
  CHECK(refused("opt_level", int64_t(1) << 40));
  CHECK(refused("opt_level", std::string("3")));
  CHECK(refused("kernel", int64_t(1)));
  CHECK(refused("contract", std::string("maybe")));
  CHECK(refused("target", std::string("vax")));
  CHECK(refused("cpu", std::vector<uint32_t>{1}));
  std::vector<ConfigField> more = fields;
  more.push_back({"wings", true});
  CHECK(!config_from_fields(more, own_targets()).ok());
}
