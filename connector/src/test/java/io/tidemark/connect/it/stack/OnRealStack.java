package io.tidemark.connect.it.stack;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * Tests that run on the {@link RealStack}, which they take as a parameter: started for the first of
 * them, stopped after the last of the whole run. No other test runs beside them; they follow those
 * that are {@link OnSharedStack}.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(RealStackExtension.class)
@Isolated
public @interface OnRealStack {}
