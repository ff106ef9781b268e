package io.tidemark.connect.it.stack;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * Marks tests that run on the {@link RealStack}, which they take as a parameter. It is started for
 * the first of them, and stopped after the last test of the run. No other test runs at the same
 * time. They run after those that are {@link OnSharedStack}, and only with the profile {@code
 * exclusive} or that of another of their tags.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(RealStackExtension.class)
@Isolated
@Tag("exclusive")
public @interface OnRealStack {}
