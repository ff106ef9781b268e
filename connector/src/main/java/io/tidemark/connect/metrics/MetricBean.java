package io.tidemark.connect.metrics;

import java.lang.management.ManagementFactory;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import javax.management.Attribute;
import javax.management.AttributeList;
import javax.management.AttributeNotFoundException;
import javax.management.Descriptor;
import javax.management.DynamicMBean;
import javax.management.ImmutableDescriptor;
import javax.management.InstanceNotFoundException;
import javax.management.JMException;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanInfo;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import javax.management.ReflectionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An MBean of declared metrics in the platform's server. Each attribute's descriptor has the fields
 * {@code units} and {@code metricType}, which {@link Descriptor} defines. Thread-safe.
 *
 * <p>A task that Connect has abandoned may still be registered when its successor registers the
 * same name. The successor replaces it; {@link #close} of the former does nothing.
 */
public final class MetricBean<S> implements DynamicMBean, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(MetricBean.class);

  /** The last MBean of each name that was registered and is not closed. */
  private static final Map<ObjectName, MetricBean<?>> REGISTERED = new ConcurrentHashMap<>();

  private final Map<String, Metric<S>> metrics = new LinkedHashMap<>();
  private final S source;
  private final MBeanInfo info;
  private final ObjectName name;

  MetricBean(BeanType<S> type, S source, Object... values) {
    this.name = type.objectName(values);
    this.source = source;
    type.metrics().forEach(metric -> metrics.put(metric.name(), metric));
    this.info =
        new MBeanInfo(
            MetricBean.class.getName(),
            type.row().text(),
            type.metrics().stream()
                .map(metric -> attribute(metric, type.row(metric)))
                .toArray(MBeanAttributeInfo[]::new),
            null,
            null,
            null);
  }

  private static MBeanAttributeInfo attribute(Metric<?> metric, BeanType.Row row) {
    return new MBeanAttributeInfo(
        metric.name(),
        metric.isText() ? String.class.getName() : long.class.getName(),
        row.meaning(),
        true,
        false,
        false,
        metric.isText()
            ? ImmutableDescriptor.EMPTY_DESCRIPTOR
            : new ImmutableDescriptor("units=" + row.unit(), "metricType=" + row.kind()));
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

  /** A failure is logged, and the connector works without the MBean. */
  public void register() {
    MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    try {
      if (server.isRegistered(name)) {
        server.unregisterMBean(name);
      }
      server.registerMBean(this, name);
      REGISTERED.put(name, this);
    } catch (JMException e) {
      LOG.warn("{} could not be registered for JMX", name, e);
    }
  }

  @Override
  public void close() {
    if (REGISTERED.remove(name, this)) {
      try {
        ManagementFactory.getPlatformMBeanServer().unregisterMBean(name);
      } catch (InstanceNotFoundException e) {
        LOG.debug("{} was replaced by a later MBean, which is closed", name);
      } catch (JMException e) {
        LOG.warn("{} could not be removed from JMX", name, e);
      }
    }
  }
}
