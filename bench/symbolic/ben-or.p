// Ben-Or's consensus in one machine: size processes, of which one may be slow, and votes that everybody sees as soon as they are cast.

param size: int;
param rounds: int;
param isWrong: bool;

enum tPhase { reporting, proposing, deciding, done }

event step;

machine Consensus {
  var phases: seq[tPhase];
  var round: seq[int];
  var bits: seq[int];
  var decided: seq[int];
  // Votes of each round: of processes that say 0, 1 and nothing.
  var reports: seq[(int, int)];
  var proposals: seq[(int, int, int)];
  start state Running {
    entry {
      while (sizeof(bits) < size) {
        bits += (sizeof(bits), sizeof(bits) % 2);
        decided += (0, -1);
        round += (0, 0);
        phases += (0, reporting);
      }
      while (sizeof(reports) < rounds) {
        reports += (0, (0, 0));
        proposals += (0, (0, 0, 0));
      }
      send this, step;
    }
    on step do {
      var able: seq[int];
      var i: int;
      while (i < size) {
        if (mayAct(i)) able += (sizeof(able), i);
        i = i + 1;
      }
      if (sizeof(able) == 0) return;
      act(choose(able));
      send this, step;
    }
  }
  fun mayAct(i: int): bool {
    if (phases[i] == reporting) return true;
    if (phases[i] == proposing) return reports[round[i]].0 + reports[round[i]].1 >= size - 1;
    if (phases[i] == deciding)
      return proposals[round[i]].0 + proposals[round[i]].1 + proposals[round[i]].2 >= size - 1;
    return false;
  }
  fun act(i: int) {
    if (phases[i] == reporting) report(i);
    else if (phases[i] == proposing) propose(i);
    else conclude(i);
  }
  fun report(i: int) {
    if (bits[i] == 0) reports[round[i]].0 = reports[round[i]].0 + 1;
    else reports[round[i]].1 = reports[round[i]].1 + 1;
    phases[i] = proposing;
  }
  fun propose(i: int) {
    if (2 * reports[round[i]].0 > size) proposals[round[i]].0 = proposals[round[i]].0 + 1;
    else if (2 * reports[round[i]].1 > size) proposals[round[i]].1 = proposals[round[i]].1 + 1;
    else proposals[round[i]].2 = proposals[round[i]].2 + 1;
    phases[i] = deciding;
  }
  // Who is wrong takes one proposal for enough.
  fun conclude(i: int) {
    if (proposals[round[i]].0 > 1 || (isWrong && proposals[round[i]].0 > 0)) decide(i, 0);
    else if (proposals[round[i]].1 > 1) decide(i, 1);
    if (proposals[round[i]].0 > 0) bits[i] = 0;
    else if (proposals[round[i]].1 > 0) bits[i] = 1;
    else bits[i] = choose(2);
    if (round[i] + 1 == rounds) phases[i] = done;
    else {
      round[i] = round[i] + 1;
      phases[i] = reporting;
    }
  }
  fun decide(i: int, bit: int) {
    var other: int;
    decided[i] = bit;
    foreach (other in decided) assert other == -1 || other == bit, "one decides 0, another 1";
  }
}

test param (size in [3], rounds in [1, 2]) threeProcesses [main=Consensus]: { Consensus };
test param (size in [4], rounds in [1, 2, 3]) fourProcesses [main=Consensus]: { Consensus };
test param (size in [3], rounds in [2], isWrong in [true]) hasty [main=Consensus]: { Consensus };
