// A cache beside a database. Who finds nothing in the cache gets a token, reads the database and fills the cache, unless the entry was dropped
// in between: then the token is no longer the one that the cache waits for. Tokens are few, and come again.

type tGet = (reader: machine, number: int);
type tFill = (token: int, value: int);
type tRead = (reader: machine, token: int);
type tWrite = (writer: machine, value: int);
type tSeen = (reader: machine, value: int);

event get: tGet;
event hit: int;
event miss: int;
event fill: tFill;
event read: tRead;
event current: tFill;
event write: tWrite;
event written;
event drop: machine;
event dropped;
// To the monitor.
event isDropped: int;
event isRead: tSeen;

param tokens: int;

machine Main {
  start state Init {
    entry {
      var database: machine;
      var cache: machine;
      database = new Database();
      cache = new Cache();
      new Writer((cache = cache, database = database));
      new Reader((cache = cache, database = database, times = 1));
      new Reader((cache = cache, database = database, times = 4));
    }
  }
}

machine Database {
  var value: int;
  start state Serving {
    on read do (one: tRead) { send one.reader, current, (token = one.token, value = value); }
    on write do (one: tWrite) {
      value = one.value;
      send one.writer, written;
    }
  }
}

machine Cache {
  var isFull: bool;
  var value: int;
  var next: int;
  // The token whose value is waited for; below 0: none.
  var waited: int;
  start state Serving {
    entry { waited = -1; }
    on get do (one: tGet) {
      if (isFull) send one.reader, hit, value;
      else {
        waited = next;
        next = next + 1;
        if (next == tokens) next = 0;
        send one.reader, miss, waited;
      }
    }
    on fill do (one: tFill) {
      if (one.token != waited) return;
      waited = -1;
      isFull = true;
      value = one.value;
    }
    on drop do (writer: machine) {
      isFull = false;
      waited = -1;
      send writer, dropped;
    }
  }
}

machine Writer {
  start state Writing {
    entry (of: (cache: machine, database: machine)) {
      var value: int;
      while (value < 3) {
        value = value + 1;
        send of.database, write, (writer = this, value = value);
        receive { case written: {} }
        send of.cache, drop, this;
        receive { case dropped: {} }
        announce isDropped, value;
      }
    }
  }
}

machine Reader {
  start state Reading {
    entry (of: (cache: machine, database: machine, times: int)) {
      var done: int;
      while (done < of.times) {
        done = done + 1;
        send of.cache, get, (reader = this, number = done);
        receive {
          case hit: (value: int) { announce isRead, (reader = this, value = value); }
          case miss: (token: int) {
            send of.database, read, (reader = this, token = token);
            receive { case current: (one: tFill) { send of.cache, fill, one; } }
          }
        }
      }
    }
  }
}

// What was dropped from the cache, and only then asked for, is not read again; a hit may be as old as its question.
spec Fresh observes isDropped, get, isRead {
  var newest: int;
  var since: map[machine, int];
  start state Watching {
    on isDropped do (value: int) { newest = value; }
    on get do (one: tGet) { since[one.reader] = newest; }
    on isRead do (one: tSeen) { assert one.value >= since[one.reader], "a value is read that was dropped before it was asked for"; }
  }
}

test param (tokens in [2, 3, 4]) cached [main=Main]: assert Fresh in { Main, Database, Cache, Writer, Reader };
