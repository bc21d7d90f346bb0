package posemb

import (
	"cmp"
	"slices"
	"strings"

	"poslens/internal/tensor"
)

// closestLength is how many candidates an error names.
const closestLength = 6

// closest lists the tensors that look most like a position table though no
// preset knows them: float matrices, those named after positions first, then by
// how much their shape and their place among the others look so.
func (s *survey) closest() []tensor.Info {
	width := s.width()
	kin := map[string]int{} // names alike but for numbers: one a layer
	for _, segs := range s.names {
		kin[withoutNumbers(segs)]++
	}
	type candidate struct {
		info tensor.Info
		like int
	}
	var found []candidate
	for i, t := range s.infos {
		shape := squeeze(t.Shape)
		if !floats(t) || len(shape) != 2 || shape[0] < 2 || shape[1] < 2 || shape[0] > 1<<16 || never(s.names[i]) {
			continue
		}
		c := candidate{info: t}
		for _, k := range []struct {
			holds bool
			worth int
		}{
			{positional(s.names[i]), 8},
			{shape[1] == width, 2},
			{kin[withoutNumbers(s.names[i])] == 1, 2},
			{shape[0]%shape[1] != 0, 1},
			{isPowerOfTwo(shape[0]) || squareRoot(shape[0]) > 1 || squareRoot(shape[0]-1) > 1, 1},
			{elsewhere(s.names[i]), -4},
		} {
			if k.holds {
				c.like += k.worth
			}
		}
		found = append(found, c)
	}
	slices.SortStableFunc(found, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(b.like, a.like), strings.Compare(a.info.Name, b.info.Name))
	})
	var infos []tensor.Info
	for _, c := range found[:min(len(found), closestLength)] {
		infos = append(infos, c.info)
	}
	return infos
}

// width is the model's: the last dimension that most tensors have.
func (s *survey) width() int {
	times := map[int]int{}
	best := 0
	for _, t := range s.infos {
		if n := len(t.Shape); n > 0 && floats(t) {
			w := t.Shape[n-1]
			times[w]++
			if times[w] > times[best] || times[w] == times[best] && w < best {
				best = w
			}
		}
	}
	return best
}

// positional says that a name speaks of positions.
func positional(segs []string) bool {
	return slices.ContainsFunc(segs, func(s string) bool {
		s = strings.ToLower(s)
		return strings.Contains(s, "position") || s == "pos" || strings.HasPrefix(s, "pos_") || strings.Contains(s, "_pos") || s == "wpe" || s == "pe"
	})
}

// elsewhere says that a name is a known table or matrix of something else.
func elsewhere(segs []string) bool {
	return slices.ContainsFunc(segs, func(s string) bool {
		return slices.Contains(tokenWords, strings.ToLower(s))
	})
}

// tokenWords name embeddings of tokens, heads, and the matrices of a layer.
var tokenWords = []string{
	"wte", "word_embeddings", "word_embedding", "token_embd", "token_embedding", "token_embeddings", "tok_embeddings", "tok_emb", "embed_tokens",
	"tokens_embed", "item_emb", "shared", "lm_head", "classifier", "head", "query", "key", "value", "q_proj", "k_proj", "v_proj", "o_proj", "out_proj",
	"qkv", "c_attn", "c_proj", "c_fc", "fc1", "fc2", "dense", "linear", "mlp",
}

// withoutNumbers joins a name's segments with the digits taken out.
func withoutNumbers(segs []string) string {
	return strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' {
			return -1
		}
		return r
	}, strings.Join(segs, "."))
}
