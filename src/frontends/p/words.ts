/** The reserved words of P 3. */

/** Words of P's deductive verifier. They are reserved in every program, and programs that have one are refused. */
export const verifierWords: ReadonlySet<string> = new Set([
  'invariant',
  'axiom',
  'is',
  'inflight',
  'targets',
  'sent',
  'Proof',
  'prove',
  'using',
  'Lemma',
  'Theorem',
  'except',
  'requires',
  'ensures',
  'forall',
  'exists',
  'init-condition',
  'pure',
])

export const topWords = [
  'type',
  'enum',
  'event',
  'eventset',
  'interface',
  'machine',
  'spec',
  'scenario',
  'fun',
  'param',
  'module',
  'test',
  'implementation',
] as const

const machineWords = ['var', 'fun', 'start', 'hot', 'cold', 'state'] as const

export const stateWords = ['entry', 'exit', 'defer', 'ignore', 'on'] as const

/** Words at which a statement begins. */
export const statementWords = [
  'assert',
  'assume',
  'print',
  'return',
  'break',
  'continue',
  'while',
  'foreach',
  'if',
  'new',
  'raise',
  'send',
  'announce',
  'goto',
  'receive',
] as const

const moduleWords = ['compose', 'union', 'hidee', 'hidei', 'assert', 'rename', 'main'] as const

/** The words of the language; those of the verifier are not among them. */
export const keywords: ReadonlySet<string> = new Set([
  ...topWords,
  ...machineWords,
  ...stateWords,
  ...statementWords,
  ...moduleWords,
  ...['any', 'bool', 'float', 'int', 'map', 'set', 'string', 'seq', 'data'],
  ...['as', 'case', 'choose', 'creates', 'default', 'do', 'else', 'format', 'halt', 'in', 'keys', 'observes'],
  ...[
    'pairwise',
    'paramtest',
    'receives',
    'refines',
    'safe',
    'sends',
    'sizeof',
    'this',
    'to',
    'values',
    'wise',
    'with',
  ],
  ...['true', 'false', 'null'],
])

/** Words of older P that begin something: what became of them. */
export const formerWords: ReadonlyMap<string, string> = new Map([
  [
    'push',
    'there is no stack of states any more, with --p-legacy neither: use goto, and keep the way back in a variable',
  ],
  [
    'pop',
    'there is no stack of states any more, with --p-legacy neither: use goto, and keep the way back in a variable',
  ],
  ['static', 'functions outside of machines are static: leave the word out'],
  ['model', 'machines and functions are written without it: leave the word out'],
  ['monitor', 'a monitor is written: spec Name observes event1, event2 { … }'],
  ['swap', 'assignment copies values: leave the word out'],
  ['move', 'assignment copies values: leave the word out'],
])
