package io.tidemark.cli.audit;

import java.io.PrintWriter;
import java.util.Locale;

/**
 * A progress bar in one line of a terminal; prints nothing without a terminal. Used by one thread.
 */
public final class Progress implements AutoCloseable {
  private static final long EVERY_NANOS = 200_000_000;
  private static final int BAR_CHARS = 30;
  private static final int NAME_MOST_CHARS = 40;

  private final PrintWriter terminal;
  private final boolean shown;
  private long all;
  private long done;
  private long lastNanos;
  private int width;

  /** Creates a bar. {@code shown} is false without a terminal. */
  public Progress(PrintWriter terminal, boolean shown) {
    this.terminal = terminal;
    this.shown = shown;
    this.lastNanos = System.nanoTime();
  }

  void expect(long more) {
    all += more;
  }

  void done(long more, String what) {
    done += more;
    long now = System.nanoTime();
    if (shown && now - lastNanos >= EVERY_NANOS) {
      lastNanos = now;
      show(line(what));
    }
  }

  private String line(String what) {
    long most = Math.max(all, done);
    int filled = most == 0 ? 0 : (int) (BAR_CHARS * done / most);
    String name = what.length() > NAME_MOST_CHARS ? what.substring(0, NAME_MOST_CHARS) : what;
    return String.format(
        Locale.ROOT,
        "[%s%s] %,d of %,d files  %s",
        "=".repeat(filled),
        " ".repeat(BAR_CHARS - filled),
        done,
        most,
        name);
  }

  private void show(String line) {
    terminal.print("\r" + line + " ".repeat(Math.max(0, width - line.length())));
    terminal.flush();
    width = line.length();
  }

  @Override
  public void close() {
    clear();
  }

  public void clear() {
    if (width > 0) {
      terminal.print("\r" + " ".repeat(width) + "\r");
      terminal.flush();
      width = 0;
    }
  }
}
