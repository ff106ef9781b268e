package io.tidemark.registry;

import java.util.List;
import org.apache.avro.Schema;

/**
 * The subjects of a registry, for writers and operators. A subject is a sequence of schema
 * versions. Readers only need {@link SchemaRegistry}. Implementations are safe for use by many
 * threads.
 *
 * <p>Each method may wait for the service, and throws
 *
 * <ul>
 *   <li>{@link RegistryRefusedException} if the registry rejects the request, with its reason;
 *   <li>{@link SchemaNotFoundException} if the schema exists but is not usable as Avro;
 *   <li>{@link RegistryUnavailableException} if there was no usable response;
 *   <li>{@link InterruptedException} if this thread was interrupted while it waited.
 * </ul>
 */
public interface Subjects {

  /** Returns the names of all subjects, in the registry's order. */
  List<String> names() throws RegistryException, InterruptedException;

  /** Returns the newest schema of a subject. */
  RegisteredSchema latest(String subject) throws RegistryException, InterruptedException;

  /**
   * Returns the id of a schema that was registered in a subject.
   *
   * @throws RegistryRefusedException also if the subject does not have the schema
   */
  SchemaId find(String subject, Schema schema) throws RegistryException, InterruptedException;

  /** Registers a schema in a subject, unless it is registered, and returns its id. */
  SchemaId register(String subject, Schema schema) throws RegistryException, InterruptedException;

  /**
   * Returns a schema that was registered in a subject, as {@link #find}, with its id, and with its
   * GUID and its rules if the registry returns them.
   */
  default RegisteredSchema findSchema(String subject, Schema schema)
      throws RegistryException, InterruptedException {
    return new RegisteredSchema(find(subject, schema), schema);
  }

  /**
   * Registers a schema in a subject, as {@link #register}, and returns it with its id, and with its
   * GUID and its rules if the registry returns them.
   */
  default RegisteredSchema registerSchema(String subject, Schema schema)
      throws RegistryException, InterruptedException {
    return new RegisteredSchema(register(subject, schema), schema);
  }
}
