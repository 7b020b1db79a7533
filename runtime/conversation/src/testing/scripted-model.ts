// A language model for tests: answers each request with the next list of events, and keeps the requests.
import type { ChatEvent, ChatRequest, LanguageModel } from '../dialogue/chat.js';

export type Scripted = readonly (ChatEvent | string)[] | Error;

export interface ScriptedModel extends LanguageModel {
  readonly requests: ChatRequest[];
}

export const call = (name: string, given: Readonly<Record<string, unknown>> = {}, id = name): ChatEvent => ({
  type: 'toolCall',
  id,
  name,
  arguments: given,
});

/** A text is a piece of the answer. The last list repeats. */
export const scriptedModel = (answers: readonly Scripted[], contextTokens = 8_000): ScriptedModel => {
  const requests: ChatRequest[] = [];
  return {
    id: 'openai/gpt-4.1-mini',
    contextTokens,
    requests,
    async *chat(request) {
      const answer = answers[Math.min(requests.length, answers.length - 1)] ?? [];
      requests.push(request);
      if (answer instanceof Error) throw answer;
      for (const event of answer) yield typeof event === 'string' ? { type: 'text', delta: event } : event;
      yield { type: 'end', reason: 'stop' };
    },
  };
};
