// at_exit: nothing of libbaton is destroyed when the process ends, its code generator included: threads may
// still be compiling then, and so may destructors of other statics. The linker puts this in the place of the
// function that registers destructors (--wrap); what it drops is the system's a moment later.

extern "C" int __wrap___cxa_atexit(void (*)(void*), void*, void*);   // NOLINT
extern "C" int __wrap___cxa_atexit(void (*)(void*), void*, void*) {  // NOLINT
  return 0;
}
