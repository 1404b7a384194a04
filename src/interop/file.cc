// file: mapping, reading and writing.
#include "interop/file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <climits>
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

/// The system would take the part before a null byte for the path.
void require_path(const std::string& path, std::string_view who) {
  if (const std::size_t at = path.find('\0'); at != std::string::npos)
    throw UsageError(std::string(who) + ": the path `" + path.substr(0, at) +
                     "` goes on after a null byte.\n  Check the path.");
}

/// The file that a path leads to through its links, whether or not it is there.
std::string file_behind(std::string path) {
  if (char* real = realpath(path.c_str(), nullptr)) {
    path = real;
    std::free(real);
    return path;
  }
  for (int links = 0; links < 40; ++links) {  // as many as the system follows
    char to[PATH_MAX];
    const ssize_t n = readlink(path.c_str(), to, sizeof to);
    if (n <= 0 || static_cast<std::size_t>(n) == sizeof to) break;
    const std::string target(to, static_cast<std::size_t>(n));
    path = target.front() == '/' ? target : path.substr(0, path.rfind('/') + 1) + target;
  }
  return path;
}

}  // namespace

FileBytes::FileBytes(const std::string& path, std::string_view who) {
  require_path(path, who);
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

void require_saved(const Array& array, std::string_view who, const std::string& path, const std::string& name,
                   Where where) {
  try {
    array.data(where);
  } catch (const UsageError& e) {
    std::string text = e.what();  // "data: the array is empty. ...": what is wrong, but not with which array
    text.erase(0, text.find(": ") + 2);
    throw UsageError(std::string(who) + ": " + path + ": " + (name.empty() ? "" : "`" + name + "`: ") + text);
  }
}

void write_file(const std::string& path, std::string_view who, std::span<const std::string_view> parts) {
  require_path(path, who);
  // A device or a pipe is written as it is; a link stays one, and the file that it leads to is replaced.
  struct stat info {};
  const bool there = stat(path.c_str(), &info) == 0, beside = !there || S_ISREG(info.st_mode);
  const std::string file = beside ? file_behind(path) : path;
  std::string other = file;
  int fd = -1;
  if (beside) {
    // A name of this call alone, so that two threads that save to one path do not write into one another's
    // file, and a short one, so that every name that the folder takes can be written.
    static std::atomic<unsigned> calls = 0;
    const std::string folder = file.substr(0, file.rfind('/') + 1);  // empty: the current one
    do {
      other = folder + ".part" + std::to_string(getpid()) + "." + std::to_string(calls++);
      fd = open(other.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, there ? info.st_mode & 0600 : 0644);
    } while (fd < 0 && errno == EEXIST);  // left by a process that was killed, or of another host
  } else {
    fd = open(file.c_str(), O_WRONLY | O_CLOEXEC);
  }
  const auto fail = [&] {
    const std::string why = std::strerror(errno);
    if (fd >= 0) close(fd);
    if (fd >= 0 && beside) unlink(other.c_str());
    throw DeviceError(std::string(who) + ": " + path + " cannot be written: " + why + ".");
  };
  if (fd < 0) fail();
  // Who could not read the old file cannot read the new one. The group comes first: the mode speaks of it.
  if (beside && there && info.st_gid != getegid() && fchown(fd, static_cast<uid_t>(-1), info.st_gid) != 0)
    info.st_mode &= ~static_cast<mode_t>(S_IRWXG);
  if (beside && there) static_cast<void>(fchmod(fd, info.st_mode & 0777));  // or it stays stricter
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
