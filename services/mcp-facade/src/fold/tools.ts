// The tools: one per row of the contract that says so, with name, safety class and schemas of the row.

import type { Tool } from '@modelcontextprotocol/server';
import type { Parts } from '@parlance/client';
import { type Operation, operations, type Safety } from '@parlance/contracts';
import { inputParser } from '@parlance/http';
import type { z } from 'zod';
import { ConfirmationRequired, doneFormOf } from './answers.js';
import { inputSchemaOf, type ObjectSchema, outputSchemaOf } from './json-schemas.js';

export type Arguments = Readonly<Record<string, unknown>>;

/** The argument that brings a confirmation; no operation has a field of this name. */
export const tokenArgument = 'confirmationToken';

export interface FoldedTool {
  readonly name: string;
  readonly safety: Safety;
  readonly row: Operation;
  /** Costs money or destroys something, so that a person confirms it. */
  readonly isConfirmed: boolean;
  /** The entry in the list for clients; made at the first look. */
  readonly listed: Tool;
  /** The schema of a success: `data` and `message`. */
  readonly done: z.ZodObject;
  /** The parts of the request. @throws AppError as the gateway would for arguments that do not fit */
  partsOf(given: Arguments): Parts;
}

/** `idempotentHint` is false unless given, and means nothing for a tool that only reads. */
const annotationsOf = (safety: Safety): NonNullable<Tool['annotations']> => ({
  readOnlyHint: safety === 'read',
  destructiveHint: safety === 'destructive',
  openWorldHint: safety === 'external-cost',
});

const confirmedSentence: Partial<Record<Safety, string>> = {
  'external-cost': 'Costs money or acts in the world.',
  destructive: 'Ends or deletes something.',
};

const descriptionOf = ({ summary, description }: Operation, safety: Safety): string => {
  const warning = confirmedSentence[safety];
  return [
    `${summary}.`,
    ...(warning === undefined ? [] : [`${warning} A person confirms it first.`]),
    description,
  ].join(' ');
};

const withToken = (schema: ObjectSchema): ObjectSchema => ({
  ...schema,
  properties: {
    ...Object(schema.properties),
    [tokenArgument]: {
      type: 'string',
      description: 'from the preview, once a person has agreed',
    },
  },
});

const namesOf = (part: z.ZodObject | undefined): readonly string[] => Object.keys(part?.shape ?? {});

/** What a client has to know of a preview; the instructions of the server tell the rest. */
const PreviewFields = ConfirmationRequired.pick({ status: true, summary: true, confirmationToken: true });

const pick = (from: Arguments, names: readonly string[]): Arguments =>
  Object.fromEntries(names.flatMap((name) => (Object.hasOwn(from, name) ? [[name, from[name]]] : [])));

const fold = (row: Operation, name: string, safety: Safety): FoldedTool => {
  const isConfirmed = safety === 'external-cost' || safety === 'destructive';
  const done = doneFormOf(row);
  const parse = inputParser(row);
  const [inParams, inQuery] = [namesOf(row.params), namesOf(row.query)];
  let listed: Tool | undefined;
  const list = (): Tool => {
    const input = inputSchemaOf([row.params, row.query, row.body]);
    return {
      name,
      title: row.summary,
      description: descriptionOf(row, safety),
      inputSchema: isConfirmed ? withToken(input) : input,
      outputSchema: outputSchemaOf(isConfirmed ? [done, PreviewFields] : [done]),
      annotations: annotationsOf(safety),
      _meta: { safetyClass: safety },
    } as Tool; // JSON schemas, which the type of the SDK spells out further
  };
  return {
    ...{ name, safety, row, isConfirmed, done },
    get listed() {
      listed ??= list();
      return listed;
    },
    partsOf: (given) => {
      const params = pick(given, inParams);
      const query = pick(given, inQuery);
      const rest = pick(
        given,
        Object.keys(given).filter((key) => !(key in params) && !(key in query)),
      );
      const hasBody = row.body !== undefined;
      parse({ params, query, body: hasBody || Object.keys(rest).length > 0 ? rest : undefined });
      return { params, query, ...(hasBody ? { body: rest } : {}) };
    },
  };
};

const rows: readonly Operation[] = operations;

export const tools: ReadonlyMap<string, FoldedTool> = new Map(
  rows.flatMap((row) =>
    row.mcp.as === 'tool' ? [[row.mcp.name, fold(row, row.mcp.name, row.mcp.safety)] as const] : [],
  ),
);
