// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Renders the timing reports of many processes as an HTML page: a chart of the processes over time, then
// tables. The page has no JavaScript.
#include "fleet.h"

#include <support/support.h>
#include <support/timing_page.h>

#include <algorithm>
#include <cmath>

namespace kiln::tool {

namespace {

using timing::html_text;

constexpr std::string_view style =
    R"css(body { font: 14px/1.45 system-ui, sans-serif; margin: 1.5em; color: #1b1f24; background: #fff; }
h1 { font-size: 1.3em; margin: 0; } h2 { font-size: 1.05em; margin: 1.6em 0 .4em; }
p { margin: .3em 0; color: #57606a; } .wait { color: #9a6700; } svg { max-width: 100%; height: auto; }
table { border-collapse: collapse; } td, th { padding: .15em .7em; text-align: right; border-bottom: 1px solid #eaeef2; }
th { background: #f6f8fa; position: sticky; top: 0; } td.text, th.text { text-align: left; }
)css";

// Colours of the chart's bars, in the legend's order. Each has a contrast of at least 4.5 to white.
constexpr struct {
  std::string_view mark, colour, meaning;
} classes[] = {
    {"c", "#0b5cad", "compiled"},
    {"l", "#5a6570", "compile that a remote entry overtook"},
    {"w", "#b85600", "waited for another session or process"},
    {"r", "#1f7a33", "found in the remote store"},
    {"f", "#7a3db8", "found in the folder"},
};

// Layout of the chart, in pixels.
constexpr int left = 130, plot_width = 960, row_height = 16, bar_height = 12, top = 48;
constexpr double min_bar = 1.5;

class Picture {
public:
  explicit Picture(const Fleet &fleet) : fleet_(fleet) {
    for (const FleetProcess &process : fleet.processes)
      end_ = std::max(end_, fleet.offset(process) + process.ready());
    end_ = std::max<uint64_t>(end_, 1);
  }

  std::string svg() {
    const int height = top + int(fleet_.processes.size()) * row_height + 28;
    out_ = fmt::format(
        R"(<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {0} {1}" width="{0}" height="{1}" role="img">)"
        "\n<title>Processes by time: compiles, waits and hits</title>\n<style>\n"
        "text {{ font: 11px sans-serif; fill: #1b1f24; }} .g {{ stroke: #d0d7de; }}\n",
        left + plot_width + 30, height);
    for (const auto &each : classes) out_ += fmt::format(".{} {{ fill: {}; }}\n", each.mark, each.colour);
    out_ += "</style>\n";
    out_ += fmt::format(R"(<rect width="{}" height="{}" fill="#fff"/>)"
                        "\n",
                        left + plot_width + 30, height);
    legend();
    axis();
    int y = top;
    for (const FleetProcess &process : fleet_.processes) {
      row(process, y);
      y += row_height;
    }
    return out_ + "</svg>\n";
  }

private:
  double x_of(uint64_t time) const { return double(time) / double(end_) * plot_width; }

  void legend() {
    int x = left;
    for (const auto &each : classes) {
      out_ += fmt::format(R"(<path class="{}" d="M{} 6h12v12h-12z"/><text x="{}" y="16">{}</text>)"
                          "\n",
                          each.mark, x, x + 17, each.meaning);
      x += 40 + int(each.meaning.size()) * 6;
    }
  }

  /// Draws the time axis: 5 to 12 vertical lines at round numbers of milliseconds, with labels.
  void axis() {
    double step = std::pow(10, std::floor(std::log10(double(end_) / 1e6)));
    for (const double finer : {0.5, 0.4, 0.5})
      if (double(end_) / 1e6 / step < 5) step *= finer;
    const int bottom = top + int(fleet_.processes.size()) * row_height;
    for (double at = 0; at * 1e6 <= double(end_); at += step) {
      const double x = left + x_of(uint64_t(at * 1e6));
      out_ += fmt::format(
          R"(<path class="g" d="M{0:.1f} {1}V{2}"/><text x="{0:.1f}" y="{3}" text-anchor="middle">{4:g}</text>)"
          "\n",
          x, top - 6, bottom, bottom + 14, at);
    }
    out_ +=
        fmt::format(R"(<text x="{}" y="{}">ms {}</text>)"
                    "\n",
                    left, bottom + 26,
                    fleet_.clocks_agree ? "since the first process started" : "since each process started");
  }

  void row(const FleetProcess &process, int y) {
    out_ +=
        fmt::format(R"svg(<text x="{}" y="{}" text-anchor="end">{}</text><g transform="translate({} {})">)svg"
                    "\n",
                    left - 6, y + bar_height - 2, html_text(process.label()), left, y);
    // Bars of a process's threads overlap in its row. Draw waits first, so that work covers them.
    for (const bool is_wait : {true, false})
      for (const FleetProduct &product : process.products) bars(process, product, is_wait);
    out_ += "</g>\n";
  }

  void bars(const FleetProcess &process, const FleetProduct &product, bool is_wait) {
    const uint64_t start = fleet_.offset(process) + product.start, end = fleet_.offset(process) + product.end;
    std::string note = fmt::format("{}, {}: {} in {} ms", process.label(), product.name, product.found,
                                   milliseconds(end - start));
    if (product.wait)
      note += fmt::format(", waited {} ms{}{}", milliseconds(product.wait),
                          product.waited_for.empty() ? "" : " for ", fleet_.name_of(product.waited_for));
    if (is_wait) {
      if (product.wait) bar("w", start, start + product.wait, note);
      return;
    }
    if (product.compile) bar(product.found == "hedged" ? "l" : "c", end - product.compile, end, note);
    if (!product.wait && !product.compile)
      bar(product.found == "remote" ? "r" : product.found == "folder" ? "f" : "c", start, end, note);
  }

  void bar(std::string_view mark, uint64_t start, uint64_t end, const std::string &note) {
    out_ += fmt::format(R"(<path class="{}" d="M{:.1f} 0h{:.1f}v{}H{:.1f}z"><title>{}</title></path>)"
                        "\n",
                        mark, x_of(start), std::max(x_of(end - start), min_bar), bar_height, x_of(start),
                        html_text(note));
  }

  const Fleet &fleet_;
  uint64_t end_ = 0; ///< end of the axis
  std::string out_;
};

std::string table_html(const FleetTable &table) {
  std::string out = fmt::format("<h2>{}</h2>\n", html_text(table.title));
  if (!table.note.empty()) out += fmt::format("<p>{}</p>\n", html_text(table.note));
  if (table.rows.empty()) return out + "<p>none</p>\n";
  auto add_row = [&](std::string_view tag, auto &&cell_of) {
    out += "<tr>";
    for (size_t i = 0; i < table.columns.size(); i++)
      out += fmt::format("<{0}{1}>{2}</{0}>", tag, table.columns[i].is_text ? " class=\"text\"" : "",
                         html_text(cell_of(i)));
    out += "</tr>\n";
  };
  out += "<table><thead>";
  add_row("th", [&](size_t i) -> const std::string & { return table.columns[i].heading; });
  out += "</thead><tbody>\n";
  for (const auto &row : table.rows) add_row("td", [&](size_t i) -> const std::string & { return row[i]; });
  return out + "</tbody></table>\n";
}

} // namespace

std::string fleet_page(const Fleet &fleet) {
  std::string out = "<!DOCTYPE html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n"
                    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
                    "'unsafe-inline'\">\n<title>kiln timings of a fleet</title>\n<style>";
  out += style;
  out += "</style>\n"
         "<h1>kiln timings of a fleet</h1>\n";
  for (const std::string &fact : fleet_facts(fleet)) out += fmt::format("<p>{}</p>\n", html_text(fact));
  for (const std::string &warning : fleet.warnings)
    out += fmt::format("<p class=\"wait\">warning: {}</p>\n", html_text(warning));
  out += Picture(fleet).svg();
  for (const FleetTable &table : fleet_tables(fleet)) out += table_html(table);
  return out + "</html>\n";
}

} // namespace kiln::tool
