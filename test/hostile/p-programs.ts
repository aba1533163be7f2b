/** Small programs in P that use all of its grammar between them: what is broken to see how the parser takes it. */

const election = `
event eNominate: (id: int, hops: int);
event eElected: int;

machine Node {
  var next: Node;
  var id: int;
  start state Init {
    entry (config: (next: Node, id: int)) {
      next = config.next;
      id = config.id;
      send next, eNominate, (id = id, hops = 1);
      goto Run;
    }
    defer eNominate;
  }
  state Run {
    on eNominate do (m: (id: int, hops: int)) {
      if (m.id == id) { announce eElected, id; }
      else if (m.id > id) { send next, eNominate, (id = m.id, hops = m.hops + 1); }
    }
  }
}
`

const monitor = `
spec OneLeader observes eElected {
  var leader: int;
  start cold state None {
    on eElected goto One with (id: int) { leader = id; }
  }
  hot state One {
    on eElected do (id: int) { assert id == leader, format("two leaders: {0} and {1}", id, leader); }
  }
}
`

const collections = `
type Pair = (int, bool);
fun sums(xs: seq[int], ps: set[Pair], m: map[int, seq[string]]): int {
  var x, total: int;
  var p: Pair;
  foreach (x in xs) { total = total + x * 2 - -x; }
  foreach (p in ps) { if (p.1 && !(p in ps)) continue; total = total + p.0; }
  xs += (sizeof(xs), 1);
  ps += ((1, true));
  xs -= 0;
  m[3] = default(seq[string]);
  m += (4, values(m)[0]);
  while (total > 10 || x in keys(m)) { total = total / 2 % 3; if ($) break; }
  return total to float to int;
}
`

const receiving = `
event eAsk: machine;
event eYes; event eNo: string;
machine Client {
  start state Asking {
    entry (server: machine) {
      send server, eAsk, this;
      receive {
        case eYes: { raise halt; }
        case eNo, eYes: (why: string) { print format("no: {0}", why); }
      }
      ;
    }
    exit { print "bye\\n"; }
    ignore eYes, eNo;
    on null goto Asking;
    on halt do stop;
  }
  fun stop() { assert choose(3) < 3 as int; raise eNo, "x"; }
}
`

const modules = `
module System = { Server, Client -> IClient };
module Closed = union System, (assert OneLeader, Other in { Main });
module Hidden = hidee eYes, halt in hidei IClient in rename IClient to J in main Main in compose System, Closed;
interface IClient((a: int, b: any)) receives eYes, halt;
test Small [main=Main]: assert OneLeader in Closed;
test Refined [main=Main]: Closed refines System;
implementation Real [main=Main]: System;
`

const tests = `
param nodes, faults: int;
param lossy: bool;
test param (nodes in [1, 2, 3], faults in [0, -1], lossy in [true, false]) assume (nodes > faults) (2 wise) All [main=Main]: System;
test param (nodes in [5]) pairwise Few [main=Main]: (union System, { Main });
`

const enums = `
enum Color { Red, Green, Blue }
enum Level { Low = 1, High = 10 }
eventset Messages = { eYes, eNo, halt };
type Opaque;
fun make(x: int): Opaque;
fun create(): machine creates IClient;
fun level(c: Color): float { if (c == Red) return 1.05; else return .5; }
`

const tuples = `
fun parts(t: ((int, int), (a: int, b: (c: int))), u: any): int {
  t.0.1 = t.1.b.c;
  u = (1,);
  u = (a = 1,);
  u = (a = 1, b = (c = (2, 3), d = null));
  return (u as (int, int)).0 + t.0.0;
}
`

const logic = `
fun logic(a: bool, b: bool, c: int): bool {
  return !a && b || c >= 3 ==> a <==> c != 4 && (c <= 2 == b) || c in s;
}
`

const timer = `
machine Timer receives eStart, eCancel; sends eTimeout; {
  var client: machine;
  start state Wait {
    entry (m: machine) { client = m; }
    on eStart goto Run;
    ignore eCancel;
  }
  state Run {
    entry { if ($$) { send client, eTimeout; goto Wait, client; } }
    on null do { send client, eTimeout; }
    on eCancel goto Wait with confirm;
    defer eStart;
  }
  fun confirm() { new Timer(client); }
}
`

const scenario = `
scenario Retried observes eTimeout, eStart {
  start state Idle { on eTimeout goto Late; ignore eStart; }
  cold state Late { }
}
`

const comments = `\ufeff// a file with a mark\r
/* and a long\r
   comment */ event eOne; // behind\r
fun text(): string { return "several\r
lines \\"quoted\\" \\\\ // no comment"; }\r
`

export const programs: readonly string[] = [
  election,
  monitor,
  collections,
  receiving,
  modules,
  tests,
  enums,
  tuples,
  logic,
  timer,
  scenario,
  comments,
]
