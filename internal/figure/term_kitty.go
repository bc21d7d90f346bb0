package figure

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"fmt"
	"io"
)

// WriteKitty draws c and writes its PNG as the kitty graphics protocol shows it in a
// terminal: base64 in chunks of at most 4096 bytes, each in an escape code, all but
// the last with m=1, and a line break. The picture is scaled to a number of columns,
// with its own shape, or has its own size where columns is 0. Warnings and errors are
// those of Write. (The protocol: kovidgoyal/kitty, docs/graphics-protocol.rst.)
func WriteKitty(w io.Writer, c Chart, s Style, columns int) (warnings []string, err error) {
	if columns < 0 {
		return nil, fmt.Errorf("figure: a picture of %d columns", columns)
	}
	var picture bytes.Buffer
	if warnings, err = Write(&picture, "png", c, s); err != nil {
		return nil, err
	}
	keys := "a=T,f=100," // transmit and show; a PNG
	if columns > 0 {
		keys += fmt.Sprintf("c=%d,", columns)
	}
	const most = 4096 // a multiple of 4, as the protocol wants of all chunks but the last
	data := base64.StdEncoding.EncodeToString(picture.Bytes())
	b := bufio.NewWriter(w)
	for len(data) > 0 {
		chunk := data[:min(most, len(data))]
		data = data[len(chunk):]
		fmt.Fprintf(b, "\x1b_G%sm=%d;%s\x1b\\", keys, min(1, len(data)), chunk)
		keys = "" // the others go on
	}
	b.WriteByte('\n')
	return warnings, b.Flush()
}
