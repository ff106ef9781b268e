package io.tidemark.connect.health;

import java.lang.management.ManagementFactory;
import javax.management.Attribute;
import javax.management.AttributeList;
import javax.management.AttributeNotFoundException;
import javax.management.DynamicMBean;
import javax.management.InstanceNotFoundException;
import javax.management.InvalidAttributeValueException;
import javax.management.JMException;
import javax.management.MBeanException;
import javax.management.MBeanInfo;
import javax.management.MBeanRegistration;
import javax.management.MBeanServer;
import javax.management.MalformedObjectNameException;
import javax.management.ObjectName;
import javax.management.ReflectionException;
import org.apache.kafka.common.utils.Sanitizer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An MBean in the platform's server. Thread-safe.
 *
 * <p>A task that Connect has abandoned may still be registered when its successor registers the
 * same name. The successor then replaces it, and {@link #close} of the abandoned task's bean does
 * nothing.
 */
final class RegisteredBean implements DynamicMBean, MBeanRegistration, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(RegisteredBean.class);

  private final DynamicMBean bean;
  private final ObjectName name;
  private volatile boolean registered;

  /** Creates a bean with a {@link #name}, which is not registered yet. */
  RegisteredBean(DynamicMBean bean, ObjectName name) {
    this.bean = bean;
    this.name = name;
  }

  /**
   * Returns the name of a connector's bean.
   *
   * @param more further keys and values, each with a comma in front. Example: {@code ,task=0}
   */
  static ObjectName name(String type, String connector, String more) {
    String name =
        "tidemark.connect:type=%s,connector=%s%s"
            .formatted(type, Sanitizer.jmxSanitize(connector), more);
    try {
      return new ObjectName(name);
    } catch (MalformedObjectNameException e) {
      throw new IllegalArgumentException(name, e);
    }
  }

  /** Registers the bean. A failure is logged, and the connector works without the bean. */
  void register() {
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

  @Override
  public Object getAttribute(String attribute)
      throws AttributeNotFoundException, MBeanException, ReflectionException {
    return bean.getAttribute(attribute);
  }

  @Override
  public AttributeList getAttributes(String[] attributes) {
    return bean.getAttributes(attributes);
  }

  @Override
  public void setAttribute(Attribute attribute)
      throws AttributeNotFoundException,
          InvalidAttributeValueException,
          MBeanException,
          ReflectionException {
    bean.setAttribute(attribute);
  }

  @Override
  public AttributeList setAttributes(AttributeList attributes) {
    return bean.setAttributes(attributes);
  }

  @Override
  public Object invoke(String action, Object[] arguments, String[] signature)
      throws MBeanException, ReflectionException {
    return bean.invoke(action, arguments, signature);
  }

  @Override
  public MBeanInfo getMBeanInfo() {
    return bean.getMBeanInfo();
  }
}
