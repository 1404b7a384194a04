// format_errors: what is said of files of arrays that are not as their format asks; more stand in
// tests/interop.
#include <filesystem>
#include <fstream>

#include "baton/npy.h"
#include "baton/safetensors.h"
#include "errors.h"

namespace baton {
namespace {

/// What the tests leave goes with them.
const struct Written {
  ~Written() { std::filesystem::remove("f"); }
} written;

void put(const std::string& bytes) {
  std::ofstream("f", std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}
std::string number(std::uint64_t x, int width) {
  std::string bytes;
  for (int i = 0; i < width; ++i) bytes += static_cast<char>(x >> (8 * i) & 255);
  return bytes;
}

TEST(FormatMessages, Npy) {
  const std::string header = "{descr: '<f4'}\n";
  put("\x93NUMPY\x01" + number(0, 1) + number(header.size(), 2) + header);
  EXPECT_MESSAGE(load_npy("f"), "npy: f: byte 11: a text is required in the header.");
}

TEST(FormatMessages, Safetensors) {
  const std::string beyond = "{\"a\": 1e999}";
  put(number(beyond.size(), 8) + beyond);
  EXPECT_MESSAGE(load_safetensors("f"),
                 "safetensors: f: byte 8: the header holds a number that JSON readers do not take.");
  put(number(100000001, 8));
  std::filesystem::resize_file("f", 100000009);  // without blocks on the disk
  EXPECT_MESSAGE(load_safetensors("f"),
                 "safetensors: f: byte 0: the header has 100000001 bytes; at most 100000000 are read.");
}

TEST(FormatMessages, Zip64) {
  const std::string locator = "PK\x06\x07" + number(0, 4) + number(0, 8) + number(1, 4);
  const std::string end =
      "PK\x05\x06" + number(0, 6) + number(0xffff, 2) + number(0, 4) + number(0xffffffff, 4) + number(0, 2);
  put(std::string(56, 'x') + locator + end);
  EXPECT_MESSAGE(load_npz("f"), "zip: f: byte 0: the end record of zip64 is missing.");
}

}  // namespace
}  // namespace baton
