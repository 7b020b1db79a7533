// A walk through every operation of the interface, in an order in which each finds its needs.
import type { Customer } from './customer.js';
import type { Caller, Recorder } from './recorder.js';
import { walkBuilding } from './walk-building.js';
import { walkCalls } from './walk-calls.js';
import { walkPeople } from './walk-people.js';

export interface Ground {
  readonly recorder: Recorder;
  /** Address of the platform. */
  readonly url: string;
  readonly internalKey: string;
  readonly customer: Customer;
  /** An MCP server with a tool `echo`. */
  readonly mcpServerUrl: string;
  /** The token of the link in the last mail to this address with these words in its text. */
  readonly mailedToken: (email: string, words: RegExp) => Promise<string>;
}

/** An organization with its owner, and the objects that were built in it. */
export interface Office {
  readonly person: Caller;
  readonly key: Caller;
  readonly organizationId: string;
}

export interface Built {
  readonly agentId: string;
  readonly fromNumber: string;
  readonly toolId: string;
  readonly toolName: string;
}

/** @throws Error at the first operation that fails */
export const walk = async (ground: Ground): Promise<void> => {
  const { recorder } = ground;
  await recorder.ask('health.live', {});
  await recorder.ask('health.ready', {});
  const office = await walkPeople(ground);
  const { built, takeDown } = await walkBuilding(ground, office);
  await walkCalls(ground, office, built);
  await takeDown();
};
