package io.tidemark.connect.metrics;

import io.tidemark.connect.health.Refusal;
import io.tidemark.connect.health.Service;
import io.tidemark.connect.health.ServiceCalls;
import io.tidemark.connect.health.Waits;
import io.tidemark.connect.metrics.Metric.Unit;
import java.util.ArrayList;
import java.util.List;

/** The MBeans of the services that a task calls, one for each. Safe for use by many threads. */
public final class ServiceMetrics implements AutoCloseable {
  static final String TYPE = "service-metrics";
  static final String ABOUT =
      "The calls of one service by one task, since it was started: the service is kafka, store,"
          + " schema-registry or metastore. The worker's own consumer and producer are not counted.";

  static final List<Metric<ServiceMetrics.Source>> ALL =
      List.of(
          Metric.text(
              "Address",
              "The service's address, as the configuration has it.",
              "",
              of -> of.calls().address()),
          Metric.counter(
              "CallsAnswered",
              Unit.CALLS,
              "Calls that the service answered, be it that there is no such thing.",
              "",
              of -> of.calls().answered()),
          Metric.counter(
              "CallsFailed",
              Unit.CALLS,
              "Calls that it did not answer, or refused.",
              "A few are normal when it restarts. When it grows all the time, look at HeldBecause.",
              of -> of.calls().failed()),
          Metric.counter(
              "CallNanos",
              Unit.NANOSECONDS,
              "How long all calls took, added up. Its increase divided by that of the calls is their"
                  + " mean latency.",
              "When the latency rises, the service is overloaded or the network is slow.",
              of -> of.calls().nanos()),
          Metric.gauge(
              "LongestCallMs",
              Unit.MILLISECONDS,
              "How long the oldest call that is under way has waited for its answer; 0 when there is"
                  + " none.",
              "From 10 s on the task counts as WAITING. Look whether the service hangs.",
              of -> of.calls().longest().map(ServiceCalls.UnderWay::lastsMs).orElse(0L)),
          Metric.counter(
              "Retries",
              Unit.TRIES,
              "Tries of steps that failed because of the service, and were or will be made again.",
              "It grows while the service is away. HeldBecause has the cause.",
              of -> of.waits().failures(of.service())),
          refusals(
              "Access",
              Refusal.ACCESS,
              "because a permission is missing",
              "Grant it: HeldBecause names the user and the place."),
          refusals(
              "Login",
              Refusal.LOGIN,
              "because our credentials or certificates are not accepted",
              "Correct the credentials in the connector's configuration."),
          refusals(
              "Address",
              Refusal.ADDRESS,
              "because its host is unknown, or something else answers there",
              "Correct the address in the connector's configuration, or DNS."),
          refusals(
              "Quota",
              Refusal.QUOTA,
              "because a quota is used up",
              "Raise the quota, or remove files below the directory that HeldBecause names."),
          refusals(
              "Other",
              Refusal.OTHER,
              "because of another limit, or of a name that another topic's table has",
              "HeldBecause has the cure."));

  /** Those that the schema registry has besides. */
  static final List<Metric<ServiceMetrics.Source>> OF_REGISTRY =
      List.of(
          Metric.counter(
              "CacheHits",
              Unit.SCHEMAS,
              "Schemas that the worker's cache had: no call was made. The registry's MBean alone has"
                  + " this.",
              "",
              of -> of.calls().timesRemembered()),
          Metric.counter(
              "CacheMisses",
              Unit.SCHEMAS,
              "Schemas that the registry was asked for. The registry's MBean alone has this.",
              "It grows with each new schema. When it grows all the time, raise"
                  + " schema.registry.cache.size.",
              of -> of.calls().answered() + of.calls().failed()));

  private final List<RegisteredBean> beans = new ArrayList<>();

  /** What the metrics of one service are read from. */
  record Source(ServiceCalls calls, Waits waits) {
    Service service() {
      return calls.service();
    }
  }

  /** The services of a task, by its connector's name and its number. */
  public ServiceMetrics(String connector, int task, List<ServiceCalls> services, Waits waits) {
    for (ServiceCalls calls : services) {
      beans.add(
          new RegisteredBean(
              new MetricBean<>(ABOUT, of(calls.service()), new Source(calls, waits)),
              RegisteredBean.name(
                  TYPE, connector, ",task=%d,service=%s".formatted(task, calls.service().id()))));
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
        "Tries that the service refused " + because + ".",
        advice,
        of -> of.waits().refusals(of.service(), refusal));
  }

  /** Makes them readable by JMX. A failure is logged: the task does its work without. */
  public void register() {
    beans.forEach(RegisteredBean::register);
  }

  @Override
  public void close() {
    beans.forEach(RegisteredBean::close);
  }
}
