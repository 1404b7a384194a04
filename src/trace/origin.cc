// origin: one table for the process. A program has as many origins as it has lines that make equations, so
// the table stays small; the bound is there for those who read many files.
#include "trace/origin.h"

#include <deque>
#include <map>
#include <mutex>
#include <set>
#include <tuple>

#include "base/text.h"
#include "trace/trace.h"

namespace baton {
namespace {

constexpr std::size_t bound = 1'000'000;

struct Table {
  std::mutex mutex;
  std::set<std::string, std::less<>> files;  // the file of a line may be unloaded
  std::deque<Origin> origins;
  std::map<std::tuple<const char*, int, std::string>, int, std::less<>> numbers;
};
Table& table() {
  static Table& instance = *new Table;  // never destroyed: other statics may trace at exit
  return instance;
}

}  // namespace

int origin_number(Where where, std::string_view scope) {
  Table& t = table();
  const std::lock_guard lock(t.mutex);
  const std::string_view name = where.known() ? where.file : "";
  auto file = t.files.find(name);
  if (file == t.files.end()) file = t.files.emplace(name).first;
  where = {file->c_str(), where.known() ? where.line : 0};
  auto key = std::tuple(where.file, where.line, std::string(scope));
  if (const auto known = t.numbers.find(key); known != t.numbers.end()) return known->second;
  if (t.origins.size() >= bound) return no_origin;
  const int number = static_cast<int>(t.origins.size());
  t.origins.push_back({where, std::string(scope)});
  t.numbers.emplace(std::move(key), number);
  return number;
}

Origin origin_of(int number) {
  Table& t = table();
  const std::lock_guard lock(t.mutex);
  if (number < 0 || static_cast<std::size_t>(number) >= t.origins.size()) return {};
  return t.origins[static_cast<std::size_t>(number)];
}

std::string origin_text(int number) {
  const Origin o = origin_of(number);
  std::string text = o.where.known() ? show(o.where) : "";
  if (!o.scope.empty()) text += (text.empty() ? "" : " ") + o.scope;
  return text;
}

std::string called_for(int number) {
  const Where line = Frame::blame({});
  const std::string call = called_at(line), operation = origin_text(number);
  if (operation.empty() || call == called_at(origin_of(number).where)) return call;
  return (line.known() ? "\n  called at " + show(line) + ", for" : "\n  for") + " the operation at " +
         operation + while_tracing(line);
}

}  // namespace baton
