package pickle

import "strconv"

// put keeps the top value under a number.
func (m *machine) put(key int64) error {
	v, err := m.top()
	if err != nil {
		return err
	}
	if key < 0 {
		return m.fault(Corrupt, "memo entry %d", key)
	}
	if err := m.charge(1); err != nil {
		return err
	}
	m.memo[key] = v
	return nil
}

// get pushes what put kept.
func (m *machine) get(key int64) error {
	v, ok := m.memo[key]
	if !ok {
		return m.fault(Corrupt, "memo entry %d was never set", key)
	}
	return m.push(v)
}

// key reads a binary memo number and does something with it.
func (m *machine) key(size int, do func(int64) error) error {
	n, err := m.count(size)
	if err != nil {
		return err
	}
	return do(int64(n))
}

// textKey reads a memo number written as text and does something with it.
func (m *machine) textKey(do func(int64) error) error {
	line, err := m.line()
	if err != nil {
		return err
	}
	if len(line) > 20 { // past int64
		return m.fault(Corrupt, "a memo number of %d characters", len(line))
	}
	n, err := strconv.ParseInt(string(line), 10, 64)
	if err != nil {
		return m.fault(Corrupt, "%q is no memo number", clip(string(line)))
	}
	return do(n)
}
