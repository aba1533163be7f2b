import { linearizable } from 'allways'
import { Stack } from './stack.ts'
import { SwapStack } from './swap-stack.ts'

const operations = { push: ['a', 'b'], pop: [] }

export default linearizable(SwapStack<string>, { name: 'swap stack', operations })

/** The client of Figure 2.22. */
const clients = ['{ push("a") } || { push("b"); pop() } || { pop() }']

export const swapStackInFigure = linearizable(SwapStack<string>, {
  name: 'swap stack, Figure 2.22',
  operations,
  clients,
})

export const stack = linearizable(Stack<string>, { name: 'afek stack', operations, processes: 3, calls: 2 })

export const figure = linearizable(Stack<string>, { name: 'afek stack, Figure 2.22', operations, clients })
