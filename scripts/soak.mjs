/**
 * Compares engines with their oracles on as many generated programs and classes as asked for, longer than a test may take.
 * `npm run soak -- --help` says how it is asked.
 *
 * Progress goes to stderr. Ends with 1 at the first disagreement, with the smallest program that shows it on stdout.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import process, { argv, stderr, stdout } from 'node:process'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { build } from 'esbuild'

const usage = `npm run soak -- [--what programs|faults|stateful|objects|sequentialize|machines|p|hostile|extractor|
                         mutations|artifacts|interrupts|rounds|
                         resumes|network|tests|all] [--programs n] [--seed n]

  --what programs       processes: dpor against every interleaving and against the declarative oracle (default)
  --what faults         processes with budgets of faults: dpor against every interleaving
  --what stateful       shared memory: every reduction of the stateful engine against the full search
  --what objects        generated classes: the same for what users load, under three judgements
  --what sequentialize  parameterised programs: what is proved for every size against dpor for small ones
  --what machines       systems of machines: local, stateful and dpor against naive search
  --what p              P programs: what the product comes to against an interpreter, under five deliveries
  --what hostile        programs as people write them: what prove says against what check finds at small sizes
  --what extractor      what reads the source for prove, made wrong in one place at a time: each mistake is noticed
  --what mutations      calls of the public API and of the command line with mistakes in them: each is told
  --what artifacts      traces, checkpoints, proofs, histories, snapshots, states and keys with damage in them: each is refused,
                        or means something, within 5 s and 1 GB
  --what interrupts     how soon the command ends when it is interrupted, or its time is over, in each part of its work; of
                        each part as many moments as programs are asked for (default 6), and --only for some of the parts
  --what rounds         how long rounds of online checking take that their time ends, on a system that runs; as many as programs
                        are asked for (default 40), none more than a fifth longer than it has
  --what resumes        checks of the corpus that the clock stops at random moments, and that are resumed until they are done: as
                        many programs of each engine as are asked for (default 10), and --only for some of the engines
  --what network        machines and control channels under attack, over real sockets: as many frames, connections and rogue
                        servers as programs are asked for (default 100,000), real peers served throughout, bounded memory
  --what tests          all tests with AMOUNT=all: what a change is not tested with, be it seeds or slow answers of the corpus; hours
  --what all            one after the other
  --programs n          how many programs, classes or mistakes, of each (default 10,000)
  --seed n              which ones (default 1); soaks with different seeds draw different programs
`

const kinds = [
  'programs',
  'faults',
  'stateful',
  'objects',
  'sequentialize',
  'machines',
  'p',
  'hostile',
  'extractor',
  'mutations',
  'artifacts',
  'interrupts',
  'rounds',
  'resumes',
  'network',
  'tests',
]
/** Classes that are loaded together: loading takes longer than exploring. */
const batch = 25
/** Names that generated classes import, and what they get: the very modules of the bundle. */
const modules = {
  allways: 'index.ts',
  'allways/access': 'semantics/memory/access.ts',
  'allways/coroutine': 'model/coroutine.ts',
  'allways/jobs': 'jobs/lowered.ts',
  'allways/engine': 'engines/engine.ts',
  'allways/sync': 'model/sync/sync.ts',
}

const root = fileURLToPath(new URL('..', import.meta.url))

const { values } = parseArgs({
  args: argv.slice(2),
  options: {
    what: { type: 'string', default: 'programs' },
    programs: { type: 'string' },
    only: { type: 'string' },
    seed: { type: 'string', default: '1' },
    help: { type: 'boolean', default: false },
  },
})

if (values.help) stdout.write(usage)
else process.exitCode = await main()

async function main() {
  const [programs, seed] = [Number(values.programs ?? 10_000), Number(values.seed)]
  const chosen = values.what === 'all' ? kinds : [values.what]
  if (!chosen.every((kind) => kinds.includes(kind)) || !isCount(programs) || !Number.isSafeInteger(seed)) {
    stderr.write(usage)
    return 2
  }
  // Below this package, so that what is bundled finds what it imports.
  const folder = mkdtempSync(join(root, 'node_modules', '.soak-'))
  try {
    for (const kind of chosen) {
      const problem = kind === 'tests' ? runTests() : await run(kind, await load(kind, folder), { programs, seed })
      if (problem === undefined) continue
      stdout.write(`${problem}\n`)
      return 1
    }
    stdout.write('no disagreement\n')
    return 0
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function isCount(value) {
  return Number.isSafeInteger(value) && value > 0
}

/** Tests in which more is generated, or searched, than `npm test` has time for. */
function runTests() {
  const { status } = spawnSync('npx', ['vitest', 'run'], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, AMOUNT: 'all' },
  })
  return status === 0 ? undefined : 'tests failed'
}

/** A function from options to a generator that yields a tally after every program and returns a disagreement. */
async function load(kind, folder) {
  if (kind === 'programs') return (await bundled('soak.ts', folder)).soak
  if (kind === 'faults') return (await bundled('fault-agreement.ts', folder)).soakFaults
  if (kind === 'stateful') return (await bundled('stateful-agreement.ts', folder)).soakStateful
  if (kind === 'sequentialize') return (await bundled('sequentialize-agreement.ts', folder)).soakSequentialize
  if (kind === 'machines') return (await bundled('machine-agreement.ts', folder)).soakMachines
  if (kind === 'p') return (await bundled('p/agreement.ts', folder)).soakP
  if (kind === 'hostile') return (await bundled('../hostile/agreement.ts', folder)).soakHostile
  if (kind === 'extractor') {
    const { soakExtractor, tableText } = await bundled('../mutants/soak-extractor.ts', folder)
    return (options) => withTable(soakExtractor({ ...options, root }), tableText)
  }
  if (kind === 'interrupts') {
    const { measureInterrupts, interruptTable } = await bundled('../interrupts/measure.ts', folder)
    const asked = { root, moments: Number(values.programs ?? 6), only: values.only }
    return () => withTable(measureInterrupts(asked), interruptTable)
  }
  if (kind === 'rounds') {
    const { soakRounds } = await bundled('../online/soak-rounds.ts', folder)
    return () => soakRounds({ root, programs: Number(values.programs ?? 40) })
  }
  if (kind === 'resumes') {
    const { soakResumes } = await bundled('../waist/soak-resumes.ts', folder)
    return ({ seed }) => soakResumes({ root, seed, programs: Number(values.programs ?? 10), only: values.only })
  }
  if (kind === 'network') {
    const { soakNetwork } = await bundled('../runtime/hostile-network.ts', folder)
    return ({ seed }) => soakNetwork({ seed, programs: Number(values.programs ?? 100_000) })
  }
  if (kind === 'artifacts') {
    const { soakArtifacts } = await bundled('../hostile/artifacts/soak-artifacts.ts', folder)
    return (options) => soakArtifacts({ ...options, root, bundle: join(folder, 'soak-artifacts.mjs') })
  }
  if (kind === 'mutations') return (await bundled('../hostile/soak-mutations.ts', folder)).soakMutations
  const { compareObjects, newObjectTally } = await bundled('object-agreement.ts', folder)
  return (options) => soakObjects(options, compareObjects, newObjectTally())
}

/** As it was counted, line by line, when it is over. */
async function* withTable(search, tableText) {
  let step = await search.next()
  let tally
  for (; !step.done; step = await search.next()) {
    tally = step.value
    const { operators: _, rows: _rows, ...shown } = tally
    yield shown
  }
  if (tally !== undefined) stdout.write(`${tableText(tally)}\n`)
  return step.value
}

async function* soakObjects({ programs, seed }, compareObjects, tally) {
  for (let at = 0; at < programs; at += batch) {
    const count = Math.min(batch, programs - at)
    const problem = await compareObjects(
      Array.from({ length: count }, (_, index) => seed * 10_000_019 + at + index),
      tally,
    )
    if (problem !== undefined) return problem
    yield tally
  }
  return undefined
}

async function bundled(file, folder) {
  const outfile = join(folder, basename(file).replace(/\.ts$/, '.mjs'))
  const provided = Object.entries(modules).map(([name, path], at) => [
    `import * as provided${at} from './src/${path}'`,
    `provideModule('${name}', provided${at})`,
  ])
  const contents = [
    `import { provideModule } from './src/check/load-modules.ts'`,
    ...provided.map(([line]) => line),
    ...provided.map(([, line]) => line),
    `export * from './test/agreement/${file}'`,
  ].join('\n')
  await build({
    stdin: { contents, resolveDir: root, loader: 'ts' },
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    logLevel: 'error',
    packages: 'external',
    define: { 'import.meta.url': JSON.stringify(pathToFileURL(join(root, 'src', 'check', 'soak.ts')).href) },
  })
  return await import(pathToFileURL(outfile).href)
}

async function run(kind, soak, { programs, seed }) {
  const started = performance.now()
  const elapsed = () => (performance.now() - started) / 1000
  const search = soak({ programs, seed })
  let shown = 0
  let step = await search.next()
  let last
  for (; !step.done; step = await search.next()) {
    last = { ...step.value }
    if (elapsed() < shown + 5) continue
    shown = Math.floor(elapsed())
    stderr.write(`${kind}, ${shown} s: ${describe(last)}\n`)
  }
  stderr.write(
    `${kind}: ${values.programs ?? (kind === 'network' ? 100_000 : programs)} asked for, seed ${seed}, ${elapsed().toFixed(1)} s; ${describe(last ?? {})}\n`,
  )
  return step.value
}

/** 'programs 120, compared 480, dropped 3' */
function describe(tally) {
  return Object.entries(tally)
    .map(([name, count]) => `${name} ${typeof count === 'number' ? count : JSON.stringify(count)}`)
    .join(', ')
}
