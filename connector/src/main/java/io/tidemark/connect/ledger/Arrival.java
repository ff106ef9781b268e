package io.tidemark.connect.ledger;

import io.tidemark.connect.ledger.account.AccountedEntry;
import java.time.Instant;

/**
 * An entry of an account.
 *
 * @param at when the account was put, according to the store's clock
 */
public record Arrival(Instant at, AccountedEntry entry) {}
