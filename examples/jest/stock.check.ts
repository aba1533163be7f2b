import { linearizable } from 'allways'
import { CarefulStock, Stock } from './stock.ts'

const operations = { take: [], left: [] }

export const stock = linearizable(Stock, { operations })
export const careful = linearizable(CarefulStock, { operations })
