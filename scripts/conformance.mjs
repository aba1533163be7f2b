/**
 * Compares what allways says of P programs with what a suite of them expects, and prints a table per feature with every disagreement.
 * `npm run conformance -- --help` says how it is asked. Nothing of the suite is copied.
 *
 * The folders of a suite say what is expected: `<Feature>/<Correct|DynamicError|StaticError>/<Name>/*.p`.
 */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join, relative } from 'node:path'
import process, { argv, cwd, stderr, stdout } from 'node:process'
import { parseArgs } from 'node:util'
import { ensureBuilt } from './build.mjs'

const usage = `npm run conformance -- --suite folder [--only text] [--time 20s] [--network name] [--json]

  --suite folder   a checkout of programs whose folders say what is expected of them
  --only text      programs whose path has this text
  --time           budget of each test (default 20s)
  --network name   delivery (default: sender-queue)
  --json           each program on a line of its own, as JSON
`

const traces = mkdtempSync(join(tmpdir(), 'conformance-'))
await ensureBuilt()
const { main } = await import('../dist/cli/main.js')
const expectations = { Correct: 'holds', DynamicError: 'violated', StaticError: 'refused' }

/** Programs that no longer mean what their folder says, with the reason. */
const stale = new Map(
  ['Elevator', 'ElevatorMod', 'OSR'].map((name) => [
    `Feature5ModuleSystem/Correct/${name}`,
    'handlers of outer states are no longer inherited, so every execution has an unhandled event, or never ends its first handler',
  ]),
)

const { values } = parseArgs({
  args: argv.slice(2),
  options: {
    suite: { type: 'string' },
    only: { type: 'string', default: '' },
    time: { type: 'string', default: '20s' },
    network: { type: 'string' },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})

if (values.help) stdout.write(usage)
else process.exitCode = await run().finally(() => rmSync(traces, { recursive: true, force: true }))

async function run() {
  if (values.suite === undefined || !existsSync(values.suite)) {
    stderr.write(values.suite === undefined ? usage : `there is no folder ${values.suite}\n`)
    return 2
  }
  const found = programsIn(values.suite).filter(({ name }) => name.includes(values.only))
  const answers = []
  for (const one of found) {
    const answer = { ...one, ...(await answerOf(one)) }
    answers.push(answer)
    if (stderr.isTTY) stderr.write(`\r${answers.length}/${found.length} ${one.name.padEnd(70).slice(0, 70)}`)
    if (values.json) stdout.write(`${JSON.stringify({ ...answer, folder: undefined })}\n`)
  }
  if (stderr.isTTY) stderr.write('\r')
  if (!values.json) stdout.write(tableText(answers))
  return answers.some(({ agrees, reason }) => !agrees && reason === undefined) ? 1 : 0
}

function programsIn(suite) {
  const found = []
  const visit = (folder) => {
    const expected = expectations[basename(dirname(folder))]
    const entries = readdirSync(folder, { withFileTypes: true })
    if (expected !== undefined && entries.some(({ name }) => name.endsWith('.p'))) {
      const name = relative(suite, folder).split('\\').join('/')
      found.push({ name, folder, expected, feature: name.split('/')[0], reason: stale.get(name) })
      return
    }
    for (const entry of entries) if (entry.isDirectory()) visit(join(folder, entry.name))
  }
  visit(suite)
  return found.sort((left, right) => (left.name < right.name ? -1 : 1))
}

/** What allways says, and whether that is what is expected. */
async function answerOf({ folder, expected }) {
  const names = namesExpected(folder)
  const listed = await allways(['list', folder, '--json'])
  const tests = listed.answer?.programs?.map(({ program }) => program) ?? []
  const missing = tests.length === 0 ? [] : names.filter((name) => !tests.includes(name))
  if (missing.length > 0) return { said: 'other tests', detail: `no test ${missing.join(', ')}`, agrees: false }
  if (tests.length > 0 && expected === 'refused') return { said: 'accepted', detail: tests.join(', '), agrees: false }
  const asked = tests.includes('DefaultImpl') ? 'DefaultImpl' : (names[0] ?? tests[0] ?? '')
  const { answer, status } = await allways([
    ...['check', folder, '-t', asked, '--json', '--time', values.time, '--trace-dir', join(traces, basename(folder))],
    ...(values.network === undefined ? [] : ['--network', values.network]),
    // A test says itself which monitors watch.
    ...(asked === 'DefaultImpl' && /[\\/]Liveness[\\/]/.test(folder) ? ['--monitors', 'all'] : []),
  ])
  const [problem] = answer?.diagnostics ?? []
  if (problem !== undefined) {
    const detail = `${problem.code} ${problem.message}`
    return { said: 'refused', detail, placed: problem.place !== null, agrees: expected === 'refused' }
  }
  const [result] = answer?.results ?? []
  const said = { verified: 'holds', violated: 'violated' }[result?.verdict] ?? result?.verdict ?? `exit ${status}`
  const detail = result?.violation?.message ?? result?.scope ?? ''
  return { said, detail, counts: result?.counts, agrees: said === expected }
}

/** What a command prints as JSON; in this process, which has its parts loaded. */
async function allways(args) {
  let text = ''
  const silent = { write: () => {}, isTTY: false, columns: 100 }
  const stdout = {
    ...silent,
    write: (part) => {
      text += part
    },
  }
  const status = await main(args, { cwd: cwd(), env: {}, stdout, stderr: silent, onInterrupt: () => () => {} })
  try {
    return { status, answer: JSON.parse(text) }
  } catch {
    return { status, answer: undefined }
  }
}

function namesExpected(folder) {
  const file = join(folder, 'ExpectedParametricTests.txt')
  if (!existsSync(file) || !statSync(file).isFile()) return []
  return readFileSync(file, 'utf8')
    .split(/\s+/)
    .filter((name) => name !== '')
}

function tableText(answers) {
  const features = [...new Set(answers.map(({ feature }) => feature))]
  const cell = (feature, expected) => {
    const asked = answers.filter((one) => one.feature === feature && one.expected === expected)
    return asked.length === 0 ? '' : `${asked.filter(({ agrees }) => agrees).length} of ${asked.length}`
  }
  const rows = features.map((feature) => [
    feature,
    ...Object.values(expectations).map((expected) => cell(feature, expected)),
  ])
  const lines = [['feature', 'Correct', 'DynamicError', 'StaticError'], ...rows].map((row) =>
    row
      .map((text, at) => text.padEnd(at === 0 ? 24 : 14))
      .join('')
      .trimEnd(),
  )
  const unplaced = answers.filter(({ said, placed }) => said === 'refused' && placed === false)
  const different = answers.filter(({ agrees }) => !agrees)
  return [
    ...lines,
    '',
    `${answers.filter(({ agrees }) => agrees).length} of ${answers.length} as expected; refused without a place: ${unplaced.length}`,
    ...different.map(({ name, expected, said, detail, reason }) => {
      return `  ${name}: expected ${expected}, ${said}${detail === '' ? '' : `: ${detail}`}${reason === undefined ? '' : ` (known: ${reason})`}`
    }),
    '',
  ].join('\n')
}
