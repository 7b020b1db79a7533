/** Words of filters that stand in addresses. Routes read addresses by the keys, so these words come with the first load. */
export const filterWords = {
  calls: {
    status: {
      scheduled: 'Scheduled',
      queued: 'Queued',
      initiated: 'Dialling',
      ringing: 'Ringing',
      in_progress: 'In progress',
      completed: 'Completed',
      no_answer: 'No answer',
      busy: 'Busy',
      failed: 'Failed',
      cancelled: 'Cancelled',
    },
    outcome: {
      answered: 'Answered',
      voicemail: 'Voicemail',
      no_answer: 'No answer',
      busy: 'Busy',
      failed: 'Failed',
      cancelled: 'Cancelled',
      transferred: 'Transferred',
    },
    direction: { inbound: 'Inbound', outbound: 'Outbound' },
    channel: { phone: 'Telephone', widget: 'Website', preview: 'Trial' },
  },
  campaigns: {
    states: {
      validating: 'Reading the file',
      scheduled: 'Scheduled',
      running: 'Running',
      paused: 'Paused',
      completed: 'Completed',
      cancelled: 'Cancelled',
      failed: 'Failed',
    },
    people: {
      pending: 'Waiting',
      queued: 'Next in line',
      in_progress: 'On the phone now',
      completed: 'Talked with the agent',
      voicemail: 'Voicemail',
      no_answer: 'Not answered',
      busy: 'Busy',
      failed: 'Failed',
      cancelled: 'Cancelled',
      skipped: 'Skipped',
      refused: 'Refused',
    },
  },
  outboundCalls: {
    modes: { quick: 'Single call', batch: 'Call of a campaign' },
  },
  overview: {
    ranges: { '24h': 'Last 24 hours', '7d': 'Last 7 days', '30d': 'Last 30 days' },
  },
  webhooks: {
    states: {
      pending: 'Waiting',
      retrying: 'Trying again',
      delivered: 'Delivered',
      failed: 'Given up',
    },
  },
} as const;
