package cli

import (
	"context"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
)

// The units of a checkpoint's step, the best first.
var stepUnits = []string{"step", "epoch", "number"}

// unitWords are the words before a number that tell its unit.
var unitWords = map[string]string{
	"step": "step", "steps": "step", "globalstep": "step", "ckpt": "step", "checkpoint": "step", "checkpoints": "step",
	"iter": "step", "iters": "step", "iteration": "step", "iterations": "step", "it": "step", "update": "step", "updates": "step",
	"epoch": "epoch", "epochs": "epoch", "ep": "epoch", "e": "epoch",
}

// stepClues are what is known of a checkpoint's place in a training, by the unit.
type stepClues map[string]int

// add keeps a clue, unless there is one of its unit.
func (c stepClues) add(unit string, value int) {
	if _, ok := c[unit]; !ok {
		c[unit] = value
	}
}

// nameClues finds the numbers of a name: each by the word before it, and the last of
// all as number. Numbers with a decimal point are losses, not steps. Two numbers of one
// unit that differ are an error.
func nameClues(name string) (stepClues, error) {
	clues := stepClues{}
	isDigit := func(i int) bool { return i < len(name) && name[i] >= '0' && name[i] <= '9' }
	for i := 0; i < len(name); {
		if !isDigit(i) {
			i++
			continue
		}
		from := i
		for isDigit(i) {
			i++
		}
		if i+1 < len(name) && name[i] == '.' && isDigit(i+1) {
			for i < len(name) && (isDigit(i) || name[i] == '.') {
				i++
			}
			continue
		}
		value, err := strconv.Atoi(name[from:i])
		if err != nil || value > 1e15 {
			continue
		}
		value *= thousands(name[i:])
		unit := unitWords[strings.ToLower(wordBefore(name[:from]))]
		if unit != "" {
			if old, ok := clues[unit]; ok && old != value {
				return nil, fmt.Errorf("its %s may be %d or %d: %q", unit, old, value, name)
			}
			clues[unit] = value
		}
		clues["number"] = value
	}
	return clues, nil
}

// thousands is what a letter behind a number multiplies it by: 10k, 2M.
func thousands(rest string) int {
	isLetter := func(i int) bool { return i < len(rest) && (rest[i]|0x20) >= 'a' && (rest[i]|0x20) <= 'z' }
	if isLetter(0) && !isLetter(1) {
		switch rest[0] {
		case 'k', 'K':
			return 1000
		case 'm', 'M':
			return 1000000
		}
	}
	return 1
}

// wordBefore is the word that ends a text, separators aside.
func wordBefore(s string) string {
	s = strings.TrimRight(s, "-_=. ")
	return s[strings.LastIndexFunc(s, func(r rune) bool { return r|0x20 < 'a' || r|0x20 > 'z' })+1:]
}

// cluesOf are a source's: of its LABEL, or of its file's name and, unless others share
// it, below that its folder's.
func cluesOf(op operand, ownFolder bool) (stepClues, error) {
	if clues, err := nameClues(op.label); err != nil || len(clues) > 0 {
		return clues, err
	}
	if op.place == "-" || strings.HasPrefix(op.place, "gen:") {
		return stepClues{}, nil
	}
	place := filepath.Clean(op.place)
	clues, err := nameClues(withoutSuffixes(filepath.Base(place)))
	if err != nil || !ownFolder {
		return clues, err
	}
	folder, err := nameClues(filepath.Base(filepath.Dir(place)))
	if err != nil {
		return nil, err
	}
	for unit, value := range folder {
		clues.add(unit, value)
	}
	return clues, nil
}

// metaClues adds what a file's metadata tells.
func (a *app) metaClues(ctx context.Context, op operand, read *readingFlags, clues stepClues) {
	_, info, err := statPlace(op.place)
	if err != nil || !info.Mode().IsRegular() && !info.IsDir() {
		return
	}
	f, err := a.openPlace(ctx, op.place, &read.limits)
	if err != nil { // it was opened before; without it the name tells
		return
	}
	defer f.Close()
	for _, key := range []string{"global_step", "step", "epoch"} {
		text, ok := f.Meta(key)
		value, err := strconv.Atoi(strings.TrimSpace(text))
		if !ok || err != nil {
			continue
		}
		unit := "step"
		if key == "epoch" {
			unit = key
		}
		clues.add(unit, value)
	}
}

// stepsOf finds each source's step: in the best unit that all of them have.
func (a *app) stepsOf(ctx context.Context, tables []loaded, read *readingFlags) (steps []int, unit string, err error) {
	all := make([]stepClues, len(tables))
	folders := map[string]int{}
	for _, l := range tables {
		folders[filepath.Dir(filepath.Clean(l.op.place))]++
	}
	for i, l := range tables {
		if all[i], err = cluesOf(l.op, folders[filepath.Dir(filepath.Clean(l.op.place))] == 1); err != nil {
			return nil, "", fmt.Errorf("%s: %w", inline(l.op.raw), err)
		}
	}
	if lacking(all, "step") >= 0 {
		for i, l := range tables {
			a.metaClues(ctx, l.op, read, all[i])
		}
	}
	for _, unit := range stepUnits {
		if lacking(all, unit) >= 0 {
			continue
		}
		seen := map[int]int{}
		for i, clues := range all {
			step := clues[unit]
			if other, ok := seen[step]; ok {
				return nil, "", &hinted{fmt.Errorf("%s and %s: both are %s %d", inline(tables[other].op.raw), inline(tables[i].op.raw), unit, step), stepHint(tables[i].op)}
			}
			seen[step] = i
			steps = append(steps, step)
		}
		return steps, unit, nil
	}
	for i, clues := range all {
		if len(clues) == 0 {
			op := tables[i].op
			return nil, "", &hinted{fmt.Errorf("%s: no step: its name has no number, and its metadata no global_step, step or epoch", inline(op.raw)), stepHint(op)}
		}
	}
	i, j := lacking(all, "step"), lacking(all, "epoch")
	return nil, "", &hinted{fmt.Errorf("%s has no step, and %s no epoch: the sources have no unit in common", inline(tables[i].op.raw), inline(tables[j].op.raw)), stepHint(tables[i].op)}
}

// stepHint shows how a step is given.
func stepHint(op operand) string {
	return fmt.Sprintf("give it a LABEL with its step: s1000=%s", op.place)
}

// lacking is the first source without a unit; -1 when all have it.
func lacking(all []stepClues, unit string) int {
	for i, clues := range all {
		if _, ok := clues[unit]; !ok {
			return i
		}
	}
	return -1
}
