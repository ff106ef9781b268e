/** A client of registries with the REST API of AVRO-1124 (schema-repo). */
@NullMarked
package io.tidemark.registry.schemarepo;

import org.jspecify.annotations.NullMarked;
