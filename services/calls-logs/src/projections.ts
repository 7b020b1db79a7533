// Names under which checkpoints are kept. A read model under a new name is made from the first event.
export const projections = {
  index: 'call-index',
  documents: 'call-documents',
  /** Not a read model: starting over would tell everybody everything again. */
  announcements: 'call-announcements',
} as const;
