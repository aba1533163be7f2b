// Chang and Roberts's election in a ring of eight, each node a machine; a token travels on past smaller numbers only.

event next: machine;
event token: int;

machine Node {
  var id: int;
  var successor: machine;
  var leads: bool;
  start state Init {
    entry (number: int) { id = number; }
    on next do (whom: machine) {
      successor = whom;
      send successor, token, id;
      goto Electing;
    }
    defer token;
  }
  state Electing {
    on token do (theirs: int) {
      assert !leads || theirs <= id, "a token passes the leader";
      if (theirs > id) send successor, token, theirs;
      else if (theirs == id) leads = true;
    }
  }
}

machine Ring {
  start state Init {
    entry {
      var nodes: seq[machine];
      var i: int;
      while (i < 8) {
        nodes += (i, new Node((i * 3) % 8));
        i = i + 1;
      }
      i = 0;
      while (i < 8) {
        send nodes[i], next, nodes[(i + 1) % 8];
        i = i + 1;
      }
    }
  }
}

test eight [main=Ring]: { Ring, Node };
