/**
 * The cloakroom for all tickets and coats: of each it is known whether it is mine, and nothing else.
 *
 *   npx allways check examples/cloakroom.check.ts --engine symbolic
 *
 * Then let `otherTicket` return `['mine', 'others']`: who has my ticket gets my coat.
 */
import { pModel } from 'allways'

export default pModel('./cloakroom.p', {
  abstract: {
    Ticket: {
      classes: { mine: 'one', others: 'many' },
      functions: { myTicket: ['mine'], otherTicket: ['others'] },
    },
    Coat: {
      classes: { mine: 'one', others: 'many' },
      functions: { myCoat: ['mine'], anyCoat: ['mine', 'others'] },
    },
  },
})
