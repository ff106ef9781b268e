package io.tidemark.connect.ledger.entry;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.connect.ledger.account.LedgerJson;
import io.tidemark.connect.storage.log.CorruptLogException;
import java.util.Set;

/** Manifests as text; {@code docs/PROTOCOL.md}, "The ledger", has an example. */
public final class ManifestFormat {
  /** The name of a manifest's file, which Hive does not see, and which schedulers wait for. */
  public static final String FILE_NAME = "_SUCCESS";

  private static final LedgerJson JSON = LedgerJson.of("the manifest", 1, Set.of());

  private ManifestFormat() {}

  /** A manifest as text, in UTF-8. */
  public static byte[] write(Manifest manifest) {
    ObjectNode node = JSON.toObject(manifest);
    node.putArray("requires");
    return JSON.toBytes(node);
  }

  /**
   * Reads a manifest.
   *
   * @param place where the text stands, for messages
   * @throws CorruptLogException it is no manifest, or one that this version cannot read
   */
  public static Manifest read(byte[] text, String place) throws CorruptLogException {
    return JSON.read(
        text, place, Set.of(), node -> JSON.mapper().treeToValue(node, Manifest.class));
  }
}
