#!/usr/bin/env bash
# Real programs, plain and recorded: run.sh [BUILD_DIRECTORY] [SUITE ..]
# Suites: lammps.openmpi lammps.mpich hpcc.openmpi hpcc.mpich mpi4py.openmpi mpi4py.mpich mpitests.openmpi mpitests.mpich (the
# tests of the MPICH project, built with either); all without a name. Installs Debian's
# packages, fetches and builds from Debian's sources what has no package for MPICH, into $PLUMBLINE_SUITES (default
# /tmp/plumbline-suites), and prints a table (docs/testing.md). Needs root for the packages and a quarter of an hour or more.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
build=$(cd "${1:-$here/../../build/release}" && pwd)
[ $# -gt 0 ] && shift
suites=("$@")
[ ${#suites[@]} -gt 0 ] || suites=(lammps.openmpi lammps.mpich hpcc.openmpi hpcc.mpich mpi4py.openmpi mpi4py.mpich
  mpitests.openmpi mpitests.mpich)
work=${PLUMBLINE_SUITES:-/tmp/plumbline-suites}
mkdir -p "$work"

packages=(hpcc lammps lammps-examples python3-mpi4py python3-numpy python3-dev python3-setuptools cython3 libblas-dev dpkg-dev)

install_packages() {
  local missing=()
  for name in "${packages[@]}"; do
    dpkg-query -W -f='${db:Status-Status}' "$name" 2>/dev/null | grep -qx installed || missing+=("$name")
  done
  [ ${#missing[@]} -eq 0 ] || DEBIAN_FRONTEND=noninteractive apt-get install -y -qq "${missing[@]}" >/dev/null
}

# Debian's source package NAME as $work/NAME-src; the system's own lists are not touched.
fetch_source() {
  local name=$1 apt=$work/apt
  [ -d "$work/$name-src" ] && return 0
  mkdir -p "$apt/lists/partial" "$apt/cache/archives/partial" "$work/fetch-$name"
  echo 'deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] http://deb.debian.org/debian bookworm main' \
    >"$apt/sources.list"
  local options=(-o "Dir::Etc::sourcelist=$apt/sources.list" -o Dir::Etc::sourceparts=- -o "Dir::State::lists=$apt/lists"
    -o "Dir::Cache=$apt/cache" -o APT::Sandbox::User=root)
  apt-get "${options[@]}" update -qq
  (cd "$work/fetch-$name" && apt-get "${options[@]}" source -qq --tar-only "$name" >/dev/null 2>&1)
  tar -C "$work/fetch-$name" -xaf "$work/fetch-$name"/*.orig.tar.* || return 1
  mv "$(find "$work/fetch-$name" -mindepth 1 -maxdepth 1 -type d)" "$work/$name-src"
}

build_mpi4py_for_mpich() {
  [ -d "$work/mpi4py-mpich/mpi4py" ] && return 0
  cp -r "$work/mpi4py-src" "$work/mpi4py-build"
  (cd "$work/mpi4py-build" && MPICC=mpicc.mpich python3 setup.py -q build --mpicc=mpicc.mpich \
    --build-lib "$work/mpi4py-mpich") >"$work/mpi4py-mpich.log" 2>&1
}

build_hpcc_for_mpich() {
  [ -x "$work/hpcc-mpich/hpcc" ] && return 0
  rm -rf "$work/hpcc-build"
  cp -r "$work/hpcc-src" "$work/hpcc-build"
  sed "s|@TOP@|../../..|" "$here/Make.mpich" >"$work/hpcc-build/hpl/Make.mpich"
  make -C "$work/hpcc-build" arch=mpich >"$work/hpcc-mpich.log" 2>&1
  mkdir -p "$work/hpcc-mpich"
  cp "$work/hpcc-build/hpcc" "$work/hpcc-mpich/"
}

# With the optional packages of LAMMPS that the examples need.
build_lammps_for_mpich() {
  [ -x "$work/lammps-src/src/lmp_mpi" ] && return 0
  make -C "$work/lammps-src/src" yes-body yes-colloid yes-dipole yes-granular yes-kspace yes-manybody yes-mc yes-misc \
    yes-molecule yes-peri yes-rigid >"$work/lammps-packages.log" 2>&1
  make -C "$work/lammps-src/src" -j "$(nproc)" mpi CC=mpicxx.mpich LINK=mpicxx.mpich \
    CCFLAGS="${PLUMBLINE_SUITES_CXXFLAGS:--O2} -g0 -std=c++11" LINKFLAGS=-O1 >"$work/lammps-mpich.log" 2>&1
}

# Its makefiles are older than what they are made from when unpacked, so that they would want to be made again. What was
# removed from MPI is in helpers that no test here uses.
build_mpi_tests() {
  local mpi=$1 tree=$work/mpitests-$1 part
  [ -e "$tree/built" ] && return 0
  rm -rf "$tree"
  cp -r "$work/mpich-src/test/mpi" "$tree"
  local quiet=(ACLOCAL=: AUTOMAKE=: AUTOCONF=: AUTOHEADER=:)
  (
    cd "$tree"
    for name in aclocal.m4 configure Makefile.in; do find . -name "$name" -exec touch {} + && sleep 1; done
    find . -name '*.h.in' -exec touch {} +
    sed -i 's/\bMPI_Type_hvector\b/MPI_Type_create_hvector/g; s/\bMPI_Type_hindexed\b/MPI_Type_create_hindexed/g
      s/\bMPI_Type_struct\b/MPI_Type_create_struct/g' dtpools/src/*.c util/*.c
    ./configure CC="mpicc.$mpi" MPICC="mpicc.$mpi" --disable-fortran --disable-f77 --disable-fc --disable-cxx \
      --disable-dtpools || exit 1
    make -C util "${quiet[@]}" -k || true
    for part in coll io comm pt2pt threads/coll threads/comm threads/pt2pt; do
      # shellcheck disable=SC2046
      make -C "$part" "${quiet[@]}" -k -j "$(nproc)" $(sed 's/#.*//' "$part/testlist" | awk 'NF { print $1 }' | sort -u) || true
    done
  ) >"$work/mpitests-$mpi.log" 2>&1 || return 1
  touch "$tree/built"
}

build_yield() { cc -O2 -shared -fPIC -o "$work/yield.so" "$here/yield.c"; }

# What a suite needs beyond packages.
prepare() {
  case $1 in
    mpi4py.openmpi) fetch_source mpi4py ;;
    mpi4py.mpich) fetch_source mpi4py && build_mpi4py_for_mpich ;;
    hpcc.mpich) fetch_source hpcc && build_hpcc_for_mpich ;;
    mpitests.*) fetch_source mpich && build_mpi_tests "${1#*.}" && build_yield ;;
    lammps.mpich) fetch_source lammps && build_lammps_for_mpich ;;
  esac
}

install_packages
ready=()
for suite in "${suites[@]}"; do
  if prepare "$suite"; then ready+=("$suite"); else echo "$suite: left out, its source cannot be fetched or built" >&2; fi
done
exec python3 "$here/suites.py" "$build" "$work" "${ready[@]}"
