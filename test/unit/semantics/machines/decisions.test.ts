import type { Program } from 'allways'
import { describe, expect, test } from 'vitest'
import { settingFrom } from '../../../../src/core/setting.ts'
import { decisionsOf, type Happening } from '../../../../src/semantics/machines/decisions.ts'
import { counterSystem } from './systems.ts'

const machinesOf = (program: Program) => {
  const made = program.views.machines?.(settingFrom({ params: program.params, network: program.network }))
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
    expect(words({ network: 'fifo', loss: false }, [go, add])).toEqual([
      ...spawns,
      ...asked,
      ...sends,
      'counter gets 0',
    ])
  })

  test('take messages out of order on a bag, and not on fifo', () => {
    expect(words({ loss: false }, [go, stop])).toEqual([...spawns, ...asked, ...sends, 'counter gets 1'])
    expect(words({ network: 'fifo', loss: false }, [go, stop])).toBeUndefined()
  })

  test('lose on fifo what was passed over, when it is sent', () => {
    // No copies of the first message, one of the second, which is then number 0.
    const lost = ['client takes 0', 'client takes 1', 'client steps', 'counter gets 0']
    expect(words({ network: 'fifo', loss: true }, [go, stop])).toEqual([...spawns, ...asked, ...lost])
    expect(words({ network: 'fifo', loss: true }, [go, stop, add])).toBeUndefined()
  })

  test('send as many copies as are delivered', () => {
    const twice = ['client takes 1', 'client steps', 'client steps', 'client takes 0', 'client steps']
    const both = ['counter gets 0', 'counter gets 1']
    expect(words({ network: 'fifo', loss: false, duplicates: 1 }, [go, add, add])).toEqual([
      ...spawns,
      ...asked,
      ...twice,
      ...both,
    ])
    expect(words({ network: 'fifo', loss: false, duplicates: 1 }, [go, add, add, add])).toBeUndefined()
    expect(words({ network: 'fifo', loss: false, duplicates: 1 }, [go, add, stop, add])).toBeUndefined()
  })

  test('choose among several events of a machine by number', () => {
    // A request and a crash are due.
    expect(words({ crashes: 1 }, [go])).toEqual([...spawns, 'client timeouts', 'client takes 0', ...sends])
    const crash: Happening = { machine: 1, event: { kind: 'crash' }, choices: [] }
    expect(words({ crashes: 1 }, [crash])).toEqual([...spawns, 'client timeouts', 'client takes 1'])
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
