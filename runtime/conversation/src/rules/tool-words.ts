// Which tool a sentence means: the one whose name and description share the most words with it.
import type { ToolForRuntime } from '@parlance/contracts';
import { inWords } from './excerpt.js';
import { sharedWords, subjectWords } from './sentences.js';
import { canBeAsked } from './slots.js';

/** Verbs that most names of tools begin with. They say nothing about what a tool is for. */
const verbs = new Set(
  'add call check create fetch find finds get gets lookup make makes post query read reads return returns run search searches send set show start tool update'
    .split(' ')
    .flatMap((verb) => [...subjectWords(verb, 'en')]),
);

const withoutVerbs = (words: ReadonlySet<string>): ReadonlySet<string> =>
  new Set([...words].filter((word) => !verbs.has(word)));

/** One word of the name, or two of the description: a single word of a long description is chance. */
const enough = 2;

export const toolFor = (
  text: string,
  tools: readonly ToolForRuntime[],
  language: string,
): ToolForRuntime | undefined => {
  const said = withoutVerbs(subjectWords(text, language));
  let best: { readonly tool: ToolForRuntime; readonly score: number } | undefined;
  for (const tool of tools) {
    if (!canBeAsked(tool)) continue;
    const name = withoutVerbs(subjectWords(inWords(tool.name), language));
    const description = withoutVerbs(subjectWords(tool.description, language));
    const onlyDescribed = new Set([...description].filter((word) => !name.has(word)));
    const score = enough * sharedWords(said, name) + sharedWords(said, onlyDescribed);
    if (score >= enough && score > (best?.score ?? 0)) best = { tool, score };
  }
  return best?.tool;
};
