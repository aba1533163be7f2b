/** Parameters as programs and systems are given them: one that was not declared is a mistake, and not `undefined`, of which all kinds of things hold. */
import { suggestion } from '../core/did-you-mean.ts'
import { isObject } from '../core/is-object.ts'
import { ownView } from '../core/plain-value.ts'
import { mistake } from '../core/running.ts'
import type { Params } from '../core/setting.ts'

/** `of` says whose they are: 'program "bank"'. */
export function knowingParameters(of: string, params: Params): Params {
  const given = ownView(
    new Proxy(params, {
      get: (known, name) => {
        if (name in known || isAskedOfObjects(name)) return Reflect.get(known, name)
        return mistake({
          code: 'E107',
          message: `${of} has no parameter "${name}"`,
          hint: suggestion(name, Object.keys(known), 'parameters'),
        })
      },
    }),
  )
  givenParameters.set(given, of)
  return given
}

const givenParameters = new WeakMap<object, string>()

/** Who takes the message would ask it for what parameters do not have, such as its kind, and be told that it is not declared. */
export function refuseParameters(message: unknown): void {
  const of = isObject(message) ? givenParameters.get(message) : undefined
  if (of === undefined) return
  mistake({
    code: 'E205',
    message: `the message is all parameters of ${of} as they are given, which is not a value`,
    hint: 'send a copy, or what is needed of them, as in { ...params }',
  })
}

/** By the language and by printers, of any object. */
function isAskedOfObjects(name: string | symbol): name is symbol {
  return typeof name === 'symbol' || name === 'then' || name === 'toJSON'
}
