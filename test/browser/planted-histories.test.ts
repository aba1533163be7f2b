/**
 * Pages that `--html` writes of recorded histories whose texts are payloads, all in one real browser: no script runs, there is no
 * element and no attribute that pages of plain histories do not have, and names are shown as they are.
 */
// @module-tag cut
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, describe, expect, test } from 'vitest'
import { printable } from '../../src/reports/text-width.ts'
import { amount, long } from '../amount.ts'
import { histories } from '../cli/injection/histories.ts'
import { payloads } from '../cli/injection/payloads.ts'
import { fieldsOf, type Json, namesOf, type Text } from '../cli/injection/planting.ts'
import { prepared } from '../cli/injection/prepared.ts'
import { payloadOf } from '../cli/injection/product.ts'
import { browser } from './chromium.ts'

const folder = mkdtempSync(join(tmpdir(), 'allways-planted-'))
afterAll(() => rmSync(folder, { recursive: true }))

interface Planted {
  readonly text: Text
  readonly payload: string
}

interface Page {
  readonly html: string
  /** Names of processes in the place of those of the genuine history. */
  readonly names: readonly Planted[]
  /** Which history it is made of. */
  readonly of: number
}

/** As `--html` writes it; undefined if the history is refused. */
async function pageOf(content: Json, flags: readonly string[]): Promise<string | undefined> {
  const [file, html] = [join(folder, 'planted.history.jsonl'), join(folder, 'page.html')]
  rmSync(html, { force: true })
  writeFileSync(file, (content as readonly Json[]).map((line) => JSON.stringify(line)).join('\n'))
  await prepared(['linearize', file, ...flags, '--html', html])()
  return existsSync(html) ? readFileSync(html, 'utf8') : undefined
}

async function pagesOf(of: number, rounds: number): Promise<readonly Page[]> {
  const { content, flags } = histories[of] as (typeof histories)[number]
  const texts: Text[] = []
  for (const text of [...fieldsOf(content), ...namesOf(content)])
    if ((await pageOf(text.plant(content, 'planted'), flags)) !== undefined) texts.push(text)
  const processes = ['first', 'second', 'third']
  const pages: Page[] = []
  for (let round = 0; round < rounds; round++) {
    const planted = texts.map((text, at) => ({ text, payload: payloadOf(at, round, rounds) }))
    const whole = planted.reduce<Json>((before, { text, payload }) => text.plant(before, payload), content)
    const html = await pageOf(whole, flags)
    const names = planted.filter(({ text }) => text.isEverywhere && processes.includes(text.said))
    if (html !== undefined) pages.push({ html, names, of })
  }
  return pages
}

/** Every page in a frame of its own, where scripts would run: without its policy, and with what payloads call. */
const probe = `
  const pages = JSON.parse(document.querySelector('#pages').textContent)
  const told = []
  const next = (at) => {
    if (at === pages.length) { document.body.dataset.told = encodeURIComponent(JSON.stringify(told)); return }
    const frame = document.createElement('iframe')
    frame.onload = () => {
      const page = frame.contentDocument
      const all = [...page.querySelectorAll('*')].filter((one) => one.localName !== 'script')
      const shapes = all.flatMap((one) => [one.localName, ...one.getAttributeNames().map((name) => one.localName + ' ' + name)])
      const scripts = page.querySelectorAll('script').length
      const cells = [...page.querySelectorAll('tbody td:first-child')].map((one) => one.textContent)
      told.push({ hasRun: frame.contentWindow.hasRun === true, scripts, shapes: [...new Set(shapes)], cells: [...new Set(cells)] })
      frame.remove()
      next(at + 1)
    }
    frame.srcdoc = pages[at]
    document.body.append(frame)
  }
  next(0)
`
const trap = '<script>window.PLANTED = () => { window.hasRun = true }; window.alert = window.PLANTED</script>'
const policy = /<meta http-equiv="Content-Security-Policy"[^>]*>/

interface Told {
  readonly hasRun: boolean
  readonly scripts: number
  readonly shapes: readonly string[]
  readonly cells: readonly string[]
}

function looked(pages: readonly string[]): readonly Told[] {
  const given = JSON.stringify(pages.map((page) => page.replace(policy, trap))).replaceAll('<', '\\u003c')
  const file = join(folder, 'all.html')
  const data = `<script type="application/json" id="pages">${given}</script>`
  writeFileSync(file, `<!doctype html><meta charset="utf-8"><body>${data}<script>${probe}</script></body>`)
  const flags = ['--headless', '--no-sandbox', '--disable-gpu', '--virtual-time-budget=60000', '--dump-dom']
  const options = { encoding: 'utf8', maxBuffer: 1 << 28 } as const
  const { stdout } = spawnSync(browser as string, [...flags, pathToFileURL(file).href], options)
  const [, text = ''] = / data-told="([^"]*)"/.exec(stdout) ?? []
  return JSON.parse(decodeURIComponent(text)) as readonly Told[]
}

/** Each line as a terminal would show it. */
function visible(text: string): string {
  return text
    .split('\n')
    .map((line) => printable(line, false))
    .join('\n')
}

describe.skipIf(browser === undefined)('pages of histories that say everything in the words of payloads', () => {
  test('are text, and nothing else', long, async () => {
    const rounds = amount({ quick: 2, rest: 12, thorough: 60, all: payloads.length })
    const genuine: string[] = []
    const pages: Page[] = []
    for (const [of, { content, flags }] of histories.entries()) {
      genuine.push((await pageOf(content, flags)) ?? '')
      pages.push(...(await pagesOf(of, rounds)))
    }
    expect(pages.length).toBeGreaterThan(2 * rounds)
    const told = looked([...genuine, ...pages.map(({ html }) => html)])
    expect(told).toHaveLength(genuine.length + pages.length)
    const known = new Set(told.slice(0, genuine.length).flatMap(({ shapes }) => shapes))
    let compared = 0
    const faults = told.slice(genuine.length).flatMap(({ hasRun, scripts, shapes, cells }, at) => {
      const { names, of } = pages[at] as Page
      // Of a history of several objects one is drawn, and payloads may make other objects of it.
      const { cells: before } = told[of] as Told
      const shown = before.length !== cells.length ? [] : names.filter(({ text }) => before.includes(text.said))
      compared += shown.length
      return [
        ...(hasRun || scripts !== 1 ? ['a script'] : []),
        ...shapes.filter((shape) => !known.has(shape)),
        ...shown.filter(({ payload }) => !cells.includes(visible(payload))).map(({ payload }) => `no name ${payload}`),
      ]
    })
    expect(told.slice(0, genuine.length).every(({ cells }) => cells.includes('first'))).toBe(true)
    expect(faults.slice(0, 20)).toEqual([])
    expect(compared).toBeGreaterThan(rounds)
  })

  test('a page with a script in it is noticed', long, () => {
    const page =
      '<!doctype html><meta http-equiv="Content-Security-Policy" content="x"><body><img src=x onerror=PLANTED()>'
    expect(looked([`${page}<script>PLANTED()</script>`])).toMatchObject([{ hasRun: true, scripts: 2 }])
  })
})
