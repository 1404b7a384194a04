#pragma once
// save: what a checkpoint keeps for the backward pass; the rest is computed again there.
#include <string>
#include <vector>

namespace baton {

enum class Save { nothing, everything, dots, dots_with_no_batch_dims, names };
struct SavePolicy {
  Save save = Save::everything;
  std::vector<std::string> names = {};  // of `checkpoint_name`, for Save::names
};

/// The policies of `checkpoint`: {.save = save::dots}.
namespace save {
inline const SavePolicy nothing{Save::nothing};
inline const SavePolicy everything{Save::everything};
/// The results of matrix products and convolutions.
inline const SavePolicy dots{Save::dots};
/// The results of matrix products without batch axes.
inline const SavePolicy dots_with_no_batch_dims{Save::dots_with_no_batch_dims};
/// Only values that went through checkpoint_name with one of these names.
inline SavePolicy names(std::vector<std::string> names) { return {Save::names, std::move(names)}; }
}  // namespace save

}  // namespace baton
