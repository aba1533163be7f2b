/** Our reader of schemas against another one: whatever it refuses, we refuse, and with a path. */
import { readdirSync, readFileSync } from 'node:fs'
import { Ajv, type ValidateFunction } from 'ajv'
import { expect, test } from 'vitest'
import { JsonSchema } from '../../../src/artifact/json-schema.ts'
import { type SchemaName, schemaProblems } from '../../../src/artifact/schemas.ts'
import { Random } from '../../../src/core/random.ts'

const names = readdirSync('schema').map((name) => name.replace(/^allways-|\.json$/g, ''))
const texts = names.map((name) => JSON.parse(readFileSync(`schema/allways-${name}.json`, 'utf8')) as { $id: string })
const ajv = new Ajv({ strict: false })
for (const text of texts) ajv.addSchema(text)

const setting = {
  params: { n: 1 },
  network: 'fifo',
  faults: { losses: 'any' },
  bounds: {},
  options: { deadlock: 'error' },
}
const program = { name: 'bank', file: 'bank.check.ts', digest: 'sha256-0', origin: { kind: 'export', name: 'Bank' } }
const state = { data: { n: 1 }, timers: ['t'], requests: 0, crashes: 0 }
const snapshot = {
  ...{ format: 'allways-snapshot/1', system: 's', params: { n: 1 }, takenAt: 'now', missing: 0, machines: ['a'] },
  ...{ states: [state], underWay: [{ from: 'a', to: 'a', message: 1 }], calls: [{ by: 'a', call: 2 }] },
}
const violation = { kind: 'exception', property: 'p', message: 'm', process: 'a' }
const steps = [
  { i: 1, id: 'a#0', process: 'a', kind: 'send', message: 0, to: 'b', value: 5, network: 'fifo', at: 'a.ts:1:2' },
  { i: 2, id: 'b#0', process: 'b', kind: 'receive', message: 0, from: 'a', value: 5, causes: ['a#0'] },
  { id: 'b#1', process: 'b', kind: 'fail', violation },
]
const digest = `sha256-${'0'.repeat(64)}`
const counted = {
  counts: { executions: 3 },
  explored: 0.5,
  units: [{ format: 'allways-unit/1', engine: 'dpor', state: 1 }],
}
const genuine: readonly (readonly [SchemaName, object])[] = [
  [
    'trace-2',
    {
      ...{ format: 'allways-trace/2', program, setting: { ...setting, start: snapshot }, foundBy: foundBy() },
      decisions: [
        { kind: 'step', process: 'a' },
        { kind: 'deliver', process: 'b', message: 0 },
        { kind: 'choose', process: 'b', option: 1 },
      ],
      property: {
        name: 'p',
        verdict: 'violated',
        ...violation,
        waiting: [{ process: 'a', forWhat: 'x', inbox: ['1'] }],
      },
      ...{ scope: 'all', sources: { 'a.ts': 'sha256-1' }, steps, minimised: { from: 4, to: 3 } },
      processes: [{ id: 'a', daemon: false, status: 'returned', value: 1 }],
    },
  ],
  [
    'checkpoint-3',
    {
      ...{ format: 'allways-checkpoint/3', program, setting: { ...setting, start: 'initial' }, engine: 'dpor' },
      ...{ options: { depth: 1 }, keepGoing: true, ...counted, digest },
    },
  ],
  [
    'proof-2',
    {
      ...{ format: 'allways-proof/2', term: 'x', source: 'sha256-y' },
      steps: [
        { rule: 'branch', party: 'a', statement: 1, arms: [[{ rule: 'fold', set: 's' }], []] },
        { rule: 'iterate', leaders: [{ party: 'a', statement: 1 }], takes: [], havoc: [], body: [], over: 's' },
      ],
    },
  ],
  ['snapshot-1', snapshot],
  ['state-1', { system: 's', machine: 'a', incarnation: 1, snapshot: 0, state, called: { clock: 1, calls: null } }],
  [
    'log-1',
    {
      ...{
        time: 1,
        machine: 'a',
        step: 1,
        event: { kind: 'message', from: 'b', incarnation: 1, number: 2, message: 3 },
      },
      ...{ sent: [{ to: 'b', number: 1, message: {} }], calls: [{ at: 1, call: 2 }], choices: [0] },
    },
  ],
  ['history-1', { process: 1, type: 'invoke', op: 'put', args: ['x', 1], time: 3 }],
]

function foundBy(): object {
  return { engine: 'dpor', seed: 0, version: '0.1.0' }
}

type Place = { readonly owner: { [key: string]: unknown }; readonly key: string }

function placesIn(json: object): readonly Place[] {
  const owner = json as { [key: string]: unknown }
  return Object.entries(json).flatMap(([key, part]) => [
    { owner, key },
    ...(typeof part === 'object' && part !== null ? placesIn(part) : []),
  ])
}

const others = [{}, [], '', 'x', -1, 0, 0.5, 1e99, true, null, undefined, { x: 1 }, [1]]

test.each(genuine)(
  '%s: every thing at every place is refused if another reader of the schema refuses it',
  (name, json) => {
    const validate = ajv.getSchema(texts[names.indexOf(name)]?.$id ?? '') as ValidateFunction
    expect([schemaProblems(name, json), validate(json)]).toEqual([[], true])
    const random = new Random(1)
    const verdicts = new Map<string, number>()
    for (let at = 0; at < placesIn(json).length; at++) {
      for (const other of others) {
        const copy = structuredClone(json)
        const { owner, key } = placesIn(copy)[at] as Place
        if (other === undefined) delete owner[key]
        else owner[key] = other
        if (random.below(3) === 0) owner.odd = 1
        const [theirs, problems] = [validate(copy), schemaProblems(name, copy)]
        if (!theirs) expect(problems, `${key}: ${JSON.stringify(other)}`).not.toEqual([])
        // What counts must be exact.
        else if (other !== 1e99) expect(problems, `${key}: ${JSON.stringify(other)}`).toEqual([])
        verdicts.set(`${theirs}`, (verdicts.get(`${theirs}`) ?? 0) + 1)
      }
    }
    expect([...verdicts.keys()].sort()).toEqual(['false', 'true'])
  },
)

test('what is wrong is told with its path, in the words of the schema', () => {
  const wrong = {
    format: 'allways-snapshot/1',
    system: 's',
    params: {},
    takenAt: 'now',
    machines: ['a', 2],
    missing: -1,
  }
  expect(schemaProblems('snapshot-1', { ...wrong, states: [], underWay: [{ from: 'a', to: 3 }] })).toEqual([
    'missing must be a whole number from 0, but is -1',
    'machines[1] must be a text, but is 2',
    'underWay[0].message must be there, but is missing',
  ])
  expect(schemaProblems('proof-2', { format: 'allways-proof/2', term: 'x', steps: [{ rule: 'fold' }] })).toEqual([
    'steps[0].set must be there, but is missing',
  ])
})

test('a schema with a word that nobody reads is a defect', () => {
  expect(() => new JsonSchema({ type: 'object', maxProperties: 3 }, () => ({}))).toThrow('"maxProperties"')
})
