/** Answers that would not be compared, because nothing reads them as they are written, are refused. */
import { expect, test } from 'vitest'
import { parseAnswers, readAnswers, reasons } from '../../corpus/answers.ts'

const found = { verdict: 'verified', counts: { executions: 2, blocked: 0 } }
const asked = { program: 'one', setting: { params: { n: 2 }, network: 'fifo' }, engines: { dpor: found } }
const outcomes = { stateful: { verdict: 'violated', counts: { linearizable: 1, other: 1 } } }
const classes = { default: { class: 'Right', file: 'right.ts' }, broken: { class: 'Broken', file: 'broken.ts' } }
const client = { id: 'B1', program: 'broken', setting: { client: '{ f() }', criterion: 'outcomes' }, engines: outcomes }

function parsed(answers: readonly object[], more: object = {}): unknown {
  return parseAnswers(JSON.stringify({ format: 'allways-answers/1', ...more, answers }), 'some')
}

test('all entries have answers that are well formed', () => {
  expect(readAnswers().length).toBeGreaterThan(50)
})

test('answers are read as they are written', () => {
  expect(parsed([asked])).toEqual({ format: 'allways-answers/1', answers: [asked] })
  expect(parsed([client], { classes })).toMatchObject({ classes, answers: [client] })
  for (const reason of reasons) {
    const engines = { sequentialize: { verdict: 'not canonical', reason } }
    expect(() => parsed([{ ...asked, engines }])).not.toThrow()
  }
})

test.each<readonly [string, object, string]>([
  ['an unknown engine', { engines: { dpro: found } }, 'dpro'],
  ['no engine', { engines: {} }, 'fewer than 1'],
  ['a misspelt field', { setings: {} }, 'setings'],
  ['a misspelt setting', { setting: { netwrok: 'fifo' } }, 'netwrok'],
  ['an unknown network', { setting: { network: 'fifo-eager' } }, '/setting/network'],
  ['a misspelt count', { engines: { dpor: { ...found, counts: { executions: 1, bloked: 0 } } } }, 'bloked'],
  ['a missing count', { engines: { dpor: { ...found, counts: { executions: 1 } } } }, 'blocked'],
  ['a count that is none', { engines: { dpor: { ...found, counts: { executions: '1', blocked: 0 } } } }, 'executions'],
  ['an unknown verdict', { engines: { dpor: { ...found, verdict: 'ok' } } }, '/engines/dpor/verdict'],
  ['an unknown option', { engines: { dpor: { ...found, options: { eagre: true } } } }, 'eagre'],
  ['two durations', { engines: { dpor: { ...found, long: true, slow: true } } }, 'both long and slow'],
  ['seconds', { engines: { dpor: { ...found, seconds: 3 } } }, 'seconds'],
  ['a violated proof without sizes', { engines: { sequentialize: { verdict: 'violated' } } }, 'least'],
  ['executions without a network', { setting: {} }, 'has no network'],
  ['a search of all sizes', { setting: { params: { n: 'every' }, network: 'fifo' } }, 'searches all sizes'],
  ['a client without a class', { setting: { client: '{ f() }', network: 'fifo' } }, 'no class'],
  ['outcomes without a class', { engines: outcomes }, 'no class'],
])('%s is refused', (_name, change, problem) => {
  expect(() => parsed([{ ...asked, ...change }])).toThrow(problem)
})

test.each<readonly [string, object, string]>([
  ['without a client', { setting: { criterion: 'outcomes' } }, 'lacks id, client or criterion'],
  ['of a class that the entry does not have', { program: 'other' }, 'none of the classes'],
  ['by states', { engines: { stateful: { verdict: 'verified', counts: { states: 3 } } } }, 'counts no outcomes'],
  [
    'verified in spite of other outcomes',
    { engines: { stateful: { verdict: 'verified', counts: { linearizable: 1, other: 1 } } } },
    'counts what its verdict denies',
  ],
])('an answer about a class %s is refused', (_name, change, problem) => {
  expect(() => parsed([{ ...client, ...change }], { classes })).toThrow(problem)
})

test('the same question with two answers is refused, with other options it is another question', () => {
  expect(() => parsed([asked, { ...asked, engines: { exhaustive: found, dpor: found } }])).toThrow('the same again')
  expect(() => parsed([asked, { ...asked, engines: { dpor: { ...found, options: { eager: true } } } }])).not.toThrow()
})
