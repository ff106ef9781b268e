package io.tidemark.registry;

import java.util.List;
import org.apache.avro.Schema;

/**
 * The subjects of a registry, each a line of schemas that follow one another: what writers and
 * operators need. Readers need {@link SchemaRegistry} alone. Implementations are safe for use by
 * many threads.
 *
 * <p>Each method may wait for the service, and throws
 *
 * <ul>
 *   <li>{@link RegistryRefusedException} when the registry says no, with its reason;
 *   <li>{@link SchemaNotFoundException} when it has the schema, and no Avro reader can use it;
 *   <li>{@link RegistryUnavailableException} when no usable answer came;
 *   <li>{@link InterruptedException} when this thread was interrupted while it waited.
 * </ul>
 */
public interface Subjects {

  /** The names of all subjects, in the registry's order. */
  List<String> names() throws RegistryException, InterruptedException;

  /** The newest schema of a subject. */
  RegisteredSchema latest(String subject) throws RegistryException, InterruptedException;

  /**
   * The id of a schema that was registered in a subject.
   *
   * @throws RegistryRefusedException also when the subject does not have it
   */
  SchemaId find(String subject, Schema schema) throws RegistryException, InterruptedException;

  /** Registers a schema in a subject, if it is not there yet, and says its id. */
  SchemaId register(String subject, Schema schema) throws RegistryException, InterruptedException;
}
