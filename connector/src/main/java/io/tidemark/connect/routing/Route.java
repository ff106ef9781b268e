package io.tidemark.connect.routing;

import io.tidemark.connect.table.Table;

/**
 * Where the records of one writer schema go: all to one table. A route by a field's value, which
 * would choose a table for each datum, becomes a kind of its own beside this one.
 */
public record Route(Table table) {}
