/** Whole programs of the literature, with the term of every process. */
import type { programs } from './programs.ts'

export const terms: { readonly [name in keyof typeof programs]: readonly string[] } = {
  'lock server': [
    `main: for _ in client { lock <- recv lock; from := lock.from; send(from, { kind: 'ack' }); recv unlock from from }`,
    `client[clients]: send(main, { kind: 'lock', from: self }); recv ack; send(main, { kind: 'unlock' })`,
  ],
  'two-phase commit': [
    `main: for one in acceptor { send(one, { kind: 'query', who: self }) }; yes := 0; for _ in acceptor { response <- recv response; if response.vote === 'accept' { yes := yes + 1 } }; decision := (yes === acceptors) ? 'commit' : 'rollback'; for one2 in acceptor { send(one2, { kind: 'decision', decision: decision, who: self }) }; for _2 in acceptor { recv ack }`,
    `acceptor[acceptors]: query <- recv query; who := query.who; vote <- choose('accept', 'reject'); send(who, { kind: 'response', vote: vote }); decision <- recv decision; coordinator := decision.who; send(coordinator, { kind: 'ack' })`,
  ],
  'map-reduce': [
    'main: repeat work { recv result }',
    `queue: repeat work as item { request <- recv request; from := request.from; send(from, { kind: 'work', item: item }) }; for _ in mapper { request2 <- recv request; from2 := request2.from; send(from2, { kind: 'term' }) }`,
    `mapper[mappers]: while { send(queue, { kind: 'request', from: self }); task <- recv work|term; if task.kind === 'work' { send(main, { kind: 'result', value: «square(task.item)»(task) }); continue }; break }`,
  ],
  firewall: [
    `server daemon: while { forward <- recv forward; request := forward.request; from := forward.from; if request === 'bad' { fail 'the firewall let it through' }; send(from, { kind: 'served' }) }`,
    `firewall daemon: while { message <- recv request; if message.request !== 'good' { continue }; send(server, { kind: 'forward', request: message.request, from: self }); recv served; send(message.from, { kind: 'response' }) }`,
    `client[clients]: send(firewall, { kind: 'request', request: 'good', from: self }); recv response`,
  ],
  'two buyers': [
    `main: repeat rounds as round { round2 := 1 + round; send(seller, { kind: 'title', buyers: { first: self, second: second }, round: round2 }); quote <- recv quote; send(second, { kind: 'share', amount: quote.price / 2 }) }`,
    `seller: repeat rounds { title <- recv title; first := title.buyers.first; second := title.buyers.second; send(first, { kind: 'quote', price: 10 }); send(second, { kind: 'quote', price: 10 }); offer <- recv offer; if offer.answer !== 'quit' { recv details; send(offer.from, { kind: 'shipping' }) } }`,
    `second: repeat rounds { quote <- recv quote; share <- recv share; chosen <- choose(true, false); if chosen && (share.amount <= quote.price) { send(seller, { kind: 'offer', answer: 'ok', from: self }); send(seller, { kind: 'details' }); recv shipping } else { send(seller, { kind: 'offer', answer: 'quit', from: self }) } }`,
  ],
  registry: [
    `main: send(registry, { kind: 'master', master: self }); for client in client { send(client, { kind: 'registry', registry: registry }) }; recv ok`,
    `registry: master2 <- recv master; master := master2.master; repeat clients { recv client }; send(master, { kind: 'ok' })`,
    `client[clients]: registry2 <- recv registry; registry := registry2.registry; send(registry, { kind: 'client', from: self })`,
  ],
  'concurrent database': [
    `database daemon: while { request <- recv request; if request.what === 'allocate' { answer <- choose('allocated', 'free'); send(request.from, { kind: 'allocation', answer: answer }); if answer === 'free' { recv set from request.from } } else { if request.what === 'lookup' { send(request.from, { kind: 'value' }) } else { fail 'no such request' } } }`,
    `client[clients]: what <- choose('allocate', 'lookup'); send(database, { kind: 'request', what: what, from: self }); reply <- recv allocation|value; if (reply.kind === 'allocation') && (reply.answer === 'free') { send(database, { kind: 'set' }) }`,
  ],
  parikh: [
    `main: send(server, { kind: 'init', from: self, value: 0 }); recv ok; repeat sets as index { send(server, { kind: 'set', value: index }) }; send(server, { kind: 'bye' })`,
    `server: init <- recv init; from := init.from; value := init.value; send(from, { kind: 'ok' }); value2 := value; while { message <- recv *; if message.kind === 'init' { fail 'init twice' }; if message.kind === 'set' { value2 := message.value; continue }; if message.kind === 'get' { send(message.from, { kind: 'value', value: value2 }); continue }; break }`,
  ],
  'distributed database': [
    `worker[workers] daemon: while { request <- recv *; if request.kind === 'lookup' { send(request.from, { kind: 'found' }) } }`,
    'database daemon: while { request <- recv *; worker <- pick worker; send(worker, request) }',
    `client[clients]: kind <- choose('allocate', 'lookup'); send(database, { kind: kind, from: self }); if kind === 'lookup' { recv found }`,
  ],
  theque: [
    `tag server[tags] daemon: while { call <- recv call; from := call.from; rpc := call.rpc; send(from, { kind: 'reply', text: «\`\${what} \${rpc}\`»('tag', rpc) }) }`,
    `data server[blobs] daemon: while { call <- recv call; from := call.from; rpc := call.rpc; send(from, { kind: 'reply', text: «\`\${what} \${rpc}\`»('blob', rpc) }) }`,
    `master daemon: while { request <- recv call; if request.rpc === 'push' { for server in data server { send(server, { kind: 'call', rpc: 'add', from: self }); recv reply from server } } else { for server2 in tag server { send(server2, { kind: 'call', rpc: 'get', from: self }); recv reply from server2 } }; send(request.from, { kind: 'reply' }) }`,
    `client[clients]: chosen <- choose('push', 'get'); send(master, { kind: 'call', rpc: chosen, from: self }); recv reply`,
  ],
  'ping with a helper': [
    `main: for peer in peer { send(peer, { kind: 'ping', from: self }) }; for _ in peer { recv pong }`,
    `peer[peers]: ping <- recv ping; send(ping.from, { kind: 'pong' })`,
  ],
}
