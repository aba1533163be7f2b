/** What to do instead of reaching out of a program: it fits processes, handlers and classes alike. */
export const outsideHints = {
  calls:
    'pass it in, and give the check a stand-in; standIn(…) of allways/services replaces what a file imports, and the other side may be a process',
  reads: 'read it at the top level of the file, which runs when it is loaded, or pass it in as a parameter',
  surroundings:
    'what it changes stays when an execution is taken back, and other checks meet it: pass it in, and give the check a stand-in',
} as const

/** Whether a diagnostic says already what to do, wherever it was made. */
export function isOutsideHint(hint: string): boolean {
  return Object.values<string>(outsideHints).includes(hint)
}
