/** Commands as users paste them into a shell. */

export function traceCommands(path: string): { readonly replayCommand: string; readonly showCommand: string } {
  return {
    replayCommand: `npx allways replay ${quoted(path)}`,
    showCommand: `npx allways show ${quoted(path)} --reporter mermaid`,
  }
}

export function resumeCommand(path: string): string {
  return `npx allways check --resume ${quoted(path)}`
}

function quoted(path: string): string {
  return /^[\w./:@%+=,-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`
}
