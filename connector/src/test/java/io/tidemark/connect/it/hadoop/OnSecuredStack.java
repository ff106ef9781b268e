package io.tidemark.connect.it.hadoop;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * Marks tests that run on the {@link SecuredStack}, which they take as a parameter. It is started
 * for the first of them, repaired after each, and stopped after the last test of the run. No other
 * test runs at the same time: the mode of authentication of Hadoop's client belongs to the whole
 * JVM.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(HadoopStackExtension.class)
@Isolated
@Tag("exclusive")
public @interface OnSecuredStack {}
