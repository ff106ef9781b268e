/**
 * Faults of the real services while records flow: services that are killed, frozen, unavailable,
 * full, or refuse, and topics or logs that are moved or lost. Afterwards every offset must be
 * accounted for and every row exist once. Only {@code mvn verify -Pfaults} runs these tests.
 */
@NullMarked
package io.tidemark.connect.it.faults;

import org.jspecify.annotations.NullMarked;
