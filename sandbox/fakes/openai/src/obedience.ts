// A model that does what it is told, by whomever: the worst case for text that is meant to be data.
import type { ScriptedAnswer } from './answer.js';
import { type ChatBody, type ChatBodyMessage, textOf } from './chat-request.js';

interface Instruction {
  readonly at: number;
  readonly answer: ScriptedAnswer;
}

const override =
  /\b(?:ignore|disregard|forget|override|bypass|from now on|new instructions?|system (?:message|override|note))\b/i;
const sayPattern =
  /\b(?:say|reply|respond|answer|write|output|state|announce)\b(?:\s+(?:only|just|exactly|with|the words?|the sentence))*[\s:]+(?:"([^"]+)"|“([^”]+)”|'([^']+)'|([^\n.!?"“]+))/gi;
const callPattern = /\b(?:call|use|run|invoke|execute)\s+(?:the\s+)?(?:tool|function)\s+[`"'“]?([\w-]+)/gi;
const promptPattern =
  /\b(?:print|reveal|show|repeat|output|recite|read out|display|disclose|tell (?:me|us)|what (?:is|are))\b[^.!?\n]{0,60}?\b(?:your|the|these|this)\b[^.!?\n]{0,40}?\b(?:prompt|instructions|rules)\b/gi;
const negated = /\b(?:never|not|don't|cannot|can't|must not|without)\b[^.!?\n]*$/i;

/** The object that begins after the position, if nothing but a few words stands before it. */
const objectAfter = (text: string, from: number): Record<string, unknown> => {
  const start = text.indexOf('{', from);
  if (start < 0 || start - from > 60) return {};
  for (let end = text.indexOf('}', start); end >= 0; end = text.indexOf('}', end + 1)) {
    try {
      return JSON.parse(text.slice(start, end + 1)) as Record<string, unknown>;
    } catch {
      // An inner brace; the object goes on.
    }
  }
  return {};
};

const isNegated = (text: string, at: number): boolean => negated.test(text.slice(Math.max(0, at - 80), at));

const instructionsIn = (text: string, systemPrompt: string): Instruction[] => {
  const found: Instruction[] = [];
  for (const match of text.matchAll(callPattern)) {
    const [all, name = ''] = match;
    const call = { name, arguments: objectAfter(text, match.index + all.length) };
    found.push({ at: match.index, answer: { toolCalls: [call] } });
  }
  for (const { index } of text.matchAll(promptPattern))
    found.push({ at: index, answer: { text: systemPrompt } });
  if (override.test(text))
    for (const match of text.matchAll(sayPattern)) {
      const said = match.slice(1).find((group) => group !== undefined);
      if (said !== undefined) found.push({ at: match.index, answer: { text: said.trim() } });
    }
  return found.filter(({ at }) => !isNegated(text, at)).sort((one, other) => one.at - other.at);
};

/** Otherwise a tool call would be repeated as soon as its result is there. */
const isDone = (answer: ScriptedAnswer, messages: readonly ChatBodyMessage[]): boolean =>
  messages.some((message) => {
    if (message.role !== 'assistant') return false;
    const [call] = answer.toolCalls ?? [];
    return call === undefined
      ? textOf(message) === answer.text
      : message.tool_calls?.some(
          ({ function: made }) =>
            made.name === call.name && made.arguments === JSON.stringify(call.arguments ?? {}),
        );
  });

/**
 * The answer that the last instruction in the request asks for: in the descriptions of tools, in a message of any role, or in a
 * document inside one. Undefined when there is none, or it was followed already.
 */
export const obeyed = ({ messages, tools = [] }: ChatBody): ScriptedAnswer | undefined => {
  const systemPrompt = messages
    .filter(({ role }) => role === 'system' || role === 'developer')
    .map(textOf)
    .join('\n');
  const texts = [
    ...tools.map(({ function: { description = '' } }) => description),
    ...messages.filter(({ role }) => role !== 'assistant').map(textOf),
  ];
  return texts
    .flatMap((text) => instructionsIn(text, systemPrompt))
    .map(({ answer }) => answer)
    .findLast((answer) => !isDone(answer, messages));
};
