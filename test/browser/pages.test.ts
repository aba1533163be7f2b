/**
 * The pages of `--html` in a real browser. Without one these tests are skipped.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, describe, expect, test } from 'vitest'
import { historyPage } from '../../src/reports/history-html.ts'
import { long } from '../amount.ts'
import { allways } from '../cli/harness.ts'
import { browser } from './chromium.ts'

const folder = mkdtempSync(join(tmpdir(), 'allways-browser-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** Put into a copy of the page: says what a reader would trip over, as text that the dump of the page contains. */
const probe = `
  const told = []
  const box = (element) => element.getBoundingClientRect()
  const overlap = (a, b) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1
  for (const figure of document.querySelectorAll('figure')) {
    const texts = [...figure.querySelectorAll('svg:not(.names) > text')]
    for (const [at, one] of texts.entries())
      for (const other of texts.slice(at + 1))
        if (overlap(box(one), box(other))) told.push('overlap: ' + one.textContent + ' and ' + other.textContent)
    const svg = figure.querySelector('svg:not(.names)')
    for (const text of texts)
      if (box(text).right > box(svg).right + 1) told.push('cut off: ' + text.textContent)
  }
  if (document.documentElement.scrollWidth > innerWidth) told.push('the page scrolls sideways')
  for (const link of document.querySelectorAll('a'))
    if (document.querySelector(link.getAttribute('href')) === null) told.push('dead link ' + link.getAttribute('href'))
  const colours = (element) => [getComputedStyle(element).color, getComputedStyle(document.body).backgroundColor]
  const light = (colour) => {
    const [red, green, blue] = colour.match(/[0-9.]+/g).map((part) => {
      const share = Number(part) / 255
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
    })
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
  }
  for (const name of ['h1', '.words', '.legend', 'a', 'pre', 'summary']) {
    const element = document.querySelector(name)
    if (element === null) continue
    const [front, back] = colours(element).map(light)
    const contrast = (Math.max(front, back) + 0.05) / (Math.min(front, back) + 0.05)
    if (contrast < 4.5) told.push('contrast of ' + name + ' is ' + contrast.toFixed(2))
  }
  document.body.dataset.told = JSON.stringify(told)
  document.body.dataset.text = document.body.innerText
`

interface Looked {
  /** What a reader would trip over. */
  readonly told: readonly string[]
  readonly text: string
}

/** The page forbids scripts, so the probe needs another policy. */
function look(page: string, flags: readonly string[]): Looked {
  const policy = /<meta http-equiv="Content-Security-Policy"[^>]*>/
  expect(page).toMatch(policy)
  const { stdout } = run(page.replace(policy, '').replace('</body>', `<script>${probe}</script></body>`), flags)
  const attribute = (name: string): string => unescaped(new RegExp(` data-${name}="([^"]*)"`).exec(stdout)?.[1] ?? '')
  return { told: JSON.parse(attribute('told')) as readonly string[], text: attribute('text') }
}

/** What the browser complains about when it loads the page as it is. */
function complaints(page: string): readonly string[] {
  return run(page, [])
    .stderr.split('\n')
    .filter((line) => line.includes(':CONSOLE'))
}

function run(page: string, flags: readonly string[]): { readonly stdout: string; readonly stderr: string } {
  const file = join(folder, 'looked-at.html')
  writeFileSync(file, page)
  const usual = ['--headless', '--no-sandbox', '--disable-gpu', '--enable-logging=stderr', '--dump-dom']
  const { stdout, stderr } = spawnSync(browser as string, [...usual, ...flags, pathToFileURL(file).href], {
    encoding: 'utf8',
  })
  return { stdout, stderr }
}

function unescaped(text: string): string {
  return text
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&nbsp;', ' ')
    .replaceAll('&amp;', '&')
}

async function pageOf(...argv: readonly string[]): Promise<string> {
  const file = join(folder, 'page.html')
  await allways(['linearize', ...argv, '--html', file, '--trace-dir', folder, '-q'])
  return readFileSync(file, 'utf8')
}

const client = '{ push(1) } || { push(2); pop() } || { pop() }'
const pages: readonly (readonly [name: string, argv: readonly string[], shown: readonly string[]])[] = [
  [
    'a class that fails',
    ['corpus/afek-stack/stack.ts', '--client', client],
    [`Stack: ${client}`, 'cannot come next', 'Steps', 'Root cause 1', 'lines 22–23 of Stack.pop must be atomic'],
  ],
  [
    'a history that is wrong',
    ['corpus/histories/kv-no.history.jsonl'],
    ['corpus/histories/kv-no.history.jsonl', 'Go to the call that cannot come next', 'as a table'],
  ],
  [
    'several classes, one of them in a deadlock',
    ['corpus/connection-pool/model.check.ts'],
    ['forgetful connection pool', 'racy connection pool', 'waits for ever'],
  ],
]

describe.skipIf(browser === undefined)('the page of', () => {
  const windows = [
    ['a wide window', ['--window-size=1200,900']],
    ['a narrow window', ['--window-size=500,900']],
    ['the dark', ['--window-size=1200,900', '--blink-settings=preferredColorScheme=0']],
  ] as const

  test.each(pages)('%s can be read in wide and narrow windows and in the dark', long, async (_, argv, shown) => {
    const page = await pageOf(...argv)
    expect(complaints(page)).toEqual([])
    for (const [where, flags] of windows) {
      const { told, text } = look(page, flags)
      expect({ where, told }).toEqual({ where, told: [] })
      for (const words of shown) expect(text).toContain(words)
    }
  })

  test('a history is not as it should be when texts overlap, links are dead or scripts are tried', long, () => {
    const call = { process: 'p1', operation: 'get', args: [], invoked: 0, returned: Number.POSITIVE_INFINITY }
    const history = { calls: [{ ...call, result: { kind: 'pending' } as const }] }
    const worse = historyPage({ history, words: 'fine' }, { title: 'page' })
      .replace('<h1>', '<p style="width: 3000px">wide</p><a href="#nowhere">dead</a><script>alert(1)</script><h1>')
      .replace(/(<text class="label".*<\/text>)/, '$1$1')
    const complained = complaints(worse)
    expect(complained).toEqual([expect.stringContaining('Content Security Policy')])
    expect(look(worse.replace('<script>alert(1)</script>', ''), ['--window-size=1200,900']).told).toEqual([
      'overlap: get() and get()',
      'the page scrolls sideways',
      'dead link #nowhere',
    ])
  })
})
