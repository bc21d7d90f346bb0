package pickle

import "strings"

// global gives the one *Global of a module and a name, and reports it.
func (m *machine) global(module, name string) (*Global, error) {
	if n := max(len(module), len(name)); n > m.limits.MaxName {
		return nil, m.fault(TooLarge, "a global's name of %d bytes, limit %d", n, m.limits.MaxName)
	}
	key := [2]string{module, name}
	if g := m.globals[key]; g != nil {
		return g, nil
	}
	if err := m.charge(1 + (len(module)+len(name))/64); err != nil {
		return nil, err
	}
	g := &Global{module, name, module + "." + name}
	m.globals[key] = g
	m.report.Globals = append(m.report.Globals, g)
	return g, nil
}

// globalLines is GLOBAL: the module and the name stand in the opcode.
func (m *machine) globalLines() error {
	return m.also(m.readGlobal())
}

// readGlobal reads a module and a name from two lines.
func (m *machine) readGlobal() (*Global, error) {
	module, err := m.line()
	if err != nil {
		return nil, err
	}
	name, err := m.line()
	if err != nil {
		return nil, err
	}
	return m.global(string(module), string(name))
}

// stackGlobal is STACK_GLOBAL: a module and a name from the stack.
func (m *machine) stackGlobal(v []Value) error {
	module, ok := v[0].(string)
	name, ok2 := v[1].(string)
	if !ok || !ok2 {
		return m.fault(Corrupt, "a global whose name is no text")
	}
	return m.also(m.global(module, name))
}

// persText is PERSID: the id stands in the opcode.
func (m *machine) persText() error {
	line, err := m.line()
	if err != nil {
		return err
	}
	return m.refer(&PersID{string(line)})
}

// persID is BINPERSID.
func (m *machine) persID() error {
	v, err := m.pop()
	if err != nil {
		return err
	}
	return m.refer(&PersID{v})
}

// refer pushes a reference to something outside, and reports it.
func (m *machine) refer(id *PersID) error {
	if err := m.build(id, 0); err != nil {
		return err
	}
	m.report.PersIDs = append(m.report.PersIDs, id)
	return nil
}

// reduce is REDUCE and NEWOBJ: a callee and its arguments.
func (m *machine) reduce(v []Value) error {
	args, ok := v[1].(*Tuple)
	if !ok {
		return m.fault(Corrupt, "arguments that are no tuple")
	}
	return m.call(v[0], args)
}

// newObjEx is NEWOBJ with keyword arguments, which become one more argument.
func (m *machine) newObjEx(v []Value) error {
	args, ok := v[1].(*Tuple)
	kwargs, ok2 := v[2].(*Dict)
	if !ok || !ok2 {
		return m.fault(Corrupt, "arguments that are no tuple and dict")
	}
	if len(kwargs.Pairs) > 0 {
		if err := m.charge(1 + len(args.Items)); err != nil {
			return err
		}
		items := append([]Value(nil), args.Items...)
		args = &Tuple{append(items, kwargs)}
	}
	return m.call(v[0], args)
}

// inst is INST: the class stands in the opcode, the arguments above a mark.
func (m *machine) inst() error {
	g, err := m.readGlobal()
	if err != nil {
		return err
	}
	items, err := m.popMark()
	if err != nil {
		return err
	}
	if err := m.charge(len(items)); err != nil {
		return err
	}
	return m.call(g, &Tuple{items})
}

// obj is OBJ: the class and the arguments stand above a mark.
func (m *machine) obj(items []Value) error {
	if len(items) == 0 {
		return m.fault(Corrupt, "an instance without a class")
	}
	if err := m.charge(len(items)); err != nil {
		return err
	}
	return m.call(items[0], &Tuple{items[1:]})
}

// call makes the inert object that stands for a call, or the plain container
// that Python's own classes would be.
func (m *machine) call(callee Value, args *Tuple) error {
	switch c := callee.(type) {
	case *Global:
		v, err := m.plain(c, args)
		if err != nil {
			return err
		}
		if v != nil {
			return m.build(v, 0)
		}
		return m.build(&Object{Class: c.full, Args: args}, 0)
	case *Object:
		return m.build(&Object{Class: resultOf + strings.TrimPrefix(c.Class, resultOf), Args: args}, 0)
	case *PersID:
		return m.build(&Object{Class: c.class(), Args: args}, 0)
	}
	return m.fault(Corrupt, "a call of something that is no class or function")
}

// class names the class that a persistent id stands for, as torch.save once wrote
// the classes of modules: ("module", class, source file, source).
func (p *PersID) class() string {
	if id, ok := p.Value.(*Tuple); ok && len(id.Items) > 1 {
		if g, ok := id.Items[1].(*Global); ok {
			return g.full
		}
	}
	return "persistent id"
}

// resultOf begins the Class of what a call's result would have given.
const resultOf = "result of "

// plain gives the container that a call of one of Python's own classes makes;
// nil where the call must stay an Object. What it copies is charged first.
func (m *machine) plain(g *Global, args *Tuple) (Value, error) {
	var items []Value
	if len(args.Items) == 1 {
		if l, ok := args.Items[0].(*List); ok {
			items = l.Items
		}
	}
	known := items != nil || len(args.Items) == 0
	switch g.full {
	case "collections.OrderedDict":
		if known {
			return m.pairs(items)
		}
	case "collections.defaultdict":
		if len(args.Items) <= 1 {
			return &Dict{}, nil
		}
	case "builtins.set", "__builtin__.set", "builtins.frozenset", "__builtin__.frozenset":
		if known {
			return &Set{append([]Value(nil), items...)}, m.charge(len(items))
		}
	}
	return nil, nil
}

// pairs makes a dict of Python 2's argument of OrderedDict, a list of [key,
// value].
func (m *machine) pairs(items []Value) (Value, error) {
	if err := m.charge(len(items)); err != nil {
		return nil, err
	}
	d := &Dict{}
	for _, item := range items {
		var kv []Value
		switch item := item.(type) {
		case *List:
			kv = item.Items
		case *Tuple:
			kv = item.Items
		}
		if len(kv) != 2 {
			return nil, m.fault(Corrupt, "an OrderedDict of something that is no pair")
		}
		if err := m.fill(d, kv); err != nil {
			return nil, err
		}
	}
	return d, nil
}

// setState is BUILD.
func (m *machine) setState() error {
	state, err := m.pop()
	if err != nil {
		return err
	}
	v, err := m.top()
	if err != nil {
		return err
	}
	switch v := v.(type) {
	case *Object:
		v.State = state
	case *Dict:
		v.State = state
	default:
		return m.fault(Corrupt, "a state for something that is no object")
	}
	return nil
}
