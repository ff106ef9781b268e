package io.tidemark.store.table;

import io.tidemark.store.log.LogRefusedException;

/**
 * Reports that the configured layout differs from the layout of an existing table. A retry does not
 * help.
 */
public final class LayoutChangedException extends LogRefusedException {
  private static final long serialVersionUID = 1L;

  private final String setting;

  /**
   * Creates the exception; {@code setting} is the key of the setting that differs. Example: {@code
   * path.format}
   */
  public LayoutChangedException(String setting, String message) {
    super(message);
    this.setting = setting;
  }

  /** Returns the key of the setting that differs. */
  public String setting() {
    return setting;
  }
}
