/** A client in plain Node: its processes start in one job, in an order that is given. Nothing of this project takes part. */

import { resultText, thrownText } from '../jobs/result-text.ts'

interface Started {
  /** The expression of a class. */
  readonly text: string
  readonly client: readonly (readonly string[])[]
  readonly order: readonly number[]
}

type Instance = { readonly [operation: string]: () => unknown }

/** Calls and returns as they come, up to what would end Node. */
export async function nativeRun({ text, client, order }: Started): Promise<readonly string[]> {
  const log: string[] = []
  let isOver = false
  const tell = (line: string): void => {
    if (!isOver) log.push(line)
  }
  const ends = (): void => {
    tell('ended')
    isOver = true
  }
  process.on('unhandledRejection', ends)
  process.on('uncaughtException', ends)
  const made = new Function(`return ${text}`) as () => new () => Instance
  const instance = new (made())()
  await drained()
  const run = async (index: number): Promise<void> => {
    for (const operation of client[index] ?? []) {
      tell(`p${index + 1} calls`)
      try {
        tell(`p${index + 1} ${resultText(await instance[operation]?.())}`)
      } catch (error) {
        tell(`p${index + 1} ${thrownText(error)}`)
      }
    }
  }
  // A job of the host's, as a message that comes, and not the continuation of a promise.
  setImmediate(() => {
    for (const index of order) void run(index)
  })
  for (let rounds = 0; rounds < 3; rounds++) await drained()
  process.off('unhandledRejection', ends)
  process.off('uncaughtException', ends)
  return log
}

function drained(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
