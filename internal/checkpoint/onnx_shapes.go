package checkpoint

import "google.golang.org/protobuf/encoding/protowire"

// The messages of an ONNX file that are walked through, by the numbers of their
// fields. A field that is not here is passed over.
//
//	https://github.com/onnx/onnx, onnx/onnx.proto

// Fields of ModelProto.
const (
	modelIRVersion       = 1
	modelProducerName    = 2
	modelProducerVersion = 3
	modelDomain          = 4
	modelDocString       = 6
	modelGraph           = 7
	modelOpsetImport     = 8
	modelMetadataProps   = 14
)

var modelShape = &wireShape{"ModelProto", map[protowire.Number]wireKind{
	modelIRVersion:       {name: "ir_version", typ: protowire.VarintType},
	modelProducerName:    {name: "producer_name", typ: protowire.BytesType},
	modelProducerVersion: {name: "producer_version", typ: protowire.BytesType},
	modelDomain:          {name: "domain", typ: protowire.BytesType},
	5:                    {name: "model_version", typ: protowire.VarintType},
	modelDocString:       {name: "doc_string", typ: protowire.BytesType},
	modelGraph:           {name: "graph", typ: protowire.BytesType},
	modelOpsetImport:     {name: "opset_import", typ: protowire.BytesType},
	modelMetadataProps:   {name: "metadata_props", typ: protowire.BytesType},
	20:                   {name: "training_info", typ: protowire.BytesType},
	25:                   {name: "functions", typ: protowire.BytesType},
	26:                   {name: "configuration", typ: protowire.BytesType},
}}

// Fields of OperatorSetIdProto.
const (
	opsetDomain  = 1
	opsetVersion = 2
)

var opsetShape = &wireShape{"OperatorSetIdProto", map[protowire.Number]wireKind{
	opsetDomain:  {name: "domain", typ: protowire.BytesType},
	opsetVersion: {name: "version", typ: protowire.VarintType},
}}

// Fields of StringStringEntryProto.
const (
	entryKey   = 1
	entryValue = 2
)

var entryShape = &wireShape{"StringStringEntryProto", map[protowire.Number]wireKind{
	entryKey:   {name: "key", typ: protowire.BytesType},
	entryValue: {name: "value", typ: protowire.BytesType},
}}

// Fields of GraphProto.
const (
	graphNode              = 1
	graphInitializer       = 5
	graphSparseInitializer = 15
)

var graphShape = &wireShape{"GraphProto", map[protowire.Number]wireKind{
	graphNode:              {name: "node", typ: protowire.BytesType},
	2:                      {name: "name", typ: protowire.BytesType},
	graphInitializer:       {name: "initializer", typ: protowire.BytesType},
	10:                     {name: "doc_string", typ: protowire.BytesType},
	11:                     {name: "input", typ: protowire.BytesType},
	12:                     {name: "output", typ: protowire.BytesType},
	13:                     {name: "value_info", typ: protowire.BytesType},
	14:                     {name: "quantization_annotation", typ: protowire.BytesType},
	graphSparseInitializer: {name: "sparse_initializer", typ: protowire.BytesType},
	16:                     {name: "metadata_props", typ: protowire.BytesType},
}}

// Fields of NodeProto.
const (
	nodeInput     = 1
	nodeOutput    = 2
	nodeOpType    = 4
	nodeAttribute = 5
	nodeDomain    = 7
)

var nodeShape = &wireShape{"NodeProto", map[protowire.Number]wireKind{
	nodeInput:     {name: "input", typ: protowire.BytesType},
	nodeOutput:    {name: "output", typ: protowire.BytesType},
	3:             {name: "name", typ: protowire.BytesType},
	nodeOpType:    {name: "op_type", typ: protowire.BytesType},
	nodeAttribute: {name: "attribute", typ: protowire.BytesType},
	6:             {name: "doc_string", typ: protowire.BytesType},
	nodeDomain:    {name: "domain", typ: protowire.BytesType},
	8:             {name: "overload", typ: protowire.BytesType},
	9:             {name: "metadata_props", typ: protowire.BytesType},
	10:            {name: "device_configurations", typ: protowire.BytesType},
}}

// Fields of AttributeProto.
const (
	attributeName         = 1
	attributeI            = 3
	attributeT            = 5
	attributeSparseTensor = 22
)

var attributeShape = &wireShape{"AttributeProto", map[protowire.Number]wireKind{
	attributeName:         {name: "name", typ: protowire.BytesType},
	2:                     {name: "f", typ: protowire.Fixed32Type},
	attributeI:            {name: "i", typ: protowire.VarintType},
	4:                     {name: "s", typ: protowire.BytesType},
	attributeT:            {name: "t", typ: protowire.BytesType},
	6:                     {name: "g", typ: protowire.BytesType},
	7:                     {name: "floats", typ: protowire.Fixed32Type, list: true},
	8:                     {name: "ints", typ: protowire.VarintType, list: true},
	9:                     {name: "strings", typ: protowire.BytesType},
	10:                    {name: "tensors", typ: protowire.BytesType},
	11:                    {name: "graphs", typ: protowire.BytesType},
	13:                    {name: "doc_string", typ: protowire.BytesType},
	14:                    {name: "tp", typ: protowire.BytesType},
	15:                    {name: "type_protos", typ: protowire.BytesType},
	20:                    {name: "type", typ: protowire.VarintType},
	21:                    {name: "ref_attr_name", typ: protowire.BytesType},
	attributeSparseTensor: {name: "sparse_tensor", typ: protowire.BytesType},
	23:                    {name: "sparse_tensors", typ: protowire.BytesType},
}}

// Fields of TensorProto.
const (
	tensorDims         = 1
	tensorDataType     = 2
	tensorSegment      = 3
	tensorFloatData    = 4
	tensorInt32Data    = 5
	tensorStringData   = 6
	tensorInt64Data    = 7
	tensorName         = 8
	tensorRawData      = 9
	tensorDoubleData   = 10
	tensorUint64Data   = 11
	tensorExternalData = 13
	tensorDataLocation = 14
)

var tensorShape = &wireShape{"TensorProto", map[protowire.Number]wireKind{
	tensorDims:         {name: "dims", typ: protowire.VarintType, list: true},
	tensorDataType:     {name: "data_type", typ: protowire.VarintType},
	tensorSegment:      {name: "segment", typ: protowire.BytesType},
	tensorFloatData:    {name: "float_data", typ: protowire.Fixed32Type, list: true},
	tensorInt32Data:    {name: "int32_data", typ: protowire.VarintType, list: true},
	tensorStringData:   {name: "string_data", typ: protowire.BytesType},
	tensorInt64Data:    {name: "int64_data", typ: protowire.VarintType, list: true},
	tensorName:         {name: "name", typ: protowire.BytesType},
	tensorRawData:      {name: "raw_data", typ: protowire.BytesType},
	tensorDoubleData:   {name: "double_data", typ: protowire.Fixed64Type, list: true},
	tensorUint64Data:   {name: "uint64_data", typ: protowire.VarintType, list: true},
	12:                 {name: "doc_string", typ: protowire.BytesType},
	tensorExternalData: {name: "external_data", typ: protowire.BytesType},
	tensorDataLocation: {name: "data_location", typ: protowire.VarintType},
	16:                 {name: "metadata_props", typ: protowire.BytesType},
}}

// Fields of SparseTensorProto.
const (
	sparseValues = 1
	sparseDims   = 3
)

var sparseShape = &wireShape{"SparseTensorProto", map[protowire.Number]wireKind{
	sparseValues: {name: "values", typ: protowire.BytesType},
	2:            {name: "indices", typ: protowire.BytesType},
	sparseDims:   {name: "dims", typ: protowire.VarintType, list: true},
}}
