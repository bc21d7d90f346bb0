package cli

import (
	"fmt"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// root builds the command tree.
func (a *app) root() *cobra.Command {
	root := &cobra.Command{
		Use:   "poslens",
		Short: "See what a transformer's position embeddings have learned",
		Long: `poslens shows what a transformer's position embeddings have learned: it finds
the table in a model file, and gives cosine similarities, their decay with
distance and relative-position score profiles, as figures and as numbers.`,
		Example: `  poslens report model.safetensors -o out      figures, data and a summary
  poslens decay gpt2.safetensors -o decay.png  similarity against distance
  poslens generate locality | poslens profile - -f tsv`,
		SilenceUsage:  true,
		SilenceErrors: true,
		Args:          cobra.ArbitraryArgs,
		Version:       version,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return unknownCommand(cmd, args[0])
			}
			a.running = true
			return cmd.Help()
		},
		PersistentPreRunE: func(cmd *cobra.Command, _ []string) error {
			a.beginProgress(cmd)
			return a.begin()
		},
	}
	root.SetIn(a.env.In)
	root.SetOut(a.out)
	root.SetErr(a.env.Err)
	f := root.PersistentFlags()
	f.BoolVarP(&a.quiet, "quiet", "q", false, "tell nothing but errors on stderr")
	f.BoolVarP(&a.verbose, "verbose", "v", false, "tell more on stderr: containers, metadata, warnings")
	f.BoolVar(&a.noProgress, "no-progress", false, "draw no progress; it is drawn on a terminal's stderr, of what takes over a second")
	f.StringVar(&a.color, "color", "auto", "colours in terminal pictures; `WHEN` is auto, always or never")
	f.IntVar(&a.jobs, "jobs", 0, "how many (`N`) processors to use (default: all)")
	mustComplete(root, "color", colorWhen)
	root.SetFlagErrorFunc(flagError)
	root.AddCommand(
		a.lsCommand(), a.explainCommand(), a.similarityCommand(), a.decayCommand(), a.profileCommand(),
		a.metricsCommand(), a.spectrumCommand(), a.gridCommand(), a.checkCommand(), a.compareCommand(),
		a.generateCommand(), a.exportCommand(), a.reportCommand(), a.manCommand(), a.versionCommand(),
		a.formatsTopic(), a.architecturesTopic(),
	)
	root.SetVersionTemplate(versionLine())
	completeSources(root)
	a.tameLibrary(root)
	setHelp(root)
	return root
}

// tameLibrary gives the library's own commands the statuses of the others: a word
// that they do not know is wrong usage, not a help page and success.
func (a *app) tameLibrary(root *cobra.Command) {
	root.InitDefaultCompletionCmd("completion")
	for _, c := range root.Commands() {
		if c.Name() != "completion" {
			continue
		}
		c.Args = cobra.ArbitraryArgs
		c.RunE = a.run(func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return unknownCommand(cmd, args[0])
			}
			return cmd.Help()
		})
	}
	root.SetHelpCommand(&cobra.Command{
		Use:   "help [COMMAND]",
		Short: "Help about a command or a topic",
		RunE: a.run(func(cmd *cobra.Command, args []string) error {
			found, rest, err := root.Find(args)
			if err == nil && found.Name() == "architectures" {
				return a.architecturesHelp(found, rest)
			}
			if err != nil || len(rest) > 0 && found != root {
				return unknownCommand(found, rest[0])
			}
			if len(rest) > 0 {
				return unknownCommand(root, rest[0])
			}
			if err := found.Help(); err != nil {
				return err
			}
			if manual := found.Annotations[manualKey]; manual != "" {
				_, err = fmt.Fprintf(cmd.OutOrStdout(), "\n%s\n", manual)
			}
			return err
		}),
		ValidArgsFunction: func(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			var names []string
			switch {
			case len(args) == 1 && args[0] == "architectures":
				names = oneWord(archNames())
			case len(args) == 0:
				for _, c := range root.Commands() {
					if c.IsAvailableCommand() || c.IsAdditionalHelpTopicCommand() {
						names = append(names, c.Name())
					}
				}
			}
			return names, cobra.ShellCompDirectiveNoFileComp
		},
	})
}

// colorWhen are the words that --color takes.
var colorWhen = []string{"auto", "always", "never"}

// begin checks the flags that every command has.
func (a *app) begin() error {
	if !slices.Contains(colorWhen, a.color) {
		return &usageError{fmt.Sprintf("--color: %q is not one of %s", a.color, strings.Join(colorWhen, ", ")), ""}
	}
	if a.jobs < 0 {
		return usagef("--jobs: %d is negative", a.jobs)
	}
	if a.jobs > 0 {
		runtime.GOMAXPROCS(min(a.jobs, runtime.NumCPU())) // more would only cost memory
	}
	return nil
}
