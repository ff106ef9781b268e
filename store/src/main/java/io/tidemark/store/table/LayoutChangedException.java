package io.tidemark.store.table;

import io.tidemark.store.log.LogRefusedException;

/** The configured layout differs from that of an existing table. A retry does not help. */
public final class LayoutChangedException extends LogRefusedException {
  private static final long serialVersionUID = 1L;

  private final String setting;

  /** {@code setting} is the key of the setting that differs. Example: {@code path.format}. */
  public LayoutChangedException(String setting, String message) {
    super(message);
    this.setting = setting;
  }

  public String setting() {
    return setting;
  }
}
