// Streamlet in one machine: three nodes, a leader in each epoch, and blocks and votes that everybody sees. A block with two votes is notarized, and the
// middle one of three notarized blocks of consecutive epochs is final.

param epochs: int;
param isWrong: bool;

event step;

machine Streamlet {
  var epoch: seq[int];
  // By epoch; 0 is the first block of all. A block is known by its epoch, -1 stands for none.
  var parents: seq[int];
  var votes: seq[int];
  start state Running {
    entry {
      while (sizeof(epoch) < 3) epoch += (0, 1);
      while (sizeof(parents) <= epochs) {
        parents += (0, -1);
        votes += (0, 0);
      }
      votes[0] = 2;
      send this, step;
    }
    on step do {
      var able: seq[int];
      var i: int;
      while (i < 3) {
        if (epoch[i] <= epochs) able += (sizeof(able), i);
        i = i + 1;
      }
      if (sizeof(able) == 0) return;
      act(choose(able));
      send this, step;
    }
  }
  // A node does its duty in an epoch, or misses it.
  fun act(node: int) {
    var now: int;
    now = epoch[node];
    epoch[node] = now + 1;
    if ($) return;
    if (now % 3 == node) {
      parents[now] = choose(best());
      votes[now] = 1;
    }
    else if (parents[now] >= 0 && parents[now] in best()) vote(now);
  }
  fun vote(block: int) {
    votes[block] = votes[block] + 1;
    assert isConsistent(), "two final blocks are on different chains";
  }
  fun height(block: int): int {
    var at: int;
    var found: int;
    at = block;
    while (at > 0) {
      at = parents[at];
      found = found + 1;
    }
    return found;
  }
  // The notarized blocks that are highest; who is wrong builds on any.
  fun best(): set[int] {
    var found: set[int];
    var highest: int;
    var block: int;
    while (block <= epochs) {
      if (votes[block] >= 2 && (isWrong || height(block) >= highest)) {
        if (!isWrong && height(block) > highest) found = default(set[int]);
        highest = height(block);
        found += (block);
      }
      block = block + 1;
    }
    return found;
  }
  fun isFinal(block: int): bool {
    return block < epochs && parents[block] == block - 1 && parents[block + 1] == block && votes[block] >= 2
      && votes[block + 1] >= 2;
  }
  fun isConsistent(): bool {
    var last: int;
    var block: int;
    block = epochs;
    while (block > 0) {
      if (isFinal(block)) {
        if (last > 0 && !isBelow(block, last)) return false;
        last = block;
      }
      block = block - 1;
    }
    return true;
  }
  fun isBelow(low: int, high: int): bool {
    var at: int;
    at = high;
    while (at > low) at = parents[at];
    return at == low;
  }
}

test param (epochs in [2, 3, 4, 5]) streamlet [main=Streamlet]: { Streamlet };
test param (epochs in [5], isWrong in [true]) unchained [main=Streamlet]: { Streamlet };
