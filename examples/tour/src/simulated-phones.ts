// The phones of a platform on one machine, simulated or on the wire. The last two digits of a number decide the behaviour.

export interface Ending {
  readonly name: string;
  readonly status: string;
  /** Null: any reason, because for example either side may hang up first. */
  readonly endedReason: string | null;
  /** The person at the phone talks to the agent until the conversation is over. */
  readonly talks?: true;
}

/** `wire`: telephones behind LiveKit's own programs (npm start -- --real-media). */
export type Phones = 'simulated' | 'wire';

type Endings = readonly (Ending & { readonly from: number })[];

const simulated: Endings = [
  { from: 0, name: 'answers and talks', status: 'completed', endedReason: null, talks: true },
  { from: 60, name: 'no answer', status: 'no_answer', endedReason: 'no_answer' },
  { from: 70, name: 'busy', status: 'busy', endedReason: 'busy' },
  { from: 80, name: 'declines', status: 'no_answer', endedReason: 'declined' },
  { from: 85, name: 'voicemail', status: 'completed', endedReason: 'voicemail_reached' },
  { from: 90, name: 'invalid number', status: 'failed', endedReason: 'invalid_destination' },
  { from: 94, name: 'rings 20 s, then answers', status: 'completed', endedReason: null, talks: true },
  { from: 95, name: 'provider busy once', status: 'completed', endedReason: null, talks: true },
  { from: 96, name: 'provider fails before dialling', status: 'failed', endedReason: 'outcome_unknown' },
  { from: 97, name: 'provider silent after dialling', status: 'completed', endedReason: null, talks: true },
  { from: 98, name: 'hangs up at once', status: 'completed', endedReason: 'user_hangup' },
  { from: 99, name: 'agent never arrives', status: 'failed', endedReason: 'agent_unavailable' },
];

/**
 * A wire has no phone for which the agent never arrives, and a carrier says of itself that it failed. A telephone that talks
 * stays on the line for two minutes, so the agent ends the call.
 */
const onTheWire: Endings = [
  ...simulated
    .filter(({ from }) => from < 96)
    .map((ending) => (ending.talks ? { ...ending, endedReason: 'agent_hangup' } : ending)),
  { from: 96, name: 'carrier fails', status: 'failed', endedReason: 'sip_error' },
  { from: 97, name: 'answer is lost', status: 'no_answer', endedReason: 'no_answer' },
  { from: 98, name: 'hangs up at once', status: 'completed', endedReason: null },
  { from: 99, name: 'answers and talks', status: 'completed', endedReason: 'agent_hangup', talks: true },
];

const endings: Readonly<Record<Phones, Endings>> = { simulated, wire: onTheWire };

/** @param phoneNumber E.164 */
export const endingOf = (phoneNumber: string, phones: Phones): Ending => {
  const digits = Number(phoneNumber.slice(-2));
  const ending = endings[phones].findLast(({ from }) => digits >= from);
  if (ending === undefined) throw new Error(`${phoneNumber} is not a phone number`);
  return ending;
};

export const endingNames: readonly string[] = [...simulated, ...onTheWire].map(({ name }) => name);
