# helix: build, test, install. Start with `make demo`.

PREFIX  ?= /usr/local
DESTDIR ?=
CONFIG  ?= debug
SWIFT   ?= swift
BINARY   = .build/release/helix
DEMO     = .build/demo
# The commit that 'helix --version' prints.
export HELIX_COMMIT := $(shell git rev-parse --short=12 HEAD 2>/dev/null)

BUILD_PACKAGES = libsqlite3-dev tzdata libgmime-3.0-0 libxml2 libcmark-gfm-extensions0.29.0.gfm.6 libidn2-0 libunistring2 libcurl4 libsodium-dev libssl-dev libgdk-pixbuf-2.0-0 libical3 libical-dev \
                 libcurl4-openssl-dev libgmime-3.0-dev libxml2-dev libcmark-gfm-dev libcmark-gfm-extensions-dev libidn2-dev \
                 libunistring-dev zlib1g-dev libgdk-pixbuf-2.0-dev libcairo2-dev libpango1.0-dev libpangocairo-1.0-0 fonts-dejavu-core libpq-dev libgpgme-dev libpam0g-dev ca-certificates
TEST_PACKAGES  = $(BUILD_PACKAGES) bash bash-completion zsh fish mandoc python3 python3-dateutil python3-jsonschema \
                 strace python3-venv calcurse \
                 util-linux procps taskwarrior notmuch openssl dovecot-imapd dovecot-submissiond dovecot-sieve dovecot-managesieved dovecot-lmtpd isync vdirsyncer radicale xandikos python3-aiosmtpd \
                 python3-websockets python3-cryptography python3-h2 curl postgresql faketime haproxy dbus libnotify-bin \
                 python3-dbus python3-gi tmux gnupg gpgsm libgpgme11 poppler-utils gocryptfs fuse3 libsecret-tools gnome-keyring libpam-wrapper
BENCH_PACKAGES = $(BUILD_PACKAGES) hyperfine khal khard calcurse taskwarrior timewarrior gcc pkg-config \
                 python3 libgmime-3.0-dev notmuch maildir-utils isync vdirsyncer openssl dovecot-imapd radicale \
                 python3-websockets python3-cryptography curl postgresql gocryptfs fuse3

.PHONY: all build demo test test-unit test-cluster test-faults test-attack fuzz servers reliability lint format docs docs-check site recordings install uninstall deb deb-test dist bench bench-load clean packages test-packages bench-packages

all: build

build: packages
	SWIFT="$(SWIFT)" sh Tools/release.sh

# The commands alone: the gateway takes longer to build than all the rest.
demo:
	@echo "A first build takes up to ten minutes on two cores."
	@ASK=1 sh Tools/packages.sh $(BUILD_PACKAGES)
	SWIFT="$(SWIFT)" sh Tools/release.sh helix
	@sh Tools/demo.sh $(BINARY) $(DEMO) Examples/sample.ics

test: test-packages
	SWIFT="$(SWIFT)" sh Tools/build.sh --build-tests
	SWIFT="$(SWIFT)" sh Tools/test.sh

# The tests of the libraries and commands, without servers and with few random samples, in less than a minute.
test-unit: packages
	SWIFT="$(SWIFT)" sh Tools/build.sh --build-tests
	HELIX_BRIEF=1 SWIFT="$(SWIFT)" sh Tools/test.sh --skip EndToEndTests

# Ten minutes of a cluster under faults; CLUSTER_SECONDS and CLUSTER_SEED choose another time and another course.
CLUSTER_SECONDS ?= 600
CLUSTER_SEED ?= 1
test-cluster: build test-packages
	/usr/bin/python3 Tests/Servers/cluster_check.py $(dir $(BINARY))helix-gateway $(BINARY) $(CLUSTER_SECONDS) $(CLUSTER_SEED)

# Injects faults at the system calls of every command, makes random changes from several processes, and runs all cases of
# sampling tests: an hour. docs/reliability.md has the latest results.
test-faults: test-packages
	SWIFT="$(SWIFT)" sh Tools/build.sh --build-tests
	HELIX_THOROUGH=1 $(SWIFT) test --skip-build --filter "FaultSweep|Oracle|MailModel|UndoModel|Migration|Phrase|Restore|SeriesWindow|TimezoneComponent|HostileInput|RandomWalk|ReplicaWalk|RedTeam|WatchTests|FilterTests|TaskOrder"

# Tests the release for an hour and writes docs/reliability.md.
reliability: build test-packages
	python3 Tools/reliability.py $(BINARY) docs/reliability.md

# Tests with the installed mail and calendar servers, and writes docs/servers.md.
servers: test-packages
	SWIFT="$(SWIFT)" sh Tools/build.sh --build-tests
	python3 Tools/servers.py docs/servers.md

# Runs attacks of users and unknown clients on a gateway, with 100,000 random frames.
test-attack: test-packages
	SWIFT="$(SWIFT)" sh Tools/build.sh --build-tests
	HELIX_THOROUGH=1 $(SWIFT) test --skip-build --filter GatewayAttack

# Reads 3,000,000 damaged inputs of each format, from a seed that is new each time and printed: FUZZ=100000 SEED=7 for others.
FUZZ ?= 3000000
SEED ?= $(shell date +%s)
fuzz: packages
	SWIFT="$(SWIFT)" sh Tools/build.sh --build-tests
	@echo "The seed is $(SEED)."
	HELIX_FUZZ=$(FUZZ) HELIX_FUZZ_SEED=$(SEED) $(SWIFT) test --skip-build --filter FuzzTests

lint:
	$(SWIFT) format lint --strict --recursive Package.swift Sources Tests

format:
	$(SWIFT) format --in-place --recursive Package.swift Sources Tests

# Generates man pages and completions from the command tree.
docs: test-packages
	SWIFT="$(SWIFT)" sh Tools/build.sh --product helix
	python3 Tools/manpages.py .build/debug/helix man
	python3 Tools/topicpages.py .build/debug/helix .
	mkdir -p completions
	.build/debug/helix completions bash > completions/helix.bash
	.build/debug/helix completions zsh > completions/_helix
	.build/debug/helix completions fish > completions/helix.fish

# Builds the site in .build/site: docs/, this README and the pages of the manual, with search.
site: test-packages
	test -x .build/site-venv/bin/zensical || { /usr/bin/python3 -m venv .build/site-venv && \
	    .build/site-venv/bin/pip install --quiet --disable-pip-version-check zensical==0.0.73; }
	python3 Tools/site.py .build/site-pages
	.build/site-venv/bin/zensical build --clean --strict --config-file mkdocs.yml
	@echo "The site is in .build/site: python3 -m http.server -d .build/site"

# Records helix at work, as asciicasts in docs/recordings; the pictures of docs/stills are written by StillTests.
recordings: build
	python3 Tools/recordings.py $(BINARY) docs/recordings

docs-check: docs
	git diff --exit-code -- man completions docs/dates.md docs/query.md docs/config.md
	test -z "$$(git status --porcelain -- man completions docs)"
	mandoc -T lint -W warning man/*.[157]

install:
	install -D -s -m 755 $(BINARY) $(DESTDIR)$(PREFIX)/bin/helix
	install -D -s -m 755 $(BINARY)-gateway $(DESTDIR)$(PREFIX)/bin/helix-gateway
	install -D -m 644 completions/helix.bash $(DESTDIR)$(PREFIX)/share/bash-completion/completions/helix
	install -D -m 644 completions/_helix $(DESTDIR)$(PREFIX)/share/zsh/site-functions/_helix
	install -D -m 644 completions/helix.fish $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/helix.fish
	install -d $(DESTDIR)$(PREFIX)/share/man/man1
	install -m 644 man/*.1 $(DESTDIR)$(PREFIX)/share/man/man1
	install -d $(DESTDIR)$(PREFIX)/share/man/man5 $(DESTDIR)$(PREFIX)/share/man/man7
	install -m 644 man/*.5 $(DESTDIR)$(PREFIX)/share/man/man5
	install -m 644 man/*.7 $(DESTDIR)$(PREFIX)/share/man/man7
	install -d $(DESTDIR)$(PREFIX)/lib/systemd/user
	for unit in helix-sync.service helix-sync.timer helix-watch.service helix-gateway.service; do \
	    sed 's|@BINARY@|$(PREFIX)/bin/helix|' Tools/systemd/$$unit > $(DESTDIR)$(PREFIX)/lib/systemd/user/$$unit && \
	    chmod 644 $(DESTDIR)$(PREFIX)/lib/systemd/user/$$unit || exit 1; done
	install -d $(DESTDIR)$(PREFIX)/share/applications
	sed 's|@BINARY@|$(PREFIX)/bin/helix|' Tools/desktop/helix.desktop > $(DESTDIR)$(PREFIX)/share/applications/helix.desktop
	chmod 644 $(DESTDIR)$(PREFIX)/share/applications/helix.desktop

uninstall:
	rm -f $(DESTDIR)$(PREFIX)/bin/helix $(DESTDIR)$(PREFIX)/bin/helix-gateway
	rm -f $(DESTDIR)$(PREFIX)/share/bash-completion/completions/helix
	rm -f $(DESTDIR)$(PREFIX)/share/zsh/site-functions/_helix
	rm -f $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/helix.fish
	rm -f $(DESTDIR)$(PREFIX)/lib/systemd/user/helix-sync.service $(DESTDIR)$(PREFIX)/lib/systemd/user/helix-sync.timer
	rm -f $(DESTDIR)$(PREFIX)/lib/systemd/user/helix-watch.service
	rm -f $(DESTDIR)$(PREFIX)/lib/systemd/user/helix-gateway.service
	rm -f $(DESTDIR)$(PREFIX)/share/applications/helix.desktop
	rm -f $(DESTDIR)$(PREFIX)/share/man/man1/helix.1 $(DESTDIR)$(PREFIX)/share/man/man1/helix-*.1
	rm -f $(DESTDIR)$(PREFIX)/share/man/man5/helix-*.5 $(DESTDIR)$(PREFIX)/share/man/man7/helix-*.7

# Builds the Debian package, which lintian finds no errors in. DEBFULLNAME and DEBEMAIL name its maintainer.
deb: build
	@sh Tools/packages.sh dpkg-dev lintian patchelf
	@package=$$(sh Tools/deb.sh) && echo "$$package" && lintian --allow-root --fail-on error "$$package"

# Installs the package in a clean system, runs it and removes it; needs root.
deb-test: deb
	@sh Tools/packages.sh debootstrap
	sh Tools/deb-test.sh .build/deb/*.deb

# The source tarball of the current commit, its checksums and its bill of materials.
dist:
	@SWIFT="$(SWIFT)" sh Tools/dist.sh

bench: bench-packages build
	$(MAKE) -C Benchmarks
	python3 Benchmarks/bench.py --helix $(BINARY) --work .build/bench --out docs/benchmarks.md
	python3 Benchmarks/bench_phrases.py --helix $(BINARY) --out docs/benchmarks-phrases.md
	python3 Benchmarks/bench_tasks.py --helix $(BINARY) --work .build/bench --out docs/benchmarks-tasks.md
	python3 Benchmarks/bench_mail.py --helix $(BINARY) --work .build/bench --out docs/benchmarks-mail.md
	python3 Benchmarks/bench_contacts.py --helix $(BINARY) --work .build/bench --out docs/benchmarks-contacts.md
	python3 Benchmarks/bench_vault.py --helix $(BINARY) --work .build/bench --out docs/benchmarks-vault.md
	python3 Benchmarks/bench_ui.py --helix $(BINARY) --work .build/bench --out docs/benchmarks-ui.md
	python3 Benchmarks/bench_meaning.py --helix $(BINARY) --work .build/bench --out docs/benchmarks-meaning.md
	/usr/bin/python3 Benchmarks/bench_gateway.py --helix $(BINARY) --work .build/bench --out docs/benchmarks-gateway.md
	/usr/bin/python3 Benchmarks/bench_cluster.py --helix $(BINARY) --work .build/bench --out docs/benchmarks-cluster.md
	/usr/bin/python3 Benchmarks/bench_scale.py --helix $(BINARY) --work .build/bench --out docs/benchmarks-scale.md
	python3 Benchmarks/bench_sync.py --helix $(BINARY) --work .build/bench --out docs/benchmarks-sync.md

# Measures the memory of a gateway under an hour of load.
bench-load: build bench-packages
	/usr/bin/python3 Benchmarks/bench_gateway.py --helix $(BINARY) --work .build/bench --load 60.5 --out docs/benchmarks-gateway.md

packages:
	@sh Tools/packages.sh $(BUILD_PACKAGES)

test-packages:
	@sh Tools/packages.sh $(TEST_PACKAGES)
	@sh Tools/oracles.sh
	@sh Tools/foreign-servers.sh

bench-packages:
	@sh Tools/packages.sh $(BENCH_PACKAGES)
	@sh Tools/oracles.sh
	@sh Tools/foreign-servers.sh

clean:
	rm -rf .build
	$(MAKE) -C Benchmarks clean
