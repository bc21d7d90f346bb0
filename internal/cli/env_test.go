package cli

import "testing"

func TestASCIIEnvironment(t *testing.T) {
	for _, c := range []struct {
		vars map[string]string
		want bool
	}{
		{nil, false}, // a container
		{map[string]string{"TERM": "xterm-256color"}, false},
		{map[string]string{"TERM": "dumb"}, true},
		{map[string]string{"TERM": "dumb", "LC_ALL": "C.UTF-8"}, true},
		{map[string]string{"LC_ALL": "C"}, true},
		{map[string]string{"LANG": "POSIX"}, true},
		{map[string]string{"LANG": "C.UTF-8"}, false},
		{map[string]string{"LANG": "C.utf8"}, false},
		{map[string]string{"LANG": "en_US.UTF-8"}, false},
		{map[string]string{"LANG": "de_DE.ISO-8859-1"}, true},
		{map[string]string{"LANG": "de_DE.ISO-8859-15@euro"}, true},
		{map[string]string{"LANG": "sr_RS.UTF-8@latin"}, false},
		{map[string]string{"LANG": "ja_JP.eucJP"}, true},
		{map[string]string{"LANG": "de_DE"}, false}, // names no encoding
		{map[string]string{"LC_CTYPE": "UTF-8"}, false},
		{map[string]string{"LC_ALL": "C", "LANG": "en_US.UTF-8"}, true},
		{map[string]string{"LC_ALL": "en_US.UTF-8", "LC_CTYPE": "C", "LANG": "C"}, false},
		{map[string]string{"LC_CTYPE": "C.UTF-8", "LANG": "C"}, false},
		{map[string]string{"LC_ALL": "", "LC_CTYPE": "C", "LANG": "C.UTF-8"}, true},
	} {
		if got := (Env{Getenv: func(k string) string { return c.vars[k] }}).ascii(); got != c.want {
			t.Errorf("%v: %v", c.vars, got)
		}
	}
}
