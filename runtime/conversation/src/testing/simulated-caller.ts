// Bookings by callers who type, or whose words arrive as they were said.
import { readFileSync } from 'node:fs';
import { phrase } from '../dialogue/phrases.js';
import { bookingAgents } from './booking-agents.js';
import { type Booking, Caller, type NeededField } from './caller.js';
import { callFor, type Setup } from './setup.js';

export const bookings: readonly Booking[] = JSON.parse(
  readFileSync(new URL('./bookings.json', import.meta.url), 'utf8'),
);

export type Cause = 'value missing' | 'value wrong' | 'tool not run' | 'aside not answered' | 'no end';

export interface Outcome {
  readonly booking: Booking;
  readonly causes: readonly { readonly cause: Cause; readonly detail: string }[];
  readonly turns: number;
  readonly transcript: readonly string[];
}

const patience = 40;

const fieldsOf = ({ config }: Setup): readonly NeededField[] =>
  (config as { readonly data_needed: readonly NeededField[] }).data_needed;

export const hold = async (booking: Booking): Promise<Outcome> => {
  const setup = bookingAgents[booking.agent] ?? {};
  const { conversation, say, ran } = callFor(setup);
  const caller = new Caller(booking, fieldsOf(setup));
  const isGerman = conversation.language.startsWith('de');
  const transcript: string[] = [`agent: ${conversation.opening()}`];
  let words = booking.opening;
  let turns = 0;
  const farewell = phrase(conversation.language, 'farewell');
  let answer = '';
  while (turns < patience && !answer.endsWith(farewell)) {
    transcript.push(`caller: ${words}`);
    answer = await say(words);
    transcript.push(`agent: ${answer}`);
    turns += 1;
    words = caller.reply(answer, isGerman).text;
  }
  const causes: { cause: Cause; detail: string }[] = [];
  const collected = conversation.collected();
  for (const { id, required } of fieldsOf(setup)) {
    const wanted = booking.facts[id]?.value;
    const got = collected[id]?.value;
    if (required !== true || wanted === undefined) continue;
    if (got === undefined) causes.push({ cause: 'value missing', detail: id });
    else if (wanted !== null && String(got).toLowerCase() !== String(wanted).toLowerCase())
      causes.push({ cause: 'value wrong', detail: `${id} is ${got}, not ${wanted}` });
  }
  for (const { name } of setup.tools ?? [])
    if (!ran.some(([tool]) => tool === name)) causes.push({ cause: 'tool not run', detail: name });
  if (booking.aside !== undefined) {
    const place = transcript.indexOf(`caller: ${booking.aside.ask}`);
    if (!/documents say|Unterlagen steht/.test(transcript[place + 1] ?? ''))
      causes.push({ cause: 'aside not answered', detail: booking.aside.ask });
  }
  if (!answer.endsWith(farewell)) causes.push({ cause: 'no end', detail: `${turns} turns` });
  return { booking, causes, turns, transcript };
};
