//! Decodes the datums of a file with arrow-avro or serde_avro_fast, and prints the nanoseconds a datum.
//!
//!     datum-timing serde_avro_fast StockQuote-78 quotes.datums 0.5 1
//!
//! The first 0.5 s are a warm-up, the next 1 s is measured. In the file, each datum follows its length (4 bytes, little
//! endian). The schema is in a second file, quotes.datums.avsc.

use std::{env, error::Error, fs, hint::black_box, time::Instant};

use arrow_avro::reader::ReaderBuilder;
use arrow_avro::schema::{AvroSchema, Fingerprint, FingerprintAlgorithm, SchemaStore};
use serde::{de::IgnoredAny, Deserialize};

mod records {
    #![allow(non_snake_case, dead_code)]
    include!(concat!(env!("OUT_DIR"), "/records.rs"));
}

type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// The id of the schema in Confluent's framing, which arrow-avro requires.
const SCHEMA_ID: u32 = 1;

fn datums(content: &[u8]) -> Vec<&[u8]> {
    let mut datums = Vec::new();
    let mut rest = content;
    while let Some((length, after)) = rest.split_first_chunk::<4>() {
        let (datum, next) = after.split_at(u32::from_le_bytes(*length) as usize);
        datums.push(datum);
        rest = next;
    }
    datums
}

/// Runs passes for the given time, and returns the nanoseconds a datum. A pass returns its number of decoded datums.
fn time(seconds: f64, mut pass: impl FnMut() -> Result<usize>) -> Result<f64> {
    let begin = Instant::now();
    let mut done = 0;
    loop {
        done += pass()?;
        let elapsed = begin.elapsed();
        if elapsed.as_secs_f64() >= seconds {
            return Ok(elapsed.as_nanos() as f64 / done as f64);
        }
    }
}

/// Returns a pass that decodes each datum to a value, and discards the value.
fn by_serde<'a, T: Deserialize<'a>>(schema: &str, datums: &'a [&'a [u8]]) -> Result<impl FnMut() -> Result<usize> + 'a> {
    let schema: serde_avro_fast::Schema = schema.parse()?;
    Ok(move || {
        for datum in datums {
            black_box(serde_avro_fast::from_datum_slice::<T>(datum, &schema)?);
        }
        Ok(datums.len())
    })
}

/// Returns a pass that decodes the datums to columns of 1,024 rows. The datums are concatenated, each with its framing.
fn by_arrow(schema: &str, datums: &[&[u8]]) -> Result<impl FnMut() -> Result<usize>> {
    let mut store = SchemaStore::new_with_type(FingerprintAlgorithm::Id);
    store.set(Fingerprint::Id(SCHEMA_ID), AvroSchema::new(schema.to_string()))?;
    let mut decoder = ReaderBuilder::new()
        .with_writer_schema_store(store)
        .with_batch_size(1024)
        .build_decoder()?;
    let mut framed = Vec::new();
    for datum in datums {
        framed.push(0);
        framed.extend(SCHEMA_ID.to_be_bytes());
        framed.extend_from_slice(datum);
    }
    let expected = datums.len();
    Ok(move || {
        let (mut at, mut rows) = (0, 0);
        while at < framed.len() {
            at += decoder.decode(&framed[at..])?;
            if let Some(batch) = decoder.flush()? {
                rows += black_box(batch).num_rows();
            }
        }
        if rows != expected {
            return Err(format!("{rows} rows instead of {expected}").into());
        }
        Ok(rows)
    })
}

fn main() -> Result<()> {
    let words: Vec<String> = env::args().collect();
    let [_, contender, record, file, warm_up, seconds] = words.as_slice() else {
        return Err("wants a contender, a record, a file and two times in seconds".into());
    };
    let content = fs::read(file)?;
    let schema = fs::read_to_string(format!("{file}.avsc"))?;
    let datums = datums(&content);
    let mut pass: Box<dyn FnMut() -> Result<usize> + '_> = match (contender.as_str(), record.as_str()) {
        ("arrow-avro", _) => Box::new(by_arrow(&schema, &datums)?),
        ("serde_avro_fast-skip", _) => Box::new(by_serde::<IgnoredAny>(&schema, &datums)?),
        ("serde_avro_fast", "StockQuote-78") => Box::new(by_serde::<records::StockQuote>(&schema, &datums)?),
        ("serde_avro_fast", "User-81") => Box::new(by_serde::<records::User>(&schema, &datums)?),
        ("serde_avro_fast", "Mix-300") => Box::new(by_serde::<records::Mix>(&schema, &datums)?),
        _ => return Err(format!("no {contender} of {record}").into()),
    };
    time(warm_up.parse()?, &mut pass)?;
    println!("{}", time(seconds.parse()?, &mut pass)?);
    Ok(())
}
