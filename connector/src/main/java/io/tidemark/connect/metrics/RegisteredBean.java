package io.tidemark.connect.metrics;

import java.lang.management.ManagementFactory;
import javax.management.InstanceNotFoundException;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.MalformedObjectNameException;
import javax.management.ObjectName;
import javax.management.StandardMBean;
import org.apache.kafka.common.utils.Sanitizer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An MBean in the platform's server. Safe for use by many threads.
 *
 * <p>Whom the framework gave up on may still hold the name when its successor registers: the later
 * one takes it, and the earlier one's {@link #close} then leaves it alone.
 */
final class RegisteredBean extends StandardMBean implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(RegisteredBean.class);

  private final ObjectName name;
  private volatile boolean registered;

  /**
   * Makes a bean.
   *
   * @param attributes has a getter for each
   * @param name see {@link #name}
   */
  <T> RegisteredBean(T attributes, Class<T> type, ObjectName name) {
    super(attributes, type, true);
    this.name = name;
  }

  /**
   * The name of a bean of a connector.
   *
   * @param more the keys and values behind the connector's, with a comma in front. Example: {@code
   *     ,task=0}
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

  /** Makes it readable by JMX. A failure is logged: the connector does its work without. */
  void register() {
    MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    try {
      if (server.isRegistered(name)) {
        server.unregisterMBean(name);
      }
      server.registerMBean(this, name);
    } catch (JMException e) {
      LOG.warn("{} is not there for JMX", name, e);
    }
  }

  @Override
  public void close() {
    if (registered) {
      try {
        ManagementFactory.getPlatformMBeanServer().unregisterMBean(name);
      } catch (InstanceNotFoundException e) {
        LOG.debug("{} was taken by a later one that has ended", name);
      } catch (JMException e) {
        LOG.warn("{} stays in JMX", name, e);
      }
    }
  }

  @Override
  public void postRegister(@Nullable Boolean done) {
    super.postRegister(done);
    registered = Boolean.TRUE.equals(done);
  }

  @Override
  public void postDeregister() {
    super.postDeregister();
    registered = false;
  }
}
