/** The same table as each program shows it that people read tables with. */
@NullMarked
package io.tidemark.connect.it.readers;

import org.jspecify.annotations.NullMarked;
