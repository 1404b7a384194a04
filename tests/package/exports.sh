#!/bin/bash
# exports: checks that a shared library exports symbols of namespace baton, and no others.
#   exports.sh LIBRARY
set -euo pipefail
symbols=$(nm -DC --defined-only "$1" | cut -c20-)
grep -q '^baton::lax::add(' <<<"$symbols" || { echo "$1 does not export baton::lax::add"; exit 1; }
allowed='^((typeinfo|typeinfo name|vtable|VTT|construction vtable|guard variable) for |(virtual|non-virtual) thunk to |TLS (init|wrapper) function for )?baton::'
if others=$(grep -vE "$allowed" <<<"$symbols"); then
  echo "$1 exports what is not Baton's:"
  echo "$others"
  exit 1
fi
