// blas: opens the OpenBLAS that lies beside libbaton. Its symbols stay out of the process, and those of
// another copy stay out of it; it makes no threads, because the thread that opens it has one processor.
#include "engines/cpu/blas.h"

#include <dlfcn.h>
#include <sched.h>

#include <filesystem>
#include <string>
#include <system_error>
#include <thread>

#include "baton/error.h"
#include "engines/cpu/memory_check.h"
#include "engines/cpu/pool.h"

namespace baton::cpu {
namespace {

constexpr const char* file_name = "libbaton_openblas.so";

/// Sanitizers cannot be beside a library that looks for symbols in itself first.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr int own_symbols_first = 0;
#else
constexpr int own_symbols_first = RTLD_DEEPBIND;
#endif

[[noreturn]] void fail(const std::string& file, const std::string& why) {
  throw DeviceError("cpu: products of complex matrices and linear algebra need OpenBLAS in the file `" +
                    file + "`, found: " + why +
                    "\n  It is installed beside libbaton; put it back, or choose the engine `reference`.");
}

std::string file_beside_libbaton() {
  Dl_info info;
  if (!dladdr(reinterpret_cast<const void*>(&file_beside_libbaton), &info) || !info.dli_fname)
    return file_name;
  std::error_code error;  // then the path stays as the loader has it
  std::filesystem::path library = info.dli_fname, absolute = std::filesystem::absolute(library, error);
  return (error ? library : absolute).replace_filename(file_name).string();
}
/// Found when libbaton is loaded: its path may be a relative one, and the process may go elsewhere.
const std::string beside_libbaton = file_beside_libbaton();

/// OpenBLAS makes a thread for each processor that its opener may run on.
void run_on_one_processor() {
  cpu_set_t allowed;
  if (sched_getaffinity(0, sizeof allowed, &allowed)) return;  // then it makes threads, which stay idle
  for (int i = 0; i < CPU_SETSIZE; ++i)
    if (CPU_ISSET(i, &allowed)) {
      cpu_set_t one;
      CPU_ZERO(&one);
      CPU_SET(i, &one);
      sched_setaffinity(0, sizeof one, &one);
      return;
    }
}

}  // namespace

Blas open_blas(const std::string& file) {
  void* library = nullptr;
  std::string error;
  const auto open = [&] {
    library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL | own_symbols_first);
    if (!library) error = dlerror();
  };
  try {
    std::thread([&] { run_on_one_processor(), open(); }).join();
  } catch (const std::system_error&) {  // no thread is to be had: OpenBLAS will get none either
    open();
  }
  if (!library) fail(file, error);
  Blas b;
  b.library = library, b.file = file;
  const auto find = [&](const char* name) {
    try {
      return b.function(name);
    } catch (...) {
      dlclose(library);
      throw;
    }
  };
  reinterpret_cast<void (*)(int)>(find("openblas_set_num_threads"))(1);
  b.cgemm = reinterpret_cast<decltype(b.cgemm)>(find("cblas_cgemm"));
  b.zgemm = reinterpret_cast<decltype(b.zgemm)>(find("cblas_zgemm"));
  return b;
}

void* Blas::function(const std::string& name) const {
  for (const char* prefix : {"scipy_", ""})  // of the wheel, and of Debian's library
    if (void* found = dlsym(library, (prefix + name).c_str())) return found;
  fail(file, "no function `" + name + "` in it");
}

const Blas& blas() {
  // Of the thread that opens it, and of each that multiplies; where it gets none it ends the process.
  constexpr std::int64_t buffer = std::int64_t{32} << 20, library = std::int64_t{24} << 20;
  static const Blas opened = [] {
    require_memory(library + (1 + default_threads()) * buffer, "OpenBLAS",
                   "Free memory, raise the limit of the process, or give it fewer threads (BATON_THREADS).");
    return open_blas(beside_libbaton);
  }();
  return opened;
}

}  // namespace baton::cpu
