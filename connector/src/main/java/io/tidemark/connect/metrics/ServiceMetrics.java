package io.tidemark.connect.metrics;

import io.tidemark.connect.health.Refusal;
import io.tidemark.connect.health.Service;
import io.tidemark.connect.health.ServiceCalls;
import io.tidemark.connect.health.Waits;
import io.tidemark.connect.metrics.Metric.Unit;
import java.util.ArrayList;
import java.util.List;

/** The MBeans of the services that a task calls, one for each. Thread-safe. */
public final class ServiceMetrics implements AutoCloseable {
  static final String TYPE = "service-metrics";
  static final String ABOUT =
      "Calls of one service by one task since the task's start. The service is kafka, store,"
          + " schema-registry or metastore. The worker's own consumer and producer are not counted.";

  static final List<Metric<ServiceMetrics.Source>> ALL =
      List.of(
          Metric.text(
              "Address",
              "The service's address in the configuration.",
              "",
              of -> of.calls().address()),
          Metric.counter(
              "CallsAnswered",
              Unit.CALLS,
              "Answered calls, including the answer that something does not exist.",
              "",
              of -> of.calls().answered()),
          Metric.counter(
              "CallsFailed",
              Unit.CALLS,
              "Calls that the service did not answer, or refused.",
              "A few are normal when the service restarts. If it grows all the time, read HeldBecause.",
              of -> of.calls().failed()),
          Metric.counter(
              "CallNanos",
              Unit.NANOSECONDS,
              "Duration of all calls, added up. Its increase divided by the increase of the calls is"
                  + " the mean latency.",
              "If the latency rises, the service is overloaded or the network is slow.",
              of -> of.calls().nanos()),
          Metric.gauge(
              "LongestCallMs",
              Unit.MILLISECONDS,
              "Age of the oldest call that has no answer yet; 0 if there is none.",
              "From 10 s on the task counts as WAITING. Check whether the service hangs.",
              of -> of.calls().longest().map(ServiceCalls.UnderWay::lastsMs).orElse(0L)),
          Metric.counter(
              "Retries",
              Unit.TRIES,
              "Attempts that failed because of this service. Each is retried.",
              "It grows while the service is unavailable. HeldBecause contains the cause.",
              of -> of.waits().failures(of.service())),
          refusals(
              "Access",
              Refusal.ACCESS,
              "because a permission is missing",
              "Grant the permission: HeldBecause contains the user and the directory or resource."),
          refusals(
              "Login",
              Refusal.LOGIN,
              "because the connector's credentials or certificates are not accepted",
              "Correct the credentials in the connector's configuration."),
          refusals(
              "Address",
              Refusal.ADDRESS,
              "because the service's host is unknown, or another server answers at its address",
              "Correct the address in the connector's configuration, or DNS."),
          refusals(
              "Quota",
              Refusal.QUOTA,
              "because a quota is used up",
              "Raise the quota, or remove files from the directory that HeldBecause names."),
          refusals(
              "Other",
              Refusal.OTHER,
              "because of another limit, or because another topic's table has the same name",
              "Do what HeldBecause says."));

  /** The additional metrics of the schema registry. */
  static final List<Metric<ServiceMetrics.Source>> OF_REGISTRY =
      List.of(
          Metric.counter(
              "CacheHits",
              Unit.SCHEMAS,
              "Schemas found in the worker's cache, without a call. Only the MBean of the registry has"
                  + " this.",
              "",
              of -> of.calls().timesRemembered()),
          Metric.counter(
              "CacheMisses",
              Unit.SCHEMAS,
              "Schemas requested from the registry. Only the MBean of the registry has this.",
              "It grows with each new schema. If it grows all the time, raise"
                  + " schema.registry.cache.size.",
              of -> of.calls().answered() + of.calls().failed()));

  private final List<MetricBean<Source>> beans = new ArrayList<>();

  /** The objects from which the metrics of one service are read. */
  record Source(ServiceCalls calls, Waits waits) {
    Service service() {
      return calls.service();
    }
  }

  /**
   * Creates the MBeans of a task's services. The MBeans' names contain the connector's name and the
   * task's number.
   */
  public ServiceMetrics(String connector, int task, List<ServiceCalls> services, Waits waits) {
    for (ServiceCalls calls : services) {
      beans.add(
          new MetricBean<>(
              MetricBean.name(
                  TYPE, connector, ",task=%d,service=%s".formatted(task, calls.service().id())),
              ABOUT,
              of(calls.service()),
              new Source(calls, waits)));
    }
  }

  private static List<Metric<Source>> of(Service service) {
    List<Metric<Source>> all = new ArrayList<>(ALL);
    if (service == Service.SCHEMA_REGISTRY) {
      all.addAll(OF_REGISTRY);
    }
    return all;
  }

  private static Metric<Source> refusals(
      String name, Refusal refusal, String because, String advice) {
    return Metric.counter(
        "Refusals" + name,
        Unit.TRIES,
        "Attempts that failed " + because + ".",
        advice,
        of -> of.waits().refusals(of.service(), refusal));
  }

  /** Registers the MBeans. A failure is logged, and the task works without the MBeans. */
  public void register() {
    beans.forEach(MetricBean::register);
  }

  @Override
  public void close() {
    beans.forEach(MetricBean::close);
  }
}
