package cli

import (
	"context"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"strings"

	"poslens/internal/checkpoint"
	"poslens/internal/posemb"
	"poslens/internal/report"
	"poslens/internal/tensor"
)

// loaded is one table with where it came from.
type loaded struct {
	op    operand
	table posemb.Table
	info  tensor.Info  // of the naming tensor; of a table made here, of one that would hold it
	match posemb.Match // what was read; without a layer and parts for a table made here
}

// kinds is what a command can use.
type kinds []posemb.Kind

// anyKind is all of them.
func anyKind() kinds { return kinds{posemb.KindAbsolute, posemb.KindVectors, posemb.KindBias} }

// load reads the tables of every operand. When only some can be read, the error
// is a *partial, beside the tables of the others.
func (a *app) load(ctx context.Context, operands []string, r *readingFlags, want kinds) ([]loaded, error) {
	opt, err := r.options()
	if err != nil {
		return nil, err
	}
	r.several = len(operands) > 1
	var all []loaded
	err = a.forEach(operands, func(raw string) error {
		tables, err := a.loadOne(ctx, parseOperand(raw, isPlace), r, opt, want, false)
		all = append(all, tables...)
		return err
	})
	if err != nil && !someFailed(err) {
		return nil, err
	}
	a.label(all)
	return all, err
}

// forEach does something with every operand. Those that fail are named on
// stderr, the others are still done, and the error then is a *partial. Wrong
// usage and an interrupt end it at once, and the error of a single operand is
// returned as it is.
func (a *app) forEach(operands []string, do func(raw string) error) error {
	return a.attempt("sources", len(operands), func(i int) (name, source string, err error) {
		return operands[i], operands[i], do(operands[i])
	})
}

// forTables is forEach over tables.
func (a *app) forTables(tables []loaded, do func(loaded) error) error {
	return a.attempt("tables", len(tables), func(i int) (name, source string, err error) {
		return tables[i].op.raw, tables[i].table.From().Label, do(tables[i])
	})
}

// ofTables takes the result of every table. When only some have one, the error is a
// *partial, beside the others'; else there are no results beside an error.
func ofTables[T any](a *app, tables []loaded, of func(loaded) (T, error)) ([]T, error) {
	var results []T
	err := a.forTables(tables, func(l loaded) error {
		r, err := of(l)
		if err == nil {
			results = append(results, r)
		}
		return err
	})
	if err != nil && !someFailed(err) {
		return nil, err
	}
	return results, err
}

// attempt is what both do, over n things named what. Messages go by a name, JSON by
// the source.
func (a *app) attempt(what string, n int, do func(i int) (name, source string, err error)) error {
	defer a.gather()()
	failed := 0
	done := func(int64) {}
	if n > 1 {
		done = a.meter.start(what, int64(n))
	}
	for i := range n {
		name, source, err := do(i)
		done(1)
		if err == nil {
			continue
		}
		err = fmt.Errorf("%s: %w", inline(name), err)
		if n == 1 || status(err) != statusCould {
			return err
		}
		a.miss(source, err)
		failed++
	}
	if failed > 0 {
		return &partial{failed, n, what}
	}
	return nil
}

// miss names what failed while others go on, on stderr and in JSON. A *partial names
// what was told already.
func (a *app) miss(source string, err error) {
	a.complain(err)
	if !someFailed(err) {
		a.failed = append(a.failed, report.Failure{Source: source, Error: err.Error(), Hint: hintOf(err)})
	}
}

// someFailed tells whether an error says that the others were done.
func someFailed(err error) bool {
	var some *partial
	return errors.As(err, &some)
}

// loadOne reads the tables of one operand: the only one of the kinds wanted, as
// many as its glob fits, or all of them when many is set.
func (a *app) loadOne(ctx context.Context, op operand, r *readingFlags, opt posemb.ReadOptions, want kinds, many bool) (all []loaded, err error) {
	err = a.loadEach(ctx, op, r, opt, want, many, func(l loaded) { all = append(all, l) })
	return all, err
}

// loadEach is loadOne for what needs only one table at a time.
func (a *app) loadEach(ctx context.Context, op operand, r *readingFlags, opt posemb.ReadOptions, want kinds, many bool, take func(loaded)) error {
	if spec, ok := strings.CutPrefix(op.place, "gen:"); ok {
		l, err := a.make(ctx, op, spec, r, opt, want)
		if err == nil {
			take(l)
		}
		return err
	}
	file, err := a.openPlace(ctx, op.place, &r.limits)
	if err != nil {
		return err
	}
	defer file.Close()
	a.tellFile(op, file)
	matches, err := posemb.Choose(file, r.choice(op, want, many), opt)
	if err != nil {
		return r.commandFor(file, op, opt, shardAlone(op, err))
	}
	defer a.gather()()
	var used usedTables
	defer func() { used.tell(a, op, r) }()
	failed := 0
	src := &layersOnce{Source: file}
	for _, m := range matches {
		src.keep = m.Item >= 0
		t, err := posemb.Load(ctx, src, m, opt)
		if err == nil {
			err = suits(op, r, m, t.Kind(), want)
		}
		if err != nil && (len(matches) == 1 || status(err) != statusCould) {
			return err
		}
		if err != nil {
			a.miss(op.raw, fmt.Errorf("%s: %w", inline(op.raw), err))
			failed++
			continue
		}
		switch {
		case r.matrix:
			n, d := flatten(t).values.Dims()
			a.use(op, r, fmt.Sprintf("%d x %d scores, queries down and keys across", n, d))
		case !many: // else the list or the report itself tells
			info := m.Info
			info.Name = m.Name()
			used.add(posemb.Describe(t, info), m.Name())
			fallthrough
		default:
			a.book.add(tableName{op.raw, m.Name()}, t.Remarks())
		}
		take(loaded{op, t, m.Info, m})
	}
	if failed > 0 {
		return &partial{failed, len(matches), "tables"}
	}
	return nil
}

// use tells which table of an operand is used.
func (a *app) use(op operand, r *readingFlags, what string) {
	if what = "using " + what; r.several && a.book != nil && a.book.uses != nil {
		a.book.uses.add(tableName{source: op.raw}, []string{what})
		return
	}
	if r.several {
		a.tell("%s: %s", inline(op.raw), what)
		return
	}
	a.tell("%s", what)
}

// make makes the table of an operand gen:KIND,...
func (a *app) make(ctx context.Context, op operand, spec string, r *readingFlags, opt posemb.ReadOptions, want kinds) (loaded, error) {
	if op.tensor != "" {
		return loaded{}, usagef("a table made here has no tensor %q", op.tensor)
	}
	if len(r.layers) > 0 {
		return loaded{}, usagef("a table made here has no layer %d", r.layers[0])
	}
	t, err := generateSpec(spec)
	if err != nil {
		return loaded{}, err
	}
	if t, err = reread(ctx, t, opt); err != nil {
		return loaded{}, err
	}
	l := madeHere(op, t)
	if err := suits(op, r, l.match, t.Kind(), want); err != nil {
		return loaded{}, err
	}
	a.remark(op, t)
	return l, nil
}

// choice says which tensors an operand means.
func (r *readingFlags) choice(op operand, want kinds, many bool) posemb.Choice {
	name := op.tensor
	if name == "" {
		name = r.tensor
	}
	return posemb.Choice{Name: name, Kinds: want, Layers: r.layers, Many: many || r.everyLayer || len(r.layers) > 1}
}

// shardAlone says of a file without a table that it is one of a model's several,
// which its name tells: model-00001-of-00002.safetensors.
func shardAlone(op operand, err error) error {
	var e *posemb.Error
	before, after, ok := strings.Cut(filepath.Base(op.place), "-of-")
	digits := func(s string) bool { return len(s) == 5 && strings.Trim(s, "0123456789") == "" }
	if !ok || !digits(before[max(0, len(before)-5):]) || !digits(after[:min(5, len(after))]) || !errors.As(err, &e) || e.Kind != posemb.NotFound {
		return err
	}
	return &hinted{err, "this file is one of several that a model is in: name their folder, or the index beside them"}
}

// remark tells what was chosen or found while reading a table.
func (a *app) remark(op operand, t posemb.Table) {
	defer a.gather()()
	a.book.add(tableName{source: op.raw}, t.Remarks())
}

// tellFile tells a file's warnings, and under --verbose what it is.
func (a *app) tellFile(op operand, f *checkpoint.File) {
	if f.Name != "" && path.Base(f.Name) != filepath.Base(op.place) { // of a folder or a prefix
		a.tell("%s: opening %s", inline(op.raw), inline(f.Name))
	}
	a.detail("%s: %s, %s", inline(op.raw), f.Format, counted(len(f.Tensors()), "tensor"))
	if model, ok := f.Meta("config.model_type"); ok {
		a.detail("%s: of a model of the type %s, by config.json", inline(op.raw), inline(model))
	}
	for _, w := range f.Warnings() {
		a.tell("%s: warning: %s", inline(op.raw), w.Msg)
	}
}

// inputs are the files among the operands, onto which no output may go.
func inputs(operands []string) []string {
	var files []string
	for _, raw := range operands {
		files = append(files, parseOperand(raw, isPlace).place)
	}
	return files
}
