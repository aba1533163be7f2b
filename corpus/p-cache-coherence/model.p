// A directory hands out one line of memory: to many caches that read it, or to one that writes it (in the manner of German's protocol).

event askShared: machine;
event askExclusive: machine;
event grantShared;
event grantExclusive;
event invalidate;
event invalidated: machine;
event work;
event holds: (cache: machine, isExclusive: bool);
event drops: machine;

machine Directory {
  var sharers: set[machine];
  var isExclusive: bool;
  var asking: machine;
  var wantsExclusive: bool;
  var open: int;
  start state Idle {
    on askShared do (cache: machine) { serve(cache, false); }
    on askExclusive do (cache: machine) { serve(cache, true); }
  }
  fun serve(cache: machine, exclusive: bool) {
    asking = cache;
    wantsExclusive = exclusive;
    if (mustInvalidate() && sizeof(sharers) > 0) goto Invalidating;
    grant();
  }
  fun mustInvalidate(): bool { return wantsExclusive || isExclusive; }
  fun grant() {
    sharers += (asking);
    isExclusive = wantsExclusive;
    if (wantsExclusive) send asking, grantExclusive;
    else send asking, grantShared;
  }
  state Invalidating {
    defer askShared, askExclusive;
    entry {
      var cache: machine;
      foreach (cache in sharers) send cache, invalidate;
    }
    on invalidated do (cache: machine) {
      sharers -= (cache);
      if (sizeof(sharers) > 0) return;
      grant();
      goto Idle;
    }
  }
}

// Forgets that a line that is only read may still have an owner.
machine TrustingDirectory {
  var sharers: set[machine];
  var asking: machine;
  start state Idle {
    on askShared do (cache: machine) {
      sharers += (cache);
      send cache, grantShared;
    }
    on askExclusive do (cache: machine) {
      asking = cache;
      if (sizeof(sharers) > 0) goto Invalidating;
      sharers += (cache);
      send cache, grantExclusive;
    }
  }
  state Invalidating {
    defer askShared, askExclusive;
    entry {
      var cache: machine;
      foreach (cache in sharers) send cache, invalidate;
    }
    on invalidated do (cache: machine) {
      sharers -= (cache);
      if (sizeof(sharers) > 0) return;
      sharers += (asking);
      send asking, grantExclusive;
      goto Idle;
    }
  }
}

machine Cache {
  var directory: machine;
  start state Start {
    entry (whom: machine) {
      directory = whom;
      goto Invalid;
    }
  }
  state Invalid {
    on work do {
      if ($) send directory, askShared, this;
      else send directory, askExclusive, this;
      goto Asking;
    }
    on invalidate do { send directory, invalidated, this; }
  }
  state Asking {
    defer work;
    on grantShared do {
      announce holds, (cache = this, isExclusive = false);
      goto Held;
    }
    on grantExclusive do {
      announce holds, (cache = this, isExclusive = true);
      goto Held;
    }
    on invalidate do { send directory, invalidated, this; }
  }
  state Held {
    ignore work;
    on invalidate do {
      announce drops, this;
      send directory, invalidated, this;
      goto Invalid;
    }
  }
}

spec OneWriter observes holds, drops {
  var holders: set[machine];
  var exclusive: bool;
  start state Watching {
    on holds do (by: (cache: machine, isExclusive: bool)) {
      holders += (by.cache);
      exclusive = exclusive || by.isExclusive;
      assert !exclusive || sizeof(holders) == 1, "one cache writes what another has";
    }
    on drops do (cache: machine) {
      holders -= (cache);
      if (sizeof(holders) == 0) exclusive = false;
    }
  }
}

fun caches(count: int, turns: int) {
  var directory: machine;
  var cache: machine;
  var turn: int;
  directory = new Directory();
  while (count > 0) {
    count = count - 1;
    cache = new Cache(directory);
    turn = 0;
    while (turn < turns) {
      turn = turn + 1;
      send cache, work;
    }
  }
}

machine Two { start state Init { entry { caches(2, 2); } } }
machine Three { start state Init { entry { caches(3, 1); } } }

test twoCaches [main=Two]: assert OneWriter in { Two, Directory, Cache };
test threeCaches [main=Three]: assert OneWriter in { Three, Directory, Cache };
test trusting [main=Two]: assert OneWriter in { Two, TrustingDirectory -> Directory, Cache };
