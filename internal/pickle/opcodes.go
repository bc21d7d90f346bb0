package pickle

// step executes one opcode, behind which the machine stands.
type step func(*machine) error

// steps are the opcodes: CPython, Lib/pickletools.py. STOP is run's.
var steps = [256]step{
	// the pickle's own frame, and the stack
	0x80: (*machine).proto,
	0x95: (*machine).frame,
	'(':  (*machine).mark,
	'0':  (*machine).drop,
	'1':  func(m *machine) error { _, err := m.popMark(); return err },
	'2':  func(m *machine) error { return m.also(m.top()) },

	// scalars
	'N':  func(m *machine) error { return m.push(nil) },
	0x88: func(m *machine) error { return m.push(true) },
	0x89: func(m *machine) error { return m.push(false) },
	'K':  func(m *machine) error { return m.integer(1) },
	'M':  func(m *machine) error { return m.integer(2) },
	'J':  func(m *machine) error { return m.integer(4) },
	'I':  (*machine).textInt,
	'L':  (*machine).textInt,
	0x8a: func(m *machine) error { return m.long(1) },
	0x8b: func(m *machine) error { return m.long(4) },
	'G':  (*machine).float,
	'F':  (*machine).textFloat,

	// strings and bytes
	'X':  func(m *machine) error { return m.text(4) },
	0x8c: func(m *machine) error { return m.text(1) },
	0x8d: func(m *machine) error { return m.text(8) },
	'V':  (*machine).rawText,
	'S':  (*machine).quotedText,
	'T':  func(m *machine) error { return m.oldText(4) },
	'U':  func(m *machine) error { return m.oldText(1) },
	'B':  func(m *machine) error { return m.bytes(4) },
	'C':  func(m *machine) error { return m.bytes(1) },
	0x8e: func(m *machine) error { return m.bytes(8) },
	0x96: func(m *machine) error { return m.bytes(8) },
	0x97: (*machine).buffer,
	0x98: (*machine).buffer,

	// containers
	']':  func(m *machine) error { return m.build(&List{}, 0) },
	')':  func(m *machine) error { return m.build(&Tuple{}, 0) },
	'}':  func(m *machine) error { return m.build(&Dict{}, 0) },
	0x8f: func(m *machine) error { return m.build(&Set{}, 0) },
	0x85: fromTop(1, (*machine).tuple),
	0x86: fromTop(2, (*machine).tuple),
	0x87: fromTop(3, (*machine).tuple),
	't':  fromMark((*machine).tuple),
	'l':  fromMark((*machine).list),
	'd':  fromMark((*machine).dict),
	0x91: fromMark((*machine).frozenSet),
	'a':  fromTop(1, (*machine).extend),
	'e':  fromMark((*machine).extend),
	's':  fromTop(2, (*machine).setItems),
	'u':  fromMark((*machine).setItems),
	0x90: fromMark((*machine).addItems),

	// memo
	'p':  func(m *machine) error { return m.textKey(m.put) },
	'q':  func(m *machine) error { return m.key(1, m.put) },
	'r':  func(m *machine) error { return m.key(4, m.put) },
	0x94: func(m *machine) error { return m.put(int64(len(m.memo))) },
	'g':  func(m *machine) error { return m.textKey(m.get) },
	'h':  func(m *machine) error { return m.key(1, m.get) },
	'j':  func(m *machine) error { return m.key(4, m.get) },

	// globals, and what would be calls
	'c':  (*machine).globalLines,
	0x93: fromTop(2, (*machine).stackGlobal),
	'R':  fromTop(2, (*machine).reduce),
	0x81: fromTop(2, (*machine).reduce), // NEWOBJ: as inert as a call
	0x92: fromTop(3, (*machine).newObjEx),
	'i':  (*machine).inst,
	'o':  fromMark((*machine).obj),
	'b':  (*machine).setState,
	'P':  (*machine).persText,
	'Q':  (*machine).persID,
	0x82: (*machine).extension,
	0x83: (*machine).extension,
	0x84: (*machine).extension,
}

// fromTop gives an opcode the top n values of the stack.
func fromTop(n int, do func(*machine, []Value) error) step {
	return func(m *machine) error {
		items, err := m.popN(n)
		if err != nil {
			return err
		}
		return do(m, items)
	}
}

// fromMark gives an opcode what stands above the last mark.
func fromMark(do func(*machine, []Value) error) step {
	return func(m *machine) error {
		items, err := m.popMark()
		if err != nil {
			return err
		}
		return do(m, items)
	}
}

// maxProto is the last protocol there is.
const maxProto = 5

// proto refuses protocols that are not known.
func (m *machine) proto() error {
	n, err := m.count(1)
	if err == nil && n > maxProto {
		err = m.fault(Corrupt, "protocol %d is unknown", n)
	}
	return err
}

// frame checks that the promised bytes are there; it is a hint and no more.
func (m *machine) frame() error {
	n, err := m.count(8)
	if rest := len(m.data) - m.pos; err == nil && n > uint64(rest) {
		err = m.fault(Truncated, "a frame of %d bytes, but %d are left", n, rest)
	}
	return err
}

// mark is MARK: what is pushed from here on belongs together.
func (m *machine) mark() error {
	if len(m.marks) >= m.limits.MaxMarks {
		return m.fault(TooLarge, "more than %d marks on the stack", m.limits.MaxMarks)
	}
	m.marks = append(m.marks, len(m.stack))
	return nil
}

// drop is POP, which takes the mark when nothing stands above it.
func (m *machine) drop() error {
	if len(m.marks) > 0 && len(m.stack) == m.floor() {
		_, err := m.popMark()
		return err
	}
	_, err := m.pop()
	return err
}

// also pushes a value that was found, or hands on the error.
func (m *machine) also(v Value, err error) error {
	if err != nil {
		return err
	}
	return m.push(v)
}

// extension refuses EXT1, EXT2 and EXT4, whose meaning stands in no file.
func (m *machine) extension() error {
	return m.fault(Unsafe, "an extension code, which needs a registry of code")
}

// buffer refuses the out-of-band buffers of protocol 5.
func (m *machine) buffer() error {
	return m.fault(Corrupt, "a buffer outside of the pickle")
}
