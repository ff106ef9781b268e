package io.tidemark.benchmarks.run;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/**
 * Horizontal bars in groups, as SVG. Each bar is labelled with its value, and may have a note
 * behind it. Used by one thread.
 */
public final class BarChart {
  private static final int WIDTH = 860;
  private static final int LEAST_LEFT = 150;
  private static final double LETTER = 6.5;
  private static final int LEAST_RIGHT = 90;
  private static final int TOP = 58;
  private static final int BAR = 17;
  private static final int GAP = 26;
  private static final String OURS = "#1b6ca8";
  private static final String OTHERS = "#a9b4bd";
  private static final String LIMIT = "#d8b365";
  private static final String ARTICLE = "#d9c3d4";

  private final String title;
  private final String unit;
  private final Axis axis;
  private final List<Group> groups = new ArrayList<>();

  /** Bars under a heading. */
  private record Group(String heading, List<Bar> bars) {}

  private record Bar(String label, double value, String note) {}

  /** Returns the left end of the bars, right of the longest label. */
  private double left() {
    return Math.max(LEAST_LEFT, Math.ceil(12 + longest(Bar::label)));
  }

  /** Returns the space right of the longest possible bar, for its value and its note. */
  private double right() {
    return LEAST_RIGHT + longest(Bar::note);
  }

  /** Returns the width of the longest text. */
  private double longest(Function<Bar, String> text) {
    return LETTER
        * groups.stream()
            .flatMap(group -> group.bars.stream())
            .mapToInt(bar -> text.apply(bar).length())
            .max()
            .orElse(0);
  }

  /**
   * Creates an empty chart.
   *
   * @param unit the unit of the axis. Example: {@code ns a record, less is better}
   */
  public BarChart(String title, String unit, Axis axis) {
    this.title = title;
    this.unit = unit;
    this.axis = axis;
  }

  /** Begins a group of bars. */
  public void group(String heading) {
    groups.add(new Group(heading, new ArrayList<>()));
  }

  /** Adds a bar of a value above 0 to the last group. */
  public void bar(String label, double value) {
    bar(label, value, "");
  }

  /**
   * Adds a bar of a value above 0 to the last group.
   *
   * @param note a text behind the value. Example: {@code 278 MiB per CPU second}
   */
  public void bar(String label, double value, String note) {
    if (value <= 0) {
      throw new IllegalArgumentException(label + " is " + value + ", and not above 0");
    }
    groups.get(groups.size() - 1).bars.add(new Bar(label, value, note));
  }

  /** Returns the charts as one SVG document, one below the other. */
  public static String svg(List<BarChart> charts) {
    var stacked = new StringBuilder();
    int top = 0;
    for (BarChart chart : charts) {
      stacked.append(chart.svg(top));
      top += chart.height();
    }
    return """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %1$d %2$d" width="%1$d" height="%2$d">
        %3$s</svg>
        """
        .formatted(WIDTH, top, stacked);
  }

  /** Returns the chart as an SVG document. */
  public String svg() {
    return svg(0);
  }

  private int height() {
    return TOP + groups.stream().mapToInt(group -> GAP + group.bars.size() * BAR).sum() + 40;
  }

  private String svg(int top) {
    double least = Double.MAX_VALUE;
    double most = 1;
    for (Group group : groups) {
      for (Bar bar : group.bars) {
        least = Math.min(least, bar.value);
        most = Math.max(most, bar.value);
      }
    }
    List<Double> ticks = axis.ticks(least, most);
    int height = height();
    var svg = new StringBuilder();
    svg.append(
        """
        <svg xmlns="http://www.w3.org/2000/svg" y="%3$d" viewBox="0 0 %1$d %2$d" width="%1$d" height="%2$d" \
        font-family="sans-serif" font-size="12" fill="#222">
        <rect width="100%%" height="100%%" fill="#fff"/>
        """
            .formatted(WIDTH, height, top));
    text(svg, 12, 22, "start", "font-size=\"15\" font-weight=\"bold\"", title);
    text(
        svg,
        12,
        40,
        "start",
        "fill=\"#555\"",
        axis == Axis.LINEAR ? unit : unit + ", logarithmic axis");
    grid(svg, ticks, height - 34);
    int y = TOP;
    for (Group group : groups) {
      text(svg, 12, y + 16, "start", "font-weight=\"bold\"", group.heading);
      y += GAP;
      for (Bar bar : group.bars) {
        draw(svg, bar, y, ticks);
        y += BAR;
      }
    }
    return svg.append("</svg>\n").toString();
  }

  private void grid(StringBuilder svg, List<Double> ticks, int bottom) {
    int labelled = ticksOfALabel(ticks);
    for (int i = 0; i < ticks.size(); i++) {
      double x = x(ticks.get(i), ticks);
      svg.append(
          String.format(
              Locale.ROOT,
              "<line x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\" stroke=\"#ddd\"/>%n",
              x,
              TOP,
              x,
              bottom));
      if (i % labelled == 0) {
        text(svg, x, bottom + 16, "middle", "fill=\"#555\"", number(ticks.get(i)));
      }
    }
  }

  /** Returns the number of ticks for one label, so that the labels do not overlap. */
  private int ticksOfALabel(List<Double> ticks) {
    double width = 0;
    double space = WIDTH;
    for (int i = 0; i < ticks.size(); i++) {
      width = Math.max(width, (number(ticks.get(i)).length() + 1) * LETTER);
      if (i > 0) {
        space = Math.min(space, x(ticks.get(i), ticks) - x(ticks.get(i - 1), ticks));
      }
    }
    return (int) Math.ceil(width / space);
  }

  private void draw(StringBuilder svg, Bar bar, int y, List<Double> ticks) {
    String color =
        bar.label.startsWith("ours")
            ? OURS
            : bar.label.startsWith("memcpy")
                ? LIMIT
                : bar.label.startsWith("article") ? ARTICLE : OTHERS;
    double end = x(bar.value, ticks);
    text(svg, left() - 6, y + 12, "end", "", bar.label);
    svg.append(
        String.format(
            Locale.ROOT,
            "<rect x=\"%.0f\" y=\"%d\" width=\"%.1f\" height=\"%d\" fill=\"%s\"/>%n",
            left(),
            y + 1,
            Math.max(1, end - left()),
            BAR - 4,
            color));
    text(svg, end + 5, y + 12, "start", "", (number(bar.value) + ' ' + bar.note).strip());
  }

  private double x(double value, List<Double> ticks) {
    double low = axis.place(ticks.get(0));
    double high = axis.place(ticks.get(ticks.size() - 1));
    return left() + (axis.place(value) - low) / (high - low) * (WIDTH - left() - right());
  }

  private static String number(double value) {
    boolean small = value < 20 && value != Math.rint(value);
    return String.format(Locale.ROOT, small ? "%.1f" : "%,.0f", value);
  }

  private static void text(
      StringBuilder svg, double x, int y, String anchor, String attributes, String text) {
    svg.append(
        String.format(
            Locale.ROOT,
            "<text x=\"%.1f\" y=\"%d\" text-anchor=\"%s\" %s>%s</text>%n",
            x,
            y,
            anchor,
            attributes,
            text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")));
  }
}
