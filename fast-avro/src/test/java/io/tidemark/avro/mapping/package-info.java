@NullMarked
package io.tidemark.avro.mapping;

import org.jspecify.annotations.NullMarked;
