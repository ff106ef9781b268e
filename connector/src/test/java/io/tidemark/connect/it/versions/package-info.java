/** The same records on the oldest, the newest and the releases between of each service. */
@NullMarked
package io.tidemark.connect.it.versions;

import org.jspecify.annotations.NullMarked;
