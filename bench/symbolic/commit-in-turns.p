// Two-phase commit of many transactions: clients write any number under any key, and read it back if it was committed. The coordinator may lose patience with any
// participant, and tells with each read what must be found.

param size: int;
param clients: int;
param rounds: int;
param names: int;
param numbers: int;
param isWrong: bool;

type tWrite = (client: machine, key: int, number: int);

event write: tWrite;
event outcome: bool;
event read: (client: machine, key: int);
event readAt: (client: machine, key: int, last: int);
event readIs: int;
event prepare: (coordinator: machine, turn: int, key: int, number: int);
event vote: (turn: int, yes: bool);
event decide: bool;

machine Coordinator {
  var participants: seq[machine];
  var stored: map[int, int];
  var current: tWrite;
  var turn: int;
  var votes: int;
  start state Init {
    entry {
      var i: int;
      while (sizeof(participants) < size) participants += (0, new Participant());
      while (i < clients) {
        new Client(this);
        i = i + 1;
      }
      goto Idle;
    }
  }
  state Idle {
    on write do (asked: tWrite) {
      var one: machine;
      current = asked;
      turn = turn + 1;
      votes = 0;
      foreach (one in participants)
        send one, prepare, (coordinator = this, turn = turn, key = asked.key, number = asked.number);
      goto Preparing;
    }
    on read do (asked: (client: machine, key: int)) {
      send choose(participants), readAt, (client = asked.client, key = asked.key, last = stored[asked.key]);
    }
    ignore vote;
  }
  state Preparing {
    defer write, read;
    on vote do (told: (turn: int, yes: bool)) {
      if (told.turn != turn) return;
      votes = votes + 1;
      // Who waits for too long takes it for a refusal; who is wrong takes the first vote for all.
      if (!told.yes || $) decided(false);
      else if (votes == size || isWrong) decided(true);
    }
  }
  fun decided(yes: bool) {
    var one: machine;
    if (yes) stored[current.key] = current.number;
    foreach (one in participants) send one, decide, yes;
    send current.client, outcome, yes;
    goto Idle;
  }
}

machine Participant {
  var stored: map[int, int];
  var pending: (coordinator: machine, turn: int, key: int, number: int);
  var isWilling: bool;
  start state Init {
    on prepare do (asked: (coordinator: machine, turn: int, key: int, number: int)) {
      pending = asked;
      isWilling = $;
      send asked.coordinator, vote, (turn = asked.turn, yes = isWilling);
    }
    on decide do (yes: bool) {
      assert !yes || isWilling, "committed what a participant refused";
      if (yes) stored[pending.key] = pending.number;
    }
    on readAt do (asked: (client: machine, key: int, last: int)) {
      assert asked.key in stored && stored[asked.key] == asked.last, "what was committed is not there";
      send asked.client, readIs, stored[asked.key];
    }
  }
}

machine Client {
  var coordinator: machine;
  var left: int;
  var key: int;
  start state Init {
    entry (whom: machine) {
      coordinator = whom;
      left = rounds;
      next();
    }
    on outcome do (yes: bool) {
      if (yes) send coordinator, read, (client = this, key = key);
      else next();
    }
    on readIs do (found: int) { next(); }
  }
  fun next() {
    if (left == 0) return;
    left = left - 1;
    key = choose(names);
    send coordinator, write, (client = this, key = key, number = choose(numbers));
  }
}

test param (size in [1], clients in [2], rounds in [1], names in [1], numbers in [1]) few [main=Coordinator]: { Coordinator, Participant, Client };
test param (size in [2], clients in [2], rounds in [1, 2, 3], names in [1, 2], numbers in [1, 2]) commits [main=Coordinator]: { Coordinator, Participant, Client };
// A decision is made with the first vote.
test param (size in [2], clients in [1], rounds in [1], names in [1], numbers in [1], isWrong in [true]) hasty [main=Coordinator]: { Coordinator, Participant, Client };
