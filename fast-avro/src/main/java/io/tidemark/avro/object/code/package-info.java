/** What generated readers and writers have in common. Internal: it may change with any release. */
@NullMarked
package io.tidemark.avro.object.code;

import org.jspecify.annotations.NullMarked;
