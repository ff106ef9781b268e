//! Generates the structs of the reference records, which have hundreds of fields.

use std::{env, fmt::Write, fs, path::Path};

fn record(name: &str, fields: &[(String, &str)]) -> String {
    let mut code = format!("#[derive(serde::Deserialize)]\npub struct {name}<'a> {{\n");
    for (field, kind) in fields {
        let borrow = if kind.contains("str") { "#[serde(borrow)] " } else { "" };
        writeln!(code, "    {borrow}pub {field}: {kind},").unwrap();
    }
    code + "}\n"
}

fn main() {
    let quote = "symbol:t timestamp:l ask:d askSize:i bid:d bidSize:i dayHigh:d dayLow:d lastTradeSize:i \
        lastTradeTime:l open:d previousClose:d price:d priceAvg50:d priceAvg200:d volume:l yearHigh:d yearLow:d";
    let mut quotes: Vec<(String, &str)> = quote
        .split_whitespace()
        .map(|field| {
            let (name, kind) = field.split_once(':').unwrap();
            let kind = match kind {
                "t" => "&'a str",
                "l" => "i64",
                "d" => "f64",
                _ => "i32",
            };
            (name.to_string(), kind)
        })
        .collect();
    quotes.extend((1..=60).map(|i| (format!("f{i}"), "&'a str")));
    let users: Vec<_> = (0..81).map(|i| (format!("value{i}"), "Option<&'a str>")).collect();
    let kinds = ["Option<&'a str>", "Option<f64>", "Option<i64>", "Option<bool>"];
    let mixed: Vec<_> = (0..300).map(|i| (format!("field{i}"), kinds[i % 4])).collect();
    let code = record("StockQuote", &quotes) + &record("User", &users) + &record("Mix", &mixed);
    fs::write(Path::new(&env::var("OUT_DIR").unwrap()).join("records.rs"), code).unwrap();
    println!("cargo:rerun-if-changed=build.rs");
}
