import type { Program } from 'allways'
import { describe, expect, test } from 'vitest'
import { settingFrom } from '../../../../src/core/setting.ts'
import { decisionsOf, type Happening } from '../../../../src/semantics/machines/decisions.ts'
import { counterSystem } from './systems.ts'

const machinesOf = (program: Program) => {
  const made = program.views.machines?.(
    settingFrom({ params: {}, network: program.network, faults: program.faults ?? {} }),
  )
  if (made === undefined) throw new Error('no machines')
  return made
}

const go: Happening = { machine: 1, event: { kind: 'request', name: 'go', argument: 1 }, choices: [] }
const gets = (message: { readonly kind: string; readonly by?: number }): Happening => ({
  machine: 0,
  event: { kind: 'message', from: 'client', message },
  choices: [],
})
const add = gets({ kind: 'add', by: 1 })
const stop = gets({ kind: 'stop' })

const words = (options: Parameters<typeof counterSystem>[0], happenings: readonly Happening[]) =>
  decisionsOf(machinesOf(counterSystem(options)), happenings)?.map((decision) => {
    if (decision.kind === 'deliver') return `${decision.process} gets ${decision.message}`
    return decision.kind === 'choose'
      ? `${decision.process} takes ${decision.option}`
      : `${decision.process} ${decision.kind}s`
  })

const spawns = ['main steps', 'main steps']
const asked = ['client timeouts']
const sends = ['client steps', 'client steps']

describe('decisions', () => {
  test('are spawns, the event that poll leaves room for, sends, and deliveries by number', () => {
    expect(words({ network: 'fifo', faults: {} }, [go, add])).toEqual([...spawns, ...asked, ...sends, 'counter gets 0'])
  })

  test('take messages out of order on a bag, and not on fifo', () => {
    expect(words({ faults: {} }, [go, stop])).toEqual([...spawns, ...asked, ...sends, 'counter gets 1'])
    expect(words({ network: 'fifo', faults: {} }, [go, stop])).toBeUndefined()
  })

  test('lose on fifo what was passed over, when it is sent', () => {
    const lost = ['client loses', 'client steps', 'counter gets 1']
    expect(words({ network: 'fifo', faults: { losses: 'any' } }, [go, stop])).toEqual([...spawns, ...asked, ...lost])
    expect(words({ network: 'fifo', faults: { losses: 'any' } }, [go, stop, add])).toBeUndefined()
    expect(words({ network: 'fifo', faults: { losses: 1 } }, [go, stop])).toEqual([...spawns, ...asked, ...lost])
  })

  test('send as many copies as are delivered, within the budget', () => {
    const twice = ['client duplicates', 'client steps', 'client steps']
    const both = ['counter gets 0', 'counter gets 1']
    expect(words({ network: 'fifo', faults: { duplicates: 1 } }, [go, add, add])).toEqual([
      ...spawns,
      ...asked,
      ...twice,
      ...both,
    ])
    expect(words({ network: 'fifo', faults: { duplicates: 1 } }, [go, add, add, add])).toBeUndefined()
    expect(words({ network: 'fifo', faults: { duplicates: 1 } }, [go, add, stop, add])).toBeUndefined()
    expect(words({ network: 'fifo', faults: { duplicates: 1 } }, [go, add, add, stop, stop])).toBeUndefined()
    expect(words({ network: 'fifo', faults: { duplicates: 2 } }, [go, add, add, stop, stop])).toBeDefined()
    expect(words({ network: 'fifo', faults: {} }, [go, add, add])).toBeUndefined()
  })

  test('restart machines as often as all of them together may', () => {
    const crash = (machine: number): Happening => ({ machine, event: { kind: 'crash' }, choices: [] })
    const faults = { crashes: 1, restarts: 1 }
    expect(words({ faults }, [crash(1), go])).toEqual([...spawns, 'client restarts', ...asked, ...sends])
    expect(words({ faults }, [crash(1), crash(0)])).toBeUndefined()
    expect(words({ faults: { crashes: 1 } }, [crash(1)])).toBeUndefined()
  })

  test.each([
    ['a message that nobody sent', [add]],
    ['a request that is not next', [go, go]],
    ['choices that nobody has', [{ ...go, choices: [1] }]],
    ['a machine that does not exist', [{ ...go, machine: 7 }]],
  ])('do not exist for %s', (_, happenings) => {
    expect(words({}, happenings)).toBeUndefined()
  })
})
