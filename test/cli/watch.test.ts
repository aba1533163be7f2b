import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { rerun } from '../../src/cli/watch.ts'

const folder = mkdtempSync(join(tmpdir(), 'allways-watch-'))
afterAll(() => rmSync(folder, { recursive: true }))

function file(name: string, text: string): string {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}

/** Runs as often as there are actions, each of which happens while waiting. */
async function runs(files: readonly string[], sources: readonly string[][], actions: readonly (() => void)[]) {
  const controller = new AbortController()
  let ran = 0
  const last = await rerun(async () => ({ sources: sources[ran] ?? [], run: ++ran }), {
    files,
    signal: controller.signal,
    onWait: () => (actions[ran - 1] ?? (() => controller.abort()))(),
  })
  expect(last.run).toBe(ran)
  return ran
}

test('a file that is written or replaced while waiting is a reason to run again', async () => {
  const path = file('a.ts', 'one')
  const replace = () => renameSync(file('b.ts', 'six'), path)
  expect(await runs([path], [], [() => writeFileSync(path, 'three'), replace])).toBe(3)
})

test('a file that is missing for a while is waited for', async () => {
  const path = file('gone.ts', 'one')
  const { signal } = new AbortController()
  let [ran, asked, isGone] = [0, 0, false]
  // Every look at the files begins with this question, and so does every delay: the third one is that of the second look.
  const isAborted = (): boolean => {
    if (isGone && ++asked === 3) writeFileSync(path, 'two')
    return ran === 2
  }
  Object.defineProperty(signal, 'aborted', { get: isAborted })
  const onWait = () => {
    rmSync(path)
    isGone = true
  }
  await rerun(async () => ({ sources: [], run: ++ran }), { files: [path], signal, onWait })
  expect([ran, asked >= 3]).toEqual([2, true])
})

test('what a run has named still counts when the next one names nothing', async () => {
  const path = file('named.ts', 'one')
  const again = (text: string) => () => writeFileSync(path, text)
  expect(await runs([], [[path], []], [again('second'), again('the third')])).toBe(3)
})

test('a change during a run is not missed', async () => {
  const path = file('early.ts', 'one')
  const controller = new AbortController()
  let ran = 0
  await rerun(
    async () => {
      if (++ran === 1) writeFileSync(path, 'changed by now')
      else controller.abort()
      return { sources: [path] }
    },
    { files: [path], signal: controller.signal, onWait: () => {} },
  )
  expect(ran).toBe(2)
})
