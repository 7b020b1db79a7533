import { screenNames } from './screen-names.js';

/** Words of the list of numbers that are never called. */
export const doNotCallStrings = {
  ...screenNames.doNotCall,
  intro: 'No call and no campaign of the organization ever reaches these numbers.',
  caption: 'Numbers that are never called, newest first',
  emptyTitle: 'The list is empty',
  emptyText:
    'Add the numbers of people who do not want to be called. The list holds at once, also for campaigns that run.',
  nothingFound: 'This number is not on the list.',
  notANumber: 'Write a whole number, such as +14155550100, to look for it.',
  search: 'Look for a number',
  number: 'Number',
  reason: 'Reason',
  noReason: 'None given',
  source: 'Source',
  sources: {
    request: 'Added by a person or key',
    call: 'Asked for in a call',
    erasure: 'Person was erased',
  },
  erased: 'Erased',
  added: 'Added',
  add: 'Add numbers',
  addTitle: 'Never call these numbers',
  addText: 'Takes effect at once, for campaigns that run too. Phones that ring already go on.',
  numbers: 'Numbers',
  numbersHint: 'One in each line, or with commas between them, such as +14155550100. At most 1,000.',
  reasonHint: 'For the people who read the list.',
  addAction: (count: number): string =>
    count === 0 ? 'Add' : count === 1 ? 'Add 1 number' : `Add ${count} numbers`,
  faultAt: (number: string): string => `“${number}” is not a telephone number with its country code.`,
  none: 'Write at least one number.',
  done: (count: number): string =>
    count === 1 ? '1 number is never called now.' : `${count} numbers are never called now.`,
  remove: 'Take off the list',
  removeTitle: (number: string): string => `Take ${number} off the list?`,
  removeText: 'Calls and campaigns may reach this number again, those that run now too.',
  removed: (number: string): string => `${number} may be called again.`,
  removeReasonHint: 'Kept in the history of the number.',
  history: {
    open: 'History',
    title: (number: string): string => `History of ${number}`,
    text: 'Every change of this number on the list, newest first. Kept for five years.',
    empty: 'This number was never on the list.',
    removed: 'Taken off the list',
    added: {
      request: 'Added',
      call: 'Added, because the person asked for it in a call',
      erasure: 'Added when the person was erased',
      operator: 'Added by the operator',
    },
    call: 'Open the call',
    authors: { you: 'You', key: 'An API key', person: 'A former member' },
  },
} as const;
