package io.tidemark.completeness.ledger;

import io.tidemark.store.StoragePath;

/**
 * The directories of the ledger of one log directory.
 *
 * <pre>
 * /ledger/logs/sales/identity.json     the owner of the ledger
 * /ledger/logs/sales/log/              its entries
 * /ledger/logs/sales/inbox/            accounts of tasks
 * /ledger/logs/sales/released/         up to where logs may be folded
 * /ledger/logs/sales/requests/         requests for an immediate snapshot
 * /ledger/logs/sales/events/           events that are not sent yet
 * /ledger/groups/                      the declarations of groups, of all ledgers
 * </pre>
 */
public record LedgerDirectories(StoragePath root, String logId) {

  /** Returns the directory of everything that belongs to this ledger alone. */
  public StoragePath ledger() {
    return root.child("logs").child(logId);
  }

  public StoragePath log() {
    return ledger().child("log");
  }

  public StoragePath inbox() {
    return ledger().child("inbox");
  }

  public StoragePath released() {
    return ledger().child("released");
  }

  public StoragePath requests() {
    return ledger().child("requests");
  }

  public StoragePath events() {
    return ledger().child("events");
  }

  public StoragePath groups() {
    return root.child("groups");
  }
}
