/**
 * Faults of the real services while records flow: what is killed, frozen, away, full, refused,
 * moved or forgotten, and that afterwards every offset is accounted for and every row is there
 * once. Run by {@code mvn verify -Pfaults} only.
 */
@NullMarked
package io.tidemark.connect.it.faults;

import org.jspecify.annotations.NullMarked;
