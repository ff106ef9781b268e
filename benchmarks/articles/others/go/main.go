// Decodes the datums of a file with hamba/avro, and prints the nanoseconds a datum.
//
//	hamba struct quotes.datums 0.5 1
//
// The first 0.5 s are a warm-up, the next 1 s is measured. In the file, each datum follows its length (4 bytes, little
// endian). The schema is in a second file, quotes.datums.avsc.
package main

import (
	"encoding/binary"
	"fmt"
	"log"
	"os"
	"reflect"
	"strconv"
	"time"

	"github.com/hamba/avro/v2"
)

func readDatums(content []byte) [][]byte {
	var datums [][]byte
	for len(content) > 0 {
		length := binary.LittleEndian.Uint32(content)
		datums = append(datums, content[4:4+length])
		content = content[4+length:]
	}
	return datums
}

// structOf returns the struct type that a programmer would write for the record, with the same fields.
func structOf(record *avro.RecordSchema) (reflect.Type, error) {
	kinds := map[avro.Type]reflect.Type{
		avro.String:  reflect.TypeFor[string](),
		avro.Int:     reflect.TypeFor[int](),
		avro.Long:    reflect.TypeFor[int64](),
		avro.Double:  reflect.TypeFor[float64](),
		avro.Boolean: reflect.TypeFor[bool](),
	}
	var fields []reflect.StructField
	for i, field := range record.Fields() {
		kind, known := kinds[field.Type().Type()]
		if union, is := field.Type().(*avro.UnionSchema); is && union.Nullable() {
			kind, known = kinds[union.Types()[1].Type()]
			if known {
				kind = reflect.PointerTo(kind)
			}
		}
		if !known {
			return nil, fmt.Errorf("field %s has a type that no reference record has", field.Name())
		}
		tag := reflect.StructTag(`avro:"` + field.Name() + `"`)
		fields = append(fields, reflect.StructField{Name: "F" + strconv.Itoa(i), Type: kind, Tag: tag})
	}
	return reflect.StructOf(fields), nil
}

// nsPerDatum decodes all datums repeatedly for a time, and returns the nanoseconds a datum.
func nsPerDatum(seconds float64, datums [][]byte, decode func([]byte) error) (float64, error) {
	begin := time.Now()
	for passes := 1; ; passes++ {
		for _, datum := range datums {
			if err := decode(datum); err != nil {
				return 0, err
			}
		}
		if elapsed := time.Since(begin); elapsed.Seconds() >= seconds {
			return float64(elapsed.Nanoseconds()) / float64(passes*len(datums)), nil
		}
	}
}

func run(into, file string, times ...string) error {
	content, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	schema, err := avro.ParseFiles(file + ".avsc")
	if err != nil {
		return err
	}
	var decode func([]byte) error
	switch into {
	case "struct":
		kind, err := structOf(schema.(*avro.RecordSchema))
		if err != nil {
			return err
		}
		decode = func(datum []byte) error { return avro.Unmarshal(schema, datum, reflect.New(kind).Interface()) }
	case "map":
		decode = func(datum []byte) error {
			value := map[string]any{}
			return avro.Unmarshal(schema, datum, &value)
		}
	default:
		return fmt.Errorf("struct or map, not %s", into)
	}
	var ns float64
	for _, word := range times { // The first is the warm-up.
		seconds, err := strconv.ParseFloat(word, 64)
		if err != nil {
			return err
		}
		if ns, err = nsPerDatum(seconds, readDatums(content), decode); err != nil {
			return err
		}
	}
	fmt.Println(ns)
	return nil
}

func main() {
	log.SetFlags(0)
	if len(os.Args) != 5 {
		log.Fatal("hamba: wants struct or map, a file, and two times in seconds")
	}
	if err := run(os.Args[1], os.Args[2], os.Args[3], os.Args[4]); err != nil {
		log.Fatal("hamba: ", err)
	}
}
