/** The search for causes looks at the clock wherever it may take long, and ends soon after the time is over. */
import { expect, test } from 'vitest'
import { classProgram } from '../../../src/check/objects/class-program.ts'
import { checkRequest } from '../../../src/check/request.ts'
import { runCheck } from '../../../src/check/run.ts'
import { orThrow } from '../../../src/core/diagnostic.ts'
import { evidenceOf } from '../../../src/core/evidence.ts'
import { settingFrom } from '../../../src/core/setting.ts'
import type { Verdict } from '../../../src/core/verdict.ts'
import { linearizable } from '../../../src/model/object.ts'
import { loadText } from '../../agreement/object-agreement.ts'
import { tick } from '../../ticking-host.ts'

const loaded = await loadText(`
export class Slots {
  slots = [0, 0]
  put(value) {
    for (let slot = 0; slot < 2; slot++) {
      if (this.slots[slot] === value) return -1
      if (this.slots[slot] === 0) { this.slots[slot] = value; return slot }
    }
    return 2
  }
  sum() { return this.slots[0] + this.slots[1] }
}`)

const client = '{ put(1); sum() } || { put(2); put(1) } || { sum() }'

interface Timed {
  readonly verdict: Verdict
  /** Questions about the time, each of which takes some. */
  readonly asked: number
}

async function timed(milliseconds?: number): Promise<Timed> {
  const operations = { put: [1, 2], sum: [[]] }
  const declared = linearizable(loaded.classes.get('Slots') as new () => object, { operations })
  const check = declared.views.object?.(settingFrom({ params: {} }))
  if (check === undefined) throw new Error('a class is declared as one')
  const request = orThrow(checkRequest(classProgram(check, loaded), { params: { client }, time: milliseconds }))
  let asked = 0
  const host = { now: () => tick * ++asked, memory: () => 0, pause: async () => {} }
  const { verdict } = orThrow(await runCheck(request, { host }))
  return { verdict, asked }
}

const whole = await timed(1_000_000_000)
const [causes] = evidenceOf(whole.verdict.evidence, 'sections')

test('each execution that is drawn is a time to look', () => {
  const executions = (causes?.violating ?? 0) + (causes?.linearizable ?? 0)
  expect(executions).toBeGreaterThan(50)
  expect(whole.asked).toBeGreaterThan(2 * executions)
})

test.each([1, 2, 3, 4, 5, 6, 7, 8, 9])('when %i tenths of its time are over, it ends', async (tenths) => {
  const milliseconds = (tick * whole.asked * tenths) / 10
  const { verdict, asked } = await timed(milliseconds)
  // What is nearly done is waited for.
  expect(tick * asked - milliseconds).toBeLessThan(150)
  const [found] = evidenceOf(verdict.evidence, 'sections')
  if (verdict.kind === 'violated') expect(found === undefined ? verdict.unexplained : 'time').toBe('time')
  else expect(verdict).toMatchObject({ kind: 'incomplete', because: 'time' })
})
