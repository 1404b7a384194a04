// file: mapping, reading and writing.
#include "interop/file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "baton/error.h"

namespace baton {
namespace {

constexpr std::size_t map_from = std::size_t{1} << 20;  // bytes; smaller files are read

[[noreturn]] void system_error(std::string_view who, const std::string& path, const char* what) {
  throw UsageError(std::string(who) + ": " + path + " cannot be " + what + ": " + std::strerror(errno) +
                   ".\n  Check the path.");
}

}  // namespace

FileBytes::FileBytes(const std::string& path, std::string_view who) {
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) system_error(who, path, "opened");
  const auto fail = [&](const char* what) {
    const int why = errno;
    close(fd);
    errno = why;
    system_error(who, path, what);
  };
  struct stat info {};
  if (fstat(fd, &info) != 0) fail("read");
  const bool regular = S_ISREG(info.st_mode);
  if (regular && static_cast<std::size_t>(info.st_size) >= map_from) {
    size_ = static_cast<std::size_t>(info.st_size);
    void* p = mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_NORESERVE, fd, 0);
    if (p == MAP_FAILED) fail("mapped");
    data_ = static_cast<unsigned char*>(p);
    mapped_ = true;
  } else {  // to its end: a pipe, or a file of /proc, does not say how long it is
    while (true) {
      read_.resize(size_ + std::max(size_, std::size_t{1} << 16));
      const ssize_t n = read(fd, read_.data() + size_, read_.size() - size_);
      if (n < 0 && errno == EINTR) continue;
      if (n < 0) fail("read");
      if (n == 0) break;
      size_ += static_cast<std::size_t>(n);
    }
    read_.resize(size_);
    data_ = reinterpret_cast<unsigned char*>(read_.data());
  }
  close(fd);
}
FileBytes::~FileBytes() {
  if (mapped_) munmap(data_, size_);
}

Array array_over(const std::shared_ptr<const FileBytes>& file, std::size_t offset, const Type& type) {
  const unsigned char* data = file->data() + offset;
  const bool aligned = reinterpret_cast<std::uintptr_t>(data) % size_of(type.dtype) == 0;
  if (!aligned || type.bytes() < map_from) return Array(type, data);
  auto* keep = new std::shared_ptr<const FileBytes>(file);
  return Array::adopt(
      type, const_cast<unsigned char*>(data),
      [](void*, void* context) { delete static_cast<std::shared_ptr<const FileBytes>*>(context); }, keep);
}

void write_file(const std::string& path, std::string_view who, std::span<const std::string_view> parts) {
  // A device or a pipe is written as it is; a link stays one, and the file that it leads to is replaced.
  struct stat info {};
  const bool there = stat(path.c_str(), &info) == 0, beside = !there || S_ISREG(info.st_mode);
  std::string file = path;
  if (char* real = there && beside ? realpath(path.c_str(), nullptr) : nullptr) {
    file = real;
    std::free(real);
  }
  const std::string other = beside ? file + ".part" + std::to_string(getpid()) : path;
  const int fd = open(other.c_str(), O_WRONLY | (beside ? O_CREAT | O_TRUNC : 0) | O_CLOEXEC, 0644);
  const auto fail = [&] {
    const std::string why = std::strerror(errno);
    if (fd >= 0) close(fd);
    if (fd >= 0 && beside) unlink(other.c_str());
    throw DeviceError(std::string(who) + ": " + path + " cannot be written: " + why + ".");
  };
  if (fd < 0) fail();
  for (std::string_view part : parts) {
    while (!part.empty()) {
      const ssize_t n = write(fd, part.data(), std::min(part.size(), std::size_t{1} << 30));
      if (n < 0 && errno == EINTR) continue;
      if (n <= 0) fail();
      part.remove_prefix(static_cast<std::size_t>(n));
    }
  }
  if (fsync(fd) != 0 && errno != EINVAL && errno != EROFS) fail();
  if (beside && rename(other.c_str(), file.c_str()) != 0) fail();
  close(fd);
}

void file_error(std::string_view who, const std::string& path, std::size_t offset,
                const std::string& message) {
  throw UsageError(std::string(who) + ": " + path + ": byte " + std::to_string(offset) + ": " + message);
}

bool type_bytes(const Type& type, std::uint64_t& bytes) {
  std::uint64_t n = size_of(type.dtype);
  bool zero = false;
  for (std::int64_t extent : type.shape) {
    if (extent < 0) return false;
    if (extent == 0) {
      zero = true;
      continue;
    }
    if (n > (std::uint64_t{1} << 62) / static_cast<std::uint64_t>(extent)) return false;
    n *= static_cast<std::uint64_t>(extent);
  }
  bytes = zero ? 0 : n;
  return true;
}

}  // namespace baton
