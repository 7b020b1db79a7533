interface Counts {
  readonly calls: number;
  readonly recordings: number;
  readonly outboundCalls: number;
  readonly recipients: number;
}

/** Words around the erasure of a person. */
export const personStrings = {
  erase: 'Erase person',
  title: (phoneNumber: string): string => `Erase everything about ${phoneNumber}?`,
  text: ({ calls, recordings, outboundCalls, recipients }: Counts): string =>
    `This erases ${calls} calls with their transcripts, ${recordings} recordings, ${outboundCalls} outbound calls and ${recipients} rows of campaigns. It cannot be undone.`,
  started: (phoneNumber: string): string =>
    `The erasure of ${phoneNumber} has started. It continues in the background.`,
};
