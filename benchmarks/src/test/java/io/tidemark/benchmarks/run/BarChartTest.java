package io.tidemark.benchmarks.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.StringReader;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

class BarChartTest {

  @Test
  void barsGrowWithTheLogarithmOfTheirValues() throws Exception {
    var chart = new BarChart("A & B", "ns", Axis.LOGARITHMIC);
    chart.group("StockQuote-78");
    chart.bar("ten", 10);
    chart.bar("hundred", 100);
    chart.bar("thousand", 1_000);

    double ten = width(chart, 1);
    double hundred = width(chart, 2);
    double thousand = width(chart, 3);
    assertThat(thousand - hundred)
        .isEqualTo(hundred - ten, org.assertj.core.data.Offset.offset(1.5));
  }

  @Test
  void linearBarsGrowWithTheirValues() throws Exception {
    var chart = new BarChart("records a second", "records", Axis.LINEAR);
    chart.group("median");
    chart.bar("one", 733_092);
    chart.bar("two", 1_466_184);

    assertThat(width(chart, 2))
        .isEqualTo(2 * width(chart, 1), org.assertj.core.data.Offset.offset(0.2));
    assertThat(Axis.LINEAR.ticks(733_092, 1_466_184))
        .containsExactly(0., 250_000., 500_000., 750_000., 1_000_000., 1_250_000., 1_500_000.);
  }

  @Test
  void barsBeginRightOfTheLongestLabel() throws Exception {
    var chart = new BarChart("writers", "records", Axis.LINEAR);
    chart.group("median");
    chart.bar("ours", 10);
    double roomy = width(chart, 1);
    chart.bar("ours with a writer of another library", 10);

    assertThat(width(chart, 1)).isLessThan(roomy - 80);
  }

  @Test
  void noteFollowsTheValueAndEndsInsideTheChart() throws Exception {
    var chart = new BarChart("sinks", "records per second", Axis.LINEAR);
    chart.group("median");
    chart.bar("ours", 10);
    double without = width(chart, 1);
    chart.bar("counting", 10, "(851 MiB per CPU second)");

    assertThat(width(chart, 1)).isLessThan(without - 100);
    assertThat(chart.svg()).contains("10 (851 MiB per CPU second)");
  }

  @Test
  void labelsOfTheAxisDoNotOverlap() throws Exception {
    var chart = new BarChart("sinks", "records per second", Axis.LINEAR);
    chart.group("median");
    chart.bar("counting", 1_836_336, "(851 MiB per CPU second)");

    assertThat(chart.svg()).contains(">1,000,000<").doesNotContain(">1,250,000<");
  }

  @Test
  void stackedChartsDoNotOverlap() throws Exception {
    var first = new BarChart("rate", "records per second", Axis.LINEAR);
    first.group("10 topics");
    first.bar("ours", 10);
    var second = new BarChart("heap", "MiB", Axis.LINEAR);
    second.group("10 topics");
    second.bar("ours", 300);

    NodeList charts = parsed(BarChart.svg(List.of(first, second))).getElementsByTagName("svg");

    assertThat(number(charts, 1, "y")).isZero();
    assertThat(number(charts, 2, "y")).isEqualTo(number(charts, 1, "height"));
    assertThat(number(charts, 0, "height"))
        .isEqualTo(number(charts, 1, "height") + number(charts, 2, "height"));
  }

  /** The width of a rectangle; the first one is the background. */
  private static double width(BarChart chart, int rectangle) throws Exception {
    return number(parsed(chart.svg()).getElementsByTagName("rect"), rectangle, "width");
  }

  private static Document parsed(String svg) throws Exception {
    return DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(new InputSource(new StringReader(svg)));
  }

  private static double number(NodeList elements, int element, String attribute) {
    return Double.parseDouble(
        elements.item(element).getAttributes().getNamedItem(attribute).getNodeValue());
  }
}
