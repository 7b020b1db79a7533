// The resources: one per row of the contract that says so, at parlance://NAME or parlance://NAME/{id}. Fields of the query go
// into the query of the address.

import type { Resource, ResourceTemplateType } from '@modelcontextprotocol/server';
import type { Parts } from '@parlance/client';
import { type Operation, operations } from '@parlance/contracts';
import { inputParser } from '@parlance/http';
import { z } from 'zod';

const scheme = 'parlance:';
export const mimeType = 'application/json';

export interface FoldedResource {
  readonly name: string;
  readonly row: Operation;
  /** Address, or template of addresses where the row has parameters. */
  readonly address: string;
  /** Names of the parameters, in the order of the address. */
  readonly parameters: readonly string[];
}

export interface ResourceRequest {
  readonly resource: FoldedResource;
  readonly parts: Parts;
}

const fold = (row: Operation, path: string): FoldedResource => ({
  name: path.split('/')[0] ?? path,
  row,
  address: `${scheme}//${path}`,
  parameters: [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name),
});

const rows: readonly Operation[] = operations;

export const resources: ReadonlyMap<string, FoldedResource> = new Map(
  rows
    .flatMap((row) => (row.mcp.as === 'resource' ? [fold(row, row.mcp.name)] : []))
    .map((resource) => [resource.name, resource]),
);

const queryTold = ({ query }: Operation): string => {
  const names = Object.keys(query?.shape ?? {});
  return names.length === 0 ? '' : ` The query of the address takes ${names.join(', ')}.`;
};

const told = ({ name, row }: FoldedResource) => ({
  name,
  title: row.summary,
  description: `${row.summary}. ${row.description}${queryTold(row)}`,
  mimeType,
  ...(row.query === undefined
    ? {}
    : { _meta: { query: z.toJSONSchema(row.query, { io: 'input', unrepresentable: 'any' }) } }),
});

/** Resources with one address. */
export const listedResources = (): readonly Resource[] =>
  [...resources.values()]
    .filter(({ parameters }) => parameters.length === 0)
    .map((resource) => ({ ...told(resource), uri: resource.address }));

/** Resources with an address for each thing. */
export const listedTemplates = (): readonly ResourceTemplateType[] =>
  [...resources.values()]
    .filter(({ parameters }) => parameters.length > 0)
    .map((resource) => ({ ...told(resource), uriTemplate: resource.address }));

const decoded = (segment: string): string | undefined => {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined; // not valid percent-encoding, so the address of nothing
  }
};

/**
 * The request that an address stands for; undefined for an address of nothing.
 * @throws AppError as the gateway would for ids and fields that do not fit
 */
export const requestAt = (uri: string): ResourceRequest | undefined => {
  const url = URL.parse(uri) ?? undefined;
  const resource = url?.protocol === scheme ? resources.get(url.host) : undefined;
  if (url === undefined || resource === undefined || url.hash !== '') return undefined;
  const segments = url.pathname.split('/').slice(1).map(decoded);
  const { parameters, row } = resource;
  if (segments.length !== parameters.length || segments.some((segment) => !segment)) return undefined;
  const params = Object.fromEntries(parameters.map((name, index) => [name, segments[index]]));
  const query = Object.fromEntries(url.searchParams);
  inputParser(row)({ params, query, body: undefined });
  return { resource, parts: { params, query } };
};

/** The address of the next page of a list. */
export const nextPageAt = (uri: string, cursor: string): string => {
  const url = new URL(uri);
  url.searchParams.set('cursor', cursor);
  return url.href;
};
