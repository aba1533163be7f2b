/** Files that test runners run. */

/** Whether a file is one that a test runner runs, by its path and its text. */
export function isTest(path: string, code: string): boolean {
  return /\.(?:test|spec)\.\w+$/.test(path) || importsRunner.test(code)
}

/** Whether a file checks programs by itself when it is loaded, as a script does. */
export function callsCheck(code: string): boolean {
  return /\bcheck(?:Result)?\s*\(/.test(code)
}

const importsRunner = /\bfrom\s*['"](?:vitest|allways\/vitest|node:test|@jest\/globals)['"]/
