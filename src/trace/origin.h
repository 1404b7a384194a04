#pragma once
// origin: the line and the name scope that an equation came from. Its number stands in the equation, is no
// content, and means the same in every trace, so transforms and caches hand it on.
#include <string>
#include <string_view>

#include "baton/where.h"

namespace baton {

struct Origin {
  Where where = {};
  std::string scope = {};  // model/block2/dense
};

inline constexpr int no_origin = -1;

/// The number of this origin, one for equal ones; `no_origin` where the table is full (a million of them).
int origin_number(Where where, std::string_view scope);
/// The origin of a number; an unknown one for `no_origin`.
Origin origin_of(int number);
/// "model.cc:71 block2/dense"; empty where nothing is known.
std::string origin_text(int number);
/// As `called_at` for an error of a transform: the line of the user's call, and that of the operation.
std::string called_for(int number);

}  // namespace baton
