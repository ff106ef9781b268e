package io.tidemark.cli.status;

import io.tidemark.completeness.decide.Ledger;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;

/**
 * A status as one self-contained page of HTML: without scripts, fonts and requests. Hours are cells
 * with a class and a {@code data-hour}, so that tests can find them.
 */
public final class StatusPage {
  private static final String HEAD =
      """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      <title>%s: completeness</title>
      <style>
      :root{--bg:#fff;--fg:#1a1f24;--dim:#59636e;--line:#d5dae0;--complete:#2f855a;--late:#7a4fbf;--empty:#a9d5bd;--waiting:#c2410c;--open:#eef1f4;--unseen:transparent}
      @media (prefers-color-scheme:dark){:root{--bg:#14181d;--fg:#e6e9ed;--dim:#9aa5b1;--line:#37404a;--complete:#3fa772;--late:#a988e6;--empty:#24503b;--waiting:#f08a4b;--open:#242b33}}
      *{box-sizing:border-box}
      body{margin:0 auto;padding:1rem;max-width:60rem;background:var(--bg);color:var(--fg);font:16px/1.45 system-ui,sans-serif;overflow-wrap:anywhere}
      h1{font-size:1.3rem;margin:0 0 .2rem}h2{font-size:1.05rem;margin:0}
      p{margin:.25rem 0}.dim{color:var(--dim);font-size:.875rem}
      section{border-top:1px solid var(--line);padding:.9rem 0}
      .problem{border-left:4px solid var(--waiting);padding-left:.6rem}
      .day{display:grid;grid-template-columns:3.2rem repeat(24,minmax(0,1fr));gap:2px;align-items:center;margin:3px 0}
      .day span{font-size:.75rem;color:var(--dim)}
      .hour{height:1.4rem;border-radius:2px;border:1px solid var(--line)}
      .complete{background:var(--complete)}.late{background:var(--late)}.empty{background:var(--empty)}.waiting{background:var(--waiting)}.open{background:var(--open)}.unseen{background:var(--unseen);border-style:dotted}
      .key{display:flex;flex-wrap:wrap;gap:.3rem 1rem;font-size:.875rem}.key i{display:inline-block;width:1rem;height:1rem;vertical-align:-.15rem;margin-right:.3rem}
      code{font-size:.85rem}
      </style>
      </head>
      <body>
      """;

  private StatusPage() {}

  public static String html(Status status, Ledger ledger) {
    StringBuilder page = new StringBuilder();
    page.append(HEAD.replace("%s", escaped(status.connector())));
    page.append(
        "<h1>%s</h1>\n<p class=\"dim\">%s · ledger entry %d · read at <time>%s</time> · hours are UTC</p>\n"
            .formatted(
                escaped(status.connector()),
                escaped(status.state().connector()),
                status.ledgerEntry(),
                status.at()));
    status.away().ifPresent(away -> held(page, away));
    page.append("<p class=\"key\">");
    for (Calendar.Cell cell : Calendar.Cell.values()) {
      page.append(
          "<span><i class=\"hour %s\"></i>%s</span>"
              .formatted(name(cell), name(cell).replace("unseen", "before the ledger")));
    }
    page.append("</p>\n");
    for (Subject subject : status.subjects()) {
      subject(page, status, ledger, subject);
    }
    batches(page, status);
    waits(page, status);
    holds(page, status);
    return page.append("</body>\n</html>\n").toString();
  }

  private static void subject(StringBuilder page, Status status, Ledger ledger, Subject subject) {
    page.append(
        "<section data-kind=\"%s\" data-name=\"%s\">\n<h2>%s %s</h2>\n"
            .formatted(
                subject.kind(), escaped(subject.name()), subject.kind(), escaped(subject.name())));
    page.append(
        "<p>complete through <b>%s</b>%s</p>\n"
            .formatted(
                subject.through().map(Instant::toString).orElse("never"),
                subject.lag().map(lag -> ", lag " + StatusText.lag(lag)).orElse("")));
    subject
        .askedAt()
        .ifPresent(asked -> page.append("<p class=\"dim\">asked at " + asked + "</p>\n"));
    if (status.away().isEmpty()) {
      subject.held().ifPresent(held -> held(page, held));
    }
    if (subject.kind().equals("table")) {
      calendar(page, status.at(), Calendar.of(ledger, subject), subject);
    }
    page.append("</section>\n");
  }

  private static void calendar(
      StringBuilder page, Instant now, Calendar calendar, Subject subject) {
    Instant start = Calendar.start(now);
    for (int day = 0; day < Calendar.DAYS; day++) {
      Instant first = start.plus(Duration.ofDays(day));
      page.append("<div class=\"day\"><span>" + first.toString().substring(5, 10) + "</span>");
      for (int each = 0; each < 24; each++) {
        Instant hour = first.plus(Duration.ofHours(each));
        Calendar.Cell cell = calendar.cell(hour, now);
        String title = hour.toString().substring(0, 16) + "Z " + name(cell);
        if (cell == Calendar.Cell.WAITING) {
          title +=
              subject.held().map(held -> ": " + held.reason() + " " + held.detail()).orElse("");
        } else if (cell == Calendar.Cell.LATE) {
          title += ": " + calendar.late(hour) + " records";
        }
        page.append(
            "<div class=\"hour %s\" data-hour=\"%s\" title=\"%s\" role=\"img\" aria-label=\"%s\"></div>"
                .formatted(name(cell), hour, escaped(title), escaped(title)));
      }
      page.append("</div>\n");
    }
  }

  private static void batches(StringBuilder page, Status status) {
    if (status.batches().isEmpty()) {
      return;
    }
    page.append("<section id=\"batches\">\n<h2>Announced batches</h2>\n");
    for (BatchStatus batch : status.batches()) {
      page.append(
          "<p data-batch=\"%s\">%s: %s, %s</p>\n"
              .formatted(
                  escaped(batch.id()),
                  escaped(batch.id()),
                  batch.held().isEmpty() ? "complete" : "not complete",
                  batch.figures()));
      batch.held().ifPresent(held -> held(page, held));
    }
    page.append("</section>\n");
  }

  private static void waits(StringBuilder page, Status status) {
    if (status.waits().isEmpty()) {
      return;
    }
    page.append("<section id=\"waits\">\n<h2>Waits of tasks that may need an operator</h2>\n");
    for (String wait : status.waits()) {
      page.append("<p class=\"problem\">%s</p>\n".formatted(escaped(wait)));
    }
    page.append("</section>\n");
  }

  private static void holds(StringBuilder page, Status status) {
    if (status.holds().isEmpty()) {
      return;
    }
    page.append("<section id=\"holds\">\n<h2>Holds that an operator must acknowledge</h2>\n");
    for (OpenHold open : status.holds()) {
      page.append(
          "<p class=\"problem\">%s: %s<br><code>--acknowledge '%s'</code></p>\n"
              .formatted(open.hold().kind(), escaped(open.problem()), escaped(open.argument())));
    }
    page.append("</section>\n");
  }

  private static void held(StringBuilder page, Held held) {
    page.append(
        "<p class=\"problem\">%s %s.<br><span class=\"dim\">%s.</span></p>\n"
            .formatted(escaped(held.reason()), escaped(held.detail()), escaped(held.cure())));
  }

  private static String name(Calendar.Cell cell) {
    return cell.name().toLowerCase(Locale.ROOT);
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;")
        .replace("'", "&#39;");
  }
}
