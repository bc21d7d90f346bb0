package checkpoint

import "google.golang.org/protobuf/encoding/protowire"

// isONNX tells a serialised ModelProto. The ir_version is in front, as every
// exporter writes it, small numbers that were given out one by one. Then come the
// other fields, in any order, up to the graph, which has to begin like one; what
// the head does not have any more is believed. Other protobuf files, such as Core
// ML's and TensorFlow's, have messages where the names are.
func isONNX(head []byte) bool {
	const newest = 30 // an ir_version that is long in coming
	if len(head) < 4 || head[0] != 0x08 || head[1] == 0 || head[1] > newest {
		return false
	}
	for rest := head[2:]; ; {
		num, typ, n := protowire.ConsumeTag(rest)
		kind, known := modelShape.fields[num]
		if n < 0 || !known || typ != kind.typ || num == modelIRVersion {
			return false
		}
		rest = rest[n:]
		value, n := protowire.ConsumeVarint(rest)
		if n < 0 {
			return false
		}
		rest = rest[n:]
		if typ == protowire.VarintType {
			continue
		}
		body := rest[:min(uint64(len(rest)), value)]
		switch num {
		case modelGraph:
			if value > 0 {
				return isField(body, graphShape)
			}
		case modelProducerName, modelProducerVersion, modelDomain, modelDocString:
			if !plain(body) {
				return false
			}
		case modelOpsetImport:
			if !isField(body, opsetShape) {
				return false
			}
		case modelMetadataProps:
			if !isField(body, entryShape) {
				return false
			}
		}
		if rest = rest[len(body):]; len(rest) == 0 {
			return true
		}
	}
}

// isField tells whether a message begins like one of its kind. An empty one, and
// one that the head does not have any more, do.
func isField(body []byte, shape *wireShape) bool {
	if len(body) == 0 {
		return true
	}
	num, typ, n := protowire.ConsumeTag(body)
	kind, known := shape.fields[num]
	return n > 0 && known && kind.typ == typ
}
