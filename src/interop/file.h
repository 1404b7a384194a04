#pragma once
// file: whole files, mapped or read, and writing that leaves a whole file or none.
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "baton/array.h"

namespace baton {

/// The bytes of a file. Large ones are mapped privately: writing to the memory does not change the file.
class FileBytes {
 public:
  /// `who` begins the messages.
  FileBytes(const std::string& path, std::string_view who);
  ~FileBytes();
  FileBytes(const FileBytes&) = delete;
  const unsigned char* data() const { return data_; }
  std::size_t size() const { return size_; }
  std::string_view text() const { return {reinterpret_cast<const char*>(data_), size_}; }

 private:
  unsigned char* data_ = nullptr;
  std::size_t size_ = 0;
  bool mapped_ = false;
  std::string read_;  // small files, and what is not a file, such as a pipe
};

/// An array over part of a file, which stays open as long as the array; copied where the part is not aligned.
Array array_over(const std::shared_ptr<const FileBytes>& file, std::size_t offset, const Type& type);

/// Throws unless the array has values to save: "who: path: `name`: the array is empty."
void require_saved(const Array&, std::string_view who, const std::string& path, const std::string& name,
                   Where where);

/// Writes the parts one after the other under another name, then renames. Throws a DeviceError.
void write_file(const std::string& path, std::string_view who, std::span<const std::string_view> parts);

/// "who: file: byte N: message" as a UsageError.
[[noreturn]] void file_error(std::string_view who, const std::string& path, std::size_t offset,
                             const std::string& message);
/// Bytes of an array of this type; nothing where they do not fit 62 bits or an extent is negative.
bool type_bytes(const Type& type, std::uint64_t& bytes);

}  // namespace baton
