// Ben-Or's consensus, two rounds of three processes, each a machine: two votes of three are waited for in each phase.

event meet: seq[machine];
event vote: (round: int, phase: int, bit: int);

machine Process {
  var all: seq[machine];
  var bit: int;
  var round: int;
  var phase: int;
  var votes: map[(int, int), seq[int]];
  start state Init {
    defer vote;
    entry (first: int) { bit = first; }
    on meet goto Running with (them: seq[machine]) { all = them; }
  }
  state Running {
    entry {
      round = 1;
      tell(1, bit);
    }
    on vote do (told: (round: int, phase: int, bit: int)) {
      var known: seq[int];
      if ((told.round, told.phase) in votes) known = votes[(told.round, told.phase)];
      if (sizeof(known) < 2) known += (sizeof(known), told.bit);
      votes[(told.round, told.phase)] = known;
      while ((round, phase) in votes && sizeof(votes[(round, phase)]) == 2) advance(votes[(round, phase)]);
    }
  }
  state Over { ignore vote; }
  fun tell(next: int, what: int) {
    var process: machine;
    phase = next;
    foreach (process in all) send process, vote, (round = round, phase = next, bit = what);
  }
  fun advance(two: seq[int]) {
    if (phase == 1) {
      if (two[0] == two[1]) tell(2, two[0]);
      else tell(2, -1);
      return;
    }
    if (two[0] >= 0) bit = two[0];
    else if (two[1] >= 0) bit = two[1];
    else bit = choose(2);
    round = round + 1;
    if (round > 2) goto Over;
    tell(1, bit);
  }
}

machine Consensus {
  start state Init {
    entry {
      var all: seq[machine];
      var process: machine;
      while (sizeof(all) < 3) all += (0, new Process(sizeof(all) % 2));
      foreach (process in all) send process, meet, all;
    }
  }
}

test twoRounds [main=Consensus]: { Consensus, Process };
