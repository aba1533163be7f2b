/** From the text of a program to answers about its assertions. */
import { readFileSync } from 'node:fs'
import { afterAll, expect, test } from 'vitest'
import { type Discharged, discharge } from '../../../../src/check/assertions/discharge.ts'
import { openSolver } from '../../../../src/check/assertions/solver.ts'
import { sequentialize } from '../../../../src/engines/sequentialize/sequentialize.ts'
import { extractIcet } from '../../../../src/frontends/typescript/icet/extract.ts'
import { long } from '../../../amount.ts'
import { casesOf, readProveEntries } from '../../../corpus/prove-cases.ts'

/** To load it takes longer than all questions together. */
const solver = openSolver()
const shared = { ...solver, close: () => undefined }
afterAll(() => solver.close())

/** The assertions left of a server that collects a vote from every client. */
async function discharged(body: string, before = ''): Promise<readonly Omit<Discharged, 'obligation'>[]> {
  const source = `
    import { assert, choose, every, program, receive, repeat, self, send, spawnAll } from 'allways'
    function* client(server) {
      const vote = yield* choose(['yes', 'no'])
      yield* send(server, { kind: 'vote', vote })
    }
    export default program('votes', { params: { clients: every(3, { from: 1 }) } }, function* ({ clients }) {
      const server = yield* self()
      const all = yield* spawnAll(clients, 'client', client, server)
      ${before}
      for (const one of all) {
        const { vote } = yield* receive('vote', { from: one })
        ${body}
      }
    })`
  const extracted = extractIcet({ file: 'votes.check.ts', source, at: 'default' })
  if (!extracted.ok) throw new Error(JSON.stringify(extracted.diagnostics))
  const result = sequentialize(extracted.value)
  if (result.kind !== 'assertions left') throw new Error(`${result.kind}, but assertions were to be left`)
  const answers = await discharge(result.obligations, { parameters: extracted.value.parameters, solver: shared })
  return answers.map(({ obligation, ...answer }) => answer)
}

test('what a client sends is one of its choices', async () => {
  const body = `yield* assert(vote === 'yes' || vote === 'no', 'a vote')`
  expect(await discharged(body)).toEqual([{ answer: 'proved' }])
})

test('which of its choices it sends is open', async () => {
  const [found] = await discharged(`yield* assert(vote === 'yes', 'yes')`)
  expect([found?.answer, found?.model]).toEqual(['refuted', 'vote = "no"'])
})

test.each([
  [`let last`, `yield* assert(last === undefined || last === vote, 'the same'); last = vote`],
  [`let last = null`, `yield* assert(last === null || last === vote, 'the same'); last = vote`],
  [`let first`, `first ??= vote; yield* assert(first === vote, 'the first')`],
])('what an earlier round left in a variable, after %s, is open', async (before, body) => {
  expect(await discharged(body, before)).toMatchObject([{ answer: expect.stringMatching(/^(refuted|unknown)$/) }])
})

test('sizes are as large as the program says, and no larger', async () => {
  const body = `
    const points = vote === 'yes' ? 1 : 0
    yield* assert(points + clients > 0, 'more')
    yield* assert(clients >= 2, 'two')`
  expect(await discharged(body)).toMatchObject([
    { answer: 'proved', why: 'whole numbers taken to stay below 2^53' },
    { answer: 'refuted', why: 'not implied by what is known here', model: expect.stringContaining('clients = 1') },
  ])
})

test('of no wrong program of the corpus all assertions are proved', long, async () => {
  let wrong = 0
  for (const { file, exportName, answer } of (await readProveEntries()).flatMap(casesOf)) {
    if (answer.verdict !== 'violated') continue
    const extracted = extractIcet({ file, source: readFileSync(file, 'utf8'), at: exportName })
    const result = extracted.ok ? sequentialize(extracted.value) : undefined
    if (!extracted.ok || result?.kind !== 'assertions left') continue
    wrong++
    const { parameters } = extracted.value
    const answers = await discharge(result.obligations, { parameters, solver: shared })
    expect(answers.map((one) => one.answer)).not.toEqual(answers.map(() => 'proved'))
  }
  expect(wrong).toBeGreaterThan(0)
})
