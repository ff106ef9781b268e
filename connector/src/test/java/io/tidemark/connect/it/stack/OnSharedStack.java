package io.tidemark.connect.it.stack;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Marks tests like {@link OnRealStack} that run at the same time as others of their kind. Each test
 * has topics, tables and connectors with names of its own, and stops no service. Connect may move
 * its tasks to another worker whenever another test deploys or deletes a connector.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(RealStackExtension.class)
@Execution(ExecutionMode.CONCURRENT)
public @interface OnSharedStack {}
