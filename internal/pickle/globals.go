package pickle

import "strings"

// Report is what a pickle mentions, wherever it stands.
type Report struct {
	Globals []*Global // every name that the pickle imports, in the order of the file
	PersIDs []*PersID // every reference to something outside, in the order of the file
	Len     int64     // bytes up to and with STOP
}

// Unsafe tells whether calling the name could do harm: run programs or code,
// reach files or the network, import or load something. It was not called.
func (g *Global) Unsafe() bool {
	if g.Harmless() {
		return false
	}
	top, _, _ := strings.Cut(g.Module, ".")
	if unsafeModules[top] || unsafeNames[g.full] {
		return true
	}
	for name := g.Module; name != ""; {
		if unsafeNames[name] {
			return true
		}
		i := strings.LastIndexByte(name, '.')
		if i < 0 {
			break
		}
		name = name[:i]
	}
	// a module reached through another one: "torch.hub os", "x.y os.system"
	for part := range strings.SplitSeq(g.Name, ".") {
		if unsafeParts[part] {
			return true
		}
	}
	return false
}

// Harmless tells whether the name is one of Python's own plain data types or
// the helpers that pickle writes for them.
func (g *Global) Harmless() bool {
	switch g.Module {
	case "builtins", "__builtin__":
		return plainTypes[g.Name]
	}
	return harmlessNames[g.full]
}

// unsafeModules are top-level modules of which no name is taken for harmless.
var unsafeModules = words(`
	os posix nt posixshmem subprocess _posixsubprocess sys socket _socket shutil
	runpy importlib _frozen_importlib _frozen_importlib_external imp zipimport
	pkgutil ctypes _ctypes cffi pty commands popen2 code codeop pdb bdb cProfile
	profile timeit webbrowser antigravity multiprocessing asyncio concurrent
	builtins __builtin__ pickle _pickle cPickle dill cloudpickle marshal shelve
	http httplib urllib urllib2 urllib3 requests aiohttp httpx ftplib telnetlib
	smtplib poplib imaplib nntplib xmlrpc ssl socketserver SocketServer paramiko
	fabric pexpect pip setuptools distutils ensurepip venv idlelib lib2to3 pydoc
	doctest inspect gc atexit mmap fcntl winreg _winreg msvcrt _winapi codecs
	linecache`)

// unsafeNames are modules below a harmless one, and single functions.
var unsafeNames = words(`
	operator.attrgetter operator.methodcaller _operator.attrgetter
	_operator.methodcaller functools.reduce _functools.reduce
	types.CodeType types.FunctionType types.LambdaType io.open _io.open
	io.FileIO _io.FileIO joblib.load pandas.read_pickle pandas.io.pickle
	torch.hub torch.load torch.serialization.load torch.jit.load
	torch._inductor torch.utils.cpp_extension torch.utils.bottleneck
	torch.utils.collect_env torch.distributed.rpc torch.multiprocessing
	torch.storage._load_from_bytes
	numpy.load numpy.save numpy.fromfile numpy.memmap numpy.f2py
	numpy.testing._private.utils numpy.distutils`)

// unsafeParts are attributes through which other modules and code are reached.
var unsafeParts = words(`
	os posix nt sys subprocess socket shutil importlib ctypes runpy pty builtins
	__builtins__ __globals__ __subclasses__ __import__ __loader__ __reduce__
	__getattribute__ __code__ eval exec system popen`)

// plainTypes are the builtins that only hold data.
var plainTypes = words(`
	set frozenset list dict tuple int long float complex bool str unicode bytes
	bytearray object slice range xrange Ellipsis NotImplemented NoneType`)

// harmlessNames are other names that only hold data.
var harmlessNames = words(`
	collections.OrderedDict collections.defaultdict collections.Counter
	collections.deque copyreg._reconstructor copy_reg._reconstructor
	copyreg.__newobj__ copy_reg.__newobj__ _codecs.encode codecs.encode
	datetime.datetime datetime.date datetime.timedelta datetime.timezone
	decimal.Decimal fractions.Fraction uuid.UUID`)

// words makes a set of the words of a text.
func words(s string) map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(s) {
		m[w] = true
	}
	return m
}
