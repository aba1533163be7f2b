// Paxos of one slot with leaders that take turns, in one machine: each has every so-manieth ballot, and the next one of its own when another has overtaken it.
// Messages stay for ever, and a leader takes all answers that are there when they are enough.

param size: int;
param leaders: int;
param most: int;
param isWrong: bool;

enum tPhase { resting, asking, proposing, over }
enum tAction { ask, promise, propose, accept, learn, giveWay }
type tVote = (ballot: int, choice: int);
type tDeed = (action: tAction, who: int, ballot: int);

event step;

machine Paxos {
  var phases: seq[tPhase];
  var ballots: seq[int];
  var promised: seq[int];
  var last: seq[tVote];
  var asked: set[int];
  var proposed: map[int, int];
  // By ballot: how many have promised or accepted, and the last vote among those that promised.
  var promises: map[int, int];
  var highest: map[int, tVote];
  var accepts: map[int, int];
  var chosen: int;
  start state Running {
    entry {
      chosen = -1;
      while (sizeof(phases) < leaders) {
        ballots += (sizeof(phases), sizeof(phases));
        phases += (0, resting);
      }
      while (sizeof(promised) < size) {
        promised += (0, -1);
        last += (0, (ballot = -1, choice = -1));
      }
      send this, step;
    }
    on step do {
      var able: seq[tDeed];
      able = ofAcceptors(ofLeaders());
      if (sizeof(able) == 0) return;
      act(choose(able));
      send this, step;
    }
  }
  fun isOvertaken(ballot: int): bool {
    var one: int;
    foreach (one in promised) if (one > ballot) return true;
    return false;
  }
  fun countOf(counts: map[int, int], ballot: int): int {
    if (ballot in counts) return counts[ballot];
    return 0;
  }
  fun ofLeaders(): seq[tDeed] {
    var able: seq[tDeed];
    var i: int;
    var ballot: int;
    while (i < leaders) {
      ballot = ballots[i];
      if (phases[i] == resting) able += (0, (action = ask, who = i, ballot = ballot));
      if (phases[i] == asking && 2 * countOf(promises, ballot) > size) able += (0, (action = propose, who = i, ballot = ballot));
      if (phases[i] == proposing && 2 * countOf(accepts, ballot) > size) able += (0, (action = learn, who = i, ballot = ballot));
      if ((phases[i] == asking || phases[i] == proposing) && isOvertaken(ballot))
        able += (0, (action = giveWay, who = i, ballot = ballot));
      i = i + 1;
    }
    return able;
  }
  fun ofAcceptors(before: seq[tDeed]): seq[tDeed] {
    var able: seq[tDeed];
    var i: int;
    var ballot: int;
    able = before;
    while (i < size) {
      ballot = 0;
      while (ballot <= most) {
        if (ballot in asked && ballot > promised[i]) able += (0, (action = promise, who = i, ballot = ballot));
        if (ballot in proposed && ballot >= promised[i] && last[i].ballot < ballot)
          able += (0, (action = accept, who = i, ballot = ballot));
        ballot = ballot + 1;
      }
      i = i + 1;
    }
    return able;
  }
  fun act(deed: tDeed) {
    var ballot: int;
    ballot = deed.ballot;
    if (deed.action == ask) {
      asked += (ballot);
      highest[ballot] = (ballot = -1, choice = deed.who);
      phases[deed.who] = asking;
    }
    if (deed.action == promise) {
      promised[deed.who] = ballot;
      promises[ballot] = countOf(promises, ballot) + 1;
      if (!isWrong && last[deed.who].ballot > highest[ballot].ballot) highest[ballot] = last[deed.who];
    }
    if (deed.action == propose) {
      proposed[ballot] = highest[ballot].choice;
      phases[deed.who] = proposing;
    }
    if (deed.action == accept) {
      promised[deed.who] = ballot;
      last[deed.who] = (ballot = ballot, choice = proposed[ballot]);
      accepts[ballot] = countOf(accepts, ballot) + 1;
    }
    if (deed.action == learn) {
      assert chosen == -1 || chosen == proposed[ballot], "two values are chosen";
      chosen = proposed[ballot];
      phases[deed.who] = over;
    }
    if (deed.action == giveWay) {
      ballots[deed.who] = ballot + leaders;
      if (ballots[deed.who] > most) phases[deed.who] = over;
      else phases[deed.who] = resting;
    }
  }
}

test param (size in [1, 3], leaders in [2], most in [1, 2, 3]) turns [main=Paxos]: { Paxos };
test param (size in [3], leaders in [3, 4], most in [3, 4]) more [main=Paxos]: { Paxos };
test param (size in [3], leaders in [9], most in [10]) full [main=Paxos]: { Paxos };
// Who leads does not care what was accepted before.
test param (size in [1, 3], leaders in [2], most in [1], isWrong in [true]) careless [main=Paxos]: { Paxos };
