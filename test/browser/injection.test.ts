/** A page in a real browser, with payloads for texts: no script runs, nothing is asked for, and what is shown is the text. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, describe, expect, test } from 'vitest'
import { type DrawnHistory, historiesPage } from '../../src/reports/history-html.ts'
import { printable } from '../../src/reports/text-width.ts'
import { long } from '../amount.ts'
import { payloads } from '../cli/injection/payloads.ts'
import { browser } from './chromium.ts'

const folder = mkdtempSync(join(tmpdir(), 'allways-browser-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** In every place that a history has for texts. */
function drawn(payload: string): DrawnHistory {
  const call = { process: payload, operation: payload, args: [payload], invoked: 0, returned: 1 }
  const history = { calls: [{ ...call, result: { kind: 'returned', value: payload } as const }] }
  const section = { file: payload, function: payload, lines: { first: 1, last: 1 } }
  const rootCauses = [{ repairs: [{ sections: [section], disables: 0 }] }]
  const options = { title: payload, steps: payload, rootCauses, sources: () => [payload] }
  return { picture: { history, words: payload }, options }
}

/** What `--html` would do to payloads that ask for something, where a server waits for it. */
function asking(port: number): readonly string[] {
  const address = `http://127.0.0.1:${port}/PLANTED`
  return [
    `<img src="${address}">`,
    `<script src="${address}"></script>`,
    `</style><link rel=stylesheet href="${address}">`,
    `<iframe src="${address}"></iframe>`,
    `<svg><image href="${address}"/></svg>`,
    `<meta http-equiv=refresh content="0;url=${address}">`,
    `"><base href="${address}">`,
    `@import url(${address});`,
  ]
}

interface Opened {
  /** The page as it was when everything had run. */
  readonly dom: string
  readonly complaints: readonly string[]
}

async function opened(page: string): Promise<Opened> {
  const file = join(folder, 'page.html')
  writeFileSync(file, page)
  const flags = ['--headless', '--no-sandbox', '--disable-gpu', '--enable-logging=stderr', '--dump-dom']
  const running = spawn(browser as string, [...flags, pathToFileURL(file).href])
  let [dom, log] = ['', '']
  running.stdout.on('data', (piece: Buffer) => {
    dom += piece.toString()
  })
  running.stderr.on('data', (piece: Buffer) => {
    log += piece.toString()
  })
  await once(running, 'close')
  return { dom, complaints: log.split('\n').filter((line) => line.includes(':CONSOLE')) }
}

/** Put into a copy without the policy that forbids scripts: would tell of a payload that runs, and says what is shown. */
const probe = `
  const shown = (name) => [...document.querySelectorAll(name)].map((one) => one.textContent)
  const texts = { titles: shown('h1'), words: shown('p.words'), cells: shown('tbody td:first-child'), steps: shown('pre') }
  const elements = [...new Set([...document.querySelectorAll('*')].map((one) => one.localName))].sort()
  const handlers = [...document.querySelectorAll('*')].flatMap((one) => one.getAttributeNames()).filter((name) => name.startsWith('on'))
  document.body.dataset.told = JSON.stringify({ hasRun: window.hasRun === true, elements, handlers, texts })
`
const trap = '<script>window.PLANTED = () => { window.hasRun = true }; window.alert = window.PLANTED</script>'

interface Told {
  readonly hasRun: boolean
  readonly elements: readonly string[]
  readonly handlers: readonly string[]
  readonly texts: { readonly [where in 'titles' | 'words' | 'cells' | 'steps']: readonly string[] }
}

function toldIn(dom: string): Told {
  const [, attribute = ''] = / data-told="([^"]*)"/.exec(dom) ?? []
  const entities: { readonly [name: string]: string } = { quot: '"', lt: '<', gt: '>', nbsp: '\u00a0', amp: '&' }
  return JSON.parse(attribute.replace(/&(\w+);/g, (_, name: string) => entities[name] ?? '')) as Told
}

/** On several lines where we lay them out, each as a terminal would show it. */
function visible(text: string): string {
  return text
    .split('\n')
    .map((line) => printable(line, false))
    .join('\n')
}

describe.skipIf(browser === undefined)('a page of payloads', () => {
  const policy = /<meta http-equiv="Content-Security-Policy"[^>]*>/

  test('runs nothing, asks for nothing and shows them as text', long, async () => {
    const asked: string[] = []
    const server = createServer((request, response) => {
      asked.push(request.url ?? '')
      response.end()
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const all = [...payloads, ...asking((server.address() as AddressInfo).port)].filter((one) => one.length < 1000)
    const page = historiesPage(all.map(drawn))
    const plain = historiesPage(['a', 'b'].map(drawn))
    const probed = (text: string): string =>
      text.replace(policy, trap).replace('</body>', () => `<script>${probe}</script></body>`)
    const genuine = toldIn((await opened(probed(plain))).dom)
    const told = toldIn((await opened(probed(page))).dom)
    expect({ hasRun: told.hasRun, handlers: told.handlers, elements: told.elements }).toEqual({
      hasRun: false,
      handlers: [],
      elements: genuine.elements,
    })
    const expected = all.map(visible)
    expect(told.texts.titles).toEqual(expected)
    expect(told.texts.words).toEqual(expected)
    expect(told.texts.cells).toEqual(expected)
    expect((await opened(page)).complaints).toEqual([])
    server.close()
    expect(asked).toEqual([])
  })
})
