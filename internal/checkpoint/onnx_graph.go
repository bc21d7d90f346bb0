package checkpoint

// onnxGraph collects the tensors of a graph, and the nodes that say what becomes
// of them.
type onnxGraph struct {
	file     *File
	b        *blob
	limits   Limits
	tensors  []*onnxTensor
	byName   map[string]*onnxTensor
	dequants []onnxDequant
	gathered map[string]string // the output of a Gather node: its data
	names    int64             // bytes of all of them
}

// walk visits what a graph is made of.
func (g *onnxGraph) walk(m wireMessage) error {
	return m.each(func(f wireField) error {
		switch f.num {
		case graphNode:
			return g.node(m.inside(f, nodeShape))
		case graphInitializer:
			t, err := g.tensor(m.inside(f, tensorShape))
			if err != nil {
				return err
			}
			return g.add(t)
		case graphSparseInitializer:
			t, err := g.sparse(m.inside(f, sparseShape))
			if err != nil {
				return err
			}
			return g.add(t)
		}
		return nil
	})
}

// node looks at what a node does, and takes in those that hold a tensor or stand
// between a tensor and its use. Graphs inside nodes are passed over.
func (g *onnxGraph) node(m wireMessage) error {
	op, domain := "", ""
	err := m.each(func(f wireField) error {
		var err error
		switch f.num {
		case nodeOpType:
			op, err = m.text(f, maxONNXText)
		case nodeDomain:
			domain, err = m.text(f, maxONNXText)
		}
		return err
	})
	if err != nil || domain != "" && domain != "ai.onnx" && domain != "com.microsoft" {
		return err
	}
	switch op {
	case "Constant":
		return g.constant(m)
	case "DequantizeLinear":
		return g.dequantize(m)
	case "Gather":
		in, out, err := g.ends(m)
		if err != nil || len(in) == 0 || out == "" {
			return err
		}
		g.gathered[out] = in[0]
		return g.bound(len(g.gathered), "Gather nodes", m.off)
	}
	return nil
}

// bound refuses more of a thing than any model has.
func (g *onnxGraph) bound(n int, what string, off int64) error {
	if n > maxTensors {
		return fault(TooLarge, off, "over %d %s", maxTensors, what)
	}
	return nil
}

// ends reads the names of a node's inputs, the first three of them, and of its
// first output.
func (g *onnxGraph) ends(m wireMessage) (in []string, out string, err error) {
	outs := 0
	err = m.each(func(f wireField) error {
		switch f.num {
		case nodeInput:
			if len(in) == 3 {
				return nil
			}
			s, err := g.name(m, f)
			in = append(in, s)
			return err
		case nodeOutput:
			if outs++; outs > 1 {
				return nil
			}
			var err error
			out, err = g.name(m, f)
			return err
		}
		return nil
	})
	return in, out, err
}

// name reads the name of a value. All of them together are bounded.
func (g *onnxGraph) name(m wireMessage, f wireField) (string, error) {
	s, err := m.text(f, maxONNXText)
	if g.names += int64(len(s)); g.names > maxNames {
		return "", fault(TooLarge, f.at, "the names of the tensors have over %d bytes", maxNames)
	}
	return s, err
}

// constant takes in the tensor of a Constant node.
func (g *onnxGraph) constant(m wireMessage) error {
	_, out, err := g.ends(m)
	if err != nil {
		return err
	}
	var held *onnxTensor
	err = m.each(func(f wireField) error {
		if f.num != nodeAttribute {
			return nil
		}
		attribute := m.inside(f, attributeShape)
		return attribute.each(func(f wireField) error {
			var err error
			switch {
			case f.num != attributeT && f.num != attributeSparseTensor:
				return nil
			case held != nil:
				err = fault(Corrupt, f.at, "a Constant node holds two tensors")
			case f.num == attributeT:
				held, err = g.tensor(attribute.inside(f, tensorShape))
			default:
				held, err = g.sparse(attribute.inside(f, sparseShape))
			}
			return err
		})
	})
	if err != nil || held == nil || out == "" { // a number, a list or a text
		return err
	}
	held.info.Name = out
	return g.add(held)
}

// add notes a tensor.
func (g *onnxGraph) add(t *onnxTensor) error {
	g.tensors = append(g.tensors, t)
	g.byName[t.info.Name] = t
	return g.bound(len(g.tensors), "tensors", t.body.off)
}

// list puts the tensors into the File. One that is broken does not spoil the
// others; where all are, the error is that of the first.
func (g *onnxGraph) list() error {
	tables := g.tables()
	first := map[*onnxTensor]*onnxTable{}
	for _, q := range tables {
		if first[q.x] == nil {
			first[q.x] = q
		}
	}
	usable := len(g.tensors) == 0
	for _, t := range g.tensors {
		usable = usable || t.listable()
		info, read := t.info, t.read
		if q := first[t]; q != nil {
			read = q.reader(info)
		}
		if err := g.file.add(info, read); err != nil {
			return at(err, "", t.body.off)
		}
	}
	if !usable {
		t := g.tensors[0]
		return at(t.err, t.info.Name, t.body.off)
	}
	return g.listTables(tables)
}
