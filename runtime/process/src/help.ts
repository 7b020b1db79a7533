// The answer to --help.
import { Env } from './env.js';

const indent = (text: string): string => `      ${text}`;

const line = (name: string, description: string | undefined): string =>
  description === undefined ? `  ${name}` : `  ${name}\n${indent(description)}`;

export const help = (): string =>
  [
    'parlance text-runtime: answers conversations in text (POST /text-turns, GET /health).',
    '',
    "Without the key of an agent's language model, answers follow rules that the agent's configuration makes.",
    '',
    'Environment:',
    ...Object.entries(Env.shape).map(([name, field]) => line(name, field.description)),
    '',
  ].join('\n');
