package io.tidemark.benchmarks.run;

import static io.tidemark.benchmarks.contenders.Contender.FAST_READER;
import static io.tidemark.benchmarks.contenders.Contender.FAST_SERDE;
import static io.tidemark.benchmarks.contenders.Contender.MEMCPY;
import static io.tidemark.benchmarks.contenders.Contender.OURS;
import static io.tidemark.benchmarks.contenders.Contender.OURS_INTERPRETER;
import static io.tidemark.benchmarks.contenders.Contender.STOCK;

import io.tidemark.benchmarks.contenders.Contender;
import io.tidemark.benchmarks.contenders.Work;
import io.tidemark.benchmarks.records.ReferenceRecord;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;

/** The cells of a run, in the order in which each round measures them. */
final class CellList {
  private static final List<String> MAIN = List.of("StockQuote-78", "User-81", "Mix-300");
  private static final List<String> EVOLVED =
      List.of(
          "StockQuote-v1-v2", "StockQuote-v1-v2-fields", "StockQuote-v1-v2-types", "Parcel-v1-v2");

  /** The records that are converted begin so. */
  static final String MAPPED = "Map-";

  private static final List<String> CODECS = List.of("null", "snappy", "zstandard", "deflate");

  private final LinkedHashSet<Cell> cells = new LinkedHashSet<>();

  private CellList() {}

  /** Returns the cells that the targets need. */
  static List<Cell> quick() {
    var list = new CellList();
    for (String record : MAIN) {
      list.add(record, Work.CHECK_COPY, "null", 1, List.of(OURS, STOCK, MEMCPY));
      list.add(record, Work.FILE, "snappy", 1, List.of(OURS, MEMCPY, STOCK));
    }
    list.add("StockQuote-78", Work.FILE, "snappy", 2, List.of(OURS));
    list.add("StockQuote-78", Work.CHECK_COPY, "null", 2, List.of(OURS));
    list.add(
        "StockQuote-v1-v2",
        Work.REWRITE,
        "null",
        1,
        List.of(OURS, OURS_INTERPRETER, STOCK, FAST_READER));
    list.add("StockQuote-v1-v2-fields", Work.REWRITE, "null", 1, List.of(OURS, STOCK, FAST_SERDE));
    list.add("Parcel-v1-v2", Work.REWRITE, "null", 1, List.of(OURS, OURS_INTERPRETER));
    list.add("Parcel-650", Work.FILE, "snappy", 1, List.of(OURS, MEMCPY));
    list.add("Parcel-650", Work.FILE, "snappy", 2, List.of(OURS));
    list.add("Parcel-650", Work.ONE_FILE, "snappy", 1, List.of(OURS));
    list.add("Parcel-650", Work.ONE_FILE, "snappy", 2, List.of(OURS));
    return List.copyOf(list.cells);
  }

  /** Returns the quick cells and all other useful combinations. */
  static List<Cell> full() {
    var list = new CellList();
    list.cells.addAll(quick());
    List<String> copied =
        ReferenceRecord.all().stream()
            .map(ReferenceRecord::name)
            .filter(name -> !EVOLVED.contains(name) && !name.startsWith(MAPPED))
            .toList();
    for (String record : copied) {
      list.add(
          record,
          Work.CHECK_COPY,
          "null",
          1,
          List.of(OURS, OURS_INTERPRETER, STOCK, FAST_READER, FAST_SERDE, MEMCPY));
      list.add(record, Work.DECODE, "null", 1, List.of(Contender.values()));
      list.add(record, Work.ENCODE, "null", 1, List.of(Contender.values()));
    }
    for (String record : List.of("StockQuote-78", "User-81", "Mix-300", "Airline-31")) {
      for (String codec : CODECS) {
        list.add(record, Work.FILE, codec, 1, List.of(Contender.values()));
        list.add(record, Work.FILE, codec, 2, List.of(OURS, STOCK));
      }
    }
    for (String record : EVOLVED) {
      for (String codec : List.of("null", "snappy")) {
        list.add(record, Work.REWRITE, codec, 1, List.of(Contender.values()));
      }
    }
    for (ReferenceRecord record : ReferenceRecord.all()) {
      if (record.name().startsWith(MAPPED)) {
        list.add(
            record.name(),
            Work.REWRITE,
            "null",
            1,
            List.of(OURS, OURS_INTERPRETER, STOCK, FAST_READER));
      }
    }
    return List.copyOf(list.cells);
  }

  private void add(
      String record, Work work, String codec, int threads, List<Contender> contenders) {
    var added = new ArrayList<Cell>();
    for (Contender contender : contenders) {
      if (contender.does(work, record, codec)) {
        added.add(new Cell(record, work, contender, codec, threads));
      }
    }
    cells.addAll(added);
  }
}
