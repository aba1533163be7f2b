/** Colours and glyphs as parameters, so that layout is computed on plain text and works without either. */

/** How stretches of a finished line are painted. The command line passes terminal colours, everyone else nothing. */
export interface Paint {
  readonly bold: (text: string) => string
  readonly dim: (text: string) => string
  readonly red: (text: string) => string
  readonly green: (text: string) => string
  readonly cyan: (text: string) => string
}

export type Style = keyof Paint

const same = (text: string): string => text

export const plainPaint: Paint = { bold: same, dim: same, red: same, green: same, cyan: same }

export interface Glyphs {
  readonly ascii: boolean
  readonly lifeline: string
  readonly line: string
  /** A line that starts at the lane of a process and goes right, or comes from the right. */
  readonly tailRight: string
  readonly tailLeft: string
  readonly right: string
  readonly left: string
  /** End of an arrow that nobody received. */
  readonly lost: string
  readonly bad: string
  readonly good: string
  readonly unfinished: string
  readonly ellipsis: string
  readonly range: string
  readonly times: string
  readonly dash: string
  readonly dot: string
  readonly open: string
  readonly close: string
}

const unicodeGlyphs: Glyphs = {
  ascii: false,
  lifeline: '│',
  line: '─',
  tailRight: '├',
  tailLeft: '┤',
  right: '▶',
  left: '◀',
  lost: '○',
  bad: '✗',
  good: '✓',
  unfinished: '◌',
  ellipsis: '…',
  range: '–',
  times: '×',
  dash: '—',
  dot: '·',
  open: '“',
  close: '”',
}

const asciiGlyphs: Glyphs = {
  ascii: true,
  lifeline: '|',
  line: '-',
  tailRight: '|',
  tailLeft: '|',
  right: '>',
  left: '<',
  lost: 'o',
  bad: 'x',
  good: '+',
  unfinished: '?',
  ellipsis: '...',
  range: '-',
  times: 'x',
  dash: '--',
  dot: '*',
  open: '"',
  close: '"',
}

export function glyphsFor(ascii: boolean): Glyphs {
  return ascii ? asciiGlyphs : unicodeGlyphs
}
