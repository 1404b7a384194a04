// zip: the central directory at the end says where each entry lies.
#include "interop/zip.h"

#include <zlib.h>

#include <algorithm>
#include <map>
#include <new>

#include "baton/error.h"
#include "interop/file.h"

namespace baton::zip {
namespace {

class Bytes {
 public:
  Bytes(std::string_view data, const std::string& path) : data_(data), path_(path) {}
  std::uint64_t number(std::size_t at, int width) const {
    need(at, static_cast<std::size_t>(width));
    std::uint64_t v = 0;
    for (int i = width; i-- > 0;)
      v = v << 8 | static_cast<unsigned char>(data_[at + static_cast<std::size_t>(i)]);
    return v;
  }
  std::string_view part(std::uint64_t at, std::uint64_t size) const {
    need(at, size);
    return data_.substr(at, size);
  }
  void need(std::uint64_t at, std::uint64_t size) const {
    if (at > data_.size() || size > data_.size() - at) fail(data_.size(), "the archive ends too early.");
  }
  [[noreturn]] void fail(std::size_t at, const std::string& message) const {
    file_error("zip", path_, at, message);
  }
  std::size_t size() const { return data_.size(); }

 private:
  std::string_view data_;
  const std::string& path_;
};

/// The end record: where the central directory begins, and how many entries it has.
std::pair<std::uint64_t, std::uint64_t> directory(const Bytes& b, std::string_view archive) {
  const std::size_t end = archive.rfind("PK\x05\x06");
  if (end == std::string_view::npos)
    b.fail(archive.size(), "this is not a zip archive: it has no end record.");
  b.need(end, 22);
  std::uint64_t count = b.number(end + 10, 2), at = b.number(end + 16, 4);
  if ((at == 0xffffffff || count == 0xffff) && end >= 20 && archive.substr(end - 20, 4) == "PK\x06\x07") {
    const std::uint64_t record = b.number(end - 12, 8);
    if (b.part(record, 56).substr(0, 4) != "PK\x06\x06")
      b.fail(record, "the end record of zip64 is missing.");
    count = b.number(record + 32, 8);
    at = b.number(record + 48, 8);
  }
  return {at, count};
}

std::string unpack(const Bytes& b, std::string_view packed, std::uint64_t size, std::size_t at) {
  if (size > packed.size() * 1100 + 64) b.fail(at, "an entry claims to unpack to more than deflate can.");
  std::string out;
  try {
    out.resize(size);
  } catch (const std::bad_alloc&) {
    throw DeviceError("zip: there is no memory for an entry of " + std::to_string(size) + " bytes.");
  }
  z_stream z{};
  if (inflateInit2(&z, -MAX_WBITS) != Z_OK) throw DeviceError("zip: zlib cannot begin.");
  std::size_t in_done = 0, out_done = 0;
  int code = Z_OK;
  while (code == Z_OK) {
    const std::size_t in = std::min<std::size_t>(packed.size() - in_done, 1u << 30);
    const std::size_t room = std::min<std::size_t>(out.size() - out_done, 1u << 30);
    unsigned char none = 0;
    z.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data() + in_done));
    z.avail_in = static_cast<uInt>(in);
    z.next_out = room ? reinterpret_cast<Bytef*>(out.data() + out_done) : &none;
    z.avail_out = static_cast<uInt>(room);
    code = inflate(&z, Z_NO_FLUSH);
    in_done += in - z.avail_in;
    out_done += room - z.avail_out;
  }
  inflateEnd(&z);
  if (code != Z_STREAM_END || out_done != out.size()) b.fail(at, "an entry does not unpack to its size.");
  return out;
}

std::uint32_t checksum(std::string_view bytes) {
  return static_cast<std::uint32_t>(crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

}  // namespace

std::vector<Entry> read(std::string_view archive, const std::string& path) {
  const Bytes b(archive, path);
  auto [at, count] = directory(b, archive);
  std::vector<Entry> entries;
  std::map<std::uint64_t, std::uint64_t> spans;  // where each entry begins -> where it ends
  for (std::uint64_t i = 0; i < count; ++i) {
    if (b.part(at, 46).substr(0, 4) != "PK\x01\x02") b.fail(at, "an entry of the directory is missing.");
    const auto flags = b.number(at + 8, 2), method = b.number(at + 10, 2), crc = b.number(at + 16, 4);
    std::uint64_t packed = b.number(at + 20, 4), size = b.number(at + 24, 4), local = b.number(at + 42, 4);
    const auto name_size = b.number(at + 28, 2), extra_size = b.number(at + 30, 2),
               comment = b.number(at + 32, 2);
    const std::string name(b.part(at + 46, name_size));
    for (std::uint64_t e = at + 46 + name_size, end = e + extra_size;
         e + 4 <= end;) {  // zip64: the large ones, in order
      const auto id = b.number(e, 2), length = b.number(e + 2, 2);
      std::uint64_t field = e + 4;
      if (id == 1)
        for (std::uint64_t* v : {&size, &packed, &local})
          if (*v == 0xffffffff && field + 8 <= e + 4 + length) *v = b.number(field, 8), field += 8;
      e += 4 + length;
    }
    if (flags & 1) b.fail(at, "the entry " + name + " is encrypted.");
    if (b.part(local, 30).substr(0, 4) != "PK\x03\x04") b.fail(local, "the entry " + name + " is missing.");
    const std::uint64_t data = local + 30 + b.number(local + 26, 2) + b.number(local + 28, 2);
    const std::string_view bytes = b.part(data, packed);
    // Before anything is unpacked: entries that share bytes may unpack to any size.
    const auto [own, first] = spans.emplace(local, data + packed);
    if (!first || (own != spans.begin() && std::prev(own)->second > local) ||
        (std::next(own) != spans.end() && std::next(own)->first < data + packed))
      b.fail(local, "the entry " + name + " overlaps another.");
    Entry entry{name, {}};
    if (method == 0) {
      if (packed != size) b.fail(data, "the stored entry " + name + " has two sizes.");
      entry.bytes = bytes;
    } else if (method == 8) {
      entry.bytes = unpack(b, bytes, size, data);
    } else {
      b.fail(at, "the entry " + name + " is packed by method " + std::to_string(method) +
                     "; stored and deflated are read.");
    }
    if (checksum(entry.bytes) != crc) b.fail(data, "the checksum of " + name + " is wrong.");
    entries.push_back(std::move(entry));
    at += 46 + name_size + extra_size + comment;
  }
  return entries;
}

std::string write(const std::vector<Entry>& entries, bool compressed) {
  std::string out, directory;
  const auto put = [](std::string& to, std::uint64_t v, int width) {
    for (int i = 0; i < width; ++i) to += static_cast<char>(v >> (8 * i) & 255);
  };
  for (const Entry& e : entries) {
    std::string packed = e.bytes;
    if (compressed) {
      z_stream z{};
      if (deflateInit2(&z, 6, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY) != Z_OK)
        throw DeviceError("zip: zlib cannot begin.");
      packed.resize(deflateBound(&z, e.bytes.size()));
      z.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(e.bytes.data()));
      z.avail_in = static_cast<uInt>(e.bytes.size());
      z.next_out = reinterpret_cast<Bytef*>(packed.data());
      z.avail_out = static_cast<uInt>(packed.size());
      deflate(&z, Z_FINISH);
      packed.resize(z.total_out);
      deflateEnd(&z);
    }
    if (e.bytes.size() >= 0xffffffff || packed.size() >= 0xffffffff || out.size() >= 0xffffffff ||
        e.name.size() > 0xffff)
      throw UsageError("zip: the entry " + e.name + " is too large; archives below 4 GiB are written.");
    const auto at = out.size();
    std::string common;
    put(common, 20, 2);     // version
    put(common, 0x800, 2);  // names are UTF-8
    put(common, compressed ? 8 : 0, 2);
    put(common, 0, 2);   // time
    put(common, 33, 2);  // 1980-01-01
    put(common, checksum(e.bytes), 4);
    put(common, packed.size(), 4);
    put(common, e.bytes.size(), 4);
    put(common, e.name.size(), 2);
    put(common, 0, 2);  // no extra fields
    out += "PK\x03\x04" + common + e.name + packed;
    directory += "PK\x01\x02";
    put(directory, 20, 2);
    directory += common;
    put(directory, 0, 2);  // comment
    put(directory, 0, 2);  // disk
    put(directory, 0, 2);  // attributes
    put(directory, 0, 4);
    put(directory, at, 4);
    directory += e.name;
  }
  if (out.size() + directory.size() >= 0xffffffff || entries.size() >= 0xffff)
    throw UsageError("zip: the archive is too large; archives below 4 GiB are written.");
  const auto at = out.size();
  out += directory;
  out += "PK\x05\x06";
  put(out, 0, 4);
  put(out, entries.size(), 2);
  put(out, entries.size(), 2);
  put(out, directory.size(), 4);
  put(out, at, 4);
  put(out, 0, 2);
  return out;
}

}  // namespace baton::zip
