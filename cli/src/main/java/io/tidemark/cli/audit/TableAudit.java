package io.tidemark.cli.audit;

import io.tidemark.cli.audit.Finding.Kind;
import io.tidemark.cli.deployment.Deployment;
import io.tidemark.completeness.ledger.Manifest;
import io.tidemark.store.PrintableText;
import io.tidemark.store.StoragePath;
import io.tidemark.store.StoredFile;
import io.tidemark.store.log.CorruptLogException;
import io.tidemark.store.partition.HivePartition;
import io.tidemark.store.partition.PartitionSpec;
import io.tidemark.store.table.Table;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Audits one table, a Hive partition at a time. The connector may run meanwhile: on a difference,
 * ledger, logs and directory are read again, and only the last difference is reported. Used by one
 * thread.
 */
final class TableAudit {
  /** The most checks of a Hive partition that differs. */
  private static final int LOOKS = 3;

  /** The most files that are read together. */
  private static final int FILES_A_CALL = 128;

  private final AuditContext context;
  private final Deployment deployment;
  private final Table table;
  private final List<String> topics;
  private final List<String> unchecked = new ArrayList<>();
  private final SortedMap<String, HivePartitionLook.Result> differing = new TreeMap<>();
  private final Set<String> walked = new LinkedHashSet<>();
  private final ManifestLook manifests;
  private final CatalogAudit catalog;
  private long hivePartitions;
  private long files;
  private long records;
  private long bytes;
  private long waiting;

  TableAudit(AuditContext context, Table table, List<String> topics) {
    this.context = context;
    this.deployment = context.deployment();
    this.table = table;
    this.topics = topics;
    this.manifests =
        new ManifestLook(
            deployment.storage(), deployment.logId(), table.name(), table.options().successFiles());
    this.catalog = new CatalogAudit(context, table, unchecked);
  }

  TableReport run() throws IOException, CorruptLogException, InterruptedException {
    Predicate<String> wanted = path -> context.hivePartition().map(path::equals).orElse(true);
    Evidence evidence = read(wanted);
    context.progress().expect(evidence.fileCount());
    if (context.hivePartition().isPresent()) {
      look(HivePartition.parse(context.hivePartition().get()), evidence);
    } else {
      walk(table.layout().root(), 0, "", evidence);
      lookForTheRest(evidence);
    }
    for (int looks = 1; looks < LOOKS && !differing.isEmpty(); looks++) {
      Thread.sleep(context.pause().toMillis());
      again();
    }
    compareEquated();
    List<Finding> findings = new ArrayList<>(catalog.end());
    for (HivePartitionLook.Result each : differing.values()) {
      count(each);
      findings.addAll(each.findings());
    }
    return new TableReport(
        table.name().toString(),
        hivePartitions,
        files,
        records,
        bytes,
        waiting,
        findings,
        unchecked);
  }

  /** Checks Hive partitions of the ledger and the logs whose directories were not found. */
  private void lookForTheRest(Evidence evidence)
      throws IOException, CorruptLogException, InterruptedException {
    for (String path : evidence.landed()) {
      if (!walked.contains(path) && isHivePartition(path)) {
        look(HivePartition.parse(path), evidence);
      }
    }
    StoragePath root = table.layout().root();
    for (StoragePath directory : evidence.directories()) {
      if (!directory.equals(root) && !directory.isBelow(root)) {
        unchecked.add(
            "%s: entries name files in %s, which is not in the table's root %s"
                .formatted(table.name(), directory, root));
        continue;
      }
      String path =
          directory.equals(root) ? "" : directory.value().substring(root.value().length() + 1);
      if (!walked.contains(path) && isHivePartition(path)) {
        look(HivePartition.parse(path), evidence);
      }
    }
  }

  private Evidence read(Predicate<String> wanted) throws IOException, CorruptLogException {
    return Evidence.read(deployment, table.name(), topics, context.clock(), wanted);
  }

  /** Checks differing Hive partitions again, with the current ledger and logs. */
  private void again() throws IOException, CorruptLogException, InterruptedException {
    Set<String> suspects = Set.copyOf(differing.keySet());
    Evidence evidence = read(suspects::contains);
    for (String path : suspects) {
      if (isHivePartition(path)) {
        HivePartitionLook.Result result = lookAt(List.of(HivePartition.parse(path)), evidence);
        if (result.findings().isEmpty()) {
          differing.remove(path);
          count(result);
        } else {
          differing.put(path, result);
        }
      }
    }
  }

  /**
   * Compares Hive partitions together that the Metastore's database equates, if they differ. It has
   * one of them. The files of the others are to be moved to the directory of that one, while ledger
   * and logs continue to name their former directories.
   */
  private void compareEquated() throws IOException, CorruptLogException, InterruptedException {
    Map<HivePartition, List<HivePartition>> groups = new LinkedHashMap<>();
    List<HivePartition> suspects =
        differing.keySet().stream()
            .filter(this::isHivePartition)
            .map(HivePartition::parse)
            .toList();
    catalog
        .equated(suspects)
        .forEach(
            (each, inHive) ->
                groups.computeIfAbsent(inHive, one -> new ArrayList<>(List.of(one))).add(each));
    groups.keySet().removeIf(inHive -> !differing.containsKey(inHive.path()));
    if (groups.isEmpty()) {
      return;
    }
    Set<String> paths =
        groups.values().stream()
            .flatMap(List::stream)
            .map(HivePartition::path)
            .collect(Collectors.toSet());
    Evidence evidence = read(paths::contains);
    for (List<HivePartition> group : groups.values()) {
      HivePartitionLook.Result result = lookAt(group, evidence);
      if (result.findings().isEmpty()) {
        group.forEach(each -> differing.remove(each.path()));
        count(result);
        for (HivePartition each : group) {
          if (data(each).isEmpty()) {
            catalog.forget(each);
          }
        }
      }
    }
  }

  private List<StoredFile> data(HivePartition hivePartition) throws IOException {
    return deployment.storage().list(table.layout().partitionDirectory(hivePartition)).stream()
        .filter(each -> !each.directory() && !isHidden(each.path()))
        .toList();
  }

  /** Returns whether a path is a Hive partition's, not only the place of a stranger. */
  private boolean isHivePartition(String path) {
    try {
      HivePartition parsed = HivePartition.parse(path);
      return parsed.columns().equals(table.partitioning().columns()) && parsed.path().equals(path);
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  private void count(HivePartitionLook.Result result) {
    hivePartitions++;
    files += result.files();
    records += result.records();
    bytes += result.bytes();
    waiting += result.waiting();
  }

  private static boolean isHidden(StoragePath path) {
    return path.name().startsWith(".") || path.name().startsWith("_");
  }

  private void walk(StoragePath directory, int depth, String path, Evidence evidence)
      throws IOException, CorruptLogException, InterruptedException {
    if (depth == table.partitioning().columns().size()) {
      if (isHivePartition(path)) {
        look(HivePartition.parse(path), evidence);
      } else {
        stranger(path);
      }
      return;
    }
    for (StoredFile each : deployment.storage().list(directory)) {
      if (isHidden(each.path())) {
        continue;
      }
      String below = path.isEmpty() ? each.path().name() : path + "/" + each.path().name();
      if (each.directory()
          && each.path().name().startsWith(table.partitioning().columns().get(depth) + "=")) {
        walk(each.path(), depth + 1, below, evidence);
      } else {
        stranger(below);
      }
    }
  }

  private void stranger(String path) {
    Finding finding =
        new Finding(
            Kind.STRANGER,
            table.name() + " " + PrintableText.line(path),
            "it is not a Hive partition of this table");
    differing.put(path, new HivePartitionLook.Result(0, 0, 0, 0, List.of(finding)));
  }

  private void look(HivePartition hivePartition, Evidence evidence)
      throws IOException, CorruptLogException, InterruptedException {
    HivePartitionLook.Result result = lookAt(List.of(hivePartition), evidence);
    walked.add(hivePartition.path());
    // A table without Hive partitions and files was never registered: nothing has landed.
    boolean registered =
        !hivePartition.columns().isEmpty() || result.files() > 0 || result.waiting() > 0;
    if (registered && result.findings().stream().noneMatch(each -> each.kind() == Kind.GONE)) {
      catalog.see(hivePartition);
    }
    if (result.findings().isEmpty()) {
      count(result);
    } else {
      differing.put(hivePartition.path(), result);
    }
  }

  private HivePartitionLook.Result lookAt(List<HivePartition> together, Evidence evidence)
      throws IOException, CorruptLogException, InterruptedException {
    HivePartitionLook look =
        new HivePartitionLook(table.name().toString(), together, table.layout(), evidence);
    for (HivePartition each : together) {
      StoragePath directory = table.layout().partitionDirectory(each);
      List<StoredFile> listed = deployment.storage().list(directory);
      Optional<Evidence.Total> total = evidence.total(each);
      if (together.size() == 1
          && listed.isEmpty()
          && total.isPresent()
          && total.get().files() > 0) {
        look.add(
            Kind.GONE,
            "its directory has no file, and the ledger has %d records in %d files"
                .formatted(total.get().records(), total.get().files()));
        return look.ofNothing();
      }
      look(each, directory, listed, look, together, evidence);
    }
    return look.end(deployment.storage());
  }

  private void look(
      HivePartition hivePartition,
      StoragePath directory,
      List<StoredFile> listed,
      HivePartitionLook look,
      List<HivePartition> together,
      Evidence evidence)
      throws IOException, InterruptedException {
    boolean manifest = false;
    List<StoredFile> data = new ArrayList<>();
    for (StoredFile each : listed) {
      manifest |= each.path().name().equals(Manifest.FILE_NAME);
      if (isHidden(each.path())) {
        continue;
      }
      if (each.directory()) {
        look.add(
            Kind.STRANGER,
            PrintableText.line(each.path().name()) + ": a directory in a Hive partition");
      } else if (!evidence.isAdopted(each.path())) {
        data.add(each);
      }
    }
    for (int from = 0; from < data.size(); from += FILES_A_CALL) {
      List<StoredFile> some = data.subList(from, Math.min(data.size(), from + FILES_A_CALL));
      readFiles(some, together).forEach(look::add);
      context.progress().done(some.size(), table.name() + " " + hivePartition);
    }
    // A directory from which all files were moved needs no manifest.
    if (together.size() == 1 || !data.isEmpty()) {
      manifests
          .problem(directory, hivePartition, evidence, manifest)
          .ifPresent(problem -> look.add(Kind.MANIFEST, problem));
    }
  }

  /**
   * Reads files, several in parallel. A file that was removed meanwhile is skipped. The records of
   * a file must belong to one of the Hive partitions.
   */
  private List<FileLook> readFiles(List<StoredFile> some, List<HivePartition> together)
      throws IOException, InterruptedException {
    Optional<PartitionSpec> deep =
        context.deep() ? Optional.of(table.partitioning()) : Optional.empty();
    List<Callable<Optional<FileLook>>> calls = new ArrayList<>();
    for (StoredFile file : some) {
      calls.add(
          () -> {
            try {
              FileLook look = FileLook.at(deployment.storage(), file, together.get(0), deep);
              for (int other = 1;
                  other < together.size() && look.misplaced().isPresent();
                  other++) {
                look = FileLook.at(deployment.storage(), file, together.get(other), deep);
              }
              return Optional.of(look);
            } catch (NoSuchFileException | FileNotFoundException e) {
              return Optional.empty();
            }
          });
    }
    List<FileLook> looks = new ArrayList<>();
    for (Future<Optional<FileLook>> each : context.threads().invokeAll(calls)) {
      try {
        each.get().ifPresent(looks::add);
      } catch (ExecutionException e) {
        if (e.getCause() instanceof IOException failure) {
          throw failure;
        }
        throw new IllegalStateException(e.getCause());
      }
    }
    return looks;
  }
}
