package io.tidemark.connect.table;

import io.tidemark.connect.storage.log.LogRefusedException;

/**
 * The configuration asks for another layout than the one that a table has. Trying again does not
 * help.
 */
public final class LayoutChangedException extends LogRefusedException {
  private static final long serialVersionUID = 1L;

  private final String setting;

  /** {@code setting} is the key of the setting that differs. Example: {@code path.format} */
  public LayoutChangedException(String setting, String message) {
    super(message);
    this.setting = setting;
  }

  /** The key of the setting that differs. */
  public String setting() {
    return setting;
  }
}
