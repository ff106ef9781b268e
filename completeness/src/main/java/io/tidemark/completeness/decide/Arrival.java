package io.tidemark.completeness.decide;

import io.tidemark.completeness.ledger.AccountedEntry;
import java.time.Instant;

/**
 * An entry of an account.
 *
 * @param at when the account was put, according to the store's clock
 */
public record Arrival(Instant at, AccountedEntry entry) {}
