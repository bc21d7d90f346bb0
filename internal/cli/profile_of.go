package cli

import (
	"context"
	"fmt"
	"slices"

	"poslens/internal/analysis"
	"poslens/internal/posemb"
)

// profileAll computes the profile of every table, as ofTables does.
func (a *app) profileAll(ctx context.Context, tables []loaded, how *profileFlags) ([]*analysis.Profile, error) {
	return ofTables(a, tables, func(l loaded) (*analysis.Profile, error) {
		p, err := a.profileOf(ctx, l.table, how)
		if err != nil {
			return nil, err
		}
		a.warn(p.Label, p.Warnings)
		a.note(p.Label, p.Notes)
		return p, a.fitProfile(ctx, p, &how.fit)
	})
}

// profileOf computes the profile of one table, by its kind.
func (a *app) profileOf(ctx context.Context, t posemb.Table, how *profileFlags) (*analysis.Profile, error) {
	t, note, err := how.part(t)
	if err != nil {
		return nil, err
	}
	p, err := a.profileOfPart(ctx, t, how)
	if err != nil {
		return nil, err
	}
	p.Cell = how.at
	if note != "" {
		p.Notes = append([]string{note}, p.Notes...)
	}
	return p, nil
}

// part is the part of a table that --along or --cell asks for, and a sentence about it.
func (p *profileFlags) part(t posemb.Table) (part posemb.Table, note string, err error) {
	axes := axesOf(t)
	switch {
	case p.along != "" && len(axes) == 2:
		part, err = analysis.Along(t, p.along)
		other := axes[0].Name
		if other == p.along {
			other = axes[1].Name
		}
		return part, fmt.Sprintf("along %s: the offsets with %s = 0", p.along, other), err
	case p.along != "" && len(axes) == 1 && slices.Contains(imageAxes, axes[0].Name) && axes[0].Name != p.along:
		return t, fmt.Sprintf("has the axis %s alone, which is taken", axes[0].Name), nil
	case p.at != nil:
		if part, err = analysis.SeenFrom(t, *p.at); err != nil {
			return nil, "", &usageError{"--cell: " + err.Error(), ""}
		}
		y, x := axes[0], axes[1]
		return part, fmt.Sprintf("the %d x %d keys that the query in row %d, column %d sees", y.Max+1, x.Max+1, p.at.Row, p.at.Col), nil
	}
	return t, "", nil
}

// profileOfPart computes the profile of a table or a part of one.
func (a *app) profileOfPart(ctx context.Context, t posemb.Table, how *profileFlags) (*analysis.Profile, error) {
	b, ok := t.(*posemb.Bias)
	note := ""
	switch v, ofVectors := t.(*posemb.Vectors); {
	case ok && how.given != nil && (how.given("query") || how.given("scale")):
		a.tell("%s: a bias needs no query: --query and --scale are not used", b.Label)
	case ok:
	case !ofVectors:
		return nil, fmt.Errorf("no profile of a %s table", t.Kind())
	case how.query == gaussian:
		if v.Heads == nil && len(how.heads) > 0 {
			return nil, usagef("--head: the mean over gaussian queries has no heads where the vectors serve all alike")
		}
		return analysis.ProfileSampled(ctx, v, analysis.SampleOptions{
			Samples: how.samples, Seed: how.seed, Scale: how.scale, Softmax: how.softmax, Heads: how.heads, Mean: how.mean,
		})
	default:
		var err error
		if b, note, err = a.scored(ctx, v, how.query, how.scale, how.limits); err != nil {
			return nil, err
		}
	}
	b, err := b.Pick(how.heads)
	if err != nil {
		return nil, err
	}
	p, err := analysis.ProfileOf(ctx, b, analysis.ProfileOptions{Softmax: how.softmax, Mean: how.mean})
	if err == nil && note != "" {
		p.Notes = append(p.Notes, note)
	}
	return p, err
}
