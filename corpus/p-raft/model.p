// Elections of Raft: three servers, each may stand for election once, and nobody leads a term that another leads.

event meet: seq[machine];
event timeout;
event askVote: (candidate: machine, term: int);
event voted: (term: int, yes: bool);
event leads: (server: machine, term: int);
event heartbeat: int;

machine Server {
  var others: seq[machine];
  var term: int;
  var votedIn: int;
  var votes: int;
  start state Init {
    defer timeout, askVote, heartbeat;
    on meet goto Follower with (all: seq[machine]) {
      var server: machine;
      foreach (server in all) if (server != this) others += (0, server);
    }
  }
  state Follower {
    on timeout goto Candidate;
    on askVote do answer;
    on heartbeat do (theirs: int) { if (theirs > term) term = theirs; }
    ignore voted;
  }
  state Candidate {
    entry {
      var server: machine;
      term = term + 1;
      votedIn = term;
      votes = 1;
      foreach (server in others) send server, askVote, (candidate = this, term = term);
    }
    on voted do (answer: (term: int, yes: bool)) {
      if (answer.term != term || !answer.yes) return;
      votes = votes + 1;
      if (votes == 2) goto Leader;
    }
    on askVote do (asked: (candidate: machine, term: int)) {
      answer(asked);
      if (asked.term == term && votedIn == term && votes == 0) goto Follower;
    }
    on heartbeat do (theirs: int) {
      if (theirs < term) return;
      term = theirs;
      goto Follower;
    }
    ignore timeout;
  }
  state Leader {
    entry {
      var server: machine;
      announce leads, (server = this, term = term);
      foreach (server in others) send server, heartbeat, term;
    }
    on askVote do (asked: (candidate: machine, term: int)) {
      answer(asked);
      if (votes == 0) goto Follower;
    }
    on heartbeat do (theirs: int) { if (theirs > term) { term = theirs; goto Follower; } }
    ignore timeout, voted;
  }
  // A vote for another is the end of one's own candidature.
  fun answer(asked: (candidate: machine, term: int)) {
    var yes: bool;
    yes = mayVote(asked.term);
    if (asked.term > term) term = asked.term;
    if (yes) {
      votedIn = asked.term;
      votes = 0;
    }
    send asked.candidate, voted, (term = asked.term, yes = yes);
  }
  fun mayVote(theirs: int): bool { return theirs > votedIn && theirs >= term; }
}

// Remembers its term, but not that it has voted in it.
machine ForgetfulServer {
  var others: seq[machine];
  var term: int;
  var votes: int;
  start state Init {
    defer timeout, askVote, heartbeat;
    on meet goto Follower with (all: seq[machine]) {
      var server: machine;
      foreach (server in all) if (server != this) others += (0, server);
    }
  }
  state Follower {
    on timeout goto Candidate;
    on askVote do answer;
    ignore voted, heartbeat;
  }
  state Candidate {
    entry {
      var server: machine;
      term = term + 1;
      votes = 1;
      foreach (server in others) send server, askVote, (candidate = this, term = term);
    }
    on voted do (answer: (term: int, yes: bool)) {
      if (answer.term != term || !answer.yes) return;
      votes = votes + 1;
      if (votes == 2) goto Leader;
    }
    on askVote do answer;
    ignore timeout, heartbeat;
  }
  state Leader {
    entry { announce leads, (server = this, term = term); }
    on askVote do answer;
    ignore timeout, voted, heartbeat;
  }
  fun answer(asked: (candidate: machine, term: int)) {
    send asked.candidate, voted, (term = asked.term, yes = asked.term >= term);
    if (asked.term > term) term = asked.term;
  }
}

spec OneLeader observes leads {
  var leader: map[int, machine];
  start state Watching {
    on leads do (won: (server: machine, term: int)) {
      assert !(won.term in leader) || leader[won.term] == won.server, format("two lead term {0}", won.term);
      leader[won.term] = won.server;
    }
  }
}

fun servers(candidates: int) {
  var all: seq[machine];
  var server: machine;
  while (sizeof(all) < 3) all += (0, new Server());
  foreach (server in all) send server, meet, all;
  while (candidates > 0) {
    candidates = candidates - 1;
    send all[candidates], timeout;
  }
}

machine OneCandidate { start state Init { entry { servers(1); } } }
machine TwoCandidates { start state Init { entry { servers(2); } } }

test oneCandidate [main=OneCandidate]: assert OneLeader in { OneCandidate, Server };
test twoCandidates [main=TwoCandidates]: assert OneLeader in { TwoCandidates, Server };
test forgetful [main=TwoCandidates]: assert OneLeader in { TwoCandidates, ForgetfulServer -> Server };
