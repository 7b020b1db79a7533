// What the simulated phones of a platform on one machine do: the last two digits of a number decide.

export interface Ending {
  readonly name: string;
  readonly status: string;
  /** Null: whatever reason, such as who hung up first. */
  readonly endedReason: string | null;
}

const endings: readonly (Ending & { readonly from: number })[] = [
  { from: 0, name: 'answers and talks', status: 'completed', endedReason: null },
  { from: 60, name: 'no answer', status: 'no_answer', endedReason: 'no_answer' },
  { from: 70, name: 'busy', status: 'busy', endedReason: 'busy' },
  { from: 80, name: 'declines', status: 'no_answer', endedReason: 'declined' },
  { from: 85, name: 'voicemail', status: 'completed', endedReason: 'voicemail_reached' },
  { from: 90, name: 'invalid number', status: 'failed', endedReason: 'invalid_destination' },
  { from: 94, name: 'rings 20 s, then answers', status: 'completed', endedReason: null },
  { from: 95, name: 'provider busy once', status: 'completed', endedReason: null },
  { from: 96, name: 'provider fails before dialling', status: 'failed', endedReason: 'outcome_unknown' },
  { from: 97, name: 'provider silent after dialling', status: 'completed', endedReason: null },
  { from: 98, name: 'hangs up at once', status: 'completed', endedReason: 'user_hangup' },
  { from: 99, name: 'agent never arrives', status: 'failed', endedReason: 'agent_unavailable' },
];

/** @param phoneNumber E.164 */
export const endingOf = (phoneNumber: string): Ending => {
  const digits = Number(phoneNumber.slice(-2));
  const ending = endings.findLast(({ from }) => digits >= from);
  if (ending === undefined) throw new Error(`${phoneNumber} is not a phone number`);
  return ending;
};

export const endingNames: readonly string[] = endings.map(({ name }) => name);
