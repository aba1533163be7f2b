// Flexible Paxos in one machine, with messages that stay for ever: any `first` acceptors are enough to lead a ballot, any `second` to choose a value.

param size: int;
param ballots: int;
param first: int;
param second: int;

type tVote = (ballot: int, choice: int);
type tDeed = (action: tAction, acceptor: int, ballot: int, choice: int);
enum tAction { prepare, promise, propose, accept }

event step;

machine Paxos {
  var prepared: set[int];
  var promised: seq[int];
  var last: seq[tVote];
  var promises: map[(int, int), tVote];
  var proposed: map[int, int];
  var accepted: map[tVote, int];
  var chosen: int;
  start state Running {
    entry {
      chosen = -1;
      while (sizeof(promised) < size) {
        promised += (0, -1);
        last += (0, (ballot = -1, choice = -1));
      }
      send this, step;
    }
    on step do {
      var able: seq[tDeed];
      var ballot: int;
      while (ballot < ballots) {
        able = enabled(able, ballot);
        ballot = ballot + 1;
      }
      if (sizeof(able) == 0) return;
      act(choose(able));
      send this, step;
    }
  }
  fun enabled(before: seq[tDeed], ballot: int): seq[tDeed] {
    var able: seq[tDeed];
    var i: int;
    able = before;
    if (!(ballot in prepared)) {
      able += (0, (action = prepare, acceptor = 0, ballot = ballot, choice = 0));
      return able;
    }
    while (i < 2) {
      if (!(ballot in proposed) && mayPropose(ballot, i))
        able += (0, (action = propose, acceptor = 0, ballot = ballot, choice = i));
      i = i + 1;
    }
    i = 0;
    while (i < size) {
      if (ballot > promised[i]) able += (0, (action = promise, acceptor = i, ballot = ballot, choice = 0));
      if (ballot in proposed && ballot >= promised[i] && last[i].ballot < ballot)
        able += (0, (action = accept, acceptor = i, ballot = ballot, choice = proposed[ballot]));
      i = i + 1;
    }
    return able;
  }
  // Some acceptors that are enough have promised, and the last vote of theirs is for that choice, or there is none.
  fun mayPropose(ballot: int, choice: int): bool {
    var highest: int;
    highest = -1;
    while (highest < ballot) {
      if (isLast(ballot, highest, choice)) return true;
      highest = highest + 1;
    }
    return false;
  }
  fun isLast(ballot: int, highest: int, choice: int): bool {
    var i: int;
    var count: int;
    var isFound: bool;
    isFound = highest < 0;
    while (i < size) {
      if ((i, ballot) in promises && promises[(i, ballot)].ballot <= highest) {
        count = count + 1;
        if (promises[(i, ballot)] == (ballot = highest, choice = choice)) isFound = true;
      }
      i = i + 1;
    }
    return isFound && count >= first;
  }
  fun act(deed: tDeed) {
    if (deed.action == prepare) prepared += (deed.ballot);
    if (deed.action == propose) proposed[deed.ballot] = deed.choice;
    if (deed.action == promise) {
      promised[deed.acceptor] = deed.ballot;
      promises[(deed.acceptor, deed.ballot)] = last[deed.acceptor];
    }
    if (deed.action == accept) vote(deed.acceptor, (ballot = deed.ballot, choice = deed.choice));
  }
  fun vote(acceptor: int, one: tVote) {
    promised[acceptor] = one.ballot;
    last[acceptor] = one;
    if (one in accepted) accepted[one] = accepted[one] + 1;
    else accepted[one] = 1;
    if (accepted[one] < second) return;
    assert chosen == -1 || chosen == one.choice, "two values are chosen";
    chosen = one.choice;
  }
}

test param (size in [2, 3], ballots in [2], first in [2], second in [2]) simple [main=Paxos]: { Paxos };
test param (size in [2], ballots in [3], first in [2], second in [1]) flexible [main=Paxos]: { Paxos };
test param (size in [3], ballots in [3], first in [2], second in [2]) threeBallots [main=Paxos]: { Paxos };
// Those that promise need not be among those that choose.
test param (size in [2], ballots in [2], first in [1], second in [1]) disjoint [main=Paxos]: { Paxos };
