/** Schemas by their fingerprints, as Avro's single-object encoding names them. */
@NullMarked
package io.tidemark.registry.fingerprint;

import org.jspecify.annotations.NullMarked;
