/**
 * The bare cost of a program: its own code run once, with the simplest thing that can run it (queues, no choice, no record).
 * An engine that runs every execution from its start cannot be faster than this.
 */
import { matches } from '../src/core/filter.ts'
import type { Operation } from '../src/core/operation.ts'
import { Address } from '../src/core/value.ts'
import type { Runnable } from '../src/program/program.ts'

interface Process {
  readonly address: Address<never>
  readonly generator: Iterator<unknown, unknown, unknown>
  asked: Operation | undefined
  readonly inbox: unknown[]
}

/** Runs one execution to its end; returns the number of operations performed. */
export function runBare(subject: Runnable): number {
  const processes = new Map<string, Process>()
  const queue: Process[] = []
  let operations = 0
  const begin = (id: string, body: (...args: never[]) => unknown, args: readonly unknown[]) => {
    const generator = body(...(args as never[])) as Iterator<unknown, unknown, unknown>
    const process: Process = { address: Address.of(id), generator, asked: undefined, inbox: [] }
    processes.set(id, process)
    queue.push(process)
    return process
  }
  const advance = (process: Process, answer: unknown) => {
    const result = process.generator.next(answer) as Operation & IteratorResult<unknown>
    process.asked = result.done ? undefined : result
  }
  const perform = (process: Process, asked: Operation): boolean => {
    switch (asked.kind) {
      case 'self':
        advance(process, process.address)
        return true
      case 'send':
        processes.get((asked.target as Address<never>).id)?.inbox.push(asked.payload)
        break
      case 'spawn': {
        const detail = asked.detail as {
          readonly name: string
          readonly body: () => unknown
          readonly args: readonly unknown[]
        }
        const child = begin(detail.name, detail.body, detail.args)
        advance(child, undefined)
        advance(process, child.address)
        return true
      }
      case 'choose':
        advance(process, (asked.payload as readonly unknown[])[0])
        return true
      case 'receive':
      case 'poll': {
        const at = process.inbox.findIndex((message) => matches(asked, message))
        if (at < 0 && asked.kind === 'receive') return false
        advance(process, at < 0 ? undefined : process.inbox.splice(at, 1)[0])
        return true
      }
      default:
        return false
    }
    advance(process, undefined)
    return true
  }
  advance(begin('main', subject.main.body, subject.main.args), undefined)
  for (let moved = true; moved; ) {
    moved = false
    for (const process of queue) {
      while (process.asked !== undefined && perform(process, process.asked)) {
        operations++
        moved = true
      }
    }
  }
  return operations
}
