/** What a worker does on its own, performed as plain JavaScript: the operations do at once what they would be given. */
import { answers } from './generate.ts'

export interface Happened {
  /** Kinds of what was asked for, in order. */
  readonly asked: readonly string[]
  /** What was told in the end, as source text. */
  readonly value: string
}

interface Message {
  readonly kind: string
  readonly value?: unknown
  readonly got?: number
}

type Filter = string | ((message: Message) => boolean) | { readonly from: string }

const mostOperations = 60

/** Nothing if it fails, waits, never ends, or tells no plain value. */
export function happened(source: string, shape: 'asks' | 'counts' | 'gathers'): Happened | undefined {
  const asked: string[] = []
  const inbox: Message[] = []
  let told: unknown
  let operations = 0
  const counted = (): void => {
    if (++operations > mostOperations) throw new Error('goes on for ever')
  }
  const operation = {
    *self() {
      return 'worker'
    },
    *send(to: string, message: Message) {
      counted()
      if (to === 'worker') inbox.push(message)
      else if (message.kind === 'done') told = message.value
      else if (message.kind !== 'tick') {
        asked.push(message.kind)
        inbox.push({ kind: 'answer', value: answers[message.kind] })
      }
    },
    *receive(filter?: Filter) {
      counted()
      if (filter === 'part') return { kind: 'part', got: 1 }
      const at = inbox.findIndex((message) => matches(filter, message))
      if (at < 0) throw new Error('waits for ever')
      return inbox.splice(at, 1)[0]
    },
    *choose(options: readonly unknown[]) {
      counted()
      return options[0]
    },
    *assert(condition: unknown) {
      if (condition !== true) throw new Error('fails')
    },
  }
  const performed = {
    asks: "worker('main')",
    counts: "worker('main', 2)",
    gathers: "gather(['a', 'b'])",
  }[shape]
  try {
    const make = new Function(...Object.keys(operation), 'console', `'use strict'\n${source}\nreturn ${performed}`)
    const run = make(...Object.values(operation), silent) as Generator<unknown, unknown>
    const { value } = run.next()
    const text = sourceText(shape === 'gathers' ? value : told)
    return text === undefined ? undefined : { asked, value: text }
  } catch {
    return undefined
  }
}

const silent = Object.fromEntries(Object.keys(console).map((name) => [name, () => {}]))

function matches(filter: Filter | undefined, message: Message): boolean {
  if (typeof filter === 'function') return filter(message)
  return typeof filter !== 'string' || filter === message.kind
}

function sourceText(value: unknown): string | undefined {
  if (typeof value === 'number')
    return Number.isSafeInteger(value) && Math.abs(value) < 1000 ? String(value) : undefined
  if (typeof value === 'string') return `'${value}'`
  return typeof value === 'boolean' || value === undefined || value === null ? String(value) : undefined
}
