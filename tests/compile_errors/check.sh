#!/bin/bash
# check: compiles one snippet with "$@" as the compiler and its options; see README.md.
#   check.sh FILE COMPILER [OPTION...]
set -uo pipefail
file=$1
shift
output=$("$@" -std=c++20 -fsyntax-only "$file" 2>&1)
status=$?
expected=$(sed -n '1s,^// expect: ,,p' "$file")
if [[ -z $expected ]]; then
  ((status == 0)) && exit 0
  printf '%s\n' "$output" | head -20
  echo "check: $file must compile, and does not"
  exit 1
fi
if ((status == 0)); then
  echo "check: $file compiles, and must fail with: $expected"
  exit 1
fi
# A sentence of ours stands in the output as it is; compilers' own sentences are given as alternatives.
if [[ $output == *"$expected"* ]]; then exit 0; fi
if [[ $expected == *"|"* ]] && grep -qE "$expected" <<<"$output"; then exit 0; fi
printf '%s\n' "$output" | head -20
echo "check: $file fails, but not with: $expected"
exit 1
