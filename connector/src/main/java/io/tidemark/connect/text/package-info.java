/** Text that comes from data, on its way to people. */
@NullMarked
package io.tidemark.connect.text;

import org.jspecify.annotations.NullMarked;
