/** A client of the registries that speak the REST API of AVRO-1124 (schema-repo). */
@NullMarked
package io.tidemark.registry.schemarepo;

import org.jspecify.annotations.NullMarked;
