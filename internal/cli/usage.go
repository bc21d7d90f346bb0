package cli

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// flagError words cobra's complaint about a flag and adds the nearest flag.
func flagError(cmd *cobra.Command, err error) error {
	e := &usageError{msg: firstLine(err.Error()), hint: "see: " + cmd.CommandPath() + " --help"}
	var invalid *pflag.InvalidValueError
	if errors.As(err, &invalid) { // the rest of its text is the number parser's
		e.msg = fmt.Sprintf("--%s: %q is not what it takes (%s)", invalid.GetFlag().Name, invalid.GetValue(), kindOf(invalid.GetFlag()))
	}
	var missing *pflag.NotExistError
	if errors.As(err, &missing) {
		var names []string
		cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
		if here := elsewhere(cmd, missing.GetSpecifiedName()); here != "" {
			e.hint = "here it is " + here
		} else if n := nearest(missing.GetSpecifiedName(), names); n != "" {
			e.hint = fmt.Sprintf("did you mean --%s?", n)
		}
	}
	return e
}

// kindOf words the type of a flag's value.
func kindOf(f *pflag.Flag) string {
	switch f.Value.Type() {
	case "int", "uint64":
		return "a whole number"
	case "intSlice":
		return "whole numbers, with commas between them"
	case "float64":
		return "a number"
	case "bool":
		return "true or false"
	}
	return f.Value.Type()
}

// oneSource and someSources check the number of operands.
func oneSource(cmd *cobra.Command, args []string) error {
	if len(args) > 1 {
		return &usageError{fmt.Sprintf("%s takes one SOURCE, and %d were given", cmd.Name(), len(args)), "several on one figure: poslens decay A B"}
	}
	return someSources(cmd, args)
}

func someSources(cmd *cobra.Command, args []string) error {
	for i, arg := range args {
		if arg == "" {
			return usagef("SOURCE %d is empty", i+1)
		}
	}
	if len(args) == 0 {
		return &usageError{"no SOURCE was given", fmt.Sprintf("for example: poslens %s model.safetensors; or gen:smooth, a table made here", cmd.Name())}
	}
	return nil
}

// unknownCommand names the nearest command.
func unknownCommand(root *cobra.Command, word string) error {
	var names []string
	for _, c := range root.Commands() {
		if c.IsAvailableCommand() || c.IsAdditionalHelpTopicCommand() {
			names = append(names, c.Name())
		}
	}
	hint := "there are: " + strings.Join(names, ", ")
	if n := nearest(word, names); n != "" {
		hint = fmt.Sprintf("did you mean %q?", n)
	} else if isPlace(word) {
		hint = fmt.Sprintf("to look into a file: poslens ls %s", word)
	} else if c := commandsElsewhere[strings.ToLower(word)]; c != "" && !root.HasParent() {
		hint = "here it is poslens " + c
	}
	return &usageError{fmt.Sprintf("unknown command %q", word), hint}
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return line
}
