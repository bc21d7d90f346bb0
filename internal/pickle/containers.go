package pickle

import "errors"

func (m *machine) tuple(items []Value) error { return m.build(&Tuple{items}, len(items)) }

func (m *machine) list(items []Value) error { return m.build(&List{items}, len(items)) }

func (m *machine) frozenSet(items []Value) error { return m.build(&Set{items}, len(items)) }

func (m *machine) dict(items []Value) error {
	d := &Dict{}
	if err := m.fill(d, items); err != nil {
		return err
	}
	return m.build(d, 0)
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

// addItems adds items to the set on top.
func (m *machine) addItems(items []Value) error {
	v, err := m.top()
	if err != nil {
		return err
	}
	if err := m.charge(len(items)); err != nil {
		return err
	}
	s, ok := v.(*Set)
	if !ok {
		return m.fault(Corrupt, "items for something that is no set")
	}
	s.Items = append(s.Items, items...)
	return nil
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
		case errors.Is(err, errKeySize):
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
