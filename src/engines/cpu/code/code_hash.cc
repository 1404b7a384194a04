// code_hash: every field of a code in order. The bindings name all of them, so that none is forgotten.
#include "engines/cpu/code/code_hash.h"

#include "base/held_bytes.h"

namespace baton::cpu {
namespace {

void hash(Hasher& h, const Instruction& instruction) {
  const auto& [what, dtype, wide, in, imm] = instruction;
  const struct {
    std::int64_t imm;
    std::int32_t what, dtype, wide, in[3];
  } all = {imm, static_cast<int>(what), static_cast<int>(dtype), wide, {in[0], in[1], in[2]}};
  static_assert(sizeof all == 8 + 6 * 4);  // no padding
  h.bytes(&all, sizeof all);
}

template <class T>
void hash_list(Hasher& h, const std::vector<T>& list) {
  static_assert(std::is_integral_v<T>);
  h.integer(static_cast<std::int64_t>(list.size())).bytes(list.data(), list.size() * sizeof(T));
}

void hash(Hasher& h, const Loop& loop) {
  const auto& [from, to, variable, step, carries, body] = loop;
  h.integer(from).integer(to).integer(variable).integer(step);
  h.integer(static_cast<std::int64_t>(carries.size()));
  for (const auto& [first, inside, next, result] : carries)
    h.integer(first).integer(inside).integer(next).integer(result);
  hash_list(h, body);
}

}  // namespace

Hash hash_of(const Code& code) {
  const auto& [values, loops, top, pointers, lanes, own_memory] = code;
  Hasher h;
  h.integer(static_cast<std::int64_t>(values.size()));
  for (const Instruction& i : values) hash(h, i);
  h.integer(static_cast<std::int64_t>(loops.size()));
  for (const Loop& l : loops) hash(h, l);
  hash_list(h, top);
  h.integer(pointers).integer(lanes);
  hash_list(h, own_memory);
  return h.finish();
}

std::size_t bytes_of(const Code& code) {
  std::size_t n = sizeof code + bytes_of_list(code.values) + bytes_of_list(code.loops) +
                  bytes_of_list(code.top) + bytes_of_list(code.own_memory);
  for (const Loop& l : code.loops) n += bytes_of_list(l.carries) + bytes_of_list(l.body);
  return n;
}

}  // namespace baton::cpu
