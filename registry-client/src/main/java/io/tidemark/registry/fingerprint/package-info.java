/** Lookup of schemas by fingerprint, for Avro's single-object encoding. */
@NullMarked
package io.tidemark.registry.fingerprint;

import org.jspecify.annotations.NullMarked;
