package io.tidemark.completeness.ledger;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.store.log.CorruptLogException;
import java.util.Set;

/** The text of manifests. {@code docs/PROTOCOL.md}, "The ledger", has an example. */
public final class ManifestFormat {
  /** The name of a manifest's file. Hive ignores it, and schedulers wait for it. */
  public static final String FILE_NAME = "_SUCCESS";

  private static final LedgerJson JSON = LedgerJson.of("the manifest", 1, Set.of());

  private ManifestFormat() {}

  /** Returns a manifest as text, in UTF-8. */
  public static byte[] write(Manifest manifest) {
    ObjectNode node = JSON.toObject(manifest);
    node.putArray("requires");
    return JSON.toBytes(node);
  }

  /**
   * Reads a manifest.
   *
   * @param place the path of the file, for messages
   * @throws CorruptLogException the text is not a manifest, or this version cannot read it
   */
  public static Manifest read(byte[] text, String place) throws CorruptLogException {
    return JSON.read(
        text, place, Set.of(), node -> JSON.mapper().treeToValue(node, Manifest.class));
  }
}
