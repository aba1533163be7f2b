// Hybrid logical clocks as one machine: clocks of three processes that are at most two apart, what each believes, and the last message to each.

param most: int;
param isWrong: bool;

type tTime = (wall: int, logical: int);
event step;

machine HybridClock {
  var walls: seq[int];
  var times: seq[tTime];
  var told: seq[tTime];
  start state Running {
    entry {
      while (sizeof(walls) < 3) {
        walls += (0, 0);
        times += (0, (wall = 0, logical = 0));
        told += (0, (wall = 0, logical = 0));
      }
      send this, step;
    }
    on step do {
      var able: seq[int];
      var i: int;
      while (i < 3) {
        if (mayTick(i)) able += (sizeof(able), i);
        i = i + 1;
      }
      if (sizeof(able) == 0) return;
      act(choose(able));
      send this, step;
    }
  }
  fun mayTick(i: int): bool {
    var wall: int;
    if (walls[i] >= most) return false;
    foreach (wall in walls) if (walls[i] >= wall + 2) return false;
    return true;
  }
  fun act(i: int) {
    var before: tTime;
    var option: int;
    before = times[i];
    walls[i] = walls[i] + 1;
    option = choose(3);
    if (option == 0) times[i] = later(before, told[i], walls[i]);
    else {
      times[i] = later(before, (wall = 0, logical = 0), walls[i]);
      told[(i + option) % 3] = times[i];
    }
    assert times[i].wall > before.wall || times[i].logical > before.logical, "time goes back";
    assert times[i].wall >= walls[i] && times[i].wall < walls[i] + 3, "the time runs away from all clocks";
  }
  // Who is wrong does not count where its own time is ahead.
  fun later(own: tTime, theirs: tTime, wall: int): tTime {
    if (wall > own.wall && wall > theirs.wall) return (wall = wall, logical = 0);
    if (own.wall > theirs.wall && isWrong) return own;
    if (own.wall > theirs.wall) return (wall = own.wall, logical = own.logical + 1);
    if (theirs.wall > own.wall) return (wall = theirs.wall, logical = theirs.logical + 1);
    if (own.logical > theirs.logical) return (wall = own.wall, logical = own.logical + 1);
    return (wall = own.wall, logical = theirs.logical + 1);
  }
}

test param (most in [6, 5, 4, 3, 2]) clocks [main=HybridClock]: { HybridClock };
test param (most in [3], isWrong in [true]) forgetful [main=HybridClock]: { HybridClock };
