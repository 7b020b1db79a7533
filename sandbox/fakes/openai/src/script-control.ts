// The script of the program, set over HTTP by a test in another process.
import { bearerGuard } from '@parlance/fake-kit';
import express, { type Router } from 'express';
import { z } from 'zod';
import type { Answer } from './answer.js';
import type { AudioScript } from './audio-script.js';
import { type ChatBody, textOf } from './chat-request.js';
import type { ChatScript, Rule } from './script.js';

const AnswerSetting = z.union([
  z.string(),
  z.strictObject({
    text: z.string().optional(),
    toolCalls: z
      .array(
        z.strictObject({
          name: z.string(),
          arguments: z.union([z.string(), z.record(z.string(), z.unknown())]).optional(),
        }),
      )
      .optional(),
    finishReason: z.enum(['stop', 'length', 'content_filter']).optional(),
  }),
]) as z.ZodType<Answer>;

const Script = z.strictObject({
  answers: z.array(AnswerSetting).default([]),
  /** The first rule whose expression the last message matches gives the answer. */
  rules: z.array(z.strictObject({ when: z.string(), answer: AnswerSetting })).default([]),
  obedient: z.boolean().default(false),
  transcripts: z.array(z.string()).default([]),
});

const ruleOf = (rules: z.output<typeof Script>['rules']): Rule => {
  const compiled = rules.map(({ when, answer }) => ({ when: new RegExp(when, 'iu'), answer }));
  return ({ messages }: ChatBody) => {
    const last = messages.at(-1);
    const text = last === undefined ? '' : textOf(last);
    return compiled.find(({ when }) => when.test(text))?.answer;
  };
};

/** `PUT` replaces the script, `DELETE` clears it. */
export const scriptControl = (token: string, chat: ChatScript, audio: AudioScript): Router => {
  const router = express.Router();
  router.use(bearerGuard(token), express.json({ limit: '1mb' }));
  router.put('/', (request, response) => {
    const parsed = Script.safeParse(request.body);
    if (!parsed.success) {
      response.status(400).json({ error: z.prettifyError(parsed.error) });
      return;
    }
    const { answers, rules, obedient, transcripts } = parsed.data;
    chat.clear();
    audio.clear();
    chat.push(...answers);
    chat.rule = ruleOf(rules);
    chat.isObedient = obedient;
    audio.push(...transcripts);
    response.status(204).end();
  });
  router.delete('/', (_, response) => {
    chat.clear();
    audio.clear();
    response.status(204).end();
  });
  return router;
};
