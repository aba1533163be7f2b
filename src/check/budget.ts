/** Budgets as people write them: `60s`, `10m`, `1.5gb`; a bare number of milliseconds or bytes from code. */
import { constrainedMemory } from 'node:process'
import { getHeapStatistics } from 'node:v8'
import { failure, type Result, success } from '../core/diagnostic.ts'
import { shown } from '../core/option-shape.ts'

const milliseconds: { readonly [unit: string]: number } = { ms: 1, s: 1000, m: 60_000, min: 60_000, h: 3_600_000 }
const bytes: { readonly [unit: string]: number } = {
  b: 1,
  kb: 1024,
  mb: 1024 ** 2,
  gb: 1024 ** 3,
  k: 1024,
  m: 1024 ** 2,
  g: 1024 ** 3,
}

export function parseDuration(written: string | number, option: string): Result<number> {
  return parseQuantity(written, option, { units: milliseconds, example: '500ms, 60s, 10m, 1h30m' })
}

/** Longer than any timer of Node's runs: it would fire at once instead. */
const mostOfTimer = 2 ** 31 - 1

/** As `parseDuration`, for what is waited for on a real clock. */
export function parseWait(written: string, option: string): Result<number> {
  const parsed = parseDuration(written, option)
  if (!parsed.ok || parsed.value <= mostOfTimer) return parsed
  const message = `${option} is ${shown(written)}, which is longer than timers can run`
  return failure({ code: 'E107', message, hint: 'write at most 24 days: 576h' })
}

export function parseBytes(written: string | number, option: string): Result<number> {
  return parseQuantity(written, option, { units: bytes, example: '512mb, 2gb' })
}

interface Quantity {
  readonly units: { readonly [unit: string]: number }
  readonly example: string
}

/** Callers without types pass anything. */
function parseQuantity(written: unknown, option: string, quantity: Quantity): Result<number> {
  const value = typeof written === 'number' ? written : quantityOf(written, quantity.units)
  if (value !== undefined && Number.isFinite(value) && value > 0) return success(value)
  return failure({
    code: 'E107',
    message: `${option} is ${typeof written === 'number' ? written : shown(written)}, which is not a positive amount`,
    hint: `write for example ${quantity.example}`,
  })
}

function quantityOf(written: unknown, units: { readonly [unit: string]: number }): number | undefined {
  if (typeof written !== 'string') return undefined
  if (!/^\s*(?:\d+(?:\.\d+)?\s*[a-z]+\s*)+$/i.test(written)) return undefined
  const parts = [...written.matchAll(/(\d+(?:\.\d+)?)\s*([a-z]+)/gi)].map(([, amount, unit = '']) => ({
    amount: Number(amount),
    factor: units[unit.toLowerCase()] ?? Number.NaN,
  }))
  // Larger units first, each once: what is written in another order is more likely a mistake.
  const isOrdered = parts.every(({ factor }, at) => at === 0 || factor < (parts[at - 1]?.factor ?? 0))
  return isOrdered ? parts.reduce((sum, { amount, factor }) => sum + amount * factor, 0) : undefined
}

/** Three quarters of what the process may use: stopping cleanly with a checkpoint beats being killed without one. */
export function mostMemory(): number {
  const limit = getHeapStatistics().heap_size_limit
  const constrained = constrainedMemory?.() ?? 0
  return 0.75 * (constrained > 0 ? Math.min(limit, constrained) : limit)
}
