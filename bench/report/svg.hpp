#pragma once
// The few shapes of SVG that plots are made of. Coordinates are pixels from the upper left corner.

#include <span>
#include <string>
#include <string_view>

namespace plumbline::bench {

struct Point {
  double x = 0, y = 0;
};

struct Stroke {
  std::string_view colour = "#000000";
  double width = 1;
  std::string_view dashes = {};  // "6 4"
};

enum class Anchor { kStart, kMiddle, kEnd };

class Svg {
 public:
  Svg(double width, double height, std::string_view title);

  void line(Point from, Point to, Stroke stroke);
  void path(std::span<const Point> points, Stroke stroke);
  void box(Point corner, double width, double height, std::string_view fill, Stroke stroke, double opacity = 1);
  void dot(Point at, double radius, std::string_view fill, Stroke stroke);
  void text(Point at, std::string_view text, Anchor anchor = Anchor::kStart, double size = 13,
            std::string_view colour = "#222222");
  void upright(Point middle, std::string_view text);  // turned left by 90 degrees

  std::string finish() const { return text_ + "</svg>\n"; }

 private:
  std::string text_;
};

}  // namespace plumbline::bench
