/** Entries of a listing read in a second. */
import { runClient } from '../harness/child.mjs'

const ENTRIES = 200_000
const MEASURE = {
  label: 'million entries/s',
  of: ({ entriesPerSecond }) => entriesPerSecond / 1e6,
  digits: 2,
  more: true,
}

function listingOf(form, title) {
  return {
    name: `listing-${form}`,
    title: `Entries per second, ${title}`,
    async run(context) {
      const task = { form, entries: ENTRIES }
      const contestants = new Map([
        ['limit: split into lines', () => runClient('listing', 'split', task)],
        ['ftpwire', () => runClient('listing', 'ftpwire', task)],
        ['basic-ftp', () => runClient('listing', 'basicFtp', task)],
      ])
      const samples = await context.alternate(contestants)
      return context.table(samples, MEASURE, 'basic-ftp', [['ftpwire', 'basic-ftp', 5]])
    },
  }
}

export const listingMlsd = listingOf('mlsd', 'MLSD')
export const listingUnix = listingOf('unix', 'Unix LIST')
