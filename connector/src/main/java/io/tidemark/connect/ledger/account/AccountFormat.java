package io.tidemark.connect.ledger.account;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.connect.storage.log.CorruptLogException;
import java.util.Map;
import java.util.Set;

/** The text of accounts. {@code docs/PROTOCOL.md}, "The ledger", has an example. */
public final class AccountFormat {
  /** The types of accounted entries, by the value of the field {@code type}. */
  private static final Map<String, Class<?>> TYPES =
      Map.of(
          "claim", AccountedEntry.Claim.class,
          "batch", AccountedEntry.Batch.class,
          "skip", AccountedEntry.Skip.class,
          "checkpoint", AccountedEntry.Checkpoint.class);

  private static final LedgerJson JSON =
      LedgerJson.withTypes("the account", 1, Set.of(), AccountedEntry.class, TYPES);

  private AccountFormat() {}

  /** Returns an account as text, in UTF-8. */
  public static byte[] write(Account account) {
    ObjectNode node = JSON.toObject(account);
    node.putArray("requires");
    return JSON.toBytes(node);
  }

  /**
   * Reads an account.
   *
   * @param place the path of the file, for messages
   * @throws CorruptLogException the text is not an account, or this version cannot read it
   */
  public static Account read(byte[] text, String place) throws CorruptLogException {
    return JSON.read(text, place, Set.of(), node -> JSON.mapper().treeToValue(node, Account.class));
  }
}
