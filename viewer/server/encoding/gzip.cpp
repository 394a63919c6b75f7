#include "viewer/server/encoding/gzip.hpp"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <limits>

#include "base/check.hpp"

namespace plumbline::viewer {
namespace {

constexpr int kWindow = 15, kGzip = 16;  // zlib.h: 16 on top of the window's bits asks for gzip

// zlib takes a pointer to what it reads as one to what may be written, and does not write there.
Bytef* bytes_of(std::string_view text) { return reinterpret_cast<Bytef*>(const_cast<char*>(text.data())); }

// Of "gzip;q=0.5" the number, 1 where there is none.
double quality_of(std::string_view item) {
  const std::size_t at = item.find("q=");
  if (at == item.npos) return 1;
  std::string number(item.substr(at + 2));
  return std::strtod(number.c_str(), nullptr);
}

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t");
  if (begin == text.npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

}  // namespace

std::string gzip(std::string_view text, int level) {
  PLUMBLINE_CHECK(text.size() <= std::numeric_limits<uInt>::max(), "a body of more than 4 GiB");
  z_stream stream{};
  PLUMBLINE_CHECK(
      deflateInit2(&stream, level, Z_DEFLATED, kWindow + kGzip, MAX_MEM_LEVEL - 1, Z_DEFAULT_STRATEGY) == Z_OK,
      "zlib cannot begin");
  std::string result(deflateBound(&stream, static_cast<uLong>(text.size())), '\0');
  stream.next_in = bytes_of(text);
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = bytes_of(result);
  stream.avail_out = static_cast<uInt>(result.size());
  const int ended = deflate(&stream, Z_FINISH);
  result.resize(stream.total_out);
  deflateEnd(&stream);
  PLUMBLINE_CHECK(ended == Z_STREAM_END, "zlib's own bound was too small");
  return result;
}

std::optional<std::string> gunzip(std::string_view data, std::size_t most) {
  if (data.size() > std::numeric_limits<uInt>::max()) return std::nullopt;
  z_stream stream{};
  if (inflateInit2(&stream, kWindow + kGzip) != Z_OK) return std::nullopt;
  stream.next_in = bytes_of(data);
  stream.avail_in = static_cast<uInt>(data.size());
  std::string result;
  std::array<char, 16'384> piece{};
  int state = Z_OK;
  while (state == Z_OK && result.size() <= most) {
    stream.next_out = reinterpret_cast<Bytef*>(piece.data());
    stream.avail_out = static_cast<uInt>(piece.size());
    state = inflate(&stream, Z_NO_FLUSH);
    result.append(piece.data(), piece.size() - stream.avail_out);
  }
  inflateEnd(&stream);
  if (state != Z_STREAM_END || result.size() > most) return std::nullopt;
  return result;
}

bool accepts_gzip(std::string_view accept_encoding) {
  double gzip = -1, any = 0;
  while (!accept_encoding.empty()) {
    const std::size_t end = std::min(accept_encoding.find(','), accept_encoding.size());
    const std::string_view item = trimmed(accept_encoding.substr(0, end));
    accept_encoding.remove_prefix(std::min(end + 1, accept_encoding.size()));
    const std::string_view name = trimmed(item.substr(0, item.find(';')));
    if (name == "gzip" || name == "x-gzip") gzip = quality_of(item);
    if (name == "*") any = quality_of(item);
  }
  return (gzip < 0 ? any : gzip) > 0;
}

}  // namespace plumbline::viewer
