// Chang and Roberts's election, the whole ring in one machine: any nodes begin, a token goes on past larger numbers only, and whose own token
// comes back leads. The states are those of the TLA+ specification ChangRoberts, and a few for the moments before and after.

param size: int;
param isWrong: bool;

enum tStanding { candidate, lost, won }
type tDeed = (node: int, token: int);

event step;

machine Ring {
  var begins: seq[bool];
  var begun: seq[bool];
  var standings: seq[tStanding];
  var tokens: seq[set[int]];
  start state Running {
    entry {
      while (sizeof(begins) < size) {
        begins += (sizeof(begins), $);
        begun += (0, false);
        tokens += (0, default(set[int]));
        if (begins[sizeof(begins) - 1]) standings += (sizeof(standings), candidate);
        else standings += (sizeof(standings), lost);
      }
      send this, step;
    }
    on step do {
      var able: seq[tDeed];
      able = enabled();
      if (sizeof(able) == 0) return;
      act(choose(able));
      send this, step;
    }
  }
  fun enabled(): seq[tDeed] {
    var able: seq[tDeed];
    var node: int;
    var token: int;
    while (node < size) {
      if (!begun[node]) able += (sizeof(able), (node = node, token = -1));
      else foreach (token in tokens[node]) able += (sizeof(able), (node = node, token = token));
      node = node + 1;
    }
    return able;
  }
  fun act(deed: tDeed) {
    var next: int;
    next = (deed.node + 1) % size;
    if (deed.token < 0) {
      begun[deed.node] = true;
      if (begins[deed.node]) tokens[next] += (deed.node);
      return;
    }
    tokens[deed.node] -= (deed.token);
    if (standings[deed.node] == candidate && deed.token < deed.node) standings[deed.node] = lost;
    if (standings[deed.node] == lost || (isWrong && deed.token > deed.node)) tokens[next] += (deed.token);
    else if (deed.token == deed.node) lead(deed.node);
  }
  fun lead(node: int) {
    var other: int;
    standings[node] = won;
    while (other < size) {
      assert other == node || standings[other] == lost, "another node has not lost";
      other = other + 1;
    }
  }
}

test param (size in [3, 4, 5, 6]) ring [main=Ring]: { Ring };
// Larger tokens go on, too.
test param (size in [3], isWrong in [true]) lax [main=Ring]: { Ring };
