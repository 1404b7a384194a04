#pragma once
// scanner: the characters of an MLIR file, taken one word, number or bracket at a time.
#include <cctype>

#include "interop/mlir/syntax.h"

namespace baton::mlir {

class Scanner {
 public:
  Scanner(Text source, std::size_t begin, std::size_t end, const std::string& file)
      : source_(source.substr(0, end)), file_(file), at_(begin) {}

  [[noreturn]] void fail(const std::string& message) const { fail_at(at_, message); }
  [[noreturn]] void fail_at(std::size_t at, const std::string& message) const {
    syntax_error(file_, source_, at, message);
  }

  std::size_t at() const { return at_; }
  void seek(std::size_t at) { at_ = at; }
  Text source() const { return source_; }
  Text from(std::size_t begin) const { return source_.substr(begin, at_ - begin); }

  /// Skips spaces and comments.
  void skip() {
    while (at_ < source_.size()) {
      const char c = source_[at_];
      if (c == ' ' || c == '\n' || c == '\t' || c == '\r') {
        ++at_;
      } else if (c == '/' && at_ + 1 < source_.size() && source_[at_ + 1] == '/') {
        at_ = std::min(source_.find('\n', at_), source_.size());
      } else {
        return;
      }
    }
  }
  bool done() {
    skip();
    return at_ >= source_.size();
  }
  /// The next character after spaces; 0 at the end.
  char peek() {
    skip();
    return at_ < source_.size() ? source_[at_] : '\0';
  }
  char raw(std::size_t ahead = 0) const { return at_ + ahead < source_.size() ? source_[at_ + ahead] : '\0'; }
  void advance(std::size_t n = 1) { at_ = std::min(at_ + n, source_.size()); }

  bool take(Text token) {
    skip();
    if (source_.substr(at_, token.size()) != token) return false;
    at_ += token.size();
    return true;
  }
  void expect(Text token, const char* where) {
    if (!take(token)) fail("`" + std::string(token) + "` is required " + where + found());
  }
  /// ", found `x`" for messages.
  std::string found() {
    if (done()) return ", found the end of the file.";
    std::size_t end = at_;
    while (end < source_.size() && end - at_ < 24 && source_[end] != '\n') ++end;
    return ", found `" + std::string(source_.substr(at_, end - at_)) + "`.";
  }

  static bool word_start(char c) { return std::isalpha(static_cast<unsigned char>(c)) || c == '_'; }
  static bool word_char(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.' || c == '$' || c == '-';
  }
  /// A word with dots, such as stablehlo.add; empty if none starts here. A `-` before `>` does not belong to
  /// it.
  Text word() {
    skip();
    const std::size_t begin = at_;
    if (at_ >= source_.size() || !word_start(source_[at_])) return {};
    while (at_ < source_.size() && word_char(source_[at_]) && !(source_[at_] == '-' && raw(1) == '>')) ++at_;
    return from(begin);
  }
  Text peek_word() {
    const std::size_t saved = (skip(), at_);
    const Text w = word();
    at_ = saved;
    return w;
  }
  /// The inside of a string in double quotes, escapes left as they are.
  Text string() {
    expect("\"", "to begin a string");
    const std::size_t begin = at_;
    while (at_ < source_.size() && source_[at_] != '"') at_ += source_[at_] == '\\' ? 2 : 1;
    if (at_ >= source_.size()) fail_at(begin, "a string has no end.");
    const Text text = source_.substr(begin, at_ - begin);
    ++at_;
    return text;
  }
  /// The name after % or @ or # or !, quoted or not.
  Text suffix_name(const char* what) {
    if (raw() == '"') return string();
    const std::size_t begin = at_;
    while (at_ < source_.size() && word_char(source_[at_]) && !(source_[at_] == '-' && raw(1) == '>')) ++at_;
    if (at_ == begin) fail(std::string("a name is required for ") + what + found());
    return from(begin);
  }
  /// Skips from an opening bracket to behind its partner; returns the inside.
  Text balanced() {
    skip();
    const std::size_t begin = at_;
    std::string closers;
    for (; at_ < source_.size(); ++at_) {
      const char c = source_[at_];
      if (c == '"') {
        string();
        --at_;
      } else if (c == '/' && raw(1) == '/') {  // brackets in comments do not count
        at_ = std::min(source_.find('\n', at_), source_.size() - 1);
      } else if (c == '(' || c == '[' || c == '{' || c == '<') {
        closers.push_back(c == '(' ? ')' : c == '[' ? ']' : c == '{' ? '}' : '>');
      } else if (c == '>' && at_ > begin && source_[at_ - 1] == '-') {
        continue;  // an arrow
      } else if (c == ')' || c == ']' || c == '}' || c == '>') {
        if (closers.empty() || closers.back() != c)
          fail("a bracket does not match, found `" + std::string(1, c) + "`.");
        closers.pop_back();
        if (closers.empty()) {
          ++at_;
          return source_.substr(begin + 1, at_ - begin - 2);
        }
      }
    }
    fail_at(begin, "a bracket has no partner.");
  }

 private:
  Text source_;
  const std::string& file_;
  std::size_t at_;
};

}  // namespace baton::mlir
