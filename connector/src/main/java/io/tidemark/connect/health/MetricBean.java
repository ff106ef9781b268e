package io.tidemark.connect.health;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import javax.management.Attribute;
import javax.management.AttributeList;
import javax.management.AttributeNotFoundException;
import javax.management.Descriptor;
import javax.management.DynamicMBean;
import javax.management.ImmutableDescriptor;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanInfo;
import javax.management.ReflectionException;

/**
 * An MBean of declared metrics. Each attribute's descriptor has the fields {@code units} and {@code
 * metricType}, which {@link Descriptor} defines. Thread-safe.
 *
 * @param <S> type of the object from which the metrics are read
 */
final class MetricBean<S> implements DynamicMBean {
  private final Map<String, Metric<S>> metrics = new LinkedHashMap<>();
  private final S source;
  private final MBeanInfo info;

  /**
   * Creates an MBean of the metrics of {@code source}.
   *
   * @param description description of the MBean
   */
  MetricBean(String description, List<Metric<S>> metrics, S source) {
    this.source = source;
    metrics.forEach(metric -> this.metrics.put(metric.name(), metric));
    this.info =
        new MBeanInfo(
            MetricBean.class.getName(),
            description,
            metrics.stream().map(MetricBean::attribute).toArray(MBeanAttributeInfo[]::new),
            null,
            null,
            null);
  }

  private static MBeanAttributeInfo attribute(Metric<?> metric) {
    boolean text = metric.isText();
    return new MBeanAttributeInfo(
        metric.name(),
        text ? String.class.getName() : long.class.getName(),
        metric.description(),
        true,
        false,
        false,
        text
            ? ImmutableDescriptor.EMPTY_DESCRIPTOR
            : new ImmutableDescriptor(
                "units=" + metric.unit(),
                "metricType=" + metric.kind().name().toLowerCase(Locale.ROOT)));
  }

  @Override
  public Object getAttribute(String name) throws AttributeNotFoundException {
    Metric<S> metric = metrics.get(name);
    if (metric == null) {
      throw new AttributeNotFoundException(name);
    }
    return metric.value().apply(source);
  }

  @Override
  public AttributeList getAttributes(String[] names) {
    AttributeList found = new AttributeList();
    for (String name : names) {
      Metric<S> metric = metrics.get(name);
      if (metric != null) {
        found.add(new Attribute(name, metric.value().apply(source)));
      }
    }
    return found;
  }

  @Override
  public void setAttribute(Attribute attribute) throws AttributeNotFoundException {
    throw new AttributeNotFoundException(attribute.getName() + " cannot be set");
  }

  @Override
  public AttributeList setAttributes(AttributeList attributes) {
    return new AttributeList();
  }

  @Override
  public Object invoke(String action, Object[] arguments, String[] signature)
      throws ReflectionException {
    throw new ReflectionException(new NoSuchMethodException(action));
  }

  @Override
  public MBeanInfo getMBeanInfo() {
    return info;
  }
}
