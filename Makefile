STATICCHECK = honnef.co/go/tools/cmd/staticcheck@v0.8.2
GOVULNCHECK = golang.org/x/vuln/cmd/govulncheck@latest
FUZZTIME = 1m

.PHONY: build test test-slow race lint vuln fuzz bench bench-peer generate golden sheet clean

build:
	CGO_ENABLED=0 go build -trimpath -o poslens ./cmd/poslens

test:
	go test ./...

test-slow: # what takes a minute or more: the calibration of the null models, of check and of the errors of fits
	POSLENS_SLOW=1 go test -run='Calibrated$$' ./internal/analysis

race: # but of what does one thing after the other
	CGO_ENABLED=1 go test -race -short $$(go list ./... | grep -vE '/internal/(figure|pickle|ascii)$$')

lint:
	@out=$$(gofmt -l .); if [ -n "$$out" ]; then echo "gofmt would change:"; echo "$$out"; exit 1; fi
	go vet ./...
	go run $(STATICCHECK) ./...
	go run $(STATICCHECK) -tags noasm ./internal/gram

vuln: # needs the internet for its database
	go run $(GOVULNCHECK) ./...

fuzz: # every fuzz target for FUZZTIME, one after the other
	@grep -roE '^func Fuzz[A-Za-z0-9]+' --include='*_test.go' internal | sed 's|/[^/]*_test.go:func | |' | \
	while read -r dir target; do go test ./$$dir -run='^$$' -fuzz="^$$target$$" -fuzztime=$(FUZZTIME) -fuzzminimizetime=20x || exit 1; done

bench:
	go test -run='^$$' -bench=. -benchmem ./...

bench-peer: build # beside numpy and matplotlib; see testdata/peer
	bash testdata/peer/run.sh ./poslens

generate: # the routines in assembly, by internal/gram/asm
	go generate ./internal/gram

golden: # rewrite the expected outputs of the script tests, and the pictures that figures are held against
	go test ./cmd/poslens -run='^TestScripts$$' -update
	go test ./internal/figure -run='^(TestGolden|TestTerminalPictures)$$' -update

sheet: # rewrite doc/sheet.png, which shows every kind of figure
	go test ./internal/figure -run='^TestSheet$$' -sheet=../../doc/sheet.png

clean:
	rm -rf poslens poslens-report
