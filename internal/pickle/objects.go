package pickle

// tuple takes n values as a tuple.
func (m *machine) tuple(n int) error {
	items, err := m.popN(n)
	if err != nil {
		return err
	}
	return m.build(&Tuple{items}, n)
}

func (m *machine) markTuple() error {
	items, err := m.popMark()
	if err != nil {
		return err
	}
	return m.build(&Tuple{items}, len(items))
}

func (m *machine) markList() error {
	items, err := m.popMark()
	if err != nil {
		return err
	}
	return m.build(&List{items}, len(items))
}

func (m *machine) markDict() error {
	items, err := m.popMark()
	if err != nil {
		return err
	}
	d := &Dict{}
	if err := m.fill(d, items); err != nil {
		return err
	}
	return m.build(d, 0)
}

func (m *machine) frozenSet() error {
	items, err := m.popMark()
	if err != nil {
		return err
	}
	return m.build(&Set{items}, len(items))
}

func (m *machine) appendOne() error {
	items, err := m.popN(1)
	if err != nil {
		return err
	}
	return m.extend(items)
}

func (m *machine) appendMany() error {
	items, err := m.popMark()
	if err != nil {
		return err
	}
	return m.extend(items)
}

// extend adds items to the list or object on top.
func (m *machine) extend(items []Value) error {
	v, err := m.top()
	if err != nil {
		return err
	}
	if err := m.charge(len(items)); err != nil {
		return err
	}
	switch v := v.(type) {
	case *List:
		v.Items = append(v.Items, items...)
	case *Object:
		v.Items = append(v.Items, items...)
	default:
		return m.fault(Corrupt, "items for something that is no list")
	}
	return nil
}

func (m *machine) addMany() error {
	items, err := m.popMark()
	if err != nil {
		return err
	}
	v, err := m.top()
	if err != nil {
		return err
	}
	s, ok := v.(*Set)
	if !ok {
		return m.fault(Corrupt, "items for something that is no set")
	}
	s.Items = append(s.Items, items...)
	return m.charge(len(items))
}

func (m *machine) setOne() error {
	items, err := m.popN(2)
	if err != nil {
		return err
	}
	return m.setItems(items)
}

func (m *machine) setMany() error {
	items, err := m.popMark()
	if err != nil {
		return err
	}
	return m.setItems(items)
}

// setItems adds keys and values to the dict or object on top.
func (m *machine) setItems(items []Value) error {
	v, err := m.top()
	if err != nil {
		return err
	}
	switch v := v.(type) {
	case *Dict:
		return m.fill(v, items)
	case *Object:
		if v.Dict == nil {
			v.Dict = &Dict{}
		}
		return m.fill(v.Dict, items)
	}
	return m.fault(Corrupt, "keys for something that is no dict")
}

// fill puts alternating keys and values into a dict.
func (m *machine) fill(d *Dict, items []Value) error {
	if len(items)%2 != 0 {
		return m.fault(Corrupt, "a key without a value")
	}
	for i := 0; i < len(items); i += 2 {
		cost, err := d.set(items[i], items[i+1])
		switch {
		case err == errKeySize:
			return m.fault(TooLarge, "%s", err)
		case err != nil:
			return m.fault(Corrupt, "%s", err)
		}
		if err := m.charge(cost); err != nil {
			return err
		}
	}
	return nil
}

// reduce is REDUCE and NEWOBJ: a callee and its arguments.
func (m *machine) reduce() error {
	v, err := m.popN(2)
	if err != nil {
		return err
	}
	args, ok := v[1].(*Tuple)
	if !ok {
		return m.fault(Corrupt, "arguments that are no tuple")
	}
	return m.call(v[0], args)
}

// newObjEx is NEWOBJ with keyword arguments, which become one more argument.
func (m *machine) newObjEx() error {
	v, err := m.popN(3)
	if err != nil {
		return err
	}
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
func (m *machine) obj() error {
	items, err := m.popMark()
	if err != nil {
		return err
	}
	if len(items) == 0 {
		return m.fault(Corrupt, "an instance without a class")
	}
	if err := m.charge(len(items)); err != nil {
		return err
	}
	return m.call(items[0], &Tuple{items[1:]})
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
