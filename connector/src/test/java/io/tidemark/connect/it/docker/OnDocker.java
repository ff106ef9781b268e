package io.tidemark.connect.it.docker;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Marks tests whose methods take the containers, a {@link DockerStack}. All of them share the
 * containers.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Tag("docker")
@ExtendWith(DockerStackExtension.class)
@interface OnDocker {}
