// Hybrid logical clocks as one machine, step by step: each of three processes first decides whether it receives or sends, and then its clock ticks,
// which waits for clocks that are two behind. The states and the steps of Demirbas's TLA+ specification.

param most: int;

enum tTurn { isDeciding, isReceiving, isSending, isDone }

type tTime = (wall: int, logical: int);
type tStep = (who: int, what: tTurn, target: int);
event step;

machine HybridClock {
  var walls: seq[int];
  var times: seq[tTime];
  var told: seq[tTime];
  var turns: seq[tTurn];
  var ended: int;
  start state Running {
    entry {
      while (sizeof(walls) < 3) {
        walls += (0, 0);
        times += (0, (wall = 0, logical = 0));
        told += (0, (wall = 0, logical = 0));
        turns += (0, isDeciding);
      }
      send this, step;
    }
    on step do {
      act(choose(able()));
      if (ended < 3) send this, step;
    }
  }
  fun able(): seq[tStep] {
    var steps: seq[tStep];
    var i: int;
    while (i < 3) {
      if (turns[i] == isDeciding && walls[i] < most) {
        steps += (sizeof(steps), (who = i, what = isReceiving, target = i));
        steps += (sizeof(steps), (who = i, what = isSending, target = i));
      }
      if (turns[i] == isDeciding && walls[i] == most) steps += (sizeof(steps), (who = i, what = isDone, target = i));
      if (turns[i] == isReceiving && mayTick(i)) steps += (sizeof(steps), (who = i, what = isDeciding, target = i));
      if (turns[i] == isSending && mayTick(i)) {
        steps += (sizeof(steps), (who = i, what = isDeciding, target = (i + 1) % 3));
        steps += (sizeof(steps), (who = i, what = isDeciding, target = (i + 2) % 3));
      }
      i = i + 1;
    }
    return steps;
  }
  fun mayTick(i: int): bool {
    return walls[i] < walls[0] + 2 && walls[i] < walls[1] + 2 && walls[i] < walls[2] + 2;
  }
  fun act(one: tStep) {
    var i: int;
    i = one.who;
    turns[i] = one.what;
    if (one.what == isDone) ended = ended + 1;
    if (one.what != isDeciding) return;
    walls[i] = walls[i] + 1;
    if (one.target == i) times[i] = atReceipt(times[i], told[i], walls[i]);
    else {
      times[i] = atSending(times[i], walls[i]);
      told[one.target] = times[i];
    }
    assert times[i].wall >= walls[i] && times[i].wall < walls[i] + 2, "the time runs away from the clock";
    assert times[i].logical < 9, "the logical part is not bounded";
  }
  fun atReceipt(own: tTime, theirs: tTime, wall: int): tTime {
    var latest: int;
    latest = wall;
    if (own.wall > latest) latest = own.wall;
    if (theirs.wall > latest) latest = theirs.wall;
    if (own.wall > wall && own.wall == theirs.wall && theirs.logical > own.logical)
      return (wall = latest, logical = theirs.logical + 1);
    if (own.wall > wall) return (wall = latest, logical = own.logical + 1);
    if (own.wall < theirs.wall) return (wall = latest, logical = theirs.logical + 1);
    return (wall = latest, logical = 0);
  }
  fun atSending(own: tTime, wall: int): tTime {
    if (own.wall >= wall) return (wall = own.wall, logical = own.logical + 1);
    return (wall = wall, logical = 0);
  }
}

test param (most in [5, 4, 3]) clocks [main=HybridClock]: { HybridClock };
