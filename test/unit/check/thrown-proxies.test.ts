/** A Proxy that was revoked or whose traps throw, thrown or returned by code of the user's: a finding or a mistake, never a defect of ours. */
import { expect, test } from 'vitest'
import { thrownBy } from '../../../src/core/thrown.ts'
import {
  announce,
  type Checkable,
  check,
  checkResult,
  final,
  invariant,
  machine,
  program,
  refines,
  self,
  specification,
  system,
} from '../../../src/index.ts'

function revoked(): object {
  const { proxy, revoke } = Proxy.revocable({}, {})
  revoke()
  return proxy
}

function fails(): never {
  throw new Error('a trap was asked')
}

const trapped = () => new Proxy({}, { get: fails, getPrototypeOf: fails, ownKeys: fails, has: fails })

function thrower(thrown: () => object): () => never {
  return () => {
    throw thrown()
  }
}

function ofMachine(act: () => void, holds: () => boolean) {
  const node = machine<object>('node', { state: () => ({}), requests: { act } })
  return system('s', { faults: {} }, () => ({
    machines: { ann: node.as() },
    requests: { ann: [['act', undefined]] },
    invariants: [invariant('i', holds)],
  }))
}

function announcing(write: () => never) {
  const register = specification('register', { state: {}, operations: { write } })
  return program('p', { properties: [refines(register)] }, function* () {
    yield* announce(register.write())
  })
}

const findings: readonly (readonly [what: string, program: (thrown: () => object) => Checkable])[] = [
  [
    'a process',
    (thrown) =>
      program('p', function* () {
        yield* self()
        thrower(thrown)()
      }),
  ],
  ['a handler', (thrown) => ofMachine(thrower(thrown), () => true)],
  ['an invariant', (thrown) => ofMachine(() => {}, thrower(thrown))],
  ['a final condition', (thrown) => program('p', { properties: [final('f', thrower(thrown))] }, function* () {})],
]

const kinds = [
  ['revoked', revoked],
  ['whose traps throw', trapped],
] as const

for (const [kind, thrown] of kinds) {
  test.each(findings)(`%s throws a Proxy ${kind}: a violation`, async (_, made) => {
    const result = await checkResult(made(thrown))
    expect(result).toMatchObject({ ok: true, value: { kind: 'violated' } })
    expect(JSON.stringify(result)).toContain('threw a Proxy')
  })

  test(`a Proxy ${kind} out of a specification or a system is a mistake`, async () => {
    const message = (about: RegExp) => ({ ok: false, diagnostics: [{ message: expect.stringMatching(about) }] })
    expect(await checkResult(announcing(thrower(thrown)))).toMatchObject(message(/"register" threw a Proxy/))
    expect(await checkResult(announcing(thrown as never))).toMatchObject(message(/"write" returns a Proxy/))
    expect(await checkResult(system('s', {}, thrower(thrown)))).toMatchObject(message(/"s" consists of threw a Proxy/))
  })

  test(`a Proxy ${kind} is no program and no options`, async () => {
    const main = program('p', function* () {})
    await expect(check(thrown() as never)).rejects.toMatchObject({ diagnostics: [{ code: 'E103' }] })
    await expect(check(main, thrown())).rejects.toMatchObject({
      diagnostics: [{ code: 'E107', message: 'options are a Proxy' }],
    })
  })

  test(`a Proxy ${kind} in words`, () => {
    expect(thrownBy(thrown())).toMatchObject({ isAssertion: false, sentence: 'threw a Proxy' })
  })
}
