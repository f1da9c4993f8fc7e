# SPDX-License-Identifier: Apache-2.0
# Makefile - the few commands a person needs; Meson does the building.

PREFIX ?= /usr/local
FUZZ_SECONDS ?= 60
FUZZ_COMMAND_SECONDS ?= 600
FUZZ_RELEASES ?= 100000
ASAN_SHARE ?= 5
TSAN_SHARE ?= 20
BUILD ?= build

.PHONY: help help-all demo build product install uninstall clean deps
.PHONY: test test-all test-sql test-spark test-web test-r test-packages test-fresh
.PHONY: workbench engine static wheel wheel-aarch64 sdist deb container dist
.PHONY: bench bench-scale results acceptance experiments
.PHONY: asan tsan valgrind fuzz fuzz-command fuzz-tamper faults memory format-check format
.NOTPARALLEL:

help:
	@echo 'make demo          build, invent 100,000 persons, release them at k = 10, show the result'
	@echo 'make build         build; the command is then $(BUILD)/shoal'
	@echo 'make install       install below PREFIX (/usr/local), staged in DESTDIR if given'
	@echo 'make uninstall     remove what the last make install of this folder wrote'
	@echo 'make workbench     everything in one HTML file, $(BUILD)/shoal-workbench.html'
	@echo 'make wheel         the Python package with the command inside, in build-wheel'
	@echo 'make test          build, test the core and Python; the last line counts the tests'
	@echo 'make test-r        test the R package, and check it with R CMD check'
	@echo 'make asan          every test under the address and undefined-behaviour sanitizers'
	@echo 'make bench         run the benchmarks (BENCH_QUICK=1: a minute of them)'
	@echo 'make format-check  is what you changed in C laid out as .clang-format says?'
	@echo 'make clean         remove what was built and the demo'
	@echo 'make help-all      the other targets: packages, longer tests, measurements'
	@echo
	@echo 'What is missing on a Debian machine is installed (as root or with sudo).'

help-all: help
	@echo
	@echo 'Tests that take longer, or need more'
	@echo 'make test-all      all tests but those of packages and ways in; what .ci/run calls'
	@echo 'make test-web      the workbench, in a real browser too'
	@echo 'make test-sql      shoal.sql on PostgreSQL, DuckDB and SQLite'
	@echo 'make test-spark    shoal.spark on two threads and on a cluster of two workers'
	@echo "make test-fresh    the ways in of the README, each on a fresh Debian (WAYS='pip r')"
	@echo 'make test-packages each package made, installed on a clean system, used and removed'
	@echo 'make tsan          property tests under the thread sanitizer (TSAN_SHARE=1: all tables)'
	@echo 'make valgrind      unit and property tests under valgrind'
	@echo 'make fuzz          fuzz each parser for FUZZ_SECONDS (60) with libFuzzer'
	@echo 'make fuzz-command  random tables and options for FUZZ_COMMAND_SECONDS (600)'
	@echo 'make fuzz-tamper   FUZZ_RELEASES (100,000) changed releases, by check and verify'
	@echo 'make faults        every allocation, write and open fails once; a thousand kills'
	@echo 'make memory        is --memory-limit kept by every method? limits and what was used'
	@echo '                   (make asan takes one table in five of the property tests;'
	@echo '                   ASAN_SHARE=1: all)'
	@echo
	@echo 'Packages (docs/packages.md)'
	@echo 'make sdist         the sources of the Python package'
	@echo 'make wheel-aarch64 the wheel for 64-bit ARM'
	@echo 'make static        the command as one file for every Linux, build-static/shoal'
	@echo 'make deb           Debian packages, in build-deb'
	@echo 'make container     a container image with the command, build-container/shoal.tar'
	@echo 'make dist          all of these with checksums, in build-dist (SIGN=KEY: signed by gpg)'
	@echo
	@echo 'Measurements (docs/performance.md, docs/experiments.md)'
	@echo 'make bench-scale   one to ten million rows beside wc, cp and sort, and wide tables'
	@echo 'make results       measure the quality of every algorithm again, into bench/results.csv'
	@echo 'make acceptance    every k from 2 to 100 on Adult, read by an independent program'
	@echo 'make experiments   the experiments of the sources, with figures'
	@echo
	@echo 'Parts'
	@echo 'make product       what is installed, without the tests'
	@echo 'make engine        the engine of the workbench, for WebAssembly'
	@echo 'make format        lay out the C lines that you changed'
	@echo 'make deps          install what is missing'

deps:
	@for place in . $(BUILD); do [ ! -e $$place ] || [ -w $$place ] || { \
		echo "make: $$(id -un) may not write to $$(cd $$place && pwd);" \
			"it belongs to $$(stat -c %U $$place): chown it," \
			"or clone into a folder of yours" >&2; exit 1; }; done
	@tools/install-deps.sh

$(BUILD)/build.ninja: | deps
	meson setup $(BUILD)

build: deps $(BUILD)/build.ninja
	ninja -C $(BUILD)

# What is installed and used, without the tests.
product: deps $(BUILD)/build.ninja
	ninja -C $(BUILD) product

demo: deps $(BUILD)/build.ninja
	ninja -C $(BUILD) shoal
	@tools/demo.sh $(BUILD)

test: build
	@tools/python-tests.sh . $(BUILD) --announce
	@tools/run-tests.sh $(BUILD) --no-suite slow

test-all: build
	@tools/install-deps.sh postgresql java
	@tools/test-all.sh $(BUILD)

# The engine for WebAssembly has a build folder of its own.
engine:
	@tools/install-deps.sh workbench
	@libraries/fetch-sources.sh build-web/sources
	@[ -f build-web/build.ninja ] || meson setup build-web --cross-file web/engine/wasm32-wasi.ini \
		-Dworkbench=true -Ddebug=false
	ninja -C build-web

# What the page is built with; the tests need more (web/node_modules/.for-tests). Not `npm ci`: it
# wants the packages of every other platform in the lock file, too.
web/node_modules/.for-build: web/package-lock.json
	@tools/install-deps.sh workbench
	cd web && npm install --omit=dev --no-save --no-progress --no-audit --no-fund
	@touch $@

web/node_modules/.for-tests: web/package-lock.json
	@tools/install-deps.sh workbench workbench-tests
	cd web && npm install --no-save --no-progress --no-audit --no-fund
	@touch web/node_modules/.for-build $@

workbench: web/node_modules/.for-build engine
	node web/build.mjs --out $(BUILD)/shoal-workbench.html --folder $(BUILD)/workbench

test-web: web/node_modules/.for-tests build workbench
	@tools/install-deps.sh browser
	@tools/test-web.sh $(BUILD)

test-r: build
	@tools/install-deps.sh r
	@tools/test-r.sh $(BUILD)

test-sql: build
	@tools/install-deps.sh postgresql
	@tools/run-tests.sh $(BUILD) sql

test-spark: build
	@tools/install-deps.sh java
	@tools/run-tests.sh $(BUILD) spark

bench: build
	@bench/run $(BUILD)

bench-scale: build
	@bench/scale.sh $(BUILD)
	@bench/width.sh $(BUILD)
	@bench/series.sh $(BUILD)

results: build
	@bench/results.sh $(BUILD)

acceptance: build
	@bench/acceptance.sh $(BUILD)/shoal

experiments: build
	@bench/experiments/run $(BUILD)

# The prefix may differ from the one of the first build, so it is set again.
install: product
	@DESTDIR="$(DESTDIR)" tools/install.sh $(BUILD) '$(PREFIX)'

# Removes what the last `make install` of this build folder wrote.
uninstall:
	@DESTDIR="$(DESTDIR)" tools/uninstall.sh $(BUILD)

# What is handed out; docs/packages.md.
static:
	@tools/install-deps.sh static
	@tools/build-static.sh build-static

wheel: static
	@tools/wheel-tools.sh build-tools
	@tools/build-wheel.sh build-wheel build-tools build-static/shoal

# For machines with 64-bit ARM processors, built here.
wheel-aarch64:
	@tools/install-deps.sh aarch64
	@tools/wheel-tools.sh build-tools
	@tools/build-wheel-aarch64.sh build-aarch64 build-tools

sdist: deps
	@tools/wheel-tools.sh build-tools
	@tools/build-sdist.sh build-wheel build-tools

deb:
	@tools/install-deps.sh deb
	@tools/build-deb.sh build-deb

container: static
	@tools/install-deps.sh container
	@tools/build-container.sh build-container

dist: wheel sdist deb container
	@tools/build-dist.sh build-dist '$(SIGN)'

test-packages: build
	@tools/install-deps.sh static deb container packages
	@tests/packages/run.sh $(BUILD)

# Every way in of the README on a fresh Debian; WAYS='pip r' for some. An hour; needs root.
test-fresh:
	@tools/install-deps.sh packages
	@tests/fresh/run.sh $(WAYS)

# Of the property tests one table in ASAN_SHARE is tried; the others run as they are. Two counts are
# printed.
asan: deps
	@[ -f build-asan/build.ninja ] || meson setup build-asan -Db_sanitize=address,undefined \
		-Db_lundef=false -Doptimization=1
	ninja -C build-asan
	@UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1 tools/run-tests.sh build-asan --no-suite slow \
		--no-suite property --timeout-multiplier 10
	@UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1 SHOAL_TEST_SHARE=$(ASAN_SHARE) \
		tools/run-tests.sh build-asan --suite property --timeout-multiplier 10

# Archer (in libomp-dev) informs the sanitizer what OpenMP synchronises; without it every barrier
# looks like a race. One table in TSAN_SHARE is tried.
tsan:
	@tools/install-deps.sh clang
	@[ -f build-tsan/build.ninja ] || CC=clang meson setup build-tsan -Db_sanitize=thread \
		-Db_lundef=false -Doptimization=1
	ninja -C build-tsan
	@archer=$$(ls /usr/lib/llvm-*/lib/libarcher.so | tail -n 1) \
		&& TSAN_OPTIONS=ignore_noninstrumented_modules=1 OMP_TOOL_LIBRARIES=$$archer \
		SHOAL_TEST_SHARE=$(TSAN_SHARE) MESON_TESTTHREADS=1 tools/run-tests.sh build-tsan \
		--suite property --timeout-multiplier 30

# Optimisation 1 keeps the stack traces readable. Memory that a thread pool still holds at exit is
# no leak of ours.
valgrind:
	@tools/install-deps.sh valgrind
	@[ -f build-valgrind/build.ninja ] || meson setup build-valgrind -Doptimization=1
	ninja -C build-valgrind
	@tools/run-tests.sh build-valgrind --timeout-multiplier 50 --suite unit --suite property \
		--wrap 'valgrind -q --error-exitcode=99 --leak-check=full --errors-for-leak-kinds=definite'

fuzz:
	@tools/install-deps.sh clang
	@[ -f build-fuzz/build.ninja ] || CC=clang meson setup build-fuzz -Dfuzzing=true -Db_lundef=false \
		-Db_sanitize=address,undefined -Doptimization=1
	ninja -C build-fuzz
	@tools/fuzz.sh build-fuzz $(FUZZ_SECONDS)

fuzz-command: build
	@python3 tests/fuzz/command.py $(BUILD)/shoal --seconds $(FUZZ_COMMAND_SECONDS) \
		--first $$(date +%s)

fuzz-tamper: build
	@nice python3 tests/fuzz/tamper.py $(BUILD)/shoal $(BUILD)/tests/fuzz/judge \
		--releases $(FUZZ_RELEASES) --first $$(date +%s)

faults: build
	@python3 tests/cli/faults.py $(BUILD)/shoal $(BUILD)/tests/cli/libfaults.so --all \
		--jobs $$(nproc) --kill 1000 --interrupt 100

memory: build
	@python3 tests/cli/memory.py $(BUILD)/shoal

format-check:
	@tools/install-deps.sh clang-format
	@tools/format.sh --check

format:
	@tools/install-deps.sh clang-format
	@tools/format.sh

clean:
	rm -rf build build-* web/node_modules demo
