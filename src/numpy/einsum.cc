// einsum: products and sums by letters. Operands are contracted in pairs from the left, each pair by one
// dot_general, after letters that no later operand and not the result has were summed away.
#include "numpy/common.h"

namespace baton {
namespace {

using namespace numpy;

/// An operand whose axes have letters. Axes under an ellipsis have the letters 0, 1, ..., counted from the
/// last.
struct Term {
  Array x;
  std::string letters;
};

[[noreturn]] void malformed(const std::string& subscripts, const std::string& why) {
  type_error("einsum", "\"" + subscripts + "\": " + why);
}
char hidden_letter(std::size_t from_last) { return static_cast<char>('\x01' + from_last); }
bool hidden(char c) { return c < '\x20'; }

/// The letters of one operand of this rank; its ellipsis becomes hidden letters.
std::string letters_of(const std::string& subscripts, const std::string& text, const Array& x,
                       std::size_t number) {
  const std::size_t dots = text.find("...");
  std::string out = dots == std::string::npos ? text : text.substr(0, dots) + text.substr(dots + 3);
  for (char c : out)
    if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')))
      malformed(subscripts, std::string("letters are required, found `") + c + "`.");
  const auto rank = static_cast<std::size_t>(x.rank());
  if (dots == std::string::npos ? out.size() != rank : out.size() > rank)
    malformed(subscripts, "operand " + std::to_string(number) + " needs one letter for each axis, found \"" +
                              text + "\" for " + show(x.type()) + ".");
  std::string whole;
  for (std::size_t i = rank - out.size(); i-- > 0 && dots != std::string::npos;) whole += hidden_letter(i);
  return dots == std::string::npos ? out : out.substr(0, dots) + whole + out.substr(dots);
}

/// One axis for each letter: of a letter that occurs twice, the diagonal.
Term distinct(Term t) {
  for (std::size_t i = 0; i < t.letters.size(); ++i) {
    const std::size_t j = t.letters.find(t.letters[i], i + 1);
    if (j == std::string::npos) continue;
    const char c = t.letters[i];
    t.x = diagonal(t.x, 0, static_cast<int>(i), static_cast<int>(j));  // the diagonal becomes the last axis
    t.letters.erase(j, 1), t.letters.erase(i, 1);
    t.letters += c;
    --i;
  }
  return t;
}

Term summed(Term t, const std::string& letters) {
  List axes;
  std::string rest;
  for (std::size_t i = 0; i < t.letters.size(); ++i) {
    if (letters.find(t.letters[i]) != std::string::npos)
      axes.push_back(static_cast<std::int64_t>(i));
    else
      rest += t.letters[i];
  }
  return axes.empty() ? t : Term{lax::reduce_sum(t.x, axes), rest};
}

/// The product of two terms; letters that are not `needed` later are summed.
Term contract(Term a, Term b, const std::string& needed) {
  auto has = [](const std::string& s, char c) { return s.find(c) != std::string::npos; };
  std::string only_a, only_b;
  for (char c : a.letters)
    if (!has(needed, c) && !has(b.letters, c)) only_a += c;
  for (char c : b.letters)
    if (!has(needed, c) && !has(a.letters, c)) only_b += c;
  a = summed(std::move(a), only_a), b = summed(std::move(b), only_b);
  lax::DotDims dims;
  std::string batch, free_a, free_b;
  for (std::size_t i = 0; i < a.letters.size(); ++i) {
    const char c = a.letters[i];
    const std::size_t j = b.letters.find(c);
    if (j == std::string::npos) {
      free_a += c;
    } else if (has(needed, c)) {
      dims.lhs_batch.push_back(static_cast<std::int64_t>(i)),
          dims.rhs_batch.push_back(static_cast<std::int64_t>(j));
      batch += c;
    } else {
      dims.lhs_contract.push_back(static_cast<std::int64_t>(i));
      dims.rhs_contract.push_back(static_cast<std::int64_t>(j));
    }
  }
  for (char c : b.letters)
    if (!has(a.letters, c)) free_b += c;
  return {lax::dot_general(a.x, b.x, dims), batch + free_a + free_b};
}

/// A broadcasting axis, of extent 1 where another operand is longer, is left out.
Term without_ones(Term t, const std::string& longer) {
  List axes;
  std::string rest;
  for (std::size_t i = 0; i < t.letters.size(); ++i) {
    if (t.x.shape()[i] == 1 && longer.find(t.letters[i]) != std::string::npos)
      axes.push_back(static_cast<std::int64_t>(i));
    else
      rest += t.letters[i];
  }
  return axes.empty() ? t : Term{lax::squeeze(t.x, axes), rest};
}

/// Without `->`: the ellipsis, then the letters that occur once, sorted.
std::string implicit_result(const std::vector<std::string>& inputs) {
  std::string every, ellipsis, out;
  for (const std::string& letters : inputs) every += letters;
  std::sort(every.begin(), every.end());
  for (char c : every) {
    if (hidden(c) && ellipsis.find(c) == std::string::npos) ellipsis.insert(0, 1, c);
    if (!hidden(c) && std::count(every.begin(), every.end(), c) == 1) out += c;
  }
  return ellipsis + out;
}

std::string explicit_result(const std::string& subscripts, const std::string& text,
                            const std::vector<std::string>& inputs) {
  std::string known, ellipsis;
  for (const std::string& letters : inputs) known += letters;
  for (char c = 0; c < ' '; ++c)
    if (known.find(c) != std::string::npos) ellipsis.insert(0, 1, c);
  const std::size_t dots = text.find("...");
  const std::string out =
      dots == std::string::npos ? text : text.substr(0, dots) + ellipsis + text.substr(dots + 3);
  for (char c : out) {
    if (known.find(c) == std::string::npos)
      malformed(subscripts, std::string("no operand has the letter `") + c + "` of the result.");
    if (std::count(out.begin(), out.end(), c) > 1)
      malformed(subscripts, std::string("the result has the letter `") + c + "` twice.");
  }
  return out;
}

/// Letters with an extent other than 1 somewhere.
std::string check_extents(const std::string& subscripts, const std::vector<Term>& terms) {
  std::string longer;
  for (std::size_t n = 0; n < terms.size(); ++n)
    for (std::size_t i = 0; i < terms[n].letters.size(); ++i) {
      const char c = terms[n].letters[i];
      const std::int64_t extent = terms[n].x.shape()[i];
      if (extent != 1 && longer.find(c) == std::string::npos) longer += c;
      for (std::size_t k = 0; k <= n; ++k) {
        const std::size_t j = terms[k].letters.find(c);  // in the same operand, too: of a diagonal
        if (j == std::string::npos) continue;
        const std::int64_t other = terms[k].x.shape()[j];
        if (other == extent || (k < n && (other == 1 || extent == 1))) continue;
        const std::string axis = hidden(c) ? "an axis under `...`" : "the letter `" + std::string(1, c) + "`";
        malformed(subscripts, axis + " must have one extent, found " + std::to_string(other) + " in " +
                                  show(terms[k].x.type()) + " and " + std::to_string(extent) + " in " +
                                  show(terms[n].x.type()) + ".");
      }
    }
  return longer;
}

}  // namespace

Array einsum(const std::string& subscripts, Operands operands) {
  const Frame frame(operands.where());
  std::string text;
  for (char c : subscripts)
    if (c != ' ') text += c;
  const std::size_t arrow = text.find("->");
  std::vector<std::string> inputs(1);
  for (char c : text.substr(0, arrow)) {
    if (c == ',')
      inputs.emplace_back();
    else
      inputs.back() += c;
  }
  if (inputs.size() != operands.size())
    malformed(subscripts, std::to_string(inputs.size()) + " operands are required, found " +
                              std::to_string(operands.size()) + ".");
  Dtype dtype = operands.arrays()[0].dtype();
  for (const Array& a : operands.arrays()) dtype = promote(dtype, a.dtype());
  std::vector<Term> terms;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const Array& x = operands.arrays()[i];
    inputs[i] = letters_of(subscripts, inputs[i], x, i);
    terms.push_back({to(x, dtype), inputs[i]});
  }
  const std::string result = arrow == std::string::npos
                                 ? implicit_result(inputs)
                                 : explicit_result(subscripts, text.substr(arrow + 2), inputs);
  const std::string longer = check_extents(subscripts, terms);
  for (Term& t : terms) t = without_ones(distinct(std::move(t)), longer);

  Term out = terms[0];
  for (std::size_t i = 1; i < terms.size(); ++i) {
    std::string needed = result;
    for (std::size_t k = i + 1; k < terms.size(); ++k) needed += terms[k].letters;
    out = contract(std::move(out), terms[i], needed);
  }
  std::string rest;
  for (char c : out.letters)
    if (result.find(c) == std::string::npos) rest += c;
  out = summed(std::move(out), rest);
  List order;
  for (char c : result) order.push_back(static_cast<std::int64_t>(out.letters.find(c)));
  return std::is_sorted(order.begin(), order.end()) ? out.x : lax::transpose(out.x, order);
}

}  // namespace baton
