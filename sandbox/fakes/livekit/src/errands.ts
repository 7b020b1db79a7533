// A simulated agent answers a person's question: it runs a tool, or looks into documents, and says the result. The same
// tool and the same documents always give the same turns.
import type { Passage, RuntimeConfig, ToolForRuntime, ToolResult } from '@parlance/contracts';
import type { Abilities } from './abilities.js';
import type { Line } from './conversation.js';
import { type Errand, fillVariables, type Script } from './scripts.js';

/** A question, and a function that finds its answer. */
export interface Question {
  readonly question: string;
  readonly answer: () => Promise<Line[]>;
}

type Json = ToolResult['result'];
type Arguments = Readonly<Record<string, Json>>;

const longestAnswer = 300;

const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;

/** A value for a parameter, in place of the model: a choice of its enum, a variable of the call, or made up. */
const argumentFor = (name: string, schema: unknown, variables: Readonly<Record<string, string>>): Json => {
  const choices = fieldOf(schema, 'enum');
  if (Array.isArray(choices)) return choices[0] ?? null;
  switch (fieldOf(schema, 'type')) {
    case 'boolean':
      return true;
    case 'number':
    case 'integer':
      return Number(variables[name] ?? 7) || 7;
    case 'array':
      return [];
    case 'object':
      return {};
    default:
      return variables[name] ?? 'A-1001';
  }
};

/** A value for each required parameter of a tool. */
export const argumentsFor = (
  parameters: ToolForRuntime['parameters'],
  variables: Readonly<Record<string, string>>,
): Arguments => {
  const required = fieldOf(parameters, 'required');
  const names = Array.isArray(required) ? required.filter((name) => typeof name === 'string') : [];
  const properties = fieldOf(parameters, 'properties');
  return Object.fromEntries(
    names.map((name) => [name, argumentFor(name, fieldOf(properties, name), variables)]),
  );
};

const spoken = (errand: Errand, answer: string | undefined): string =>
  answer === undefined ? errand.nothing : fillVariables(errand.found, { answer });

const inWords = (result: Json): string =>
  (typeof result === 'string' ? result : JSON.stringify(result)).slice(0, longestAnswer);

const lookUp = async (
  abilities: Abilities,
  tool: ToolForRuntime,
  errand: Errand,
  variables: Readonly<Record<string, string>>,
): Promise<Line[]> => {
  const given = { ...argumentsFor(tool.parameters, variables) };
  const ran = await abilities.runTool(tool.name, given).catch(() => undefined);
  const isDone = ran !== undefined && !ran.isError;
  const toolCall = {
    ...{ toolId: null, name: tool.name, arguments: given, result: ran?.result ?? null },
    ...{ status: isDone ? ('ok' as const) : ('error' as const), durationMs: ran?.durationMs ?? 0 },
  };
  return [
    { role: 'tool', text: '', toolCall },
    { role: 'agent', text: spoken(errand, isDone ? inWords(ran.result) : undefined) },
  ];
};

/** The first sentence or two: a person on the telephone does not want the page read out. */
const beginningOf = ({ text }: Passage): string => {
  const words = text.replaceAll(/\s+/g, ' ').trim();
  return words.length <= longestAnswer ? words : `${words.slice(0, longestAnswer)}…`;
};

const readUp = async (abilities: Abilities, errand: Errand): Promise<Line[]> => {
  const passages = await abilities.searchKnowledge(errand.question, 3).catch(() => []);
  const [best] = passages;
  const sources = passages.map(({ knowledgeSourceId, chunkId, score }) => ({
    knowledgeSourceId,
    chunkId,
    score,
  }));
  return [{ role: 'agent', text: spoken(errand, best && beginningOf(best)), sources }];
};

/** One question for an agent with tools, and one for an agent with documents. */
export const questionsFor = (
  abilities: Abilities | undefined,
  { tools, knowledge }: Pick<RuntimeConfig, 'tools' | 'knowledge'>,
  script: Script,
  variables: Readonly<Record<string, string>>,
): Question[] => {
  if (abilities === undefined) return [];
  const [tool] = tools;
  const { lookUp: system, readUp: documents } = script;
  return [
    ...(tool === undefined
      ? []
      : [{ question: system.question, answer: () => lookUp(abilities, tool, system, variables) }]),
    ...(knowledge.mode === 'none'
      ? []
      : [{ question: documents.question, answer: () => readUp(abilities, documents) }]),
  ];
};
