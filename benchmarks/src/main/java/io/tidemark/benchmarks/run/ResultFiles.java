package io.tidemark.benchmarks.run;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The files of a run: {@code results.json}, {@code targets.json}, {@code machine.json}, plots. */
final class ResultFiles {
  private static final ObjectMapper JSON =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

  private final Path directory;

  ResultFiles(Path directory) throws IOException {
    this.directory = Files.createDirectories(directory);
  }

  void writeMeasurements(List<Measurement> measurements, List<LookupMeasurement> lookups)
      throws IOException {
    var rows = new ArrayList<Map<String, Object>>();
    for (Measurement each : measurements) {
      Cell cell = each.cell();
      var row = new LinkedHashMap<String, Object>();
      row.put("record", cell.record());
      row.put("work", cell.work().label());
      row.put("contender", cell.contender().label());
      row.put("codec", cell.codec());
      row.put("threads", cell.threads());
      row.put("nsPerRecord", rounded(each.nsPerRecord()));
      row.put("bytesAllocatedPerRecord", rounded(each.bytesAllocatedPerRecord()));
      row.put("bytesPerRecord", rounded(each.bytesPerRecord()));
      row.put("forks", each.forks());
      row.put("lowestNsPerRecord", rounded(each.lowestNsPerRecord()));
      row.put("highestNsPerRecord", rounded(each.highestNsPerRecord()));
      rows.add(row);
    }
    lookups.forEach(each -> rows.add(row(each)));
    write("results.json", rows);
  }

  /** Returns the row of a lookup, in the form of a record's row; it has no codec. */
  private static Map<String, Object> row(LookupMeasurement lookup) {
    var row = new LinkedHashMap<String, Object>();
    row.put("record", lookup.cell().question().label());
    row.put("work", LookupCell.WORK);
    row.put("contender", lookup.cell().contender().label());
    row.put("codec", "null");
    row.put("threads", lookup.cell().question().threads());
    row.put("nsPerRecord", rounded(lookup.nsPerLookup()));
    row.put("bytesAllocatedPerRecord", rounded(lookup.bytesAllocatedPerLookup()));
    row.put("bytesPerRecord", rounded(lookup.bytesPerSchema()));
    lookup.requests().ifPresent(requests -> row.put("requests", rounded(requests)));
    row.put("forks", lookup.forks());
    row.put("lowestNsPerRecord", rounded(lookup.lowestNsPerLookup()));
    row.put("highestNsPerRecord", rounded(lookup.highestNsPerLookup()));
    return row;
  }

  void writeTargets(List<Target> targets) throws IOException {
    var rows = new ArrayList<Map<String, Object>>();
    for (Target target : targets) {
      var row = new LinkedHashMap<String, Object>();
      row.put("claim", target.claim());
      row.put("value", rounded(target.value()));
      row.put("bound", target.bound());
      row.put("unit", target.unit());
      row.put("atLeast", target.atLeast());
      row.put("met", target.met());
      rows.add(row);
    }
    write("targets.json", rows);
  }

  void writeMachine(Map<String, Object> machine) throws IOException {
    write("machine.json", machine);
  }

  void writePlot(String name, String svg) throws IOException {
    Files.writeString(directory.resolve(name + ".svg"), svg);
  }

  private void write(String name, Object value) throws IOException {
    Files.writeString(directory.resolve(name), JSON.writeValueAsString(value) + '\n');
  }

  private static double rounded(double value) {
    return Math.round(value * 100) / 100.0;
  }
}
