import { filterWords } from './filter-words.js';
import { screenNames } from './screen-names.js';

/** Words of the campaigns: the list, and one campaign. The wizard has its own file. */
const days = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const;

export const campaignStrings = {
  ...screenNames.campaigns,
  intro: 'An agent calls everybody in a file, one after the other or many at a time.',
  caption: 'Campaigns of the organization, newest first',
  emptyTitle: 'No campaign yet',
  emptyText: 'Upload a spreadsheet with telephone numbers. You see its effects before any person is called.',
  nothingFound: 'No campaign fits these filters.',
  search: 'Filter by name',
  state: 'State',
  allStates: 'All states',
  name: 'Name',
  progress: 'Progress',
  progressOf: (name: string): string => `Progress of ${name}`,
  settled: (settled: string, total: string): string => `${settled} of ${total}`,
  agent: 'Agent',
  cost: 'Cost',
  created: 'Created',
  ...filterWords.campaigns,
  reasons: {
    outside_calling_window: 'The calling window is closed. The campaign goes on by itself when it opens.',
    circuit_breaker:
      'Too many calls failed for technical reasons. The campaign tries one call at a time until calls work again.',
    provider_unavailable:
      'The provider of the caller number does not take calls. The campaign tries one call at a time.',
    agent_unavailable:
      'The agent is deleted, switched off or not configured. The campaign goes on when the agent works again.',
    number_unavailable: 'The caller number does not belong to the organization any more.',
    budget_reached: 'The next call could cost more than is left of the budget of this campaign.',
    spend_limit_reached: 'The next call could cost more than the organization may spend now.',
    FILE_INVALID: 'The file could not be read as a spreadsheet.',
    FILE_TYPE_MISMATCH: 'The content of the file does not match its name.',
    FILE_TOO_LARGE: 'The file has more rows or bytes than a campaign may have.',
  } as Readonly<Record<string, string>>,
  otherReason: (reason: string): string => `Reason: ${reason}.`,
  id: 'campaign id',
  live: 'This page follows the campaign by itself.',
  cancel: 'Cancel the campaign',
  cancelTitle: (name: string): string => `Cancel the campaign “${name}”?`,
  cancelText: (open: number, text: string): string => {
    const people = open === 1 ? '1 person is' : `${text} people are`;
    const first =
      open === 0
        ? 'The campaign makes no more calls.'
        : `${people} not finished and will not be called any more.`;
    return `${first} Calls that ring or talk are hung up. A cancelled campaign cannot go on.`;
  },
  cancelled: (name: string): string => `The campaign ${name} is cancelled.`,
  notFound: 'There is no such campaign',
  notFoundText: 'It may belong to another organization, or the address may be mistyped.',
  back: 'All campaigns',
  people: 'People',
  peopleText: (open: string): string => (open === '0' ? 'all are finished' : `${open} not finished yet`),
  attempts: 'Calls made',
  attemptsText: 'retries are counted',
  spent: 'Spent',
  ofBudget: (budget: string): string => `of a budget of ${budget}`,
  noBudget: 'no budget is set',
  finish: 'Finished',
  finishText: (minutes: string): string => `estimated to take ${minutes}`,
  outcomes: 'Outcomes',
  outcomesCaption: 'People of the campaign by the outcomes of their calls',
  outcome: 'Outcome',
  share: 'Share',
  peopleStates: filterWords.campaigns.people,
  peopleCaption:
    'People of the campaign in the order of the file, and why each waits, was not called or was called',
  person: 'Person',
  noNumber: 'no number',
  nextAttempt: 'Next attempt',
  noPeople: 'No person is known yet. The list fills as the file is read.',
  nobodyInState: 'No person of the campaign is in this state.',
  refusedRows: (rows: string): string => `Rows that are not called: ${rows}`,
  export: 'Download CSV',
  exporting: (size: string): string => `Downloading, ${size} so far`,
  exportDone: (file: string): string => `${file} is in your downloads.`,
  calls: 'Calls of this campaign',
  byHour: 'Outcomes by hour',
  byHourCaption: 'People of the campaign by outcome and hour',
  byHourIn: (zone: string): string => `Hours are those of ${zone}.`,
  byHourPart: 'Outcomes of more than 31 days before the last one are left out.',
  noHours: 'No call of the campaign has ended yet.',
  hourGroups: {
    talked: 'Talked with the agent',
    voicemail: 'Voicemail',
    notReached: 'Not answered or busy',
    notCalled: 'Failed, cancelled or skipped',
  },
  skippedHint: 'Skipped people were not called: their number is on the do-not-call list, for example.',
  file: 'File',
  fileRows: (rows: string, accepted: string): string => `${rows} rows, ${accepted} of them can be called`,
  reading: 'The file is being read. Numbers appear as soon as that is done.',
  rowErrorsMore: (shown: string, all: string): string => `The first ${shown} of ${all} rows are listed.`,
  noRowErrors: 'Every row of the file can be called.',
  row: 'Row',
  column: 'Column',
  why: 'Why',
  fileWarnings: 'Look at these before the calls are made',
  invalidValue: 'A value that cannot be used',
  rowCodes: {
    INVALID_PHONE: 'No telephone number that can be called',
    DUPLICATE: 'The number stands in an earlier row',
    MISSING_PHONE: 'The telephone number is missing',
    ROW_TOO_LONG: 'The row is too long',
    SUPPRESSED: 'The number is on the do-not-call list',
  },
  settings: 'Settings',
  from: 'Caller number',
  begins: 'Begins',
  started: 'Started',
  ended: 'Ended',
  atOnce: 'At once',
  window: 'Calling window',
  noWindow: 'At any hour',
  windowText: (dayNames: string, start: string, end: string, where: string): string =>
    `${dayNames}, ${start} to ${end}, ${where}`,
  nextDay: (time: string): string => `${time} of the next day`,
  whereRecipient: 'by the clock of the person called',
  whereCampaign: (zone: string): string => `by the clock of ${zone}`,
  days,
  everyDay: 'Every day',
  retries: 'Retries',
  noRetries: 'Each person is called once',
  retriesText: (attempts: number, delay: string, on: string): string =>
    `Up to ${attempts} calls for each person, ${delay} apart, after: ${on}`,
  retryOn: {
    busy: 'busy',
    no_answer: 'not answered',
    voicemail: 'voicemail',
    failed: 'failed',
  },
  pace: 'Pace',
  paceText: (perSecond: number, text: string, atOnce: string | undefined): string => {
    const pace = perSecond === 1 ? 'One call a second' : `${text} calls a second`;
    return atOnce === undefined
      ? `${pace} at the most`
      : `${pace} and ${atOnce} at the same time at the most`;
  },
  budget: 'Budget',
  none: 'None',
} as const;
