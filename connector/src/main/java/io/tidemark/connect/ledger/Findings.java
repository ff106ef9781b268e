package io.tidemark.connect.ledger;

import io.tidemark.connect.ledger.account.AccountedEntry;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What the reckoner has found since the ledger's last entry.
 *
 * @param accounts entries of accounts, in any order; those that were taken before are dropped
 * @param read entries that were read from logs, for {@link Decision#gaps}
 * @param gone topics that Kafka has not known for so long that they are deleted
 * @param foreign how far tables of other logs are complete, by the member's name; one that is
 *     missing holds
 * @param announced what was read of the announcements' topic; empty where nothing new was
 * @param look what the catalog shows of {@link Decision#toLook}
 * @param storeTime what the store's clock said when the ledger's last entry was put. Nothing is
 *     forgotten because of its age by the reckoner's clock alone, and nothing at all where this is
 *     empty
 */
public record Findings(
    List<Arrival> accounts,
    List<AccountedEntry> read,
    Set<String> gone,
    Map<String, Instant> foreign,
    Optional<Announced> announced,
    Look look,
    Optional<Instant> storeTime) {

  public Findings {
    accounts = List.copyOf(accounts);
    read = List.copyOf(read);
    gone = Set.copyOf(gone);
    foreign = Map.copyOf(foreign);
  }

  /** Without announcements. */
  public Findings(
      List<Arrival> accounts,
      List<AccountedEntry> read,
      Set<String> gone,
      Map<String, Instant> foreign,
      Look look) {
    this(accounts, read, gone, foreign, Optional.empty(), look, Optional.empty());
  }

  /** Accounts alone. */
  public static Findings of(List<Arrival> accounts) {
    return new Findings(accounts, List.of(), Set.of(), Map.of(), Look.NONE);
  }

  /** What was found before commit logs, other ledgers and the catalog are asked. */
  public static Findings of(
      List<Arrival> accounts, Set<String> gone, Optional<Announced> announced) {
    return new Findings(
        accounts, List.of(), gone, Map.of(), announced, Look.NONE, Optional.empty());
  }

  public Findings withForeign(Map<String, Instant> others) {
    return new Findings(accounts, read, gone, others, announced, look, storeTime);
  }

  public Findings with(Look other) {
    return new Findings(accounts, read, gone, foreign, announced, other, storeTime);
  }

  public Findings withRead(List<AccountedEntry> others) {
    return new Findings(accounts, others, gone, foreign, announced, look, storeTime);
  }

  /** These findings at a time of the store. */
  public Findings at(Optional<Instant> time) {
    return new Findings(accounts, read, gone, foreign, announced, look, time);
  }
}
