/** Every method and global that is known, in each of the ways in which its name decides something. */
import { knownNames } from '../../src/frontends/typescript/icet/pure-methods.ts'
import type { Telling } from './programs.ts'

const methods = [...new Set([...knownNames.methods, ...knownNames.changing, 'assign', 'frobnicate', 'from'])]
const functions = [
  ...knownNames.functions,
  'Array',
  'Error',
  'Map',
  'Math.max',
  'Math.random',
  'Object.assign',
  'Object.freeze',
  'console.log',
  'console.table',
  'push',
  'sort',
  'frobnicate',
]
const globals = [
  ...knownNames.globals,
  ...'Date performance setTimeout setInterval setImmediate queueMicrotask crypto fetch process frobnicate'.split(' '),
]
const classes = 'Number Array Error Map RangeError Set TypeError Date Promise frobnicate push sort assign'.split(' ')

const shared = 'atomic barrier channel mutex oneshot readWriteLock semaphore timer'.split(' ')
const more = `import { ${shared.filter((name) => name !== 'mutex').join(', ')} } from 'allways'
${shared.map((name) => `const ${name}s = ${name}()`).join('\n')}`

/** Each in a statement of its own: what is refused is told for each. */
const all = (names: readonly string[], statement: (name: string, at: number) => string): Telling => ({
  name: statement('…', 0),
  body: `const m = yield* receive('m'); let c = 0\n${names.map((name, at) => `{ ${statement(name, at)} }`).join('\n')}\nyield* send(yield* self(), { kind: 'said', c })`,
})

export const words: readonly Telling[] = [
  all(methods, (name) => `c = m.l.${name}(1)`),
  all(methods, (name) => `m.l.${name}(1)`),
  all(methods, (name) => `const q = []; q.${name}(1); c = q.length`),
  all(methods, (name) => `const q = []; const r = q.${name}(1); q.push(1); c = q.length`),
  all(methods, (name) => `const q = []; const r = [...q.${name}(1)]; q.push(1); c = q.length`),
  all(methods, (name) => `const q = []; for (const r of q.${name}(1)) c++; q.push(1)`),
  all(methods, (name) => `const q = m.l.${name}(1); q.push(1)`),
  all(methods, (name) => `const q = []; const r = q.${name}(1); r.push(1); c = r.length`),
  all(methods, (name) => `c = m.l.${name}((a, b) => a)`),
  all(methods, (name) => `c = m.l.${name}((a, b, d) => a)`),
  all(methods, (name) => `c = m.l.${name}((a, b, d, e) => a)`),
  all(functions, (name) => `c = ${name}(m.v)`),
  all(functions, (name) => `c = m.l.concat(${name}(m.v))`),
  all(functions, (name) => `const q = ${name}(m.v); q.push(1)`),
  all(functions, (name) => `const q = []; ${name}(q); q.push(1)`),
  all(globals, (name) => `c = ${name}`),
  all(globals, (name) => `c = m.l.concat(${name}.x)`),
  all(classes, (name) => `c = new ${name}(m.v)`),
  all(classes, (name) => `c = m.l.concat(new ${name}(m.v))`),
  all(classes, (name) => `const q = new ${name}(m.v); q.push(1)`),
  { ...all([...shared, 'join', 'poll', 'monitor'], (name) => `yield* ${name}(1)`), more },
  { ...all([...shared, 'join', 'poll', 'monitor'], (name) => `c = ${name}(1)`), more },
  { ...all(shared, (name) => `c = ${name}s`), more },
]
