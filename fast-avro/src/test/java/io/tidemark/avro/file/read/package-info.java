@NullMarked
package io.tidemark.avro.file.read;

import org.jspecify.annotations.NullMarked;
