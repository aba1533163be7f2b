/** Loops that spawn, loops that are left early, and members that are taken by their index, one form each. */
import { page } from './pages.ts'
import type { Telling } from './programs.ts'

const say = (value: string) => `yield* send(yield* self(), { kind: 'said', v: ${value} })`

const spawning = `function* work(a, b) { const m = yield* receive('a'); ${say('a')}; ${say('b')} }
function* mine(a, b) { yield* receive('a') }
import { spawn as renamed } from 'allways'
import { spawn as later } from './there'
const name = 'named'`

const leaving = `const box = { all: 1 }
function pick() { return [1] }
function* sought(set) {
  for (const q of set) { const x = yield* receive('a'); if (x.v) return x.w }
  return 5
}
function* twice(set) {
  for (const q of set) for (const r of set) { const x = yield* receive('a'); if (x.v) return x.w }
}
function* forever() { while (true) { while (true) { const x = yield* receive('a'); if (x.v) return x.w } } }
function* both(set) {
  while (true) {
    for (const q of set) { const x = yield* receive('a'); if (x.v) return 1; if (x.w) break }
    if (set.length > 2) return 2
  }
}
function* cases(set) {
  for (const q of set) {
    const x = yield* receive('a')
    switch (x.v) { case 1: return 1; case 2: break; default: continue }
    ${say('2')}
  }
  return 3
}
function* again(set, a) {
  for (const q of set) { const x = yield* receive('a'); if (x.v) return a }
  const y = yield* receive('b')
  if (y.v) return 7
  return yield* again(set, a + 1)
}
function* three(m) {
  if (m.a) { if (m.b) return 1 } else { if (m.c) return 2; yield* receive('c') }
  yield* receive('d')
}
function* switched(m) {
  switch (m.v) { case 1: if (m.a) { if (m.b) return 1 } break; default: yield* receive('c') }
  yield* receive('d')
}
function* early(m) {
  if (m.a) { if (m.b) return 1; if (m.c) { if (m.d) return 2; ${say('1')} } ${say('2')} }
  ${say('3')}
  return 4
}`

export const loops: readonly Telling[] = [
  ...page('spawned').flatMap((one): Telling[] => {
    const body = `const me = yield* self(); let c9 = 0; c9 = 2; ${one}; ${say('c9')}`
    const files = { './there': `export function* spawn(a, b) { yield 1 }` }
    const told = { name: one, body, more: spawning, files }
    return /spawn/.test(one) && one.includes('[]') ? [told, { ...told, name: `async ${one}`, isAsync: true }] : [told]
  }),
  ...page('left').map((one) => ({
    name: one,
    body: `const m = yield* receive('m'); ${one}; ${say('9')}`,
    more: leaving,
  })),
]
