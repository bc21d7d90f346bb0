// Package pickle reads Python pickles as data. It is a machine for the opcodes
// of protocols 0 to 5 that builds values and inert objects only: what a pickle
// wants to call is written down as an Object, and no code path ever calls
// anything. It knows nothing of tensors.
package pickle

// Value is what a pickle can hold: nil (None), bool, int64, *big.Int (past
// int64), float64, string, Bytes, *List, *Tuple, *Set, *Dict, *Global, *Object
// or *PersID. The pointers give identity: a value that the pickle shares is
// shared here, and a list may hold itself.
type Value any

// Bytes is a bytes or bytearray object, or a Python 2 string that is no UTF-8.
type Bytes string

// List is a Python list.
type List struct{ Items []Value }

// Tuple is a Python tuple.
type Tuple struct{ Items []Value }

// Set is a set or frozenset, in the order of the file.
type Set struct{ Items []Value }

// Global is a name that the pickle imports: a class or a function. It is only a
// name here. Equal names are one pointer.
type Global struct {
	Module, Name string
	full         string
}

// String gives "module.name".
func (g *Global) String() string { return g.full }

// Object is what a call, an instance or a class's __new__ would have made. It
// was not made: Class says what was to be called and Args with what. Class is
// "module.name"; "result of module.name" where the callee came from another call;
// "persistent id" where it stands outside of the pickle and names no class.
type Object struct {
	Class string
	Args  *Tuple
	State Value   // what BUILD would have set, usually a *Dict of attributes; nil if none
	Items []Value // what APPEND added
	Dict  *Dict   // what SETITEM added; nil if nothing
}

// PersID is a reference to something outside the pickle, such as a storage.
type PersID struct{ Value Value }
