/*
 * Pointers into the log of one topic-partition, for spin: a design that is not built yet. A task puts a
 * pointer to its newest settled entry, and the reckoner reads the entries in the log.
 *
 * An entry has one offset and names the attempt before it; a checkpoint names the attempt that it
 * replaces. A late rename may put an entry at the number of a folded one: it is in no log. An
 * operator may replace the log by an older copy, with or without the tables, or the ledger by an
 * older one. The connector is stopped meanwhile, but a reckoner may sleep. Two reckoners work on one
 * ledger, and may die between any two steps. One rename or one request is atomic.
 *
 * Asserted, when a reckoner that has claimed the ledger since the log was replaced states that its
 * position is complete: queries return each offset below it, and the ledger has counted exactly the
 * log's entries up to there, or its sums are partial. Sums are partial, and an entry is folded before
 * it is shown, only if a file was replaced or a task folded without the ledger.
 *
 * Assumed: the tables have all files of a replaced log's entries that were ever settled. Otherwise a
 * pointer from before is wrong, see BUG_UNSETTLED_COPY.
 *
 * Each BUG_... plants a bug, which spin must find; see check.
 */

#ifndef NUMBERS
#define NUMBERS 3    /* entries of a log */
#endif
#ifndef ATTEMPTS
#define ATTEMPTS 3   /* entries that are attempted, over all branches of the log */
#endif
#ifndef GHOSTS
#define GHOSTS 0     /* renames that may come late */
#endif
#ifndef RESTORES
#define RESTORES 0   /* replacements of the log */
#endif
#ifndef LEDGERS
#define LEDGERS 0    /* replacements of the ledger */
#endif
#ifndef ALONE
#define ALONE 0      /* folds without the ledger, because the log is long */
#endif
#ifndef HIDES
#define HIDES 0      /* entries whose Hive partition is elsewhere in Hive */
#endif
#ifndef RESTARTS
#define RESTARTS 0   /* of the task */
#endif
#ifndef CRASHES
#define CRASHES 0    /* of reckoners */
#endif
#ifndef RECKONERS
#define RECKONERS 2
#endif

#define TASKS (1 + RESTARTS + RESTORES)
#define BIT(a) (1 << ((a) - 1))

/* The log. An entry is identified by its attempt, from 1; 0 is none. */
byte slot[NUMBERS + 2];
byte before[ATTEMPTS + 1], numberOf[ATTEMPTS + 1];
byte attempts;
byte checkpoint, replaces;   /* entries up to this number are folded; the attempt of the last one */
byte deleted;                /* folded entries up to this number were deleted */
byte last, lastAttempt, settled;
byte log;                    /* the attempts of this log, also folded ones */
byte late, ghosts;           /* an attempt whose rename is pending */

/* The tables: attempts whose files are there, and those that queries do not return. */
byte rows, elsewhere, hides;

/* The task, and the newest pointer of each start of it. */
byte task, since = 1, unseen;
byte pointerNumber[TASKS], pointerAttempt[TASKS], pointerSince[TASKS], pointerUnseen[TASKS];
bool put[TASKS], isNew[TASKS]; /* isNew: put after the last acknowledgement */
byte alone;
bool acknowledged;
bool excused;                /* sums may be partial */

/* Copies. */
bool copied, ledgerCopied;
byte copySlot[NUMBERS + 2], copyCheckpoint, copyReplaces, copyDeleted, copyLast, copyLastAttempt, copySettled, copyLog, copyRows;
byte copyAt, copyAttempt, copySum, copyShown;
bool copyKnown, copyPartial, copyGap, copyHold;
byte restores, ledgers, crashes;

/* The ledger. */
byte owner;                  /* the reckoner that may append: the last one that claimed it */
byte at, attempt;            /* its position */
bool known = true;           /* it has a position */
byte sum;                    /* the attempts that were counted */
byte shown;                  /* all entries up to this position were shown */
bool partial, gap, hold;     /* hold: some files are not seen by queries */
byte notes;                  /* entries that record what was shown */
byte releasedBy, released, releasedAttempt; /* what tasks may fold, by one of these entries */

#ifdef BUG_RELEASED_UNCHECKED
#define RELEASED true
#else
#define RELEASED (slot[released] == releasedAttempt)
#endif

/* The attempt at number n that is certain, or 0. */
#define ATTEMPT(n) ((n) == checkpoint -> replaces : slot[n])

active proctype Task() {
  byte k;
end:
  do
  :: atomic { last < NUMBERS && attempts < ATTEMPTS ->
       attempts++;
       before[attempts] = lastAttempt;
       last++;
       numberOf[attempts] = last;
       slot[last] = attempts;
       lastAttempt = attempts;
       log = log | BIT(attempts)
     }
  :: atomic { settled < last ->
       settled++;
       if
       :: true
       :: hides < HIDES && (rows & BIT(slot[settled])) == 0 -> hides++; elsewhere = elsewhere | BIT(slot[settled])
       fi;
       rows = rows | BIT(slot[settled]);
       unseen = unseen | (elsewhere & BIT(slot[settled]))
     }
  :: atomic { !put[task] || pointerNumber[task] < settled || !isNew[task] ->
       put[task] = true; isNew[task] = true;
       pointerNumber[task] = settled;
       pointerAttempt[task] = ATTEMPT(settled);
       pointerSince[task] = since;
       pointerUnseen[task] = unseen
     }
#if RESTARTS
  :: atomic { task == restores && task < TASKS - 1 -> task++; since = settled + 1; unseen = 0 }
#endif
  /* Folds what the ledger has released. */
#ifdef BUG_FOLD_BEFORE_TAKE
  :: atomic { settled > checkpoint ->
       k = settled;
#else
  :: atomic { released > checkpoint && settled > checkpoint && RELEASED ->
       k = (settled < released -> settled : released);
#endif
       replaces = slot[k]; checkpoint = k;
       k = 0
     }
#if ALONE
  :: atomic { alone < ALONE && settled > checkpoint && (unseen & ~pointerUnseen[task]) == 0 ->
       alone++;
       excused = true;
       k = checkpoint + 1;
       do
       :: k < settled -> k++
       :: true -> break
       od;
       replaces = slot[k]; checkpoint = k;
       k = 0
     }
#endif
  :: atomic { deleted < checkpoint -> deleted++; slot[deleted] = 0 }
  od
}

#if GHOSTS
/* Another task whose rename comes late. */
active proctype Zombie() {
end:
  do
  :: atomic { ghosts < GHOSTS && late == 0 && last < NUMBERS && attempts < ATTEMPTS ->
       ghosts++;
       attempts++;
       late = attempts;
       before[late] = lastAttempt;
       numberOf[late] = last + 1
     }
  :: atomic { late != 0 ->
       if
       :: slot[numberOf[late]] == 0 && numberOf[late] == last + 1 ->
            slot[last + 1] = late;
            last++;
            lastAttempt = late;
            log = log | BIT(late)
       :: slot[numberOf[late]] == 0 && numberOf[late] <= deleted -> slot[numberOf[late]] = late
       :: else
       fi;
       late = 0
     }
  od
}
#endif

#if RESTORES
active proctype Restorer() {
  byte k;
end:
  do
  :: atomic { !copied ->
       copied = true;
       k = 1;
       do
       :: k <= NUMBERS -> copySlot[k] = slot[k]; k++
       :: else -> break
       od;
       copyCheckpoint = checkpoint; copyReplaces = replaces; copyDeleted = deleted;
       copyRows = rows;
       copyLast = last; copyLastAttempt = lastAttempt; copySettled = settled; copyLog = log;
       k = 0
     }
  :: atomic { copied && restores < RESTORES && late == 0 ->
       restores++;
       excused = true;
       k = 1;
       do
       :: k <= NUMBERS -> slot[k] = copySlot[k]; k++
       :: else -> break
       od;
       checkpoint = copyCheckpoint; replaces = copyReplaces; deleted = copyDeleted;
       last = copyLast; lastAttempt = copyLastAttempt; settled = copySettled; log = copyLog;
       if
       :: true
#ifdef BUG_UNSETTLED_COPY
       :: rows = copyRows
#else
       :: rows = rows & log /* with the tables */
#endif
       fi;
       task++; since = settled + 1; unseen = 0;
       k = 0
     }
  od
}
#endif

#if LEDGERS
active proctype LedgerRestorer() {
end:
  do
  :: atomic { !ledgerCopied ->
       ledgerCopied = true;
       copyAt = at; copyAttempt = attempt; copyKnown = known; copySum = sum; copyShown = shown;
       copyPartial = partial; copyGap = gap; copyHold = hold
     }
  :: atomic { ledgerCopied && ledgers < LEDGERS ->
       ledgers++;
       excused = true;
       at = copyAt; attempt = copyAttempt; known = copyKnown; sum = copySum; shown = copyShown;
       partial = copyPartial; gap = copyGap; hold = copyHold;
       owner = 0
     }
  od
}
#endif

/* Acknowledges a gap: the position is dropped, and the sums begin again. */
active proctype Operator() {
  byte k;
end:
  do
  :: atomic { gap ->
       gap = false;
       known = false;
       acknowledged = true;
       at = 0; attempt = 0; sum = 0; shown = 0; partial = true;
       k = 0;
       do
       :: k < TASKS -> isNew[k] = false; k++
       :: else -> break
       od;
       k = 0;
       owner = 0
     }
  od
}

/* What became of the entry at the position. */
#define SAME 0
#define FOLDED 1
#define OTHER 2

#ifdef BUG_NO_REPLACES
#define REPLACES true
#else
#define REPLACES (replaces == attempt)
#endif

inline test() {
#ifdef BUG_MAXIMUM
  state = SAME
#else
  if
  :: checkpoint < at -> state = (slot[at] == attempt -> SAME : OTHER)
  :: checkpoint == at -> state = (at == 0 || REPLACES -> SAME : OTHER)
  :: checkpoint > at && at > 0 && slot[at] == attempt -> state = SAME
  :: else -> state = FOLDED
  fi
#endif
}

#if defined(BUG_NO_LINK)
#define LINKED true
#elif defined(BUG_UPPER_END)
#define LINKED (k == at + 1 || before[r[k]] == r[k - 1])
#else
#define LINKED (before[r[k]] == r[k - 1])
#endif

/* Asks the catalog for all Hive partitions of the tables. */
#define LOOK hold = hold || (elsewhere & rows) != 0

/* Another reckoner, an operator or an older ledger is there. */
#define OWN if :: owner != me -> goto claim :: else fi;

#define CRASH if :: true :: atomic { crashes < CRASHES -> crashes++; goto claim } fi;

#define FORGET \
  k = 0; \
  do \
  :: k <= NUMBERS -> r[k] = 0; k++ \
  :: else -> break \
  od; \
  n = 0; a = 0; s = 0; u = 0; k = 0; m = 0; state = 0; note = 0; fresh = false; ok = false

proctype Reckoner(byte me) {
  byte claimed;            /* replacements of the log before the claim */
  byte n, a, s, u;         /* a pointer: its number, attempt, since, unseen */
  byte r[NUMBERS + 1];     /* entries that were read */
  byte k, m, state, note;
  bool fresh, ok;

claim:
  atomic { FORGET; claimed = 0 };
end:
  atomic { true -> owner = me; claimed = restores };
#ifndef BUG_NO_TEST_AT_CLAIM
  goto tested;
#endif

cycle:
  atomic {
    FORGET;
    OWN
    if
    :: true -> skip /* without a pointer */
    :: claimed != restores -> goto claim /* the connector was started again */
    :: put[0] -> k = 0; fresh = true
#if TASKS > 1
    :: put[1] -> k = 1; fresh = true
#endif
#if TASKS > 2
    :: put[2] -> k = 2; fresh = true
#endif
    fi;
    if
    :: fresh -> n = pointerNumber[k]; a = pointerAttempt[k]; s = pointerSince[k]; u = pointerUnseen[k]; fresh = isNew[k]
    :: else
    fi;
    k = 0
  };
  if
  :: !known -> goto jump
  :: known && !gap && (n == 0 || (n == at && a == attempt)) -> goto complete
#ifndef BUG_NO_TEST_AT_CLAIM
  :: known && (gap || n == 0) -> goto tested /* also each 6 hours */
  :: known && !gap && n > 0 && n <= at && !(n == at && a == attempt) -> goto tested
#else
  :: known && (gap || (n > 0 && n <= at && !(n == at && a == attempt))) -> goto tested
#endif
  :: known && !gap && n > at -> k = at + 1
  fi;

  /* Reads the entries up to the pointer's. */
  do
  :: atomic { k <= n -> r[k] = slot[k]; k++ }
  :: atomic { k > n -> break }
  od;
  atomic {
    OWN
    r[at] = attempt;
    ok = true;
    k = at + 1;
    do
    :: k <= n ->
         ok = ok && r[k] != 0 && LINKED;
         m = (ok -> k : m);
         k++
    :: else -> break
    od;
    k = 0;
    /* Linked from both ends; or a listing after the reading shows that none of them is folded. */
    if
    :: m == n && r[n] == a
#ifdef BUG_ONE_END
    :: m > at && r[n] != a
#endif
    :: m > at && r[n] == a && m < n && checkpoint <= at
    :: m > at + 1 && r[n] == a && checkpoint <= at -> m = at + 1 /* not all in one pass */
#ifdef BUG_UNLISTED
    :: m > at && r[n] == a && checkpoint > at -> m = at + 1
#endif
    :: else -> m = 0
    fi
  };
  if
  :: m == 0 -> goto tested
  :: else
  fi;
  CRASH
  /* Takes the entries, and appends this. */
  atomic {
    OWN
    k = at + 1;
    do
    :: k <= m ->
         sum = sum | BIT(r[k]);
         if
         :: k >= s -> hold = hold || (u & BIT(r[k])) != 0
#ifdef BUG_SINCE
         :: else
#else
         :: else -> LOOK
#endif
         fi;
         k++
    :: else -> break
    od;
    at = m; attempt = r[m]
  };
  goto complete;

jump:
  /* After an acknowledgement: continues at a newer pointer that the log confirms. */
  atomic {
    OWN
    if
#if defined(BUG_STALE_POINTER)
    :: n > 0 ->
#elif defined(BUG_UNCONFIRMED)
    :: n > 0 && fresh ->
#elif defined(BUG_NOT_NEW)
    :: n > 0 && ATTEMPT(n) == a ->
#else
    :: n > 0 && fresh && ATTEMPT(n) == a ->
#endif
         known = true; at = n; attempt = a; shown = n;
#ifndef BUG_UNLOOKED_AFTER_GAP
         LOOK
#endif
    :: else -> goto cycle
    fi
  };
  goto complete;

tested:
  /* Is the position in the log? */
  atomic {
    OWN
    if
    :: known ->
         test();
         if
         :: state == SAME -> gap = false
         :: state == FOLDED ->
              gap = false;
              partial = true;
              at = checkpoint; attempt = replaces; shown = checkpoint;
#ifndef BUG_UNLOOKED_AFTER_FOLD
              LOOK
#endif
         :: state == OTHER -> gap = true
         fi
    :: else
    fi
  };

complete:
  /* States completeness up to the position. */
  atomic {
    OWN
    FORGET;
    if
    :: known && !gap && !hold && claimed == restores ->
         assert(excused || !partial);
#ifdef COMPLETE_AFTER_GAP
         assert(!(acknowledged && at == NUMBERS));
#endif
         k = 1;
         do
         :: k <= attempts ->
              if
              :: numberOf[k] <= at ->
                   u = u | ((log & BIT(k)) != 0 -> BIT(k) : 0);
                   m = m | ((rows & ~elsewhere & BIT(k)) != 0 -> 1 << numberOf[k] : 0)
              :: else
              fi;
              k++
         :: else -> break
         od;
         assert(m == (1 << (at + 1)) - 2);
         assert(partial || u == sum);
         m = 0; u = 0; k = 0
    :: else
    fi;
    if
    :: known && !gap && shown < at
    :: else -> goto cycle
    fi
  };
#ifdef BUG_FOLD_BEFORE_SHOW
  atomic { OWN notes++; releasedBy = notes; released = at; releasedAttempt = attempt };
#endif
  CRASH
  /* Shows what was taken: reads it again. */
  atomic {
    OWN
    assert(excused || shown + 1 > deleted)
  };
  CRASH
  /* The ledger's next entry records this. */
  atomic { OWN shown = at; notes++; note = notes; n = at; a = attempt };
  CRASH
  atomic {
    if
    :: note > releasedBy -> releasedBy = note; released = n; releasedAttempt = a
    :: else
    fi
  };
  goto cycle
}

init {
  atomic {
    run Reckoner(1);
#if RECKONERS > 1
    run Reckoner(2)
#endif
  }
}
