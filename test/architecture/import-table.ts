/**
 * Who may import whom, as data. A key names a folder of `src/`, a part of one (`engines/*` is every engine, each a part
 * of its own) or a single file; the most specific key wins. A value lists what may be imported beside the part itself.
 */

export const importTable: Readonly<Record<string, readonly string[]>> = {
  core: [],
  collections: [],
  bdd: ['collections'],
  // JavaScript's own concurrency: what programs of every kind may run on.
  jobs: ['core', 'collections'],
  ir: ['core', 'collections'],
  program: ['core', 'ir'],
  model: ['core', 'program', 'jobs'],
  // A system is declared with its views, which run the handlers.
  'model/system.ts': ['core', 'program', 'model', 'semantics'],
  'frontends/frontend.ts': ['core', 'ir', 'program'],
  'frontends/*': ['core', 'ir', 'program', 'frontends/frontend.ts'],
  semantics: ['core', 'collections', 'ir', 'program', 'jobs'],
  properties: ['core', 'collections', 'ir', 'program'],
  'engines/engine.ts': ['core', 'program'],
  'engines/registry.ts': ['core', 'program', 'engines'],
  'engines/*': ['core', 'collections', 'bdd', 'ir', 'program', 'semantics', 'engines/engine.ts'],
  // Of what was recorded only the order of its calls is searched, and that search is the property's own.
  'engines/histories': ['core', 'program', 'properties', 'engines/engine.ts'],
  reports: ['core', 'program'],
  distribute: ['core', 'program', 'engines', 'distribute/redis/url.ts'],
  'distribute/redis/url.ts': ['core'],
  // Files from anywhere, and files for later.
  artifact: ['core'],
  runtime: ['core', 'program', 'artifact'],
  check: [
    'core',
    'ir',
    'program',
    'frontends',
    'semantics',
    'properties',
    'engines',
    'distribute',
    'runtime',
    'reports',
    'artifact',
  ],
  explorer: ['core', 'check', 'reports'],
  // Plugins and matchers for test runners.
  runners: ['core', 'frontends', 'check', 'reports'],
  cli: [
    'core',
    'check',
    'distribute/redis/url.ts',
    'frontends/frontend.ts',
    'reports',
    'explorer',
    'runtime',
    'artifact',
  ],
  'index.ts': ['core', 'program', 'model', 'properties', 'check', 'reports', 'engines/engine.ts'],
}

/** Files beside the index that are what users import by name: lists of names from several files. */
export const publicModules: readonly string[] = [
  'jobs/lowered.ts',
  'model/services/services.ts',
  'model/sync/sync.ts',
  'semantics/memory/access.ts',
]

/** Packages from npm, by the part that may import them. */
export const packageTable: Readonly<Record<string, readonly string[]>> = {
  'frontends/typescript': ['oxc-parser', 'magic-string'],
  check: ['esbuild', '@jridgewell/trace-mapping', 'z3-solver'],
  distribute: ['bullmq', 'ioredis'],
  cli: ['commander'],
  runners: ['vitest'],
}

/** Folders that compute: the same there in a thread, on another machine and in a browser, and reproducible. */
export const portableFolders: readonly string[] = [
  'core',
  'collections',
  'bdd',
  'jobs',
  'ir',
  'program',
  'model',
  'frontends',
  'semantics',
  'properties',
  'engines',
  'reports',
]

/** What portable code may not touch: a clock, unseeded randomness, printing, the host. */
export const hostGlobals: readonly string[] = [
  'console',
  'performance',
  'setTimeout',
  'setInterval',
  'setImmediate',
  'Buffer',
  'Date.now',
  'new Date()',
  'Math.random',
  'crypto.randomUUID',
  'crypto.getRandomValues',
]

/** What only few files may do, so that everybody else goes through them. */
export const guardedWays: readonly GuardedWay[] = [
  {
    does: /\bprocess(?:\.|\[')(?:stdout|stderr|emitWarning|_rawDebug)\b|(?<![.\w])console\.\w+\(|\bstd(?:out|err)\b.* from 'node:process'|'node:(?:tty|console)'/,
    // The guard passes on what programs print.
    files: ['cli/io.ts', 'check/guard.ts'],
    instead: 'writes to a stream; cli/terminal.ts shows nothing but text',
  },
  {
    does: /\b(?:writeFile|writeFileSync|appendFile|appendFileSync|createWriteStream|renameSync|writeSync|writevSync|copyFile|copyFileSync)\b/,
    files: ['artifact/write.ts', 'runtime/state-lock.ts', 'runtime/log.ts'],
    instead: 'writes a file; artifact/write.ts does so whole, and not through a link',
  },
  {
    does: /\b(?:readFile|readFileSync|createReadStream|openSync)\b/,
    // Our own manifest and schemas, locks, a folder to flush, and the user's sources, whose paths the loader has looked at.
    files: [
      'artifact/named-file.ts',
      'artifact/write.ts',
      'artifact/schemas.ts',
      'check/version.ts',
      'check/load-bundle.ts',
      'check/source-places.ts',
      'check/prove/term.ts',
      'check/objects/patch.ts',
      'check/objects/class-check.ts',
      'runtime/state-lock.ts',
      'runtime/state-file.ts',
    ],
    instead: 'opens a file; artifact/named-file.ts does so within limits',
  },
  {
    does: /\bnpx allways\b/,
    files: ['reports/commands-to-paste.ts'],
    instead: 'writes a command to paste; reports/commands-to-paste.ts quotes its words',
  },
]

interface GuardedWay {
  readonly does: RegExp
  readonly files: readonly string[]
  readonly instead: string
}

/** Names that say nothing about what a file holds, so that everything ends up in it. */
export const emptyNames: readonly string[] = ['utils', 'util', 'common', 'types', 'helpers', 'helper', 'misc']

export const limits = { fileLines: 400, functionLines: 60, parameters: 4 } as const

/** Files (`core/value.ts`) and functions (`core/value.ts#compare`) that may be longer, each with a reason beside it. */
export const longOnPurpose: readonly string[] = []

/** Functions that may have more parameters than others, as `file#name`, or whole folders. */
export const manyOnPurpose: readonly string[] = [
  // Called by generated code at every access of every execution: where and what is live come before what is done.
  'semantics/memory',
  // Made for every operation of every execution.
  'core/operation.ts#constructor',
  // `String.replace` gives one for each group.
  'properties/linearizability/client-literal.ts#unescaped',
]
