// Two-phase commit as one machine: what resource managers, the transaction manager and messages are is data, and one step is one action.
// Lamport's TLA+ specification TwoPhase, with the same states and the same steps.

enum tManager { working, prepared, committed, aborted }
enum tKind { isPrepared, commit, abort }
enum tAction { receivePrepared, decideCommit, decideAbort, prepare, chooseAbort, receiveCommit, receiveAbort }

type tMessage = (kind: tKind, manager: int);
type tStep = (action: tAction, manager: int);

event step;

machine TwoPhase {
  var count: int;
  var managers: seq[tManager];
  var transaction: tManager;
  var ready: set[int];
  var messages: set[tMessage];
  start state Running {
    entry {
      count = 7;
      while (sizeof(managers) < count) managers += (0, working);
      send this, step;
    }
    on step do {
      perform(choose(enabled()));
      send this, step;
    }
  }
  fun enabled(): seq[tStep] {
    var steps: seq[tStep];
    var i: int;
    if (transaction == working) {
      if (sizeof(ready) == count) steps += (sizeof(steps), (action = decideCommit, manager = 0));
      steps += (sizeof(steps), (action = decideAbort, manager = 0));
    }
    while (i < count) {
      if (transaction == working && (kind = isPrepared, manager = i) in messages)
        steps += (sizeof(steps), (action = receivePrepared, manager = i));
      if (managers[i] == working) {
        steps += (sizeof(steps), (action = prepare, manager = i));
        steps += (sizeof(steps), (action = chooseAbort, manager = i));
      }
      if ((kind = commit, manager = 0) in messages) steps += (sizeof(steps), (action = receiveCommit, manager = i));
      if ((kind = abort, manager = 0) in messages) steps += (sizeof(steps), (action = receiveAbort, manager = i));
      i = i + 1;
    }
    return steps;
  }
  fun perform(one: tStep) {
    if (one.action == receivePrepared) ready += (one.manager);
    if (one.action == decideCommit) {
      transaction = committed;
      messages += ((kind = commit, manager = 0));
    }
    if (one.action == decideAbort) {
      transaction = aborted;
      messages += ((kind = abort, manager = 0));
    }
    if (one.action == prepare) {
      become(one.manager, prepared);
      messages += ((kind = isPrepared, manager = one.manager));
    }
    if (one.action == chooseAbort) become(one.manager, aborted);
    if (one.action == receiveCommit) become(one.manager, committed);
    if (one.action == receiveAbort) become(one.manager, aborted);
  }
  fun become(manager: int, next: tManager) {
    managers[manager] = next;
    if (next == committed) assert !(aborted in managers), "one commits after another has aborted";
    if (next == aborted) assert !(committed in managers), "one aborts after another has committed";
  }
}

test seven [main=TwoPhase]: { TwoPhase };
