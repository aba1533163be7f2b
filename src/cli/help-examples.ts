/** What the help of commands shows below their flags. */
export const rootExamples = `
Examples:
  allways check                                 every *.check.ts below this folder
  allways check bank.check.ts --network bag     another network
  allways linearize stack.ts --class Stack      a class, instead of a program
  allways replay .allways/traces/bank.….trace.json

Exit status: 0 holds, 1 violated, 2 your mistake, 3 a budget ended the search, 70 our mistake.`

export const checkExamples = `
Examples:
  allways check bank.check.ts:31 --param clients=2,3 --network fifo,bag
  allways check -t "task service" --time 10m --json > report.json
  allways check lease.check.ts --log run.jsonl
  allways check --resume .allways/checkpoints/bank.1f2e3d4c.json`

export const fuzzExamples = `
Examples:
  allways fuzz bank.check.ts --samples 100000 --seed 7
  allways fuzz bank.check.ts --engine pct --depth 4`

export const proveExamples = `
Examples:
  allways prove lock.check.ts                   for every number of clients
  allways prove lock.check.ts --watch           again after every save
  allways prove lock.check.ts --print proof     the steps, which --proof checks`

export const linearizeExamples = `
Examples:
  allways linearize stack.check.ts
  allways linearize stack.ts --client "{ push(1) } || { push(2); pop() } || { pop() }"
  allways linearize stack.ts --class Stack --processes 3 --fix --dry-run
  allways linearize run.history.jsonl --spec kv --html run.html`

export const replayExamples = `
Exit status: 1 if the violation comes about again, 0 if the execution is still possible and nothing is violated,
2 if the trace no longer fits the program.`

export const showExamples = `
Examples:
  allways show .allways/traces/bank.….trace.json --reporter mermaid
  allways show model.p --reporter mermaid`
