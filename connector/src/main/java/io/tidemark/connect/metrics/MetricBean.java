package io.tidemark.connect.metrics;

import java.lang.management.ManagementFactory;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
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
import javax.management.MBeanRegistration;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import javax.management.ReflectionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An MBean of declared metrics in the platform's server. Each attribute's descriptor has the fields
 * {@code units} and {@code metricType}, which {@link Descriptor} defines. Thread-safe.
 *
 * <p>A task that Connect has abandoned may still be registered when its successor registers the
 * same name. The successor then replaces it, and {@link #close} of the abandoned task's bean does
 * nothing.
 *
 * @param <S> type of the object from which the metrics are read
 */
public final class MetricBean<S> implements DynamicMBean, MBeanRegistration, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(MetricBean.class);

  private final Map<String, Metric<S>> metrics = new LinkedHashMap<>();
  private final S source;
  private final MBeanInfo info;
  private final ObjectName name;
  private volatile boolean registered;

  /** {@code values} are those of the type's keys in the MBean's name. */
  MetricBean(BeanType<S> type, S source, Object... values) {
    this.name = type.objectName(values);
    this.source = source;
    type.metrics().forEach(metric -> metrics.put(metric.name(), metric));
    this.info =
        new MBeanInfo(
            MetricBean.class.getName(),
            type.description(),
            type.metrics().stream()
                .map(metric -> attribute(metric, type.description(metric)))
                .toArray(MBeanAttributeInfo[]::new),
            null,
            null,
            null);
  }

  private static MBeanAttributeInfo attribute(Metric<?> metric, String description) {
    boolean text = metric.isText();
    return new MBeanAttributeInfo(
        metric.name(),
        text ? String.class.getName() : long.class.getName(),
        description,
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

  /** A failure is logged, and the connector works without the MBean. */
  public void register() {
    MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    try {
      if (server.isRegistered(name)) {
        server.unregisterMBean(name);
      }
      server.registerMBean(this, name);
    } catch (JMException e) {
      LOG.warn("{} could not be registered for JMX", name, e);
    }
  }

  @Override
  public void close() {
    if (registered) {
      try {
        ManagementFactory.getPlatformMBeanServer().unregisterMBean(name);
      } catch (InstanceNotFoundException e) {
        LOG.debug("{} was replaced by a later MBean, which is closed", name);
      } catch (JMException e) {
        LOG.warn("{} could not be removed from JMX", name, e);
      }
    }
  }

  @Override
  public ObjectName preRegister(MBeanServer server, ObjectName asked) {
    return asked;
  }

  @Override
  public void postRegister(@Nullable Boolean done) {
    registered = Boolean.TRUE.equals(done);
  }

  @Override
  public void preDeregister() {}

  @Override
  public void postDeregister() {
    registered = false;
  }
}
