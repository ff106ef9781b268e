package io.tidemark.stack;

import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
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
 * The MBeans of a running server, read by the JVM's attach mechanism: the server needs no option
 * and opens no port.
 */
public final class ProcessBeans implements AutoCloseable {

  /** Example: {@code 12: 1093 34976 java.util.HashMap (java.base@17.0.15)}. */
  private static final Pattern HISTOGRAM =
      Pattern.compile("(?m)^\\s*\\d+:\\s+(\\d+)\\s+\\d+\\s+(\\S+)");

  private final JMXConnector connector;
  private final MBeanServerConnection beans;

  private ProcessBeans(JMXConnector connector) throws IOException {
    this.connector = connector;
    this.beans = connector.getMBeanServerConnection();
  }

  /** Connects to the process with this id, which must be a JVM of the same user. */
  @SuppressWarnings("BanJNDI") // The address comes from a JVM of this user on this machine.
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
      throw new IOException("process " + pid + " is not a JVM that can be attached to", e);
    }
  }

  /**
   * Returns a numeric attribute of all beans that match a pattern; empty if there are none.
   *
   * @param pattern example: {@code kafka.connect:type=sink-task-metrics,connector=orders,*}
   * @param attribute the attribute; for a composite one with a dot and the item: {@code
   *     HeapMemoryUsage.used}
   */
  public List<Double> read(String pattern, String attribute) throws IOException {
    try {
      List<Double> values = new ArrayList<>();
      for (ObjectName bean : beans.queryNames(new ObjectName(pattern), null)) {
        valueOf(bean, attribute).ifPresent(values::add);
      }
      return values;
    } catch (MalformedObjectNameException e) {
      throw new IllegalArgumentException(pattern + " is not a pattern of MBeans", e);
    } catch (JMException e) {
      throw new IOException(pattern + ": " + attribute + " cannot be read", e);
    }
  }

  /** Returns a text attribute of all beans that match a pattern; empty if there are none. */
  public List<String> texts(String pattern, String attribute) throws IOException {
    List<String> values = new ArrayList<>();
    for (String name : names(pattern)) {
      textOf(name, attribute).ifPresent(values::add);
    }
    return values;
  }

  /** Returns the names of all beans that match a pattern. */
  public List<String> names(String pattern) throws IOException {
    try {
      return beans.queryNames(new ObjectName(pattern), null).stream()
          .map(ObjectName::getCanonicalName)
          .sorted()
          .toList();
    } catch (MalformedObjectNameException e) {
      throw new IllegalArgumentException(pattern + " is not a pattern of MBeans", e);
    }
  }

  /** Returns the names of all threads. */
  public List<String> threads() throws IOException {
    ThreadMXBean threads =
        ManagementFactory.newPlatformMXBeanProxy(
            beans, ManagementFactory.THREAD_MXBEAN_NAME, ThreadMXBean.class);
    return Arrays.stream(threads.dumpAllThreads(false, false))
        .map(ThreadInfo::getThreadName)
        .sorted()
        .toList();
  }

  /** Returns the number of objects of each class after a full collection and all finalizers. */
  public Map<String, Long> liveObjects() throws IOException {
    diagnose("gcClassHistogram", new Object[] {new String[0]}, String[].class.getName());
    diagnose("gcRunFinalization", new Object[0]);
    String histogram =
        diagnose("gcClassHistogram", new Object[] {new String[0]}, String[].class.getName());
    Map<String, Long> objects = new HashMap<>();
    Matcher line = HISTOGRAM.matcher(histogram);
    while (line.find()) {
      objects.merge(line.group(2), Long.valueOf(line.group(1)), Long::sum);
    }
    return objects;
  }

  /** Runs a diagnostic command of the JVM, as jcmd does. */
  private String diagnose(String command, Object[] arguments, String... types) throws IOException {
    try {
      ObjectName commands = new ObjectName("com.sun.management:type=DiagnosticCommand");
      return (String) beans.invoke(commands, command, arguments, types);
    } catch (JMException e) {
      throw new IOException("the process does not answer " + command, e);
    }
  }

  /** Returns an attribute; empty if the bean was removed between the query and the read. */
  private Optional<String> textOf(String bean, String attribute) throws IOException {
    try {
      return Optional.of(String.valueOf(beans.getAttribute(new ObjectName(bean), attribute)));
    } catch (InstanceNotFoundException gone) {
      return Optional.empty();
    } catch (JMException e) {
      throw new IOException(bean + ": " + attribute + " cannot be read", e);
    }
  }

  /** Returns an attribute; empty if the bean was removed between the query and the read. */
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
