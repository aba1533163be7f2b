/**
 * Compares what allways says of P programs with what a suite of them expects, and prints a table per feature with every disagreement.
 * `npm run conformance -- --help` says how it is asked. Nothing of the suite is copied, and nothing is left behind.
 *
 * The folders of a suite say what is expected: `<Feature>/<Correct|DynamicError|StaticError>/<Name>/*.p`.
 */
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import process, { argv, stderr, stdout } from 'node:process'
import { parseArgs } from 'node:util'
import { ensureBuilt } from './build.mjs'
import { expectations, kindOf, programsIn, testsTold } from './conformance-suite.mjs'

const usage = `npm run conformance -- --suite folder [--only text] [--time 20s] [--network name] [--json]

  --suite folder   a checkout of programs whose folders say what is expected of them
  --only text      programs whose path has this text
  --time           budget of each test (default 20s)
  --network name   delivery (default: sender-queue)
  --json           each program on a line of its own, as JSON

  Of programs that fail, the kind of error is compared where their names or comments tell it. Of programs
  that are not explored to their end in the time, 1,000 executions of 1,000 steps are sampled, which is
  what the suite itself does.
`

/** Traces and checkpoints go there. */
const scratch = mkdtempSync(join(tmpdir(), 'conformance-'))
await ensureBuilt()
const { main } = await import('../dist/cli/main.js')

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
else process.exitCode = await run().finally(() => rmSync(scratch, { recursive: true, force: true }))

async function run() {
  if (values.suite === undefined || !existsSync(values.suite)) {
    stderr.write(values.suite === undefined ? usage : `there is no folder ${values.suite}\n`)
    return 2
  }
  const found = programsIn(resolve(values.suite)).filter(({ name }) => name.includes(values.only))
  if (found.length === 0) {
    stderr.write(`there are no programs in ${values.suite}${values.only === '' ? '' : ` with "${values.only}"`}\n`)
    return 2
  }
  const answers = []
  for (const one of found) {
    const answer = { ...one, ...(await answerOf(one)) }
    answers.push(answer)
    if (stderr.isTTY) stderr.write(`\r${answers.length}/${found.length} ${one.name.padEnd(70).slice(0, 70)}`)
    if (values.json) stdout.write(`${JSON.stringify({ ...answer, folder: undefined })}\n`)
  }
  if (stderr.isTTY) stderr.write('\r')
  if (!values.json) stdout.write(tableText(answers))
  return answers.some((one) => isOther(one) && one.reason === undefined) ? 1 : 0
}

function isOther({ agrees, isOfKind }) {
  return !agrees || isOfKind === false
}

/** What allways says, and whether that is what is expected. */
async function answerOf({ folder, expected, kinds }) {
  const names = testsTold(folder)
  const listed = await allways(['list', folder, '--json'])
  const tests = listed.answer?.programs?.map(({ program }) => program) ?? []
  const missing = tests.length === 0 ? [] : names.filter((name) => !tests.includes(name))
  if (missing.length > 0) return { said: 'other tests', detail: `no test ${missing.join(', ')}`, agrees: false }
  if (tests.length > 0 && expected === 'refused') return { said: 'accepted', detail: tests.join(', '), agrees: false }
  const asked = tests.includes('DefaultImpl') ? 'DefaultImpl' : (names[0] ?? tests[0] ?? '')
  const how = [
    ...[folder, '-t', asked, '--json', '--time', values.time],
    ...(values.network === undefined ? [] : ['--network', values.network]),
    // A test says itself which monitors watch.
    ...(asked === 'DefaultImpl' && /[\\/]Liveness[\\/]/.test(folder) ? ['--monitors', 'all'] : []),
  ]
  const explored = said(await allways(['check', ...how]), expected, kinds)
  if (explored.said !== 'incomplete') return explored
  const { said: answer, ...sampled } = said(
    await allways(['fuzz', ...how, '--max-executions', '1000', '--max-steps', '1000']),
    expected,
    kinds,
  )
  // What goes wrong in no execution that is looked at is right for the suite.
  if (answer === 'violated') return { said: answer, ...sampled }
  const { executions = 0, blocked = 0 } = sampled.counts ?? {}
  const detail = `${explored.detail}; none in ${executions + blocked} executions at random, of at most 1,000 steps`
  return { ...explored, detail, agrees: expected === 'holds', isSampled: true }
}

function said({ answer, status }, expected, kinds) {
  const [problem] = answer?.diagnostics ?? []
  if (problem !== undefined) {
    const detail = `${problem.code} ${problem.message}`
    return { said: 'refused', detail, placed: problem.place !== null, agrees: expected === 'refused' }
  }
  const [result] = answer?.results ?? []
  const { verdict = `exit ${status}`, violation, scope = '', counts } = result ?? {}
  const said = { verified: 'holds' }[verdict] ?? verdict
  const kind = violation == null ? undefined : kindOf(violation)
  const isOfKind = kinds.length === 0 || kind === undefined ? undefined : kinds.includes(kind)
  return { said, kind, isOfKind, detail: violation?.message ?? scope, counts, agrees: said === expected }
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
  const status = await main(args, { cwd: scratch, env: {}, stdout, stderr: silent, onInterrupt: () => () => {} })
  try {
    return { status, answer: JSON.parse(text) }
  } catch {
    return { status, answer: undefined }
  }
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
  const lines = [['feature', ...Object.keys(expectations)], ...rows].map((row) =>
    row
      .map((text, at) => text.padEnd(at === 0 ? 24 : 14))
      .join('')
      .trimEnd(),
  )
  const unplaced = answers.filter(({ said, placed }) => said === 'refused' && placed === false)
  return [
    ...lines,
    '',
    `${answers.filter(({ agrees }) => agrees).length} of ${answers.length} as expected; refused without a place: ${unplaced.length}`,
    kindsText(answers),
    ...answers.filter(isOther).map(differenceText),
    ...answers
      .filter(({ isSampled, agrees }) => isSampled === true && agrees)
      .map(({ name, detail }) => `  ${name}: as expected as far as it was looked at: ${detail}`),
    '',
  ].join('\n')
}

function kindsText(answers) {
  const failing = answers.filter(({ expected, said }) => expected === 'violated' && said === 'violated')
  const told = failing.filter(({ isOfKind }) => isOfKind !== undefined)
  const right = told.filter(({ isOfKind }) => isOfKind)
  return `kind of error: ${right.length} of ${told.length} as their names and comments tell it; ${failing.length - told.length} do not tell`
}

function differenceText({ name, expected, kinds, said, kind, detail, reason }) {
  const wanted = kinds.length === 0 ? expected : `${expected} (${kinds.join(' or ')})`
  const found = kind === undefined ? said : `${said} (${kind})`
  const known = reason === undefined ? '' : ` (known: ${reason})`
  return `  ${name}: expected ${wanted}, ${found}${detail === '' ? '' : `: ${detail}`}${known}`
}
