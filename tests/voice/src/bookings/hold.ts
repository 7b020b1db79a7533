// One booking: the caller's words become audio, the audio becomes words again, and the dialogue engine answers those.
import { callContext, type RuntimeConfig } from '@parlance/contracts';
import { Conversation, phrase, unintelligible } from '@parlance/conversation';
import { type BookingAgent, bookingAgents, Caller, type NeededField } from '@parlance/conversation/testing';
import { configurationOf } from '../setting/platform.js';
import { callsAt, type VoiceCaller } from './callers.js';

export type Cause = 'value missing' | 'value wrong' | 'tool not run' | 'no end';

export interface Outcome {
  readonly caller: VoiceCaller;
  readonly causes: readonly { readonly cause: Cause; readonly detail: string }[];
  readonly turns: number;
  readonly transcript: readonly string[];
  /** What was said, and the words that were recognized. */
  readonly recognized: readonly (readonly [said: string, heard: string])[];
}

/** Turns after which a caller hangs up. */
const patience = 40;
/** As the runtime has it: a voice without words is answered so many times in a row. */
const mostWordless = 4;
const sourceId = '0198c0de-0000-7000-8000-0000000000ac';

const toolOf = (tool: NonNullable<BookingAgent['tools']>[number]): RuntimeConfig['tools'][number] => ({
  description: '',
  parameters: { type: 'object', properties: {} },
  executionMode: 'immediate',
  fillerMessage: null,
  interruptible: true,
  timeoutMs: 10_000,
  ...tool,
});

const conversationFor = (agent: BookingAgent, ran: Set<string>): Conversation => {
  const found = configurationOf(agent.config, {
    tools: (agent.tools ?? []).map(toolOf),
    knowledge: agent.knowledge,
  });
  const { documents = [], results = {} } = agent;
  return new Conversation({
    context: callContext({
      callId: 'call-1',
      organizationId: found.agent.organizationId,
      agentId: found.agent.id,
      channel: 'phone',
      direction: 'inbound',
      fromNumber: '+14155550177',
      dynamicVariables: {},
    }),
    found,
    session: {
      runTool: async (name) => {
        ran.add(name);
        return { result: results[name] as never, assignments: {}, durationMs: 3, isError: false };
      },
      searchKnowledge: async () =>
        documents.map((text, index) => ({
          knowledgeSourceId: sourceId,
          chunkId: `c${index}`,
          sourceName: 'Handbook',
          url: null,
          headings: [],
          text,
          score: 0.9,
          start: 0,
          end: text.length,
        })),
    },
    mode: 'voice',
    now: () => callsAt,
  });
};

/** "44 Oak Avenue." and "44 oak avenue" are the same. */
const comparable = (value: unknown): string =>
  String(value)
    .toLowerCase()
    .replaceAll(/[\s.,-]+/g, ' ')
    .trim();

const causesOf = (
  { booking }: VoiceCaller,
  agent: BookingAgent,
  conversation: Conversation,
  ran: ReadonlySet<string>,
): Outcome['causes'] => {
  const collected = conversation.collected();
  const fields = (agent.config as { readonly data_needed: readonly NeededField[] }).data_needed;
  const ofValues = fields.flatMap(({ id, required }): Outcome['causes'] => {
    const wanted = booking.facts[id]?.value;
    const got = collected[id]?.value;
    if (required !== true || wanted === undefined) return [];
    if (got === undefined) return [{ cause: 'value missing', detail: id }];
    if (wanted === null || comparable(got) === comparable(wanted)) return [];
    return [{ cause: 'value wrong', detail: `${id} is ${got}, not ${wanted}` }];
  });
  const ofTools = (agent.tools ?? []).flatMap(({ name }): Outcome['causes'] =>
    ran.has(name) ? [] : [{ cause: 'tool not run', detail: name }],
  );
  return [...ofValues, ...ofTools];
};

/** @param hear what recognition makes of the caller's words */
export const hold = async (
  caller: VoiceCaller,
  hear: (words: string, prompt: string | undefined) => Promise<string>,
): Promise<Outcome> => {
  const { booking, language } = caller;
  const agent = bookingAgents[booking.agent];
  if (agent === undefined) throw new Error(`there is no agent ${booking.agent}`);
  const ran = new Set<string>();
  const conversation = conversationFor(agent, ran);
  const fields = (agent.config as { readonly data_needed: readonly NeededField[] }).data_needed;
  const person = new Caller(booking, fields);
  const isGerman = language === 'de';
  const farewell = phrase(conversation.language, 'farewell');
  const transcript = [`agent: ${conversation.opening()}`];
  const recognized: (readonly [string, string])[] = [];
  let reply = { text: booking.opening, isKeyed: false };
  let turns = 0;
  let wordless = 0;
  let answer = '';
  while (turns < patience && !answer.endsWith(farewell)) {
    // Keys reach the conversation as a person would read them out.
    const heard = reply.isKeyed ? [...reply.text].join(' ') : await hear(reply.text, conversation.hint());
    if (!reply.isKeyed) recognized.push([reply.text, heard]);
    transcript.push(`caller: ${reply.text}${heard === reply.text ? '' : `   (heard: ${heard})`}`);
    turns += 1;
    wordless = heard === '' ? wordless + 1 : 0;
    if (wordless > mostWordless) {
      // The runtime takes it for a noise, and the caller answers the question again.
      reply = person.reply(answer, isGerman);
      continue;
    }
    answer = '';
    for await (const event of conversation.answer(heard === '' ? unintelligible : heard))
      if (event.type === 'say') answer += event.delta;
    transcript.push(`agent: ${answer}`);
    reply = person.reply(answer, isGerman);
  }
  const causes = [...causesOf(caller, agent, conversation, ran)];
  if (!answer.endsWith(farewell)) causes.push({ cause: 'no end', detail: `${turns} turns` });
  return { caller, causes, turns, transcript, recognized };
};
