// Single-decree Paxos: two proposers with a ballot each, acceptors, and a learner that sees what they accept.

param size: int;
param isWrong: bool;

event prepare: (proposer: machine, ballot: int);
event promise: (lastBallot: int, lastChoice: int);
event accept: (ballot: int, choice: int);
event accepted: (ballot: int, choice: int);

machine Acceptor {
  var learner: machine;
  var promised: int;
  var last: (ballot: int, choice: int);
  start state Init {
    entry (whom: machine) { learner = whom; }
    on prepare do (asked: (proposer: machine, ballot: int)) {
      if (asked.ballot <= promised) return;
      promised = asked.ballot;
      send asked.proposer, promise, (lastBallot = last.ballot, lastChoice = last.choice);
    }
    on accept do (asked: (ballot: int, choice: int)) {
      if (asked.ballot < promised) return;
      promised = asked.ballot;
      last = asked;
      send learner, accepted, asked;
    }
  }
}

machine Proposer {
  var acceptors: seq[machine];
  var ballot: int;
  var choice: int;
  var highest: int;
  var promises: int;
  start state Preparing {
    entry (made: (acceptors: seq[machine], ballot: int)) {
      var acceptor: machine;
      acceptors = made.acceptors;
      ballot = made.ballot;
      choice = made.ballot;
      foreach (acceptor in acceptors) send acceptor, prepare, (proposer = this, ballot = ballot);
    }
    on promise do (answer: (lastBallot: int, lastChoice: int)) {
      var acceptor: machine;
      // Who is wrong does not care what was accepted before.
      if (answer.lastBallot > highest && !isWrong) {
        highest = answer.lastBallot;
        choice = answer.lastChoice;
      }
      promises = promises + 1;
      if (2 * promises <= size) return;
      foreach (acceptor in acceptors) send acceptor, accept, (ballot = ballot, choice = choice);
      goto Proposed;
    }
  }
  state Proposed { ignore promise; }
}

machine Learner {
  var votes: map[int, int];
  var chosen: int;
  start state Init {
    on accepted do (vote: (ballot: int, choice: int)) {
      if (!(vote.ballot in votes)) votes[vote.ballot] = 0;
      votes[vote.ballot] = votes[vote.ballot] + 1;
      if (2 * votes[vote.ballot] <= size) return;
      assert chosen == 0 || chosen == vote.choice, "two values are chosen";
      chosen = vote.choice;
    }
  }
}

machine Main {
  start state Init {
    entry {
      var acceptors: seq[machine];
      var learner: machine;
      learner = new Learner();
      while (sizeof(acceptors) < size) acceptors += (0, new Acceptor(learner));
      new Proposer((acceptors = acceptors, ballot = 1));
      new Proposer((acceptors = acceptors, ballot = 2));
    }
  }
}

test param (size in [1, 2, 3, 5]) paxos [main=Main]: { Main, Proposer, Acceptor, Learner };
test param (size in [1], isWrong in [true]) careless [main=Main]: { Main, Proposer, Acceptor, Learner };
