/** Files of every format with damage in them: each is refused, or means something. */
// @module-tag cut
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { Random } from '../../src/core/random.ts'
import { amount, long } from '../amount.ts'
import { damaged } from './artifacts/damage.ts'
import type { Genuine } from './artifacts/genuine.ts'
import { problemOf } from './artifacts/judge.ts'

test('no file is answered with anything but a status from 0 to 3, in text', long, () => {
  const programs = amount({ quick: 100, rest: 100, thorough: 200, all: 5_000 })
  const argv = ['scripts/soak.mjs', '--what', 'artifacts', '--programs', `${programs}`]
  const { status, stdout, stderr } = spawnSync(process.execPath, argv, { encoding: 'utf8' })
  expect({ status, stdout, stderr }).toMatchObject({ status: 0, stdout: 'no disagreement\n' })
  const count = (name: string): number => Number(new RegExp(`${name} (\\d+)(?!.*\\n.)`).exec(stderr)?.[1])
  expect(count('refused')).toBeGreaterThan(programs / 2)
  expect(count('holds')).toBeGreaterThan(programs / 10)
  expect(count('typed')).toBeGreaterThanOrEqual(1)
})

const saved = { counts: { executions: 7 }, explored: 0.75, units: [{ state: { weight: 0.25 } }] }
const genuine: Genuine = {
  name: 'checkpoint',
  format: 'checkpoint',
  text: JSON.stringify(saved),
  commands: [],
  whole: 9,
}
const verified = { results: [{ verdict: 'verified', counts: { executions: 2 } }] }

test.each([
  ['throws', {}, { code: 'thrown: x' }, /it throws/],
  ['a defect', {}, { code: 70 }, /it ends with 70/],
  ['a colour that was not asked for', {}, { stdout: '\u001b[31m' }, /it prints U\+1b/],
  ['half of a letter', {}, { stderr: '\ud800' }, /it prints U\+d800/],
  ['a letter that reorders others', {}, { stdout: '\u202e' }, /it prints U\+202e/],
  ['a refusal without code', {}, { code: 2, stderr: 'hint: x' }, /without a code/],
  ['a refusal without hint', {}, { code: 2, stderr: 'E101' }, /without a hint/],
  ['no JSON', { argv: ['show', '--json'] }, { stdout: '{' }, /it prints no JSON/],
  [
    'a verdict on a checkpoint that lacks a count',
    { text: JSON.stringify({ ...saved, counts: {} }) },
    { stdout: JSON.stringify(verified) },
    /it says verified after 2 executions, and there are 9/,
  ],
  [
    'a verdict on a checkpoint that lacks a share',
    { text: JSON.stringify({ ...saved, units: [] }) },
    { stdout: JSON.stringify(verified) },
    /it says verified after 2 executions, and there are 9/,
  ],
])('%s is noticed', (_, input, answer, problem) => {
  const given = { genuine, argv: [], words: '', text: genuine.text, ...input }
  expect(problemOf(given, { code: 0, stdout: '', stderr: '', ...answer })).toMatch(problem)
})

const digestOf = (content: Buffer | string): string => createHash('sha256').update(content).digest('hex')

test('damage is the same for the same seed, and hardly ever none', () => {
  const drawn = (seed: number): string => digestOf(damaged(genuine, new Random(seed)).bytes)
  const seeds = Array.from({ length: 200 }, (_, seed) => seed)
  expect(seeds.map(drawn)).toEqual(seeds.map(drawn))
  expect(seeds.filter((seed) => drawn(seed) === digestOf(genuine.text)).length).toBeLessThan(seeds.length / 20)
})
