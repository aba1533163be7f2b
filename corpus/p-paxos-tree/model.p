// Single-decree Paxos: two proposers, three acceptors. Proposers announce what they propose and what they know to be chosen.

event prepare: (proposer: machine, ballot: int);
event promise: (ballot: int, lastBallot: int, lastChoice: int);
event accept: (proposer: machine, ballot: int, choice: int);
event accepted: int;
event proposed: (ballot: int, choice: int, after: int);
event chosen: int;

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
    on accept do (asked: (proposer: machine, ballot: int, choice: int)) {
      if (asked.ballot < promised) return;
      promised = asked.ballot;
      lastBallot = asked.ballot;
      lastChoice = asked.choice;
      send asked.proposer, accepted, asked.ballot;
    }
  }
}

machine Proposer {
  var acceptors: seq[machine];
  var ballot: int;
  var choice: int;
  var highest: int;
  var promises: int;
  var votes: int;
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
      announce proposed, (ballot = ballot, choice = choice, after = highest);
      foreach (acceptor in acceptors) send acceptor, accept, (proposer = this, ballot = ballot, choice = choice);
      goto Proposed;
    }
  }
  state Proposed {
    ignore promise;
    on accepted do (of: int) {
      votes = votes + 1;
      if (2 * votes <= sizeof(acceptors)) return;
      announce chosen, ballot;
      goto Done;
    }
  }
  state Done { ignore promise, accepted; }
}

fun paxos(isCareful: bool) {
  var acceptors: seq[machine];
  while (sizeof(acceptors) < 3) acceptors += (0, new Acceptor());
  new Proposer((acceptors = acceptors, ballot = 1, isCareful = true));
  new Proposer((acceptors = acceptors, ballot = 2, isCareful = isCareful));
}

machine Careful { start state Init { entry { paxos(true); } } }
machine Careless { start state Init { entry { paxos(false); } } }

test paxos [main=Careful]: { Careful, Proposer, Acceptor };
// The second proposer does not ask what the acceptors have accepted.
test careless [main=Careless]: { Careless, Proposer, Acceptor };
