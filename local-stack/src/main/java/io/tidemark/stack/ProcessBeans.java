package io.tidemark.stack;

import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.management.AttributeNotFoundException;
import javax.management.InstanceNotFoundException;
import javax.management.JMException;
import javax.management.MBeanServerConnection;
import javax.management.MalformedObjectNameException;
import javax.management.ObjectName;
import javax.management.openmbean.CompositeData;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

/**
 * The MBeans of a running server, read through the JVM's own attach mechanism: the server needs no
 * option and opens no port to the outside.
 */
public final class ProcessBeans implements AutoCloseable {

  private final JMXConnector connector;
  private final MBeanServerConnection beans;

  private ProcessBeans(JMXConnector connector) throws IOException {
    this.connector = connector;
    this.beans = connector.getMBeanServerConnection();
  }

  /** Connects to the process with this id, which must be a JVM of the same user. */
  @SuppressWarnings("BanJNDI") // The address is given by a JVM of this user on this machine.
  static ProcessBeans of(long pid) throws IOException {
    try {
      VirtualMachine machine = VirtualMachine.attach(Long.toString(pid));
      try {
        String address = machine.startLocalManagementAgent();
        return new ProcessBeans(JMXConnectorFactory.connect(new JMXServiceURL(address)));
      } finally {
        machine.detach();
      }
    } catch (AttachNotSupportedException e) {
      throw new IOException("process " + pid + " is no JVM that can be attached to", e);
    }
  }

  /**
   * A numeric attribute of all the beans that a pattern names; none while there is no such bean.
   *
   * @param pattern example: {@code kafka.connect:type=sink-task-metrics,connector=orders,*}
   * @param attribute of a composite one with the item behind a dot: {@code HeapMemoryUsage.used}
   */
  public List<Double> read(String pattern, String attribute) throws IOException {
    try {
      List<Double> values = new ArrayList<>();
      for (ObjectName bean : beans.queryNames(new ObjectName(pattern), null)) {
        valueOf(bean, attribute).ifPresent(values::add);
      }
      return values;
    } catch (MalformedObjectNameException e) {
      throw new IllegalArgumentException(pattern + " is no pattern of MBeans", e);
    } catch (JMException e) {
      throw new IOException(pattern + ": " + attribute + " cannot be read", e);
    }
  }

  /** Empty when the bean has left between the query and the read. */
  private Optional<Double> valueOf(ObjectName bean, String attribute)
      throws JMException, IOException {
    int dot = attribute.indexOf('.');
    try {
      Object value = beans.getAttribute(bean, dot < 0 ? attribute : attribute.substring(0, dot));
      if (dot >= 0) {
        value = ((CompositeData) value).get(attribute.substring(dot + 1));
      }
      return Optional.of(((Number) value).doubleValue());
    } catch (InstanceNotFoundException | AttributeNotFoundException gone) {
      return Optional.empty();
    }
  }

  @Override
  public void close() throws IOException {
    connector.close();
  }
}
