import { expect, test } from 'vitest'
import { printIcet } from '../../../../src/reports/icet-text.ts'
import { termOf } from './extracted.ts'
import { programs } from './programs.ts'

test('a term is printed with the lines of its source and the tags of its messages', () => {
  expect(printIcet(termOf(programs['lock server']))).toBe(`lock server, clients ≥ 0 (3 under check)

   4  main
   7    for _ in client
   8      lock ← receive('lock')  #2
   8      from := lock.from
   9      send(from, { kind: 'ack' })  #4
  10      receive('unlock', from from)  #5

   6  Π client[clients]
  15    send(main, { kind: 'lock', from: self })  #6
  16    receive('ack')  #7
  17    send(main, { kind: 'unlock' })  #8
`)
})

test('branches, loops, choices, failures and daemons are printed', () => {
  expect(printIcet(termOf(programs['concurrent database']))).toBe(`concurrent database, clients ≥ 0 (2 under check)

   5  database (daemon)
  10    while true
  11      request ← receive('request')  #2
  13      if request.what === 'allocate'
  14        answer ← one of 'allocated', 'free'
  15        send(request.from, { kind: 'allocation', answer: answer })  #5
  16        if answer === 'free'
  16          receive('set', from request.from)  #7
          else
  19        if request.what === 'lookup'
  20          send(request.from, { kind: 'value' })  #9
            else
  23          fail 'no such request'

   6  Π client[clients]
  29    what ← one of 'allocate', 'lookup'
  35    send(database, { kind: 'request', what: what, from: self })  #12
  36    reply ← receive('allocation' | 'value')  #13
  31    if (reply.kind === 'allocation') && (reply.answer === 'free')
  31      send(database, { kind: 'set' })  #15
`)
})

test.each(Object.keys(programs) as (keyof typeof programs)[])('no line of %s is wider than 100 columns', (name) => {
  const lines = printIcet(termOf(programs[name])).split('\n')
  expect(lines.filter((line) => line.length > 100)).toEqual([])
})

test('a statement that is too wide goes on in the next line', () => {
  const fields = Array.from({ length: 12 }, (_, index) => `field${index}: ${index}`).join(', ')
  const source = `import { every, program, receive, send, spawn, repeat } from 'allways'
export default program('p', { params: { n: every(1) } }, function* ({ n }) {
  const a = yield* spawn('a', function* () { yield* repeat(n, function* () { yield* receive('x') }) })
  yield* repeat(n, function* () { yield* send(a, { kind: 'x', ${fields} }) })
})`
  expect(printIcet(termOf(source)).split('\n').slice(2, 6)).toEqual([
    '   2  main',
    '   4    repeat n',
    `   4      send(a, { kind: 'x', field0: 0, field1: 1, field2: 2, field3: 3, field4: 4, field5: 5,`,
    '              field6: 6, field7: 7, field8: 8, field9: 9, field10: 10, field11: 11 })  #2',
  ])
})
