/** Code of the user's that is no process: its mistakes are told, whatever it does with them. */
import { describe, expect, test } from 'vitest'
import { DiagnosticError } from '../../../src/core/diagnostic.ts'
import { checkShape, shapes } from '../../../src/core/option-shape.ts'
import { mistake, runAs, running } from '../../../src/core/running.ts'

const made = { code: 'E209', message: 'asked for the time', hint: 'do not' } as const

function codeOf(code: () => unknown): string {
  try {
    return String(runAs('final "f"', code))
  } catch (error) {
    return error instanceof DiagnosticError ? error.diagnostic.code : String(error)
  }
}

describe('runAs', () => {
  test('tells a mistake that was caught', () => {
    const caught = () => {
      try {
        mistake(made)
      } catch {
        return 'went on'
      }
    }
    expect(codeOf(caught)).toBe('E209')
  })

  test('tells a mistake that was caught and thrown as something else', () => {
    const rethrown = () => {
      try {
        mistake(made)
      } catch (error) {
        throw new TypeError('of my own', { cause: error })
      }
    }
    expect(codeOf(rethrown)).toBe('E209')
  })

  test('throws what is no mistake as it is, and leaves nothing behind', () => {
    const before = { ...running }
    expect(codeOf(() => JSON.parse('{'))).toMatch(/^SyntaxError/)
    expect({ ...running }).toEqual(before)
  })

  test('keeps the mistake of the process that it interrupts', () => {
    running.mistake = made
    expect(codeOf(() => 'fine')).toBe('fine')
    expect(running.mistake).toBe(made)
    running.mistake = undefined
  })
})

test('a process is told all that is wrong with a call', () => {
  const call = () => checkShape({ deamon: true, x: 1, daemon: 2 }, { daemon: shapes.flag }, { of: 'spawn' })
  let told = ''
  try {
    runAs('main', call)
  } catch (error) {
    told = (error as DiagnosticError).diagnostic.message
  }
  expect(told).toBe(
    'spawn has no option "deamon"; spawn has no option "x"; "daemon" of spawn is 2, but it must be true or false',
  )
})
