package pickle

// Limits bound what a pickle may ask for. The zero value means the defaults.
type Limits struct {
	MaxStack   int // values on the stack at once; default 1 << 22
	MaxMarks   int // open marks at once; default 1 << 16
	MaxObjects int // containers, their items and memo entries together; default 1 << 22
	MaxLong    int // bytes of one integer; default 4096
	MaxDigits  int // characters of one number written as text; default 4300, as in Python
	MaxName    int // bytes of a module's or a global's name; default 512
}

// withDefaults fills the zero fields.
func (l Limits) withDefaults() Limits {
	set := func(p *int, v int) {
		if *p == 0 {
			*p = v
		}
	}
	set(&l.MaxStack, 1<<22)
	set(&l.MaxMarks, 1<<16)
	set(&l.MaxObjects, 1<<22)
	set(&l.MaxLong, 4096)
	set(&l.MaxDigits, 4300)
	set(&l.MaxName, 512)
	return l
}
