/**
 * `allways/vitest`: checks as Vitest writes them.
 *
 *     import { expect, it } from 'allways/vitest'
 *     it.check('one transfer leaves nobody in debt', transfer, { params: { back: false } })
 *     await expect(transfer).toVerify({ time: '5s' })
 */
import { expect as plainExpect, it as plainIt, type TestAPI } from 'vitest'
import { type AllowingOptions, type Checkable, CheckFailedError, check } from '../check/check.ts'
import { scopeSentence } from '../reports/scope.ts'

declare module 'vitest' {
  // biome-ignore lint/suspicious/noExplicitAny: an interface is extended under the parameters that it was declared with
  interface Matchers<T = any> {
    /** Every execution of the program holds. Fails with the counterexample; negated, with the verdict. */
    toVerify(options?: AllowingOptions): Promise<T extends unknown ? void : never>
  }
}

export interface CheckingTests {
  /** A test that every execution of the program holds. */
  check(name: string, checked: Checkable, options?: AllowingOptions): void
}

interface Matched {
  readonly pass: boolean
  readonly message: () => string
}

plainExpect.extend({ toVerify })

async function toVerify(checked: unknown, ...options: [options?: AllowingOptions]): Promise<Matched> {
  try {
    const verdict = await check(checked as Checkable, ...options)
    return { pass: true, message: () => `expected a violation, and it is ${verdict.kind}: ${scopeSentence(verdict)}` }
  } catch (error) {
    // Nothing was decided: that is neither what was expected nor its opposite.
    if (!(error instanceof CheckFailedError) || error.verdict?.kind !== 'violated') throw error
    return { pass: false, message: () => error.message }
  }
}

/** Vitest's own, which knows `toVerify` now. */
export const expect = plainExpect

/** Vitest's own with `it.check`, beside the one that other files import. */
export const it: TestAPI & CheckingTests = Object.assign(plainIt.extend({}), {
  check(name: string, checked: Checkable, ...options: [options?: AllowingOptions]): void {
    plainIt(name, async () => {
      await check(checked, ...options)
    })
  },
})

/** Checks of classes are of files, which are loaded for that. */
export { checkFile } from '../check/check.ts'
export { it as test }
