// Two-phase commit. Clients write a key and, if that was committed, read it back from one of the participants.

type tWrite = (client: machine, key: int, number: int);

event write: tWrite;
event outcome: bool;
event read: (client: machine, key: int);
event readIs: int;
event prepare: (coordinator: machine, key: int, number: int);
event vote: (number: int, yes: bool);
event decide: bool;

machine Coordinator {
  var participants: seq[machine];
  var current: tWrite;
  var votes: int;
  var isCareful: bool;
  start state Init {
    entry (made: (participants: seq[machine], isCareful: bool)) {
      participants = made.participants;
      isCareful = made.isCareful;
      goto Idle;
    }
  }
  state Idle {
    on write do begin;
    on read do forward;
    // Votes that came after a decision.
    ignore vote;
  }
  state Preparing {
    defer write;
    on read do forward;
    on vote do (told: (number: int, yes: bool)) {
      if (isCareful && told.number != current.number) return;
      if (!told.yes) decided(false);
      votes = votes + 1;
      if (votes == sizeof(participants)) decided(true);
    }
  }
  fun begin(asked: tWrite) {
    var participant: machine;
    current = asked;
    votes = 0;
    foreach (participant in participants) 
      send participant, prepare, (coordinator = this, key = asked.key, number = asked.number);
    goto Preparing;
  }
  fun decided(yes: bool) {
    var participant: machine;
    foreach (participant in participants) send participant, decide, yes;
    send current.client, outcome, yes;
    goto Idle;
  }
  // Any participant will do.
  fun forward(asked: (client: machine, key: int)) { send choose(participants), read, asked; }
}

machine Participant {
  var stored: map[int, int];
  var pending: (coordinator: machine, key: int, number: int);
  var isWilling: bool;
  start state Init {
    on prepare do (asked: (coordinator: machine, key: int, number: int)) {
      pending = asked;
      isWilling = $;
      send asked.coordinator, vote, (number = asked.number, yes = isWilling);
    }
    on decide do (yes: bool) {
      assert !yes || isWilling, "committed what a participant refused";
      if (yes) stored[pending.key] = pending.number;
    }
    on read do (asked: (client: machine, key: int)) {
      if (asked.key in stored) send asked.client, readIs, stored[asked.key];
      else send asked.client, readIs, -1;
    }
  }
}

// May fail before it votes: the coordinator hears nothing from it.
machine MortalParticipant {
  start state Init {
    on prepare do (asked: (coordinator: machine, key: int, number: int)) {
      if ($) raise halt;
      send asked.coordinator, vote, (number = asked.number, yes = false);
    }
    ignore decide;
  }
}

// A client that waits for its answers.
machine Client {
  start state Init {
    entry (made: (coordinator: machine, key: int, number: int)) {
      send made.coordinator, write, (client = this, key = made.key, number = made.number);
      receive {
        case outcome: (yes: bool) {
          if (!yes) return;
          send made.coordinator, read, (client = this, key = made.key);
          receive {
            case readIs: (found: int) {
              assert found == made.number, format("wrote {0}, read {1}", made.number, found);
            }
          }
        }
      }
    }
  }
}

// What is committed was voted for by all, and what one refused is aborted.
spec Atomic observes prepare, vote, outcome {
  var open: int;
  var refused: bool;
  start state Watching {
    on prepare do { open = open + 1; }
    on vote do (told: (number: int, yes: bool)) {
      open = open - 1;
      if (!told.yes) refused = true;
    }
    on outcome do (yes: bool) {
      assert !yes || (open == 0 && !refused), "committed without all votes";
      open = 0;
      refused = false;
    }
  }
}

fun commit(isCareful: bool): machine {
  var participants: seq[machine];
  while (sizeof(participants) < 2) participants += (0, new Participant());
  return new Coordinator((participants = participants, isCareful = isCareful));
}

machine OneClient {
  start state Init {
    entry { new Client((coordinator = commit(true), key = 0, number = 7)); }
  }
}

machine TwoClients {
  start state Init {
    entry {
      var coordinator: machine;
      coordinator = commit(true);
      new Client((coordinator = coordinator, key = 0, number = 7));
      new Client((coordinator = coordinator, key = 1, number = 8));
    }
  }
}

// Both clients write the same key.
machine SameKey {
  start state Init {
    entry {
      var coordinator: machine;
      coordinator = commit(true);
      new Client((coordinator = coordinator, key = 0, number = 7));
      new Client((coordinator = coordinator, key = 0, number = 8));
    }
  }
}

// Counts votes, whatever they are about.
machine Careless {
  start state Init {
    entry {
      var coordinator: machine;
      coordinator = commit(false);
      new Client((coordinator = coordinator, key = 0, number = 7));
      new Client((coordinator = coordinator, key = 1, number = 8));
    }
  }
}

test oneClient [main=OneClient]: assert Atomic in { OneClient, Client, Coordinator, Participant };
test twoClients [main=TwoClients]: { TwoClients, Client, Coordinator, Participant };
// One client reads what the other has written in between.
test sameKey [main=SameKey]: { SameKey, Client, Coordinator, Participant };
// A participant that fails is waited for.
test withFailure [main=OneClient]: { OneClient, Client, Coordinator, MortalParticipant -> Participant };
// A vote that comes after the decision is taken for one about the next write.
test careless [main=Careless]: { Careless, Client, Coordinator, Participant };
