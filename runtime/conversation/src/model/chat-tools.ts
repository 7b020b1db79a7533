// The tools that a model is offered: those of the call, and those of the platform.
import type { Call } from '../dialogue/call.js';
import type { ChatTool } from '../dialogue/chat.js';
import { dataBlock, withoutDelimiters } from '../prompt/data.js';
import type { Toolbox } from '../tools/toolbox.js';

export interface PlatformTools {
  /** Undefined for an agent whose knowledge is not searched. */
  readonly search: ChatTool | undefined;
  /** Undefined where there is no telephone number. */
  readonly optOut: ChatTool | undefined;
  readonly end: ChatTool;
}

/** A name that no tool of the call has: an attached tool keeps its own. */
const freeName = (toolbox: Toolbox, name: string): string =>
  toolbox.find(name) === undefined ? name : freeName(toolbox, `parlance_${name}`);

export const platformTools = (toolbox: Toolbox): PlatformTools => ({
  search: toolbox.canSearch
    ? {
        name: freeName(toolbox, 'search_knowledge'),
        description: 'Searches the documents for passages that answer a question.',
        parameters: {
          type: 'object',
          properties: { query: { type: 'string', description: 'the question, in the words of the person' } },
          required: ['query'],
        },
      }
    : undefined,
  optOut: toolbox.canOptOut
    ? {
        name: freeName(toolbox, 'do_not_call'),
        description: 'Puts the number of the person on the list of numbers that are never called again.',
        parameters: { type: 'object', properties: {} },
      }
    : undefined,
  end: {
    name: freeName(toolbox, 'end_call'),
    description: 'Ends the conversation after the words of this answer.',
    parameters: { type: 'object', properties: {} },
  },
});

const cleaned = (value: unknown): unknown => {
  if (typeof value === 'string') return withoutDelimiters(value);
  if (Array.isArray(value)) return value.map(cleaned);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, cleaned(inner)]));
};

const parametersOf = ({ parameters }: Pick<ChatTool, 'parameters'>): ChatTool['parameters'] =>
  cleaned(parameters) as ChatTool['parameters'];

/** The description of an MCP server is written by a stranger, that of an HTTP tool by the organization. */
export const chatTools = ({ found }: Call, { search, optOut, end }: PlatformTools): readonly ChatTool[] => [
  ...found.tools.map((tool) => ({
    name: tool.name,
    description: withoutDelimiters(tool.description),
    parameters: parametersOf(tool),
  })),
  ...found.mcpTools.map((tool) => ({
    name: tool.name,
    description: dataBlock('tool description', tool.description),
    parameters: parametersOf(tool),
  })),
  ...(search === undefined ? [] : [search]),
  ...(optOut === undefined ? [] : [optOut]),
  end,
];
