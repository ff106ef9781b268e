package io.tidemark.connect.metrics;

import io.tidemark.connect.health.Refusal;
import io.tidemark.connect.health.Service;
import io.tidemark.connect.health.ServiceCalls;
import io.tidemark.connect.health.Waits;
import java.util.List;
import java.util.stream.Stream;

/** The metrics of the services that a task calls. Each service has an MBean. */
public final class ServiceMetrics {
  private static final List<Metric<Source>> METRICS =
      List.of(
          Metric.text("Address", of -> of.calls().address()),
          Metric.number("CallsAnswered", of -> of.calls().answered()),
          Metric.number("CallsFailed", of -> of.calls().failed()),
          Metric.number("CallNanos", of -> of.calls().nanos()),
          Metric.number(
              "LongestCallMs",
              of -> of.calls().longest().map(ServiceCalls.UnderWay::lastsMs).orElse(0L)),
          Metric.number("Retries", of -> of.waits().failures(of.service())),
          refusals("Access", Refusal.ACCESS),
          refusals("Login", Refusal.LOGIN),
          refusals("Address", Refusal.ADDRESS),
          refusals("Quota", Refusal.QUOTA),
          refusals("Other", Refusal.OTHER));

  private static final List<Metric<Source>> OF_CACHE =
      List.of(
          Metric.number("CacheHits", of -> of.calls().timesRemembered()),
          Metric.number("CacheMisses", of -> of.calls().answered() + of.calls().failed()));

  private static final BeanType<Source> OF_OTHERS = type(METRICS);
  static final BeanType<Source> OF_REGISTRY =
      type(Stream.of(METRICS, OF_CACHE).flatMap(List::stream).toList());

  private ServiceMetrics() {}

  record Source(ServiceCalls calls, Waits waits) {
    Service service() {
      return calls.service();
    }
  }

  private static BeanType<Source> type(List<Metric<Source>> metrics) {
    return new BeanType<>("service-metrics", List.of("connector", "task", "service"), metrics);
  }

  private static Metric<Source> refusals(String name, Refusal refusal) {
    return Metric.number("Refusals" + name, of -> of.waits().refusals(of.service(), refusal));
  }

  public static MetricBean<?> bean(String connector, int task, ServiceCalls calls, Waits waits) {
    return new MetricBean<>(
        calls.service() == Service.SCHEMA_REGISTRY ? OF_REGISTRY : OF_OTHERS,
        new Source(calls, waits),
        connector,
        task,
        calls.service().id());
  }
}
