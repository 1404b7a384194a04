// safetensors: 8 bytes of header length, a JSON header of types and offsets, then the data.
#include "baton/safetensors.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <set>

#include <nlohmann/json.hpp>

#include "base/text.h"
#include "interop/file.h"

namespace baton {
namespace {

using nlohmann::json;
constexpr std::string_view who = "safetensors";
constexpr std::size_t most_header = 100'000'000;  // bytes; the format's limit

struct DtypeName {
  std::string_view name;
  Dtype dtype;
};
constexpr DtypeName dtype_names[] = {{"BOOL", boolean}, {"I8", s8},   {"I16", s16},   {"I32", s32},
                                     {"I64", s64},      {"U8", u8},   {"U16", u16},   {"U32", u32},
                                     {"U64", u64},      {"F16", f16}, {"BF16", bf16}, {"F32", f32},
                                     {"F64", f64},      {"C64", c64}, {"C128", c128}};

struct Entry {
  std::optional<Type> type;  // nothing: a dtype that Baton does not have
  std::string dtype;
  std::uint64_t begin = 0, end = 0;  // in the file
};

}  // namespace

struct Safetensors::File {
  std::shared_ptr<const FileBytes> bytes;
  std::string path;
  std::map<std::string, Entry> entries;
  std::map<std::string, std::string> metadata;

  const Entry& find(const std::string& name) const {
    const auto it = entries.find(name);
    if (it != entries.end()) return it->second;
    throw UsageError(std::string(who) + ": " + path + " holds no array named `" + name + "`.");
  }
};

Safetensors::Safetensors(const std::string& path) {
  auto file = std::make_shared<File>();
  file->path = path;
  file->bytes = std::make_shared<const FileBytes>(path, who);
  const FileBytes& bytes = *file->bytes;
  const auto fail = [&](std::size_t offset, const std::string& message) {
    file_error(who, path, offset, message);
  };
  if (bytes.size() < 8) fail(bytes.size(), "8 bytes of header length are required; the file ends.");
  std::uint64_t length = 0;
  std::memcpy(&length, bytes.data(), 8);
  if (length > bytes.size() - 8)
    fail(0, "the header is said to have " + std::to_string(length) + " bytes; the file has " +
                std::to_string(bytes.size() - 8) + " after its length.");
  if (length > most_header)
    fail(0, "the header has " + std::to_string(length) + " bytes; at most 100000000 are read.");
  json header;
  std::vector<std::set<std::string>> keys;  // of each object that is open; a json keeps the last of two
  std::string doubled;
  const auto note = [&](int, json::parse_event_t event, const json& parsed) {
    if (event == json::parse_event_t::object_start) keys.emplace_back();
    if (event == json::parse_event_t::object_end) keys.pop_back();
    if (event == json::parse_event_t::key && doubled.empty() &&
        !keys.back().insert(parsed.get<std::string>()).second)
      doubled = "the name `" + parsed.get<std::string>() + "` stands twice.";
    return true;
  };
  try {
    header = json::parse(bytes.text().substr(8, length), note);
  } catch (const json::parse_error& e) {
    fail(8 + (e.byte ? e.byte - 1 : 0), "the header is not JSON.");
  } catch (const json::exception&) {
    fail(8, "the header holds a number that JSON readers do not take.");
  }
  if (!doubled.empty()) fail(8, doubled);
  if (!header.is_object()) fail(8, "the header must be a JSON object.");
  const std::uint64_t first = 8 + length, available = bytes.size() - first;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> spans;
  for (const auto& [name, value] : header.items()) {
    const auto bad = [&, &name = name](const std::string& message) {
      fail(8, "the entry `" + name + "` " + message);
    };
    if (name == "__metadata__") {
      if (!value.is_object()) bad("must be an object of texts.");
      for (const auto& [key, text] : value.items()) {
        if (!text.is_string()) bad("must be an object of texts.");
        file->metadata[key] = text.get<std::string>();
      }
      continue;
    }
    if (!value.is_object() || !value.contains("dtype") || !value.contains("shape") ||
        !value.contains("data_offsets"))
      bad("must have dtype, shape and data_offsets.");
    const json &dtype = value["dtype"], &shape = value["shape"], &offsets = value["data_offsets"];
    if (!dtype.is_string() || !shape.is_array() || !offsets.is_array() || offsets.size() != 2 ||
        !offsets[0].is_number_unsigned() || !offsets[1].is_number_unsigned())
      bad("must have a text dtype, a list shape and two data_offsets.");
    Entry entry;
    entry.dtype = dtype.get<std::string>();
    const auto begin = offsets[0].get<std::uint64_t>(), end = offsets[1].get<std::uint64_t>();
    if (begin > end || end > available)
      bad("has the offsets " + std::to_string(begin) + " and " + std::to_string(end) + "; there are " +
          std::to_string(available) + " bytes of data.");
    entry.begin = first + begin;
    entry.end = first + end;
    Type type;
    for (const json& extent : shape) {
      if (!extent.is_number_unsigned() || extent.get<std::uint64_t>() >> 62)
        bad("has a shape that is not a list of extents.");
      type.shape.push_back(extent.get<std::int64_t>());
    }
    const auto* known = std::find_if(std::begin(dtype_names), std::end(dtype_names),
                                     [&](const DtypeName& n) { return n.name == entry.dtype; });
    if (known != std::end(dtype_names)) {
      type.dtype = known->dtype;
      std::uint64_t size = 0;
      if (!type_bytes(type, size) || size != end - begin)
        bad("is " + show(type) + ", but its offsets span " + std::to_string(end - begin) + " bytes.");
      entry.type = type;
    }
    if (end > begin) spans.emplace_back(begin, end);
    file->entries[name] = std::move(entry);
  }
  std::sort(spans.begin(), spans.end());
  std::uint64_t at = 0;
  for (const auto& [begin, end] : spans) {
    if (begin < at) fail(first + begin, "two arrays overlap.");
    if (begin > at) fail(first + at, "no array covers " + std::to_string(begin - at) + " bytes.");
    at = end;
  }
  if (at != available)
    fail(first + at, "no array covers the last " + std::to_string(available - at) + " bytes.");
  file_ = file;
}

std::vector<std::string> Safetensors::names() const {
  std::vector<std::string> list;
  for (const auto& [name, entry] : file_->entries) list.push_back(name);
  return list;
}
bool Safetensors::contains(const std::string& name) const { return file_->entries.contains(name); }
const Type& Safetensors::type(const std::string& name) const {
  const Entry& e = file_->find(name);
  if (!e.type)
    file_error(who, file_->path, e.begin,
               "the array `" + name + "` has the dtype " + e.dtype + ", which Baton does not have.");
  return *e.type;
}
Array Safetensors::array(const std::string& name) const {
  const Type& t = type(name);
  const Entry& e = file_->find(name);
  if (t.dtype == boolean)
    for (std::uint64_t i = e.begin; i < e.end; ++i)
      if (file_->bytes->data()[i] > 1)
        file_error(who, file_->path, i, "a byte of the bool array `" + name + "` is neither 0 nor 1.");
  return array_over(file_->bytes, e.begin, t);
}
const std::map<std::string, std::string>& Safetensors::metadata() const { return file_->metadata; }

NamedArrays load_safetensors(const std::string& path) {
  const Safetensors file(path);
  NamedArrays arrays;
  for (const std::string& name : file.names()) arrays[name] = file.array(name);
  return arrays;
}

void save_safetensors(const std::string& path, const NamedArrays& arrays,
                      const std::map<std::string, std::string>& metadata, Where where) {
  for (const auto& [name, array] : arrays) require_saved(array, who, path, name, where);
  std::vector<std::pair<std::string, Array>> order(arrays.begin(), arrays.end());
  std::stable_sort(order.begin(), order.end(), [](const auto& a, const auto& b) {
    return size_of(a.second.dtype()) > size_of(b.second.dtype());  // then every array is aligned
  });
  nlohmann::ordered_json header = nlohmann::ordered_json::object();
  if (!metadata.empty()) header["__metadata__"] = metadata;
  std::uint64_t at = 0;
  std::vector<std::string_view> parts(2);
  for (const auto& [name, array] : order) {
    const auto* known =
        std::find_if(std::begin(dtype_names), std::end(dtype_names),
                     [&, &array = array](const DtypeName& n) { return n.dtype == array.dtype(); });
    if (name == "__metadata__")
      throw UsageError(std::string(who) + ": " + path +
                       ": the name `__metadata__` is the format's own.\n  Give the array another.");
    const std::uint64_t end = at + array.type().bytes();
    header[name] = {{"dtype", known->name}, {"shape", array.shape()}, {"data_offsets", {at, end}}};
    if (array.shape().empty()) header[name]["shape"] = nlohmann::ordered_json::array();
    parts.emplace_back(static_cast<const char*>(array.data()), array.type().bytes());
    at = end;
  }
  std::string text;
  try {
    text = header.dump();
  } catch (const nlohmann::json::exception&) {
    throw UsageError(std::string(who) + ": " + path +
                     ": names and metadata must be UTF-8.\n  Rename what is not.");
  }
  if (text.size() > most_header - 8)
    throw UsageError(std::string(who) + ": " + path + ": the header takes " + std::to_string(text.size()) +
                     " bytes; at most " + std::to_string(most_header) +
                     " are read.\n  Shorten the metadata, or write several files.");
  text.resize((text.size() + 7) / 8 * 8, ' ');
  const std::uint64_t length = text.size();
  parts[0] = {reinterpret_cast<const char*>(&length), 8};
  parts[1] = text;
  write_file(path, who, parts);
}

}  // namespace baton
