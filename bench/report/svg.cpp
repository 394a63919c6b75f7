#include "bench/report/svg.hpp"

#include <fmt/format.h>

#include "base/text/xml_text.hpp"

namespace plumbline::bench {
namespace {

std::string attributes_of(Stroke stroke) {
  std::string text = fmt::format(R"( stroke="{}" stroke-width="{:g}")", stroke.colour, stroke.width);
  if (!stroke.dashes.empty()) text += fmt::format(R"( stroke-dasharray="{}")", stroke.dashes);
  return text;
}

const char* name_of(Anchor anchor) {
  switch (anchor) {
    case Anchor::kStart:
      return "start";
    case Anchor::kMiddle:
      return "middle";
    case Anchor::kEnd:
      return "end";
  }
  return "start";
}

}  // namespace

Svg::Svg(double width, double height, std::string_view title)
    : text_(fmt::format(R"(<?xml version="1.0" encoding="UTF-8"?>
<svg xmlns="http://www.w3.org/2000/svg" width="{0:g}" height="{1:g}" viewBox="0 0 {0:g} {1:g}" font-family="sans-serif">
<title>{2}</title>
<rect width="{0:g}" height="{1:g}" fill="#ffffff"/>
)",
                        width, height, escaped(title))) {}

void Svg::line(Point from, Point to, Stroke stroke) {
  text_ += fmt::format("<line x1=\"{:.2f}\" y1=\"{:.2f}\" x2=\"{:.2f}\" y2=\"{:.2f}\"{}/>\n", from.x, from.y, to.x,
                       to.y, attributes_of(stroke));
}

void Svg::path(std::span<const Point> points, Stroke stroke) {
  text_ += "<polyline fill=\"none\" points=\"";
  for (const Point& point : points) text_ += fmt::format("{:.2f},{:.2f} ", point.x, point.y);
  text_ += fmt::format("\"{} stroke-linejoin=\"round\"/>\n", attributes_of(stroke));
}

void Svg::box(Point corner, double width, double height, std::string_view fill, Stroke stroke, double opacity) {
  text_ += fmt::format(
      "<rect x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" height=\"{:.2f}\" fill=\"{}\" fill-opacity=\"{:g}\"{}/>\n",
      corner.x, corner.y, width, height, fill, opacity, attributes_of(stroke));
}

void Svg::dot(Point at, double radius, std::string_view fill, Stroke stroke) {
  text_ += fmt::format("<circle cx=\"{:.2f}\" cy=\"{:.2f}\" r=\"{:g}\" fill=\"{}\"{}/>\n", at.x, at.y, radius, fill,
                       attributes_of(stroke));
}

void Svg::text(Point at, std::string_view text, Anchor anchor, double size, std::string_view colour) {
  text_ += fmt::format("<text x=\"{:.2f}\" y=\"{:.2f}\" font-size=\"{:g}\" fill=\"{}\" text-anchor=\"{}\">{}</text>\n",
                       at.x, at.y, size, colour, name_of(anchor), escaped(text));
}

void Svg::upright(Point middle, std::string_view text) {
  text_ += fmt::format(
      "<text transform=\"translate({:.2f} {:.2f}) rotate(-90)\" font-size=\"13\" fill=\"#222222\" "
      "text-anchor=\"middle\">{}</text>\n",
      middle.x, middle.y, escaped(text));
}

}  // namespace plumbline::bench
