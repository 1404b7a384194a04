#!/bin/bash
# package: builds a foreign project on Baton and runs it.
#   package.sh installed BUILD SCRATCH    on what `cmake --install BUILD` installs
#   package.sh inside SOURCE SCRATCH      with SOURCE as its subdirectory
set -euo pipefail
way=$1 baton=$2 scratch=$3
here=$(cd "$(dirname "$0")" && pwd)
rm -rf "$scratch"
mkdir -p "$scratch"
case $way in
  installed)
    cmake --install "$baton" --prefix "$scratch/prefix" >/dev/null
    options=(-DCMAKE_PREFIX_PATH="$scratch/prefix")
    for file in include/baton/lax.h share/doc/baton/THIRD_PARTY.md share/doc/baton/LICENSE lib/libbaton_openblas.so; do
      [[ -f $scratch/prefix/$file ]] || { echo "the installation lacks $file"; exit 1; }
    done ;;
  inside) options=(-DBATON_SOURCE="$baton") ;;
esac
# -O0: the fastest to build, and what is tested is the build itself.
cmake -G Ninja -S "$here/foreign" -B "$scratch/build" -DCMAKE_BUILD_TYPE=Debug -DCMAKE_CXX_FLAGS_DEBUG=-O0 \
  -DCMAKE_CXX_FLAGS="-Wall -Wextra -Werror" "${options[@]}" >/dev/null
cmake --build "$scratch/build" --target foreign
"$scratch/build/foreign"
if [[ $way == installed ]]; then  # without what lies beside libbaton: a clear error
  rm "$scratch/prefix/lib/libbaton_openblas.so"
  said=$("$scratch/build/foreign" 2>&1) && { echo "products of complex matrices ran without OpenBLAS"; exit 1; }
  grep -q "cpu: products of complex matrices and linear algebra need OpenBLAS in the file \`.*/lib/libbaton_openblas.so\`" <<<"$said" ||
    { echo "the error without OpenBLAS says: $said"; exit 1; }
fi
