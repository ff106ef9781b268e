package io.tidemark.connect.ledger;

import io.tidemark.connect.ledger.account.AccountedEntry;
import io.tidemark.connect.ledger.state.Hold;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What the reckoner has found since the ledger's last entry.
 *
 * @param accounts entries of accounts, in any order; those that were taken before are dropped
 * @param read what was read from logs, for {@link Decision#gaps}
 * @param topics what Kafka answered of topics
 * @param foreign how far tables of other logs are complete, by the member's name; one that is
 *     missing holds
 * @param announced what was read of the announcements' topic; empty where nothing new was
 * @param accepting tables that take the manifests which the store has refused before
 * @param look what the catalog shows of {@link Decision#toLook}
 * @param storeTime what the store's clock said when the ledger's last entry was put. Nothing is
 *     forgotten because of its age by the reckoner's clock alone, and nothing at all where this is
 *     empty
 */
public record Findings(
    List<Arrival> accounts,
    Read read,
    Topics topics,
    Map<String, Instant> foreign,
    Optional<Announced> announced,
    Set<String> accepting,
    Look look,
    Optional<Instant> storeTime) {

  /**
   * What logs have.
   *
   * @param entries those of gaps, in any order
   * @param unreadable the gaps of logs that cannot be read
   */
  public record Read(List<AccountedEntry> entries, Set<Gap> unreadable) {
    /** No log was read. */
    public static final Read NOTHING = new Read(List.of(), Set.of());

    public Read {
      entries = List.copyOf(entries);
      unreadable = Set.copyOf(unreadable);
    }
  }

  /**
   * Topics that are not as they should be.
   *
   * @param gone Kafka has not known them for so long that they are deleted
   * @param unreadable the user of the connector's own client may not READ them
   * @param nameless their tables would have the names of other topics': why, and the cure
   */
  public record Topics(Set<String> gone, Set<String> unreadable, Map<String, String> nameless) {
    public Topics {
      gone = Set.copyOf(gone);
      unreadable = Set.copyOf(unreadable);
      nameless = Map.copyOf(nameless);
    }

    /** All can be read. */
    public static Topics gone(Set<String> topics) {
      return new Topics(topics, Set.of(), Map.of());
    }

    /** Why a topic has no table of its own. */
    Optional<Hold> taken(String topic) {
      return Optional.ofNullable(nameless.get(topic)).map(why -> new Hold("NAME_TAKEN", why));
    }
  }

  public Findings {
    accepting = Set.copyOf(accepting);
    accounts = List.copyOf(accounts);
    foreign = Map.copyOf(foreign);
  }

  /** Without announcements. */
  public Findings(
      List<Arrival> accounts,
      List<AccountedEntry> read,
      Set<String> gone,
      Map<String, Instant> foreign,
      Look look) {
    this(
        accounts,
        new Read(read, Set.of()),
        Topics.gone(gone),
        foreign,
        Optional.empty(),
        Set.of(),
        look,
        Optional.empty());
  }

  /** Accounts alone. */
  public static Findings of(List<Arrival> accounts) {
    return of(accounts, Topics.gone(Set.of()), Optional.empty());
  }

  /** What was found before commit logs, other ledgers and the catalog are asked. */
  public static Findings of(List<Arrival> accounts, Topics topics, Optional<Announced> announced) {
    return new Findings(
        accounts, Read.NOTHING, topics, Map.of(), announced, Set.of(), Look.NONE, Optional.empty());
  }

  /**
   * A time that has passed by the reckoner's clock and by the store's; empty where the store's is
   * not known.
   */
  Optional<Instant> passed(Instant now) {
    return storeTime.map(stored -> stored.isBefore(now) ? stored : now);
  }

  /** The topics that are deleted. */
  public Set<String> gone() {
    return topics.gone();
  }

  public Findings withForeign(Map<String, Instant> others) {
    return new Findings(accounts, read, topics, others, announced, accepting, look, storeTime);
  }

  public Findings with(Look other) {
    return new Findings(accounts, read, topics, foreign, announced, accepting, other, storeTime);
  }

  public Findings withRead(Read others) {
    return new Findings(accounts, others, topics, foreign, announced, accepting, look, storeTime);
  }

  /** These findings at a time of the store. */
  public Findings at(Optional<Instant> time) {
    return new Findings(accounts, read, topics, foreign, announced, accepting, look, time);
  }

  /** These findings, with the tables that take manifests again. */
  public Findings withAccepting(Set<String> tables) {
    return new Findings(accounts, read, topics, foreign, announced, tables, look, storeTime);
  }
}
