// Single-decree Paxos: two proposers, three acceptors, and a monitor that sees what is accepted.

event prepare: (proposer: machine, ballot: int);
event promise: (ballot: int, lastBallot: int, lastChoice: int);
event accept: (ballot: int, choice: int);
event accepted: (acceptor: machine, ballot: int, choice: int);

machine Acceptor {
  var promised: int;
  var lastBallot: int;
  var lastChoice: int;
  start state Init {
    on prepare do (asked: (proposer: machine, ballot: int)) {
      if (asked.ballot <= promised) return;
      promised = asked.ballot;
      send asked.proposer, promise, (ballot = asked.ballot, lastBallot = lastBallot, lastChoice = lastChoice);
    }
    on accept do (asked: (ballot: int, choice: int)) {
      if (asked.ballot < promised) return;
      promised = asked.ballot;
      lastBallot = asked.ballot;
      lastChoice = asked.choice;
      announce accepted, (acceptor = this, ballot = lastBallot, choice = lastChoice);
    }
  }
}

machine Proposer {
  var acceptors: seq[machine];
  var ballot: int;
  var choice: int;
  var highest: int;
  var promises: int;
  var isCareful: bool;
  start state Preparing {
    entry (made: (acceptors: seq[machine], ballot: int, isCareful: bool)) {
      var acceptor: machine;
      acceptors = made.acceptors;
      ballot = made.ballot;
      choice = made.ballot;
      isCareful = made.isCareful;
      foreach (acceptor in acceptors) send acceptor, prepare, (proposer = this, ballot = ballot);
    }
    on promise do (answer: (ballot: int, lastBallot: int, lastChoice: int)) {
      var acceptor: machine;
      if (isCareful && answer.lastBallot > highest) {
        highest = answer.lastBallot;
        choice = answer.lastChoice;
      }
      promises = promises + 1;
      if (2 * promises <= sizeof(acceptors)) return;
      foreach (acceptor in acceptors) send acceptor, accept, (ballot = ballot, choice = choice);
      goto Proposed;
    }
  }
  state Proposed { ignore promise; }
}

spec Agreement observes accepted {
  var votes: map[(int, int), set[machine]];
  var chosen: int;
  start state Watching {
    on accepted do (vote: (acceptor: machine, ballot: int, choice: int)) {
      var key: (int, int);
      key = (vote.ballot, vote.choice);
      if (!(key in votes)) votes[key] = default(set[machine]);
      votes[key] += (vote.acceptor);
      if (sizeof(votes[key]) < 2) return;
      assert chosen == 0 || chosen == vote.choice, format("{0} and {1} are chosen", chosen, vote.choice);
      chosen = vote.choice;
    }
  }
}

fun paxos(isCareful: bool) {
  var acceptors: seq[machine];
  while (sizeof(acceptors) < 3) acceptors += (0, new Acceptor());
  new Proposer((acceptors = acceptors, ballot = 1, isCareful = true));
  new Proposer((acceptors = acceptors, ballot = 2, isCareful = isCareful));
}

machine Careful { start state Init { entry { paxos(true); } } }
machine Careless { start state Init { entry { paxos(false); } } }

test paxos [main=Careful]: assert Agreement in { Careful, Proposer, Acceptor };
// The second proposer does not ask what the acceptors have accepted.
test careless [main=Careless]: assert Agreement in { Careless, Proposer, Acceptor };
