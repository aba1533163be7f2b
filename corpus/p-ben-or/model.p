// Ben-Or's consensus without failures: three processes, two phases a round, and a coin where the votes say nothing.

event meet: seq[machine];
event first: (round: int, bit: int);
event second: (round: int, bit: int);
event decided: int;

machine Process {
  var all: seq[machine];
  var bit: int;
  var round: int;
  var rounds: int;
  var waits: int;
  var firsts: map[int, seq[int]];
  var seconds: map[int, seq[int]];
  var hasVoted: bool;
  start state Init {
    defer first, second;
    entry (made: (bit: int, rounds: int, waits: int)) {
      bit = made.bit;
      rounds = made.rounds;
      waits = made.waits;
    }
    on meet goto Running with (them: seq[machine]) { all = them; }
  }
  state Running {
    entry { begin(); }
    on first do (told: (round: int, bit: int)) {
      firsts[told.round] = added(firsts, told.round, told.bit);
      advance();
    }
    on second do (told: (round: int, bit: int)) {
      seconds[told.round] = added(seconds, told.round, told.bit);
      advance();
    }
  }
  state Over { ignore first, second; }
  fun begin() {
    var process: machine;
    round = round + 1;
    hasVoted = false;
    if (round > rounds) goto Over;
    foreach (process in all) send process, first, (round = round, bit = bit);
  }
  // Two votes of three are waited for in each phase, or as many as `waits` says.
  fun advance() {
    var process: machine;
    var choice: int;
    if (!hasVoted && round in firsts && sizeof(firsts[round]) >= waits) {
      hasVoted = true;
      choice = agreed(firsts[round], waits);
      foreach (process in all) send process, second, (round = round, bit = choice);
    }
    if (!hasVoted || !(round in seconds) || sizeof(seconds[round]) < waits) return;
    choice = agreed(seconds[round], 1);
    if (agreed(seconds[round], waits) >= 0) announce decided, agreed(seconds[round], waits);
    if (choice >= 0) bit = choice;
    else bit = choose(2);
    begin();
  }
}

// The bit that so many votes are for, or -1: no bit, or both.
fun agreed(votes: seq[int], enough: int): int {
  var counts: seq[int];
  var vote: int;
  counts += (0, 0);
  counts += (0, 0);
  foreach (vote in votes) if (vote >= 0) counts[vote] = counts[vote] + 1;
  if (counts[0] >= enough && counts[1] < enough) return 0;
  if (counts[1] >= enough && counts[0] < enough) return 1;
  return -1;
}

// The first two votes of a round count.
fun added(votes: map[int, seq[int]], round: int, bit: int): seq[int] {
  var known: seq[int];
  if (round in votes) known = votes[round];
  if (sizeof(known) < 2) known += (sizeof(known), bit);
  return known;
}

spec Agreement observes decided {
  start state Nobody {
    on decided do (bit: int) {
      if (bit == 0) goto Zero;
      goto One;
    }
  }
  state Zero { on decided do (bit: int) { assert bit == 0, "one decides 0, another 1"; } }
  state One { on decided do (bit: int) { assert bit == 1, "one decides 0, another 1"; } }
}

fun processes(rounds: int, waits: int) {
  var all: seq[machine];
  var process: machine;
  while (sizeof(all) < 3) all += (0, new Process((bit = sizeof(all) % 2, rounds = rounds, waits = waits)));
  foreach (process in all) send process, meet, all;
}

machine OneRound { start state Init { entry { processes(1, 2); } } }
// Waits for one vote, which may be its own.
machine Hasty { start state Init { entry { processes(1, 1); } } }

test oneRound [main=OneRound]: assert Agreement in { OneRound, Process };
test hasty [main=Hasty]: assert Agreement in { Hasty, Process };
