/** Parts that several text reports print alike: places, source frames, durations. */
import type { Place } from '../core/diagnostic.ts'
import type { Glyphs } from './paint.ts'
import { clip, clipMiddle, pageWidth, printable, widthOf } from './text-width.ts'

/** 'src/raft.ts:88:13'; what is cut of a long path is its middle. */
export function placeText({ file, line, column }: Place, width: number, glyphs: Glyphs): string {
  return clipMiddle(printable(`${file}:${line}:${column}`, glyphs.ascii), width, glyphs)
}

/** Source lines as the host framed them, cut at the edge of the page. */
export function frameLines(frame: string, indent: number, glyphs: Glyphs): readonly string[] {
  const lines = frame.replace(/\n+$/, '').split('\n')
  return lines.map((line) =>
    (
      ' '.repeat(indent) + clip(printable(line.replaceAll('\t', '  '), glyphs.ascii), pageWidth - indent, glyphs)
    ).trimEnd(),
  )
}

/** `secondsText` as wide for most durations: what stands beside it breaks at the same place however fast the machine is. */
export function secondsColumn(seconds: number): string {
  return secondsText(seconds).padStart(6)
}

/** '0.02 s', '2.9 s', '3 min 05 s'. */
export function secondsText(seconds: number): string {
  if (seconds < 1) return `${seconds.toFixed(2)} s`
  if (seconds < 99.95) return `${seconds.toFixed(1)} s`
  const whole = Math.round(seconds)
  return `${Math.floor(whole / 60)} min ${String(whole % 60).padStart(2, '0')} s`
}

/** Commands are never cut or broken: they are there to be pasted. A long one gets a line of its own. */
export function commandLine(label: string, command: string | undefined): readonly string[] {
  if (command === undefined) return []
  const line = `   ${label.padEnd(9)}${command}`
  return widthOf(line) <= pageWidth ? [line] : [`   ${label}`, `   ${command}`]
}
