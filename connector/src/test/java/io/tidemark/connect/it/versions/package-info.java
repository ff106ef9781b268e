/** The same records on the oldest, the newest and intermediate releases of each service. */
@NullMarked
package io.tidemark.connect.it.versions;

import org.jspecify.annotations.NullMarked;
