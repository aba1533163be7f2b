/**
 * Who may import whom, as data. A key names a folder of `src/`, a part of one (`engines/*` is every engine, each a part
 * of its own) or a single file; the most specific key wins. A value lists what may be imported beside the part itself.
 */

export const importTable: Readonly<Record<string, readonly string[]>> = {
  core: [],
  collections: [],
  bdd: ['collections'],
  ir: ['core', 'collections'],
  program: ['core', 'ir'],
  model: ['core', 'program'],
  // A system is declared with its views, which run the handlers.
  'model/system.ts': ['core', 'program', 'model', 'semantics'],
  'frontends/frontend.ts': ['core', 'ir', 'program'],
  'frontends/*': ['core', 'ir', 'program', 'frontends/frontend.ts'],
  semantics: ['core', 'collections', 'ir', 'program'],
  properties: ['core', 'collections', 'ir', 'program'],
  'engines/engine.ts': ['core', 'program'],
  'engines/registry.ts': ['core', 'program', 'engines'],
  'engines/*': ['core', 'collections', 'bdd', 'ir', 'program', 'semantics', 'engines/engine.ts'],
  // Of what was recorded only the order of its calls is searched, and that search is the property's own.
  'engines/histories': ['core', 'program', 'properties', 'engines/engine.ts'],
  reports: ['core', 'program'],
  distribute: ['core', 'program', 'engines'],
  runtime: ['core', 'program'],
  check: ['core', 'program', 'frontends', 'semantics', 'properties', 'engines', 'distribute', 'runtime', 'reports'],
  explorer: ['core', 'check', 'reports'],
  cli: ['core', 'check', 'frontends/frontend.ts', 'reports', 'explorer', 'runtime'],
  'index.ts': ['core', 'program', 'model', 'properties', 'check', 'reports', 'engines/engine.ts'],
}

/** Files beside the index that are what users import by name: lists of names from several files. */
export const publicModules: readonly string[] = ['model/sync/sync.ts', 'semantics/memory/access.ts']

/** Packages from npm, by the part that may import them. */
export const packageTable: Readonly<Record<string, readonly string[]>> = {
  'frontends/typescript': ['oxc-parser', 'magic-string'],
  check: ['esbuild', '@jridgewell/trace-mapping', 'z3-solver'],
  cli: ['commander', 'picocolors'],
}

/** Folders that compute: the same there in a thread, on another machine and in a browser, and reproducible. */
export const portableFolders: readonly string[] = [
  'core',
  'collections',
  'bdd',
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

/** Names that say nothing about what a file holds, so that everything ends up in it. */
export const emptyNames: readonly string[] = ['utils', 'util', 'common', 'types', 'helpers', 'helper', 'misc']

export const limits = { fileLines: 400, functionLines: 60 } as const

/** Files (`core/value.ts`) and functions (`core/value.ts#compare`) that may be longer, each with a reason beside it. */
export const longOnPurpose: readonly string[] = []
