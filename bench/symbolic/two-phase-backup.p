// Two-phase commit with a backup of the transaction manager, all in one machine: managers may fail, and what the first transaction manager
// has decided may be hidden. The states are those of the TLA+ specification 2PCwithBTM, and a few for the moments before and after.

param size: int;
param isWrong: bool;

enum tManager { working, prepared, committed, aborted, failed }
enum tDecision { open, commit, abort, hidden }
enum tPhase { waiting, committing, aborting, telling, over }
enum tAction { prepare, obeyCommit, obeyAbort, fail, finish, seeCommit, seeAbort, decide, hide, backupSeesCommit, backupSeesAbort, backupDecides }
type tDeed = (action: tAction, manager: int);

event step;

machine Commit {
  var managers: seq[tManager];
  var finished: seq[bool];
  var decision: tDecision;
  var first: tPhase;
  var backup: tPhase;
  start state Running {
    entry {
      while (sizeof(managers) < size) {
        managers += (0, working);
        finished += (0, false);
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
  fun mayCommit(): bool {
    var one: tManager;
    if (committed in managers) return true;
    foreach (one in managers) if (one != prepared) return false;
    return true;
  }
  fun mayAbort(): bool { return (aborted in managers || failed in managers) && (isWrong || !(committed in managers)); }
  fun enabled(): seq[tDeed] {
    var able: seq[tDeed];
    var i: int;
    while (i < size) {
      if (managers[i] == working) able += (0, (action = prepare, manager = i));
      if (managers[i] == working || managers[i] == prepared) {
        if (decision == commit) able += (0, (action = obeyCommit, manager = i));
        if (managers[i] == working || decision == abort) able += (0, (action = obeyAbort, manager = i));
        if (!(failed in managers)) able += (0, (action = fail, manager = i));
      }
      else if (!finished[i]) able += (0, (action = finish, manager = i));
      i = i + 1;
    }
    if (first == waiting && mayCommit()) able += (0, (action = seeCommit, manager = 0));
    if (first == waiting && mayAbort()) able += (0, (action = seeAbort, manager = 0));
    if (first == committing || first == aborting) able += (0, (action = decide, manager = 0));
    if (first == telling) able += (0, (action = hide, manager = 0));
    if (backup == waiting && decision == hidden) {
      if (mayCommit()) able += (0, (action = backupSeesCommit, manager = 0));
      if (mayAbort()) able += (0, (action = backupSeesAbort, manager = 0));
    }
    if (backup == committing || backup == aborting) able += (0, (action = backupDecides, manager = 0));
    return able;
  }
  fun act(deed: tDeed) {
    if (deed.action == prepare) managers[deed.manager] = prepared;
    if (deed.action == obeyCommit) become(deed.manager, committed);
    if (deed.action == obeyAbort) become(deed.manager, aborted);
    if (deed.action == fail) managers[deed.manager] = failed;
    if (deed.action == finish) finished[deed.manager] = true;
    if (deed.action == seeCommit) first = committing;
    if (deed.action == seeAbort) first = aborting;
    if (deed.action == backupSeesCommit) backup = committing;
    if (deed.action == backupSeesAbort) backup = aborting;
    if (deed.action == decide) {
      decision = decisionOf(first);
      first = telling;
    }
    if (deed.action == hide) {
      decision = hidden;
      first = over;
    }
    if (deed.action == backupDecides) {
      decision = decisionOf(backup);
      backup = over;
    }
  }
  fun decisionOf(phase: tPhase): tDecision {
    if (phase == committing) return commit;
    return abort;
  }
  fun become(manager: int, next: tManager) {
    managers[manager] = next;
    if (next == committed) assert !(aborted in managers), "one commits after another has aborted";
    if (next == aborted) assert !(committed in managers), "one aborts after another has committed";
  }
}

test param (size in [2, 3, 4, 5]) backup [main=Commit]: { Commit };
// The backup forgets to ask whether somebody has committed.
test param (size in [3], isWrong in [true]) forgetful [main=Commit]: { Commit };
