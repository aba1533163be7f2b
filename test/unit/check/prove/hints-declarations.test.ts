/** What a refusal says to write instead, of declarations and of operations that are called in other ways. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { loadPrograms } from '../../../../src/check/load.ts'
import { termOf } from '../../../../src/check/prove/prove.ts'
import type { LoadedProgram } from '../../../../src/frontends/frontend.ts'
import type { Program } from '../../../../src/program/program.ts'
import { usual as hostile, judged } from '../../../hostile/judge.ts'
import { imports } from '../../../hostile/loaded.ts'
import { all, follows, gathered, type Hinted, sized, worker } from './followed.ts'

const body = `${all}${gathered}`
const before = `${body}\n`
const readable = "write program('name', { params: { clients: every(3) } }, function* ({ clients }) { … }) with literals"

const program = (name: string, options: string, more = '') => `${worker}${more}
export default program(${name}, ${options}, function* ({ n }) { ${body} })`
const usual = `'p', { params: { n: every(2) } }`
const declared = (hint: string, refused: readonly [string, string], more = '', rewritten = usual): Hinted => ({
  hint,
  refused: program(...refused, more),
  rewritten: `${worker}${more}\nexport default program(${rewritten}, function* ({ n }) { ${body} })`,
})
const said = (hint: string, refused: string, rewritten: string): Hinted => ({
  hint,
  refused: sized(`${before}${refused}`),
  rewritten: sized(`${before}${rewritten}`),
})

const hints: readonly Hinted[] = [
  declared(readable, [`['p'].join('')`, '{ params: { n: every(2) } }']),
  declared(readable, [`'p'`, '{ ...{ params: { n: every(2) } } }']),
  declared(readable, [`'p'`, '{ params: { ...{ n: every(2) } } }']),
  declared('write a number: every(3)', [`'p'`, '{ params: { n: every([1, 2].length) } }']),
  {
    hint: 'write its value down',
    refused: program(`'p'`, '{ params: { n: every(2), m: [1].length } }'),
    rewritten: program(`'p'`, '{ params: { n: every(2), m: 1 } }'),
  },
  declared("prove works with network: 'fifo', which is also what you get when you leave it out", [
    `'p'`,
    `{ params: { n: every(2) }, network: 'bag' }`,
  ]),
  {
    hint: 'use assert(…) in a process, or check, which decides them for the sizes you name',
    refused: program(
      `'p'`,
      `{ params: { n: every(2) }, properties: [final('all is said', ({ left }) => left === undefined)] }`,
    ),
    rewritten: sized(`${body}; yield* assert(n >= 0)`),
  },
  {
    hint: 'use it: spawnAll(n, …), repeat(n, …); or leave it out',
    refused: program(`'p'`, '{ params: { m: every(2), n: every(2) } }')
      .replace('({ n }) { const all', '({ n: m, m: n }) { const all')
      .replaceAll('spawnAll(n,', 'spawnAll(2,'),
    rewritten: sized(body),
  },
  said('write a number from 0 on', `yield* repeat(-1, function* () {})`, `yield* repeat(0, function* () {})`),
  said('write send(address, message)', `yield* send(yield* self())`, `yield* send(yield* self(), 1); yield* receive()`),
  said(
    'leave out the network of this message',
    `yield* send(yield* self(), { kind: 'x' }, { network: 'bag' }); yield* receive('x')`,
    `yield* send(yield* self(), { kind: 'x' }); yield* receive('x')`,
  ),
  said(
    'use send, receive, choose, assert, assume, spawn and spawnAll',
    `yield* monitor('x', function* () {})`,
    `yield* send(yield* self(), { kind: 'x' }); yield* receive('x')`,
  ),
  said(
    'give the new value a name of its own: const next = …',
    `function one() { return 1 } one = 2; yield* assert(one !== 1)`,
    `function one() { return 1 } const next = 2; yield* assert(next !== one())`,
  ),
  said('write ===', `yield* assert((n == '2') === (2 === n))`, `yield* assert((n === 2) === (2 === n))`),
  said('write !==', `yield* assert((n != '2') === (2 !== n))`, `yield* assert((n !== 2) === (2 !== n))`),
]

follows(hints)

const typed = [
  {
    hint: 'write it outside all functions of the process',
    refused: [`enum Kind { done = 'done' }; yield* send(yield* self(), { kind: Kind.done }); yield* receive('done')`],
    rewritten: [
      `yield* send(yield* self(), { kind: Kind.done }); yield* receive('done')`,
      `enum Kind { done = 'done' }`,
    ],
  },
] as const

const folder = mkdtempSync(join(tmpdir(), 'hints-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** As it is loaded by the command: what is no JavaScript. */
async function fromFile([inside, outside = '']: readonly [string, string?]): Promise<Program> {
  const path = join(folder, 'typed.check.ts')
  writeFileSync(path, `${imports}${outside}\n${sized(`${before}${inside}`)}`)
  const file = await loadPrograms(path)
  if (!file.ok) throw new Error(file.diagnostics.map(({ message }) => message).join())
  return (file.value.programs[0] as LoadedProgram).program
}

test.each(typed)('$hint', async ({ hint, refused, rewritten }) => {
  const term = termOf(await fromFile(refused))
  expect(term.ok ? [] : term.diagnostics.map((one) => one.hint)).toContain(hint)
  expect(await judged(await fromFile(rewritten), hostile)).toMatchObject({ said: 'proved', problem: undefined })
})
