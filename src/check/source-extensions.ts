/** File extensions of sources that the TypeScript front end reads. */
export const sourceExtensions: readonly string[] = ['.ts', '.mts', '.tsx', '.js', '.mjs', '.jsx']
