#include "cli/man.hpp"

#include <fmt/format.h>

#include <string>

#include "base/files/output.hpp"
#include "cli/version.hpp"

namespace plumbline::cli {
namespace {

// Plain text as roff: backslashes, leading dots and hyphens lose their meaning.
std::string roff(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else if (c == '.' && (out.empty() || out.back() == '\n')) {
      out += "\\&.";
    } else {
      out += c;
    }
  }
  return out;
}

bool is_shown(const CLI::Option& option) { return !option.get_group().empty(); }

std::string value_of(const CLI::Option& option) {
  return option.get_type_size_max() == 0 ? "" : " " + option.get_type_name();
}

std::string options_section(const CLI::App& app) {
  std::string out;
  for (const CLI::Option* option : app.get_options()) {
    if (!is_shown(*option)) continue;
    const std::string name = option->get_name(option->get_positional(), true);
    out += fmt::format(".TP\n.B {}{}\n{}.\n", roff(name), roff(option->get_positional() ? "" : value_of(*option)),
                       roff(option->get_description()));
    if (const std::string preset = option->get_default_str(); !preset.empty())
      out += fmt::format("Default: {}.\n", roff(preset));
  }
  return out;
}

// "plumbline replay [options] OBS"
std::string synopsis(const CLI::App& app, const std::string& command) {
  std::string out = command + " [options]";
  for (const CLI::Option* option : app.get_options())
    if (option->get_positional()) out += " " + option->get_name(true, false);
  return out;
}

std::string page(const CLI::App& app, const std::string& name, const std::string& command, const std::string& summary,
                 const std::string& see_also) {
  std::string out = fmt::format(".TH {} 1 \"\" \"plumbline {}\"\n.SH NAME\n{} \\- {}\n", name, version_number(),
                                roff(name), roff(summary));
  out += fmt::format(".SH SYNOPSIS\n.B {}\n", roff(synopsis(app, command)));
  if (!app.get_footer().empty()) out += fmt::format(".SH DESCRIPTION\n.nf\n{}\n.fi\n", roff(app.get_footer()));
  out += fmt::format(".SH OPTIONS\n{}", options_section(app));
  return out + fmt::format(".SH SEE ALSO\n{}\n", see_also);
}

}  // namespace

int write_man_pages(const CLI::App& app, const std::filesystem::path& directory) {
  std::filesystem::create_directories(directory);
  std::string verbs_listed;
  for (const CLI::App* sub : app.get_subcommands([](const CLI::App*) { return true; })) {
    const std::string name = "plumbline-" + sub->get_name();
    write_file(directory / (name + ".1"),
               page(*sub, name, "plumbline " + sub->get_name(), sub->get_description(), ".BR plumbline (1)"),
               Overwrite::kYes);
    for (const CLI::App* face : sub->get_subcommands([](const CLI::App*) { return true; })) {
      const std::string of_face = name + "-" + face->get_name();
      write_file(directory / (of_face + ".1"),
                 page(*face, of_face, "plumbline " + sub->get_name() + " " + face->get_name(), face->get_description(),
                      ".BR " + name + " (1)"),
                 Overwrite::kYes);
    }
    verbs_listed += fmt::format("{}.BR {} (1)", verbs_listed.empty() ? "" : ",\n", name);
  }
  write_file(directory / "plumbline.1",
             page(app, "plumbline", "plumbline VERB",
                  "record an MPI program, work out how long it should have taken, compare", verbs_listed),
             Overwrite::kYes);
  return 0;
}

}  // namespace plumbline::cli
