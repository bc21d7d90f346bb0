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
