# Quadrille: records in, clustered raster tiles out, one MBTiles archive.
#
#   make build-tiles   install what is missing, make the sample data, build, bake every pipeline
#                      of pipelines/ into output/ (PIPELINE=hotels: only that one)
#   make test          install what is missing and run the tests, with optimization
#   make build-tests   build the tests alone
#   make slowest-suites  the twenty slowest suites of the last make test
#   make test-readers  open archives in GDAL, QGIS, MapLibre, Leaflet, mb-util and PMTiles, and in the
#                      readers of clients/; what is not installed is skipped with a message (make deps-readers installs it)
#   make test-kit      build and run Examples/Embedding, a program that embeds the library (debug)
#   make test-client   build clients/swift, the library for apps alone, and the app of Examples/MapApp over it (debug)
#   make docs-kit      build the libraries' documentation into .build-kit/Quadrille*.doccarchive
#   make test-scale    divide builds among processes, by GNU parallel and a Slurm cluster of two nodes on
#                      loopback; what is not installed is skipped with a message (make deps-scale)
#   make test-long     run the long tests: every fault, long sequences of edits, large samples
#   make test-slow     the same, then each fuzzer for a minute
#   make fuzz          fuzz the readers for FUZZ_SECONDS each (60; TARGET=csv: only that one)
#   make test-address  run the tests under the address sanitizer (a build of its own)
#   make test-thread   run the tests under the thread sanitizer (a build of its own)
#   make deps-gdal     install what the tests of GDAL's formats and of PostGIS need, which are skipped
#                      without it: gdal-bin, postgresql, postgis
#   make deps-shells   install zsh and fish, whose completions are tested only where they are there
#   make deps          install the libraries that are missing (apt with sudo if needed, or brew)
#   make build         build the program and its preview (release)
#   make sample-data   generate the sample data of the pipelines
#   make lint          check formatting and imports; warnings are errors in every build
#   make format        format the code in place
#   make bench         measure, print medians
#   make bench-readers measure what the readers of clients/ fetch and write
#   make bless         record the golden files and the pictures of the gallery again; look at the diff
#                      before you commit it
#   make pictures      draw the pictures with which README begins
#   make architecture  write the targets of ARCHITECTURE.md from Package.swift
#   make install       copy the programs and the script for Slurm to PREFIX/bin (default /usr/local),
#                      man page, completions of bash, zsh and fish, units for systemd, a crontab, and the
#                      readers for apps below PREFIX; nothing is enabled
#   make dist          pack the programs with their libraries into .build-dist/quadrille-….tar.gz, for
#                      a Linux without Swift; make check-dist runs it in a clean Debian (debootstrap)
#   make deb           pack the programs into .build-deb/quadrille_….deb, for Debian from this release on;
#                      make check-deb runs lintian, installs the package in clean Debians and runs it there
#                      (DEBIANS="bookworm trixie"); with SIGN=city.key both sign their SHA256SUMS
#   make clean         remove what was built, generated and baked

SHELL := /bin/bash
PREFIX ?= /usr/local
PIPELINE ?=
TARGET ?=
FUZZ_SECONDS ?= 60
SWIFT_FLAGS := --explicit-target-dependency-import-check error
# Tests of pixels and whole builds take six times as long without optimization. The program that users
# get is built without -enable-testing, hence the other folder.
TEST_BUILD := -c release --scratch-path .build-test -Xswiftc -enable-testing
# One build for the sample data and for the tests of its generators, which are slow without optimization.
SAMPLE_BUILD := -c release --package-path SampleData -Xswiftc -enable-testing $(SWIFT_FLAGS)
# What `make slowest-suites` and Tests/watched.py read.
TEST_EVENTS_FILE := .build-test/events.jsonl
TEST_EVENTS := --event-stream-output-path $(TEST_EVENTS_FILE) --event-stream-version 0
# The minutes without a test that begins or ends after which the tests hang.
TEST_PATIENCE := 8
# The libraries of Package.swift that are found by pkg-config.
C_LIBRARIES := libpng libcrypto freetype2 fribidi harfbuzz icu-i18n libjpeg
QUADRILLE := .build/release/quadrille
PIPELINES := $(if $(PIPELINE),pipelines/$(PIPELINE).yml,$(wildcard pipelines/*.yml))

APT_PACKAGES := pkg-config libsqlite3-dev libpng-dev zlib1g-dev libdeflate-dev libssl-dev libfreetype-dev \
  libfribidi-dev libharfbuzz-dev libicu-dev libjpeg-dev libcurl4-openssl-dev libzstd-dev libbz2-dev libisal-dev libwebp-dev fonts-open-sans fonts-dejavu-core libjs-leaflet
BREW_PACKAGES := pkg-config sqlite libpng libdeflate freetype fribidi harfbuzz icu4c jpeg-turbo zstd isa-l webp

.PHONY: build-tiles build-tests test slowest-suites test-long test-slow deps-slow test-readers deps-readers deps-gdal deps-shells test-scale deps-scale \
  test-kit test-client docs-kit fuzz test-address test-thread deps build sample-data lint format bench bench-readers bless architecture install install-files \
  dist-programs dist check-dist deb check-deb clean

build-tiles: build sample-data
	@for pipeline in $(PIPELINES); do \
	  echo "== $$pipeline" >&2; $(QUADRILLE) build $$pipeline || exit $$?; \
	done

# Runs swift test with the arguments $(1). What failed stands among some ten thousand lines, and is
# therefore repeated at the end.
define swift_test
	@set -o pipefail; echo "swift test $(1)"; \
	  Tests/watched.py $(TEST_EVENTS_FILE) $(TEST_PATIENCE) swift test $(1) 2>&1 | tee .build-test/test.log || \
	  { status=$$?; printf '\n== what failed\n'; grep -aE -A 6 '✘ Test .* recorded an issue|^error: |Fatal error' .build-test/test.log | tail -n 200; exit $$status; }
endef

test: build-tests
	$(call swift_test,$(TEST_BUILD) --skip-build $(TEST_EVENTS))
	swift build $(SAMPLE_BUILD) --build-tests
	swift test $(SAMPLE_BUILD) --skip-build

build-tests: deps
	swift build $(TEST_BUILD) --build-tests $(SWIFT_FLAGS)

slowest-suites:
	@Tests/slowest-suites.py

# Without these the tests of faults that need them are skipped and say so.
deps-slow: APT_PACKAGES += strace libfaketime
deps-slow: deps

# The suites that do more when QUADRILLE_SLOW is set, by the names of their files. What they start is
# the optimized program: the faults alone start it some thousand times.
SLOW_SUITES = $(shell grep -rlE 'runsSlowTests|QUADRILLE_SLOW' Tests --include='*Tests.swift' \
  | sed 's|.*/||; s|\.swift||' | paste -sd'|')

test-slow: test-long fuzz

# The readers' part compares with the Swift library, whose program is built with the tests.
test-long: deps-slow deps-scale deps-readers build build-tests sample-data
	QUADRILLE_SLOW=1 QUADRILLE_PROGRAM=$(CURDIR)/$(QUADRILLE) \
	  swift test $(TEST_BUILD) --skip-build --filter '[.]($(SLOW_SUITES))/'
	$(call test_scale,long,QUADRILLE_SLOW=1)
	$(call test_readers,$(addprefix Tests/Readers/test_client_,brute.py region.py),QUADRILLE_SLOW=1 QUADRILLE_UPDATE_FIXTURE=$(CURDIR)/.build-test/release/update-fixture)

# The Python of Debian has GDAL's and QGIS' modules; the other readers go into an environment upon it.
READERS := .build-readers
READERS_PYTHON := $(READERS)/venv/bin/python
READERS_PIPELINES := $(wildcard Tests/Readers/pipelines/*.yml)

READERS_PACKAGES := chromium default-jdk-headless gdal-bin libjs-leaflet libgl1-mesa-dri libegl1 \
  libxerial-sqlite-jdbc-java nodejs python3-gdal python3-numpy python3-pil python3-qgis python3-venv sqlite3 xauth xvfb

# Installs those of the packages $(1) that Debian has; what needs the others is skipped.
define install_optional
	@if command -v dpkg-query >/dev/null; then \
	  missing=""; \
	  for package in $(1); do \
	    dpkg-query -W -f='$${Status}' $$package 2>/dev/null | grep -q 'install ok installed' \
	      || missing="$$missing $$package"; \
	  done; \
	  sudo="env"; [ "$$(id -u)" -eq 0 ] || sudo="sudo env"; \
	  install="$$sudo DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends"; \
	  if [ -n "$$missing" ]; then \
	    echo "installing$$missing" >&2; \
	    $$sudo apt-get update -qq; \
	    $$install $$missing >&2 || for package in $$missing; do \
	      $$install $$package >&2 || echo "not installed: $$package; its tests are skipped" >&2; \
	    done; \
	  fi; \
	else \
	  echo "install by hand what there is of: $(1)" >&2; \
	fi
endef

# Without these the tests of 'type: ogr' that need them are skipped and say so.
GDAL_PACKAGES := gdal-bin proj-bin postgresql postgis postgresql-postgis

deps-gdal: deps
	$(call install_optional,$(GDAL_PACKAGES))

# Without these the tests of their completions are skipped and say so.
deps-shells: deps
	$(call install_optional,zsh fish)

deps-readers: deps
	$(call install_optional,$(READERS_PACKAGES))
	@mkdir -p $(READERS)
	@[ -x $(READERS_PYTHON) ] || /usr/bin/python3 -m venv --system-site-packages $(READERS)/venv
	@while read -r requirement; do \
	  case "$$requirement" in '#'*|'') continue;; maplibre*|axe-*) only=--no-deps;; *) only=;; esac; \
	  $(READERS_PYTHON) -m pip install -q --disable-pip-version-check $$only "$$requirement" \
	    || echo "not installed: $$requirement; the tests of its reader are skipped" >&2; \
	done < Tests/Readers/requirements.txt

# Runs the tests $(1) of the readers, with the variables $(2). Much of them is waiting for browsers, so two
# files run at a time, each with a browser and servers of its own, where pytest-xdist is there.
define test_readers
	@mkdir -p $(READERS)/archives
	@for pipeline in $(READERS_PIPELINES); do $(QUADRILLE) build -q $$pipeline || exit $$?; done
	QUADRILLE=$(CURDIR)/$(QUADRILLE) $(2) $(READERS_PYTHON) -m pytest -q -p no:cacheprovider -rs --durations=5 \
	  $(if $(wildcard $(READERS)/venv/lib/python3*/site-packages/xdist),-n 2 --dist loadfile) $(1)
endef

test-readers: deps-readers build sample-data
	$(call test_readers,Tests/Readers)

SCALE_PACKAGES := munge parallel python3-pytest slurm-wlm
SCALE_PYTHON := $(or $(wildcard /usr/bin/python3),python3) -B

# Runs the tests of Tests/Scale that have the mark $(1).
define test_scale
	@if $(SCALE_PYTHON) -c 'import pytest' 2>/dev/null; then \
	  QUADRILLE=$(CURDIR)/$(QUADRILLE) $(2) $(SCALE_PYTHON) -m pytest -q -p no:cacheprovider -rs --durations=5 \
	    -m $(1) Tests/Scale; \
	else \
	  echo "no pytest: the tests of shards in Slurm and GNU parallel are skipped (make deps-scale)" >&2; \
	fi
endef

deps-scale: deps
	$(call install_optional,$(SCALE_PACKAGES))

test-scale: deps-scale build
	$(call test_scale,'not long')

# A package of its own, so all of Quadrille is built once more: in debug, into a folder of its own.
test-kit: deps
	swift run --package-path Examples/Embedding --scratch-path .build-kit Embedding

# The library for apps alone, which fetches no package; its app is an empty program on Linux.
test-client: deps
	swift build --package-path Examples/MapApp --scratch-path .build-client --disable-automatic-resolution

# Writes the documentation of the library $(1), whose modules are in the build folder $(2). The extractor
# of symbols needs the module maps of C targets, which SwiftPM keeps to itself.
define library_docs
	mkdir -p $(2)/symbols
	swift symbolgraph-extract -module-name $(1) -minimum-access-level public \
	  -target "$$(swift -print-target-info | grep -m1 '"triple"' | cut -d'"' -f4)" \
	  -I $(2)/debug/Modules -output-dir $(2)/symbols \
	  $$(find -L Sources $(2)/debug $(2)/checkouts -path '*/C[A-Z]*' \
	    -name module.modulemap | sed 's/^/-Xcc -fmodule-map-file=/') \
	  $$(pkg-config --cflags $(C_LIBRARIES) | sed 's/-I/-Xcc -I/g')
	docc convert Sources/$(1)/$(1).docc --warnings-as-errors \
	  --additional-symbol-graph-dir $(2)/symbols --fallback-display-name $(1) \
	  --fallback-bundle-identifier $(1) --output-path .build-kit/$(1).doccarchive
endef

docs-kit: deps
	swift build --package-path Examples/Embedding --scratch-path .build-kit
	swift build --target QuadrilleClient --scratch-path .build-client
	$(call library_docs,QuadrilleKit,.build-kit)
	$(call library_docs,QuadrilleClient,.build-client)

fuzz: deps
	Fuzzing/run $(FUZZ_SECONDS) $(TARGET)

# Swift's own backtraces would take the signals that the sanitizers explain. What the process keeps
# to its end is no leak here: libraries of the system do it.
test-address: deps
	SWIFT_BACKTRACE=enable=no ASAN_OPTIONS=detect_leaks=0 \
	  swift test --sanitize=address --scratch-path .build-address

test-thread: deps
	SWIFT_BACKTRACE=enable=no TSAN_OPTIONS=suppressions=$(CURDIR)/Tests/thread-sanitizer.txt \
	  swift test --sanitize=thread --scratch-path .build-thread

deps:
	@if command -v dpkg-query >/dev/null; then \
	  missing=""; \
	  for package in $(APT_PACKAGES); do \
	    dpkg-query -W -f='$${Status}' $$package 2>/dev/null | grep -q 'install ok installed' \
	      || missing="$$missing $$package"; \
	  done; \
	  if [ -n "$$missing" ]; then \
	    echo "installing$$missing" >&2; \
	    sudo=""; [ "$$(id -u)" -eq 0 ] || sudo=sudo; \
	    $$sudo apt-get update -qq \
	      && DEBIAN_FRONTEND=noninteractive $$sudo apt-get install -y -qq $$missing >&2; \
	  fi; \
	elif command -v brew >/dev/null; then \
	  for package in $(BREW_PACKAGES); do \
	    brew list --versions $$package >/dev/null || brew install $$package; \
	  done; \
	  brew list --cask --versions font-dejavu >/dev/null || brew install --cask font-dejavu; \
	  brew list --cask --versions font-open-sans >/dev/null || brew install --cask font-open-sans; \
	else \
	  echo "install by hand: $(APT_PACKAGES)" >&2; exit 1; \
	fi
	@command -v swift >/dev/null || { \
	  echo "no Swift toolchain: install Swift 6.2 or later from swift.org/install" >&2; exit 1; }

build: deps
	swift build -c release --product quadrille $(SWIFT_FLAGS)
	swift build -c release --product quadrille-preview $(SWIFT_FLAGS)

RAIN := pipelines/data/rain/2014-01-19T0900Z.png
SAMPLE_SOURCES := $(wildcard SampleData/Sources/sample-data/*.swift)

sample-data: pipelines/data/hotels.csv pipelines/data/lots.geojson pipelines/data/america.pmtiles \
  pipelines/data/pin.png $(RAIN)

pipelines/data/hotels.csv: $(SAMPLE_SOURCES) | deps
	swift build $(SAMPLE_BUILD)
	SampleData/.build/release/sample-data hotels $@

pipelines/data/lots.geojson: $(SAMPLE_SOURCES) | deps
	swift build $(SAMPLE_BUILD)
	SampleData/.build/release/sample-data lots $@

pipelines/data/america.pmtiles: $(SAMPLE_SOURCES) | deps
	swift build $(SAMPLE_BUILD)
	SampleData/.build/release/sample-data basemap $@

# pin@2x.png is written beside it, first.
pipelines/data/pin.png: $(SAMPLE_SOURCES) | deps
	swift build $(SAMPLE_BUILD)
	SampleData/.build/release/sample-data pin $@

# The last frame represents all twelve, since it is written last.
$(RAIN): $(SAMPLE_SOURCES) | deps
	swift build $(SAMPLE_BUILD)
	SampleData/.build/release/sample-data rain $(@D)

lint:
	swift format lint --strict --configuration .swift-format --recursive \
	  Package.swift clients/swift/Package.swift Sources Tests SampleData Benchmarks Fuzzing Examples

format:
	swift format --in-place --configuration .swift-format --recursive \
	  Package.swift clients/swift/Package.swift Sources Tests SampleData Benchmarks Fuzzing Examples

bench: build sample-data
	Benchmarks/run

bench-readers: build sample-data
	Benchmarks/readers

bless: deps
	QUADRILLE_BLESS=1 swift test $(SWIFT_FLAGS) --filter Golden --filter GalleryTests

# What README begins with, and the same at night.
HERO := --center=-95.5,38.0 --zoom 4.02 --size 720x376 --ratio 2 --attribution
NIGHT := -e 's/\#d5e2ea/\#0c1320/g' -e 's/\#f7f4ee/\#171e2a/g' -e 's/\#b9c6cd/\#2c3a4d/g' \
  -e 's/\#c3d6e1/\#22334a/' -e 's/\#c4b9ad/\#56617a/' -e 's/\#d9d0c4/\#2d384b/' -e 's/\#ead9bf/\#3b4252/' \
  -e 's/\#7c766d/\#9aa5b4/'

pictures: build sample-data
	$(QUADRILLE) render pipelines/basemap.yml $(HERO) -o docs/hotels.webp
	sed $(NIGHT) pipelines/basemap.yml > pipelines/night.yml
	$(QUADRILLE) render pipelines/night.yml $(HERO) -o docs/hotels-dark.webp; \
	  status=$$?; rm pipelines/night.yml; exit $$status

architecture: deps
	QUADRILLE_BLESS=1 swift test $(SWIFT_FLAGS) --filter ArchitectureTests

install: build install-files

install-files:
	install -d $(DESTDIR)$(PREFIX)/bin
	install -s -m 755 $(QUADRILLE) $(DESTDIR)$(PREFIX)/bin/quadrille
	install -s -m 755 $(QUADRILLE)-preview $(DESTDIR)$(PREFIX)/bin/quadrille-preview
	install -m 755 dist/slurm/quadrille-slurm $(DESTDIR)$(PREFIX)/bin/quadrille-slurm
	install -d $(addprefix $(DESTDIR)$(PREFIX)/share/,man/man1 bash-completion/completions \
	  zsh/site-functions fish/vendor_completions.d)
	$(QUADRILLE) manual > $(DESTDIR)$(PREFIX)/share/man/man1/quadrille.1
	$(QUADRILLE) --generate-completion-script bash \
	  > $(DESTDIR)$(PREFIX)/share/bash-completion/completions/quadrille
	$(QUADRILLE) --generate-completion-script zsh \
	  > $(DESTDIR)$(PREFIX)/share/zsh/site-functions/_quadrille
	$(QUADRILLE) --generate-completion-script fish \
	  > $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/quadrille.fish
	install -d $(addprefix $(DESTDIR)$(PREFIX)/,lib/systemd/system lib/sysusers.d share/quadrille)
	install -m 644 dist/quadrille.service dist/quadrille.timer \
	  $(DESTDIR)$(PREFIX)/lib/systemd/system/
	install -m 644 dist/quadrille.sysusers $(DESTDIR)$(PREFIX)/lib/sysusers.d/quadrille.conf
	install -m 644 dist/quadrille.cron $(wildcard pipelines/*.yml) \
	  $(DESTDIR)$(PREFIX)/share/quadrille/
	sed -i.orig 's|/usr/local|$(PREFIX)|g' \
	  $(DESTDIR)$(PREFIX)/lib/systemd/system/quadrille.service \
	  $(DESTDIR)$(PREFIX)/share/quadrille/quadrille.cron
	rm $(DESTDIR)$(PREFIX)/lib/systemd/system/quadrille.service.orig \
	  $(DESTDIR)$(PREFIX)/share/quadrille/quadrille.cron.orig
	install -d $(addprefix $(DESTDIR)$(PREFIX)/share/quadrille/,docs/gallery/rain docs/tutorial pipelines)
	install -m 644 README.md LICENSE $(DESTDIR)$(PREFIX)/share/quadrille/
	for folder in docs docs/gallery docs/gallery/rain docs/tutorial; do \
	  install -m 644 $$folder/*.* $(DESTDIR)$(PREFIX)/share/quadrille/$$folder/ || exit $$?; \
	done
	install -m 644 pipelines/README.md $(DESTDIR)$(PREFIX)/share/quadrille/pipelines/README.md
	for folder in clients/javascript clients/java/quadrille clients/python; do \
	  install -d $(DESTDIR)$(PREFIX)/share/quadrille/$$folder \
	    && install -m 644 $$folder/*.* $(DESTDIR)$(PREFIX)/share/quadrille/$$folder/ || exit $$?; \
	done

# A private key of `quadrille keys new`, which signs SHA256SUMS; the signature is SHA256SUMS.sig.
SIGN :=

# Writes the checksums of the files $(2) of the folder $(1).
define checksums
	cd $(1) && rm -f SHA256SUMS.sig && sha256sum $(2) > SHA256SUMS
	$(if $(SIGN),openssl pkeyutl -sign -inkey $(SIGN) -rawin -in $(1)/SHA256SUMS -out $(1)/SHA256SUMS.sig)
endef

VERSION = $(shell sed -n 's/.*current = "\(.*\)"/\1/p' Sources/Runs/PipelineVersion.swift)
DIST := .build-dist
DIST_NAME = quadrille-$(VERSION)-linux-$(shell uname -m)
# Swift's libraries are linked in; the others are found beside the program, and by each other.
DIST_FLAGS := $(SWIFT_FLAGS) -c release --scratch-path $(DIST) --static-swift-stdlib \
  -Xlinker --disable-new-dtags -Xlinker -rpath -Xlinker '$$ORIGIN/../lib/quadrille'

dist-programs: deps
	swift build $(DIST_FLAGS) --product quadrille
	swift build $(DIST_FLAGS) --product quadrille-preview

dist: dist-programs
	rm -rf $(DIST)/stage
	$(MAKE) install-files QUADRILLE=$(DIST)/release/quadrille DESTDIR=$(DIST)/stage PREFIX=/usr/local
	dist/tarball $(DIST)/release $(DIST)/stage/usr/local $(DIST)/$(DIST_NAME).tar.gz
	$(call checksums,$(DIST),$(DIST_NAME).tar.gz)

check-dist: APT_PACKAGES += bzip2 debootstrap
check-dist: deps dist
	dist/check $(DIST)/$(DIST_NAME).tar.gz

DEB := .build-deb
DEBIANS ?= bookworm trixie
# A folder of built programs to pack; without it they are built as for `make dist`.
PROGRAMS :=

deb: $(if $(PROGRAMS),,dist-programs)
	rm -rf $(DEB)
	$(MAKE) install-files QUADRILLE=$(or $(PROGRAMS),$(DIST)/release)/quadrille DESTDIR=$(DEB)/stage PREFIX=/usr
	dist/deb $(or $(PROGRAMS),$(DIST)/release) $(DEB)/stage $(VERSION) $(DEB)
	$(call checksums,$(DEB),*.deb)

check-deb: APT_PACKAGES += bzip2 debootstrap lintian
check-deb: deps deb
	@if command -v lintian >/dev/null; then lintian --fail-on error,warning $(DEB)/*.deb; \
	  else echo "no lintian: the package is not examined by it (apt-get install lintian)" >&2; fi
	for debian in $(DEBIANS); do DEBIAN=$$debian dist/check $(DEB)/*.deb || exit $$?; done

clean:
	rm -rf .build .build-dist .build-deb .build-kit .build-client .build-fuzz .build-address .build-thread .build-readers Benchmarks/.build SampleData/.build
	find output pipelines/data -mindepth 1 ! -name .gitkeep -delete
