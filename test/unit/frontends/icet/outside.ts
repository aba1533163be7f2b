/** Every construct outside the provable subset: code, place, what is wrong, and the rewrite that brings it inside. */
export interface Outside {
  readonly name: string
  readonly body: string
  readonly more?: string
  readonly says: string
}

export const outside: readonly Outside[] = [
  {
    name: 'spawn in a loop',
    body: `for (const one of all) yield* spawn('w', function* () {})`,
    says: `E408 4:31 spawn inside a loop or condition: prove needs all processes to be spawned at the beginning, outside loops and conditions | write spawnAll(n, 'w', …) at the beginning`,
  },
  {
    name: 'spawn in a loop of fewer rounds than there may be',
    body: `for (let i = 0; i < n - 5; i++) yield* spawn('w', function* () {})`,
    says: `E416 4:21 "n - 5", which may be less than 0, is outside the subset of TypeScript that prove reads | let n begin at 5: every(…, { from: 5 })`,
  },
  {
    name: 'spawn in a condition',
    body: `if (n > 1) yield* spawn('w', function* () {})`,
    says: `E408 4:19 spawn inside a loop or condition: prove needs all processes to be spawned at the beginning, outside loops and conditions | write spawnAll(n, 'w', …) at the beginning`,
  },
  {
    name: 'spawn after communication',
    body: `yield* receive('a')
  yield* spawn('w', function* () {})`,
    says: 'E408 5:10 spawn after a message was sent or awaited: prove needs all processes to be spawned at the beginning, outside loops and conditions | move the spawn up, before the first send, receive, loop and condition',
  },
  {
    name: 'spawn after a condition',
    body: `if (n > 1) return
  yield* spawn('w', function* () {})`,
    says: 'E408 5:10 spawn after a loop or condition: prove needs all processes to be spawned at the beginning, outside loops and conditions | move the spawn up, before the first send, receive, loop and condition',
  },
  {
    name: 'spawn by a member of a set',
    body: `yield* spawnAll(n, 'set', function* () { yield* spawn('w', function* () {}) })`,
    says: 'E408 4:49 spawn by a member of the set "set": prove needs all processes to be spawned at the beginning, outside loops and conditions | spawn these processes in the main process, and send their addresses to the processes that need them',
  },
  {
    name: 'a process that spawns its own kind',
    body: `yield* spawn('a', function* a() { yield* spawn('b', a) })`,
    says: 'E408 4:42 a process that spawns its own kind: prove needs all processes to be spawned at the beginning, outside loops and conditions | spawn all processes in the main process',
  },
  {
    name: 'recursion before the end',
    body: 'yield* deep(3)',
    more: `function* deep(x) { yield* receive('a'); yield* deep(x - 1); yield* receive('b') }`,
    says: 'E409 6:49 the function calls itself before its end, so prove cannot read the recursion as a loop | make the call the last thing the function does: return yield* f(…); or write a loop',
  },
  {
    name: 'mutual recursion',
    body: 'yield* ping()',
    more: `function* ping() { yield* receive('a'); yield* pong() }
function* pong() { yield* ping() }`,
    says: 'E409 7:27 the function calls itself before its end, so prove cannot read the recursion as a loop | make the call the last thing the function does: return yield* f(…); or write a loop',
  },
  {
    name: 'for…of over an array of a message',
    body: `const list = yield* receive('list')
  for (const q of list.items) yield* send(q, { kind: 'x' })`,
    says: 'E410 5:3 for (… of list.items) goes through a value that is not a set of processes | go through the set that spawnAll(…) gave, or count with repeat(k, …); an array built at run time has no size that prove knows',
  },
  {
    name: 'for…in with operations',
    body: `const m = yield* receive('m')
  for (const key in m) yield* receive(key)`,
    says: 'E416 5:3 for…in with operations inside is outside the subset of TypeScript that prove reads | write out what happens for each field',
  },
  {
    name: 'a variable of main in another process',
    body: `let count = 0
  yield* spawn('w', function* () { count++; yield* receive('a') })
  count++`,
    says: 'E412 5:36 "count" of process "main" is shared between processes | pass it as an argument of spawn(…) if it is known at the beginning, or send it in a message',
  },
  {
    name: 'a variable of the module',
    body: `yield* spawn('w', function* () { total += 1; yield* receive('a') })`,
    more: 'let total = 0',
    says: 'E412 4:34 "total" is shared between processes | keep it inside one process, and let the others ask that process with messages',
  },
  {
    name: 'a list of the module that is filled',
    body: `yield* spawn('w', function* () { log.push(1); yield* receive('a') })`,
    more: 'const log = []',
    says: 'E412 4:34 "log" is shared between processes | keep it inside one process, and let the others ask that process with messages',
  },
  {
    name: 'a value of run time as an argument of spawn',
    body: `const x = yield* choose([1, 2])
  yield* spawn('w', function* (v) { yield* receive(v) }, x)`,
    says: 'E412 5:58 "x" of process "main" is shared between processes | pass it as an argument of spawn(…) if it is known at the beginning, or send it in a message',
  },
  {
    name: 'a constant that is declared after the spawn',
    body: `yield* spawn('w', function* () { yield* receive(kind) })
  const kind = 'a'`,
    says: 'E412 4:49 "kind", which has no value yet, is shared between processes | spawn the process after this value is there, and pass it as an argument of spawn(…)',
  },
  {
    name: 'join',
    body: `const w = yield* spawn('w', function* () {})
  yield* join(w)`,
    says: 'E413 5:10 prove does not decide join | let the process send a message when it is done, and receive that',
  },
  {
    name: 'poll',
    body: `const m = yield* poll('a')`,
    says: 'E413 4:18 prove does not decide poll | use receive; what may happen instead of a message, let another process send',
  },
  {
    name: 'a mutex of main',
    body: `const lock = mutex()
  yield* lock.acquire()`,
    says: 'E412 4:14 mutex() is shared between processes | keep it inside one process, and let the others ask that process with messages',
  },
  {
    name: 'a mutex of the module',
    body: 'yield* lock.acquire()',
    more: 'const lock = mutex()',
    says: 'E412 4:8 "lock" is shared between processes | keep it inside one process, and let the others ask that process with messages',
  },
  {
    name: 'an endless loop that only sends',
    body: `while (true) { yield* send(yield* self(), { kind: 'x' }) }`,
    says: 'E414 4:1 a loop without a fixed number of rounds sends messages and never receives one | count the rounds with repeat(k, …) or for (let i = 0; i < k; i++), or wait for an answer in every round',
  },
  {
    name: 'a loop with a condition that only sends',
    body: `let i = 0
  while (i < 3) { yield* send(yield* self(), { kind: 'x' }); i++ }`,
    says: 'E414 5:3 a loop without a fixed number of rounds sends messages and never receives one | count the rounds with repeat(k, …) or for (let i = 0; i < k; i++), or wait for an answer in every round',
  },
  {
    name: 'send to a text',
    body: `yield* send('server', { kind: 'x' })`,
    says: `E415 4:13 send cannot tell which process "'server'" is | addresses come from spawn, self, fields of messages, for…of over a set and choose(…)`,
  },
  {
    name: 'send to something out of a table',
    body: `const m = yield* receive('a')
  const table = new Map()
  table.set(m.key, m.from)
  const q = table.get(m.key)
  yield* send(q, { kind: 'x' })`,
    says: 'E415 8:10 send cannot tell which process "q" is | addresses come from spawn, self, fields of messages, for…of over a set and choose(…)',
  },
  {
    name: 'receive from something out of a list',
    body: `const m = yield* receive('a')
  const next = m.list.at(0)
  yield* receive('b', { from: next })`,
    says: 'E415 6:10 receive from cannot tell which process "next" is | addresses come from spawn, self, fields of messages, for…of over a set and choose(…)',
  },
  {
    name: 'a member of a set by its index',
    body: `yield* send(all[0], { kind: 'x' })`,
    says: 'E415 4:13 a part of the set of processes "peer" is taken out | go through the set with for (const one of all), or for (let i = 0; i < all.length; i++) and all[i]; or let choose(…) pick a member; for one process alone use spawn(…); neighbours, as in a ring, are for check',
  },
  {
    name: 'send to a set',
    body: `yield* send(all, { kind: 'x' })`,
    says: 'E415 4:13 send gets the set of processes "peer" instead of one | write for (const one of …) { yield* send(one, …) }',
  },
  {
    name: 'a set in a message',
    body: `yield* send(yield* self(), { kind: 'x', all })`,
    says: 'E415 4:28 the set of processes "peer" is used as a value | a set can be iterated with for…of, counted with .length, given to choose(…) and to spawn(…)',
  },
  {
    name: 'a method of a set',
    body: `all.forEach((q) => send(q, { kind: 'x' }))`,
    says: 'E415 4:1 a part of the set of processes "peer" is taken out | go through the set with for (const one of all), or for (let i = 0; i < all.length; i++) and all[i]; or let choose(…) pick a member; for one process alone use spawn(…); neighbours, as in a ring, are for check',
  },
  {
    name: 'a computed field of a message',
    body: `const m = yield* receive('a')
  const key = yield* receive('key')
  yield* send(m[key.name], { kind: 'x' })`,
    says: 'E416 6:15 a field of a message whose name is computed is outside the subset of TypeScript that prove reads | write the field down: message.field; tell kinds of messages apart with switch (message.kind)',
  },
  {
    name: 'try',
    body: `try { yield* receive('a') } catch { yield* receive('b') }`,
    says: 'E416 4:1 try is outside the subset of TypeScript that prove reads | nothing a process does throws; test conditions with if, and use assert(…) for what must hold',
  },
  {
    name: 'a label',
    body: `outer: while (true) { yield* receive('a'); break outer }`,
    says: 'E416 4:1 a label is outside the subset of TypeScript that prove reads | put the inner loop into a function, and return from it',
  },
  {
    name: 'yield without *',
    body: `yield receive('a')`,
    says: 'E416 4:1 yield without * is outside the subset of TypeScript that prove reads | write yield* in front of every operation',
  },
  {
    name: 'an operation that is not performed',
    body: `send(yield* self(), { kind: 'x' })`,
    says: 'E416 4:1 send as a value, which is not performed here, is outside the subset of TypeScript that prove reads | write yield* send(…), or await send(…) in an async function, where it is to happen',
  },
  {
    name: 'a generator in a variable',
    body: `const g = work()
  yield* g`,
    more: `function* work() { yield* receive('a') }`,
    says: 'E416 4:11 work as a value, which is not performed here, is outside the subset of TypeScript that prove reads | write yield* work(…), or await work(…) in an async function, where it is to happen',
  },
  {
    name: 'an operation in a variable',
    body: `const op = receive('a')`,
    says: 'E416 4:12 receive as a value, which is not performed here, is outside the subset of TypeScript that prove reads | write yield* receive(…), or await receive(…) in an async function, where it is to happen',
  },
  {
    name: 'receive by a predicate on a value',
    body: 'yield* receive((m) => m.size > 3)',
    says: `E416 4:16 a receive by a predicate on more than the kind is outside the subset of TypeScript that prove reads | name the kind: receive('kind'); for messages of one process receive('kind', { from: address })`,
  },
  {
    name: 'a default in a pattern',
    body: `const { a = 1 } = yield* receive('a')`,
    says: 'E416 4:9 a default value in a pattern is outside the subset of TypeScript that prove reads | take the fields one by one: const { from, value } = …; write the default as a condition',
  },
  {
    name: 'a rest element',
    body: `const { a, ...rest } = yield* receive('a')`,
    says: 'E416 4:12 a rest element in a pattern is outside the subset of TypeScript that prove reads | take the fields one by one: const { from, value } = …; write the default as a condition',
  },
  {
    name: 'a case that falls through',
    body: `const m = yield* receive('a')
  switch (m.kind) { case 'a': yield* receive('x'); case 'b': yield* receive('y') }`,
    says: 'E416 5:21 a case that falls through to the next is outside the subset of TypeScript that prove reads | end the case with break, return or continue; cases with the same body may stand in a row',
  },
  {
    name: 'a number of times that may be less than 0',
    body: `yield* repeat(n - 1, function* () { yield* receive('a') })`,
    says: 'E416 4:15 "n - 1", which may be less than 0, is outside the subset of TypeScript that prove reads | let n begin at 1: every(…, { from: 1 })',
  },
  {
    name: 'choose from a computed list',
    body: 'yield* choose([1, 2].map((x) => x))',
    says: 'E416 4:8 choose among options that are not written down is outside the subset of TypeScript that prove reads | write the options down: choose([first, second]); or pass the set that spawnAll gave',
  },
  {
    name: 'a clock',
    body: 'const x = Date.now()',
    says: 'E209 4:11 a process uses Date, which is not the same each time | use choose(…) where several values are possible',
  },
  {
    name: 'randomness',
    body: 'const x = Math.random()',
    says: 'E209 4:11 a process uses Math.random, which is not the same each time | use choose(…) where several values are possible',
  },
  {
    name: 'a network for one message',
    body: `yield* send(yield* self(), { kind: 'x' }, { network: 'bag' })`,
    says: 'E413 4:43 prove does not decide networks other than fifo | leave out the network of this message',
  },
  {
    name: 'changing a message',
    body: `const m = yield* receive('a')
  m.x = 1`,
    says: 'E416 5:3 changing a message that was received is outside the subset of TypeScript that prove reads | messages are frozen; make a new object: { kind: …, … }',
  },
  {
    name: 'changing an object that has two names',
    body: `const list = []
  const other = list
  other.push(1)
  yield* receive('a')`,
    says: 'E416 6:3 changing an object that may have two names is outside the subset of TypeScript that prove reads | change a copy that has one name and is not given away: const copy = [...list], { ...object }; keep inner objects in variables of their own',
  },
  {
    name: 'performing a function of a package',
    body: 'yield* foreign()',
    more: `import { foreign } from 'elsewhere'`,
    says: 'E416 4:8 performing what is not an operation is outside the subset of TypeScript that prove reads | perform operations of allways, and generator or async functions of your own files',
  },
  {
    name: 'throw in a callback',
    body: `const x = [1, 2].map((v) => { if (v > 1) throw new Error('no'); return v })`,
    says: 'E416 4:42 throw inside a computation is outside the subset of TypeScript that prove reads | perform operations, and fail, in the process itself: its loops and conditions may hold them',
  },
  {
    name: 'an operation in a callback',
    body: `const m = yield* receive('m')
  m.list.forEach(function* (q) { yield* send(q, { kind: 'x' }) })`,
    says: 'E416 5:34 an operation inside a callback is outside the subset of TypeScript that prove reads | perform operations, and fail, in the process itself: its loops and conditions may hold them',
  },
  {
    name: 'this',
    body: 'const me = this.name',
    says: 'E416 4:12 this is outside the subset of TypeScript that prove reads | pass what the process needs as arguments',
  },
  {
    name: 'a computed process name',
    body: `yield* spawn(\`w \${n}\`, function* () {})`,
    says: `E416 4:14 the name of a process that is computed is outside the subset of TypeScript that prove reads | write spawn('name', function* (…) { … }, …) with the function itself or its name`,
  },
  {
    name: 'two mistakes are two diagnostics',
    body: `yield* join(yield* self())
  yield* poll('a')`,
    says: `E413 4:8 prove does not decide join | let the process send a message when it is done, and receive that
E413 5:10 prove does not decide poll | use receive; what may happen instead of a message, let another process send`,
  },
]
