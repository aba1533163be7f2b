// A key-value store on several participants, written by two-phase commit, and a client that writes and reads for ever.

param size: int;

type Key = int;
type Val = int;

event write: (client: machine, key: Key, val: Val);
event outcome: bool;
event read: (client: machine, key: Key);
event readIs: (isThere: bool, val: Val);
event prepare: (key: Key, val: Val);
event vote: bool;
event decide: bool;
event done;
event store: (coordinator: machine, participants: seq[machine]);

// Which keys and values there are; a check file may know better.
fun theKey(): Key { return 0; }
fun otherKey(): Key { return 1 + choose(2); }
fun theVal(): Val { return 0; }
fun anyVal(): Val { return choose(2); }

machine Participant {
  var coordinator: machine;
  var stored: map[Key, Val];
  var pending: (key: Key, val: Val);
  start state Serving {
    entry (whom: machine) { coordinator = whom; }
    on prepare do (asked: (key: Key, val: Val)) {
      pending = asked;
      send coordinator, vote, $;
    }
    on decide do (yes: bool) {
      if (yes) stored[pending.key] = pending.val;
      pending = default((key: Key, val: Val));
      send coordinator, done;
    }
    on read do (asked: (client: machine, key: Key)) {
      if (asked.key in stored) send asked.client, readIs, (isThere = true, val = stored[asked.key]);
      else send asked.client, readIs, (isThere = false, val = default(Val));
    }
  }
}

// Asks and tells participants one after the other.
machine Coordinator {
  var participants: seq[machine];
  var current: (client: machine, key: Key, val: Val);
  var asked: int;
  var told: int;
  var isCommitted: bool;
  var isEager: bool;
  start state Init {
    entry (made: (client: machine, isEager: bool)) {
      isEager = made.isEager;
      while (sizeof(participants) < size) participants += (0, new Participant(this));
      send made.client, store, (coordinator = this, participants = participants);
      goto Idle;
    }
  }
  state Idle {
    on write do (wanted: (client: machine, key: Key, val: Val)) {
      current = wanted;
      asked = 0;
      goto Asking;
    }
  }
  state Asking {
    entry { send participants[asked], prepare, (key = current.key, val = current.val); }
    on vote do (yes: bool) {
      asked = asked + 1;
      isCommitted = yes;
      if (yes && asked < size) goto Asking;
      told = 0;
      // Who is in a hurry says what was decided before participants know it.
      if (isEager) send current.client, outcome, isCommitted;
      goto Telling;
    }
  }
  state Telling {
    defer write;
    entry { send participants[told], decide, isCommitted; }
    on done do {
      told = told + 1;
      if (told < asked) goto Telling;
      if (!isEager) send current.client, outcome, isCommitted;
      current = default((client: machine, key: Key, val: Val));
      goto Idle;
    }
  }
}

// Writes one key, then others as often as it likes, and reads the one again.
machine Client {
  var coordinator: machine;
  var participants: seq[machine];
  var key: Key;
  var val: Val;
  start state Init {
    entry (isEager: bool) {
      key = theKey();
      val = theVal();
      new Coordinator((client = this, isEager = isEager));
    }
    on store do (made: (coordinator: machine, participants: seq[machine])) {
      coordinator = made.coordinator;
      participants = made.participants;
      goto Writing;
    }
  }
  state Writing {
    entry { send coordinator, write, (client = this, key = key, val = val); }
    on outcome do (yes: bool) {
      if (yes) goto Others;
      goto Writing;
    }
  }
  state Others {
    entry {
      if ($) send coordinator, write, (client = this, key = otherKey(), val = anyVal());
      else goto Reading;
    }
    on outcome goto Others;
  }
  state Reading {
    entry { send choose(participants), read, (client = this, key = key); }
    on readIs do (found: (isThere: bool, val: Val)) {
      assert found.isThere, "the key is there";
      assert found.val == val, "the key has the value that was written";
      goto Others;
    }
  }
}

machine Careful { start state Init { entry { new Client(false); } } }
machine Eager { start state Init { entry { new Client(true); } } }

test param (size in [2, 4, 6]) store [main=Careful]: { Careful, Client, Coordinator, Participant };
// The outcome is told before participants know it.
test param (size in [2, 4]) eager [main=Eager]: { Eager, Client, Coordinator, Participant };
