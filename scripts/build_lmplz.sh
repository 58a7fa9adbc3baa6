#!/usr/bin/env bash
# Builds KenLM's estimator (lmplz, build_binary) from the source package of the kenlm wheel, without root.
#
#   scripts/build_lmplz.sh PREFIX       -> PREFIX/bin/{lmplz,build_binary}, PREFIX/lib/kenlm/libboost_*.so
#
# The kenlm wheel has the query module only. Boost and CMake come as wheels into a folder that is thrown away, so that
# no package of the environment changes; the two Boost libraries that the programs need are copied beside them.
# Needs: a Python with pip (PYTHON, default python3), g++ and make. About a minute on two cores.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
constraints=$here/constraints.txt
python=${PYTHON:-python3}
kenlm_sha256=c4628bb9fb63c8a6f9240035b8b037385cfc404cb72e933cf48878291edac1e8

say() { printf 'lmplz: %s\n' "$*"; }
stop() { printf 'build_lmplz.sh: %s\n' "$*" >&2; exit 3; }

[ $# -eq 1 ] || { echo "usage: build_lmplz.sh PREFIX" >&2; exit 2; }
prefix=$(realpath -m "$1")

# Runs: it estimates a model. (--help is no test: it exits with 1.)
runs() { [ -x "$1" ] && echo "a b" | "$1" -o 2 -S 64M -T "${TMPDIR:-/tmp}/" --discount_fallback >/dev/null 2>&1; }
if runs "$prefix/bin/lmplz" && [ -x "$prefix/bin/build_binary" ]; then exit 0; fi

for tool in g++ make; do
  command -v "$tool" >/dev/null ||
    stop "$tool is missing; KenLM's estimator must be compiled (Debian, Ubuntu: apt-get install build-essential)"
done
"$python" -m pip --version >/dev/null 2>&1 || stop "$python has no pip; set PYTHON to one that has"
kenlm=$(sed -n 's/^kenlm==//p' "$constraints")
[ -n "$kenlm" ] || stop "no version of kenlm in $constraints"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
log=$work/log
# Runs a step with its output kept aside; shows the end of it only if the step fails.
quietly() { "$@" >>"$log" 2>&1 || { tail -n 25 "$log" >&2; stop "failed: $1 ${2-} ${3-}"; }; }

say "fetching kenlm $kenlm (source), cmake and Boost"
quietly "$python" -m pip download --no-deps --no-binary kenlm "kenlm==$kenlm" -d "$work"
quietly "$python" -m pip install --no-deps --target "$work/wheels" -c "$constraints" cmake cmeel-boost
source=$work/kenlm-$kenlm.tar.gz
[ -f "$source" ] || stop "the source package of kenlm $kenlm did not arrive as ${source##*/}"
echo "$kenlm_sha256  $source" | sha256sum --check --status ||
  stop "${source##*/} has another sha256 than $kenlm_sha256: $(sha256sum "$source" | cut -d' ' -f1)"
tar xzf "$source" -C "$work"

say "compiling lmplz and build_binary ($(nproc) at a time)"
boost=$work/wheels/cmeel.prefix
cmake=$work/wheels/cmake/data/bin/cmake
quietly "$cmake" -S "$work/kenlm-$kenlm" -B "$work/build" -DCMAKE_BUILD_TYPE=Release \
  -DCMAKE_POLICY_VERSION_MINIMUM=3.5 -DCMAKE_PREFIX_PATH="$boost" -DBoost_NO_SYSTEM_PATHS=ON \
  "-DCMAKE_INSTALL_RPATH=\$ORIGIN/../lib/kenlm" -DCMAKE_BUILD_WITH_INSTALL_RPATH=ON
quietly "$cmake" --build "$work/build" -j "$(nproc)" --target lmplz build_binary

mkdir -p "$prefix/bin" "$prefix/lib/kenlm"
for name in program_options thread; do
  for library in "$boost/lib/libboost_$name.so".*; do cp "$library" "$prefix/lib/kenlm/"; done
done
for program in build_binary lmplz; do  # lmplz last: it is what says that all is done
  install "$work/build/bin/$program" "$prefix/bin/.$program.new"
  mv "$prefix/bin/.$program.new" "$prefix/bin/$program"
done
runs "$prefix/bin/lmplz" || stop "$prefix/bin/lmplz was built but does not run"
say "ready: $prefix/bin/lmplz"
