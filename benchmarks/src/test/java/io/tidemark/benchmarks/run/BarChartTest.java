package io.tidemark.benchmarks.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.StringReader;
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

  /** The width of a rectangle; the first one is the background. */
  private static double width(BarChart chart, int rectangle) throws Exception {
    Document svg =
        DocumentBuilderFactory.newInstance()
            .newDocumentBuilder()
            .parse(new InputSource(new StringReader(chart.svg())));
    NodeList rectangles = svg.getElementsByTagName("rect");
    return Double.parseDouble(
        rectangles.item(rectangle).getAttributes().getNamedItem("width").getNodeValue());
  }
}
